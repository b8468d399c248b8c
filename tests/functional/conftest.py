"""The whole service on moto: every function called as API Gateway calls it, with our clock.

call("remember", "POST", "/remember", {…}) ──► handler ──► moto, SQLite index in tmp_path
service.index()                                stream of heads ──► index_facts
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import io
import json
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.config import Config
from moto import mock_aws

from muniment import bootstrap
from muniment.adapters import embedder
from muniment.adapters.dynamo_table import Table
from muniment.api.app import logger
from muniment.domain.budget import Profile
from muniment.domain.search import Vectors
from tests.builders import CONTEXT, NOW, an_event
from tests.property.memory_dynamo import MemoryDynamo
from tests.template import create_table_request

REFERENCE = {  # a fact for the repo layer, every item of it below 1 KB
    "statement": "Deploys to staging roll out through app-staging.",
    "subject": {"type": "service", "id": "staging"},
    "citations": [{"quote": "see the pipeline", "locator": "docs/deploy.md#L10"}],
    "reason": "read in the pipeline",
}


class HashedWords:
    """An embedder that is fast and knows nothing: texts are near if they share words."""

    identity = "hashed-words/1"

    def passages(self, texts: Sequence[str]) -> list[Vectors | None]:
        return [self.query(text) for text in texts]

    def query(self, text: str) -> Vectors | None:
        words = text.lower().split()
        if not words:
            return None
        return Vectors(self.identity, _hashed(words, 384), _hashed(words, 512))


def _hashed(words: list[str], size: int) -> list[float]:
    sums = [0.0] * size
    for word in words:
        sums[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % size] += 1.0
    length = math.sqrt(sum(value * value for value in sums))
    return [value / length for value in sums]


@dataclass(frozen=True)
class Reply:
    status: int
    body: dict[str, Any]
    headers: dict[str, str]
    text: str


@dataclass
class Service:
    """`now` is the clock of all functions, Unix milliseconds."""

    client: Any
    table: Table
    now: int = NOW
    patch: pytest.MonkeyPatch = field(default_factory=pytest.MonkeyPatch)

    def call(self, verb: str, method: str, path: str, body: Any = None, **said: Any) -> Reply:
        """Call a function. Said: caller, query, headers, tenant, projects, raw, base64."""
        handler = importlib.import_module(f"functions.api.{verb}").handler
        answer = handler(an_event(method, path, body, **said), CONTEXT)
        headers = {name: values[0] for name, values in answer["multiValueHeaders"].items()}
        return Reply(answer["statusCode"], json.loads(answer["body"]), headers, answer["body"])

    def record(self, **fields: Any) -> Reply:
        said = {n: fields.pop(n) for n in list(fields) if n in SAID}
        return self.call("record_fact", "POST", "/facts", REFERENCE | fields, **said)

    def remember(self, content: str, **fields: Any) -> Reply:
        said = {n: fields.pop(n) for n in list(fields) if n in SAID}
        return self.call("remember", "POST", "/remember", {"content": content, **fields}, **said)

    def a_fact(self, content: str, **fields: Any) -> str:
        """Remember something and return its id."""
        reply = self.remember(content, **fields)
        assert reply.status == 201, reply.text
        return str(reply.body["fact"]["fact_id"])

    def search(self, text: str, **fields: Any) -> Reply:
        said = {n: fields.pop(n) for n in list(fields) if n in SAID}
        return self.call("search_facts", "POST", "/search", {"query": text, **fields}, **said)

    def found(self, text: str, **fields: Any) -> list[str]:
        """Return the ids that a search finds, best first."""
        reply = self.search(text, **fields)
        assert reply.status == 200, reply.text
        return [item["fact"]["fact_id"] for item in reply.body["items"]]

    def context(self, text: str, **fields: Any) -> Reply:
        said = {n: fields.pop(n) for n in list(fields) if n in SAID}
        return self.call("read_context", "POST", "/context", {"query": text, **fields}, **said)

    def list(self, **query: Any) -> Reply:
        said = {n: query.pop(n) for n in list(query) if n in SAID}
        return self.call("list_facts", "GET", "/facts", query=query, **said)

    def get(self, fact_id: str, **said: Any) -> Reply:
        return self.call("get_fact", "GET", f"/facts/{fact_id}", **said)

    def rows(self) -> list[dict[str, Any]]:
        """Return every item of the table, in DynamoDB's own form."""
        rows: list[dict[str, Any]] = []
        ask: dict[str, Any] = {"TableName": "Memory"}
        while True:
            page = self.client.scan(**ask)
            rows += page["Items"]
            if "LastEvaluatedKey" not in page:
                return rows
            ask["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def used(self, project: str = "backend", tenant: str = "acme") -> int:
        """Return how many facts the project's budget counts."""
        key = {"pk": {"S": f"T#{tenant}#P#{project}"}, "sk": {"S": "BUDGET"}}
        item = self.client.get_item(TableName="Memory", Key=key)["Item"]
        return int(item["facts"]["N"])

    def change(self, pk: str, sk: str, **values: Any) -> None:
        """Set attributes of one item behind everybody's back."""
        names = {f"#{name}": name for name in values}
        self.table.update(
            (pk, sk),
            "SET " + ", ".join(f"#{name} = :{name}" for name in values),
            names=names,
            values={f":{name}": value for name, value in values.items()},
        )

    def index(self) -> dict[str, int]:
        """Do what the stream does: send every head to the function that indexes."""
        heads = [row for row in self.rows() if row["sk"] == {"S": "HEAD"}]
        return self.stream(*({"NewImage": head} for head in heads))

    def sweep(self, step: Any = None) -> dict[str, Any]:
        """Do a step of the sweep of deleted projects."""
        handler = importlib.import_module("functions.maintenance.sweep_projects").handler
        done: dict[str, Any] = handler({"next": step}, CONTEXT)
        return done

    def stream(self, *images: dict[str, Any]) -> dict[str, int]:
        """Send images to the function that indexes, as Lambda writes them: bytes in base64."""
        records = [
            {"dynamodb": {"Keys": {k: image["NewImage"][k] for k in ("pk", "sk")}, **image}}
            for image in images
        ]
        event = json.loads(json.dumps({"Records": records}, default=_base64))
        handler = importlib.import_module("functions.streams.index_facts").handler
        done: dict[str, int] = handler(event, CONTEXT)
        return done


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


SAID = ("caller", "query", "headers", "tenant", "projects", "raw", "base64")


@pytest.fixture
def client() -> Iterator[Any]:
    """A DynamoDB client with the table of template.yaml in memory.

    DYNAMO=moto runs the same tests on moto, which takes ten times as long.
    """
    if os.environ.get("DYNAMO") != "moto":
        yield MemoryDynamo(create_table_request("Memory"))
        return
    with mock_aws():
        client = boto3.client("dynamodb", config=Config(retries={"total_max_attempts": 1}))
        client.create_table(**create_table_request("Memory"))
        yield client


@pytest.fixture
def service(client: Any, tmp_path: Path) -> Iterator[Service]:
    """Two tenants: acme with projects backend and web, globex with backend; all on trial."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "SIGNING_KEY": "a secret of tests",
            "SEARCH_FOLDER": str(tmp_path / "search"),
            "OPENSEARCH_ENDPOINT": "",
        }.items():
            patch.setenv(name, value)
        patch.setattr(embedder, "LocalEmbedder", HashedWords)
        _forget_adapters()
        table = Table(client, "Memory")
        patch.setattr(bootstrap, "_table", lambda: table)
        service = Service(client, table, patch=patch)
        clock = SimpleNamespace(time_ns=lambda: service.now * 1_000_000)
        patch.setattr(bootstrap, "time", clock)
        for tenant in ("acme", "globex"):
            bootstrap.tenants().create_tenant(tenant, NOW)
        for tenant, project in (("acme", "backend"), ("acme", "web"), ("globex", "backend")):
            bootstrap.tenants().create_project(tenant, project, Profile.TRIAL, NOW)
        yield service
        index = bootstrap.index()
        if hasattr(index, "close"):
            index.close()
        _forget_adapters()


def _forget_adapters() -> None:
    for factory in vars(bootstrap).values():
        if hasattr(factory, "cache_clear"):
            factory.cache_clear()


@pytest.fixture
def log(service: Service) -> io.StringIO:
    """Return what the functions log from now on."""
    written = io.StringIO()
    service.patch.setattr(logger.registered_handler, "stream", written)
    return written


@pytest.fixture
def call(service: Service) -> Any:
    """Call a function: verb, method, path, body -> Reply."""
    return service.call
