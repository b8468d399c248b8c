"""What the pooled OpenSearch index is made of. Tokens and vectors come ready; nothing is analysed.

Vectors and tokens stay out of `_source`: they are a third of the size and are made again from
the table, never read back.
"""

from __future__ import annotations

from typing import Any

from muniment.adapters.embedder import E5_DIMENSIONS, IDENTITY, USE_DIMENSIONS

KEYWORD = {"type": "keyword"}


def index_body(alias: str, shards: int, replicas: int) -> dict[str, Any]:
    """Return settings, mapping and alias; the mapping remembers whose vectors it was made for."""
    return {
        "aliases": {alias: {"is_write_index": True}},
        "settings": {
            "index": {
                "knn": True,
                "number_of_shards": shards,
                "number_of_replicas": replicas,
                "refresh_interval": "1s",
                "similarity": {
                    "words": {"type": "BM25", "k1": 0.9, "b": 0.4},
                    "idents": {"type": "BM25", "k1": 1.2, "b": 0.3},
                },
            }
        },
        "mappings": {
            "_meta": {"identity": IDENTITY},
            "dynamic": "strict",
            "_routing": {"required": True},
            "_source": {"excludes": ["e5", "use", "words", "idents"]},
            "properties": _properties(),
        },
    }


def _properties() -> dict[str, Any]:
    keywords = ("tenant", "project", "cell", "fact_id", "kind", "state", "subject_id", "scope")
    return {
        **dict.fromkeys((*keywords, "identity"), KEYWORD),
        "revision": {"type": "integer"},
        "gone": {"type": "boolean"},
        "trust": {"type": "byte"},
        "expires_at": {"type": "long"},
        "words": _tokens("words"),
        "idents": _tokens("idents"),
        "e5": _vector(E5_DIMENSIONS),
        "use": _vector(USE_DIMENSIONS),
    }


def _tokens(similarity: str) -> dict[str, Any]:
    return {"type": "text", "analyzer": "whitespace", "similarity": similarity}


def _vector(dimensions: int) -> dict[str, Any]:
    return {
        "type": "knn_vector",
        "dimension": dimensions,
        "method": {
            "name": "hnsw",
            "engine": "lucene",
            "space_type": "cosinesimil",
            "parameters": {"m": 16, "ef_construction": 128},
        },
    }
