"""The questions that one search puts to OpenSearch, and how their answers are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from muniment.adapters import tokens
from muniment.domain.place import Scope
from muniment.domain.search import DEPTH, Hit, Question, Vectors

DIGITS = 5  # of a vector's number: finer than the float16 of the other engine

_HITS = ("hits.hits._score", "hits.hits.fields")
_FAULTS = ("status", "error.type", "error.reason", "timed_out", "_shards.failed")
ANSWER = ",".join(f"responses.{part}" for part in (*_HITS, *_FAULTS))  # the rest is not sent


def short(vector: Sequence[float]) -> list[float]:
    return [round(number, DIGITS) for number in vector]


def _filter(scope: Scope, question: Question) -> list[dict[str, Any]]:
    """Return the clauses that every sub-query carries: what the scope shows, and no more."""
    exact = {name: getattr(question, name) for name in ("kind", "subject_id", "scope")}
    return [
        {"term": {"tenant": scope.tenant}},
        {"term": {"project": scope.project}},
        {"terms": {"cell": scope.tokens()}},
        {"range": {"trust": {"gte": question.min_trust}}},
        {"bool": {"must_not": [{"range": {"expires_at": {"lte": question.now}}}]}},
        *({"term": {name: value}} for name, value in exact.items() if value is not None),
    ]


def queries(scope: Scope, question: Question, vectors: Vectors | None) -> dict[str, dict[str, Any]]:
    """Return list name -> sub-query. A list that nothing can be asked of is left out."""
    if not scope.cells():
        return {}
    kept = _filter(scope, question)
    found = {
        "words": tokens.query_words(question.text),
        "idents": tokens.query_idents(question.text),
    }
    asked: dict[str, dict[str, Any]] = {
        name: {"bool": {"must": [{"match": {name: " ".join(some)}}], "filter": kept}}
        for name, some in found.items()
        if some
    }
    if vectors:
        within = {"bool": {"filter": [*kept, {"term": {"identity": vectors.identity}}]}}
        for name, vector in (("e5", vectors.e5), ("use", vectors.use)):
            near = {"vector": short(vector), "k": DEPTH, "filter": within}
            asked[name] = {"knn": {name: near}}
    return asked


def request(query: dict[str, Any], patience: float) -> dict[str, Any]:
    """Return the body of one sub-search; after `patience` seconds nobody waits for it."""
    return {
        "query": query,
        "size": DEPTH,
        "_source": False,
        "docvalue_fields": ["fact_id", "revision"],
        "track_total_hits": False,
        "timeout": f"{int(patience * 1000)}ms",
    }


def fault(answer: Mapping[str, Any]) -> str:
    """Return why this sub-query's answer cannot be used, empty if it can."""
    if "error" in answer:
        return f"{answer['error'].get('type')}: {answer['error'].get('reason')}"
    if answer.get("timed_out"):
        return "timed out"
    return "a shard failed" if answer.get("_shards", {}).get("failed") else ""


def found_hits(answer: Mapping[str, Any]) -> list[Hit]:
    return [
        Hit(hit["fields"]["fact_id"][0], hit["fields"]["revision"][0], hit["_score"])
        for hit in answer.get("hits", {}).get("hits", [])
    ]
