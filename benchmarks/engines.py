"""Both search engines for a benchmark, each behind the product's own adapter."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from local import opensearch
from muniment.adapters.opensearch_index import OpenSearchIndex, connect
from muniment.adapters.sqlite_index import SqliteIndex
from muniment.verbs.ports import SearchIndex

ALIAS = "muniment-benchmark"
PATIENCE = 30.0  # seconds: a node just started is slow, and here every answer counts


@dataclass
class Engine:
    """`settle` makes what was written searchable, `clear` leaves an empty index."""

    name: str
    index: SearchIndex
    settle: Callable[[], object]
    clear: Callable[[], object]


@contextmanager
def sqlite_engine(folder: Path) -> Iterator[Engine]:
    index = SqliteIndex(folder / "sqlite")
    yield Engine("sqlite", index, settle=lambda: None, clear=lambda: None)  # a file a tenant
    index.close()


@contextmanager
def opensearch_engine() -> Iterator[Engine]:
    """Yield the engine at OPENSEARCH_ENDPOINT, or one of a node that ends with this block."""
    with _endpoint() as endpoint:
        client = connect(endpoint, os.environ.get("AWS_REGION"))
        index = OpenSearchIndex(client, alias=ALIAS, patience=PATIENCE)

        def clear() -> None:
            client.indices.delete(index=f"{ALIAS}-*", params={"ignore_unavailable": "true"})
            index.ensure(replicas=0)

        def settle() -> None:
            client.indices.refresh(index=ALIAS)

        yield Engine("opensearch", index, settle, clear)
        client.indices.delete(index=f"{ALIAS}-*", params={"ignore_unavailable": "true"})
        client.close()


@contextmanager
def _endpoint() -> Iterator[str]:
    if given := os.environ.get("OPENSEARCH_ENDPOINT"):
        yield given
        return
    reason = opensearch.available()
    if reason:
        raise SystemExit(f"no OpenSearch: {reason}")
    data = Path(tempfile.mkdtemp(prefix="muniment-node-"))
    data.chmod(0o755)  # as root, the node runs under an account of its own
    port = free_port()
    node = opensearch.start(opensearch.build(), port, data)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        opensearch.stop(node)
        shutil.rmtree(data, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
