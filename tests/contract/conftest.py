"""The real search engines that the index contract runs on.

OpenSearch is the one at OPENSEARCH_ENDPOINT, otherwise a node built and started for this run.
Where neither is possible its tests are skipped with the reason; on CI that is a failure.
"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from local import opensearch
from local.opensearch_build import CannotRun
from muniment.adapters.opensearch_index import OpenSearchIndex, connect
from muniment.adapters.sqlite_index import SqliteIndex
from muniment.verbs.ports import SearchIndex

SENTINEL = "test_the_contract_runs_on_a_real_opensearch"
PATIENCE = 30.0  # seconds: on a busy machine a cold node is slow, and that is not what is tested


@dataclass
class Engine:
    """An empty index, and what makes its writes searchable at once."""

    name: str
    index: SearchIndex
    settle: Callable[[], object]


@cache
def missing() -> str | None:
    """Return why no OpenSearch can be had, None if one can."""
    return None if os.environ.get("OPENSEARCH_ENDPOINT") else opensearch.available()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a node let one test say so, not each of them."""
    concerned = [item for item in items if needs_node(item) and item.name != SENTINEL]
    if concerned and missing():
        config.hook.pytest_deselected(items=concerned)
        items[:] = [item for item in items if item not in concerned]


def needs_node(item: pytest.Item) -> bool:
    chosen = getattr(item, "callspec", None)
    return "opensearch_endpoint" in getattr(item, "fixturenames", ()) or (
        chosen is not None and chosen.params.get("engine") == "opensearch"
    )


@pytest.fixture(scope="session")
def opensearch_endpoint() -> Iterator[str]:
    if given := os.environ.get("OPENSEARCH_ENDPOINT"):
        yield given
        return
    if reason := missing():
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI must run the contract on OpenSearch: {reason}")
        pytest.skip(f"no OpenSearch: {reason}")
    data = Path(tempfile.mkdtemp(prefix="muniment-node-"))
    data.chmod(0o755)  # as root, the node runs under an account of its own
    port = free_port()
    try:
        node = opensearch.start(opensearch.build(), port, data)
    except CannotRun as error:
        pytest.fail(f"the node did not start: {error}")
    yield f"http://127.0.0.1:{port}"
    opensearch.stop(node)
    shutil.rmtree(data, ignore_errors=True)


@pytest.fixture(scope="session")
def opensearch_client(opensearch_endpoint: str) -> Iterator[Any]:
    client = connect(opensearch_endpoint, os.environ.get("AWS_REGION"))
    yield client
    client.close()


@pytest.fixture
def alias(opensearch_client: Any) -> Iterator[str]:
    """Return a name that no index has yet; what is made of it is deleted afterwards."""
    name = f"muniment-test-{uuid.uuid4().hex[:12]}"
    yield name
    opensearch_client.indices.delete(index=f"{name}-*", params={"ignore_unavailable": "true"})


@pytest.fixture
def opensearch_engine(opensearch_client: Any, alias: str) -> Engine:
    index = OpenSearchIndex(opensearch_client, alias=alias, patience=PATIENCE)
    index.ensure(shards=1, replicas=0)
    return Engine("opensearch", index, lambda: opensearch_client.indices.refresh(index=alias))


@pytest.fixture
def sqlite_engine(tmp_path: Path) -> Iterator[Engine]:
    index = SqliteIndex(tmp_path / "search")
    yield Engine("sqlite", index, settle=lambda: None)
    index.close()


@pytest.fixture(params=["sqlite", "opensearch"])
def engine(request: pytest.FixtureRequest) -> Engine:
    found: Engine = request.getfixturevalue(f"{request.param}_engine")
    return found


def free_port() -> int:
    """Return a free port outside 5000 to 9000."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        if not 5000 <= port <= 9000:
            return port
