"""A desk to work at: every verb as a call, people and agents, a clock that is ours.

desk.remember("Port is 8080.", by=CODER) ──► handler ──► the table of conftest
desk.tick(LEASE)                              the service's clock, milliseconds
with meanwhile("transact", action): …         somebody else is faster, once
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from muniment import bootstrap
from muniment.adapters import embedder
from muniment.adapters.dynamo_table import Table
from muniment.domain.budget import Profile
from muniment.verbs.index_facts import reconcile_index
from tests.builders import CONTEXT, NOW, an_event

OLGA = {"principal": "olga", "kind": "human", "actions": "read,write,review,own"}
BORIS = {"principal": "boris", "kind": "human", "actions": "read,write,review,own"}
VERA = {"principal": "vera", "kind": "human", "actions": "read,write,review"}
EDITOR = {"principal": "eve", "kind": "human", "actions": "read,write"}
READER = {"principal": "rita", "kind": "human", "actions": "read"}
CODER = {"principal": "coder", "kind": "agent", "operator": "olga", "actions": "read,write"}
PILOT = {"principal": "pilot", "kind": "agent", "operator": "boris", "actions": "read,write"}
CI = {"principal": "ci", "kind": "integration", "actions": "read,write"}
STRANGER = {**BORIS, "principal": "bob"}  # of another tenant or project, as the call says
NOBODY = "01J0000000000000000000000Z"  # a fact id that never was
Caller = dict[str, str]


@dataclass(frozen=True)
class Answer:
    status: int
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def fact(self) -> dict[str, Any]:
        assert self.status < 400, self.body
        fact: dict[str, Any] = self.body["fact"]
        return fact

    @property
    def id(self) -> str:
        return str(self.fact["fact_id"])

    @property
    def refusal(self) -> tuple[int, str]:
        """Status and code of a problem; raises if it was none."""
        return self.status, str(self.body["code"])

    @property
    def items(self) -> list[dict[str, Any]]:
        assert self.status == 200, self.body
        items: list[dict[str, Any]] = self.body["items"]
        return items


@dataclass
class Desk:
    client: Any
    now: int = NOW
    projects: list[str] = field(default_factory=lambda: ["backend", "other"])

    def tick(self, milliseconds: int = 1) -> None:
        self.now += milliseconds

    def call(
        self,
        verb: str,
        method: str,
        path: str,
        body: Any = None,
        *,
        by: Caller = OLGA,
        key: str | None = None,
        **said: Any,
    ) -> Answer:
        """Call a function. `key` is an idempotency key; said: query, headers, tenant, projects."""
        if key is not None:
            said["headers"] = {**said.get("headers", {}), "X-Idempotency-Key": key}
        handler = importlib.import_module(f"functions.api.{verb}").handler
        answer = handler(an_event(method, path, body, caller=by, **said), CONTEXT)
        headers = {name: values[0] for name, values in answer["multiValueHeaders"].items()}
        return Answer(answer["statusCode"], json.loads(answer["body"]), headers)

    def remember(self, content: str, *, by: Caller = OLGA, **fields: Any) -> Answer:
        said = {n: fields.pop(n) for n in ("key", "query", "projects", "tenant") if n in fields}
        return self.call(
            "remember", "POST", "/remember", {"content": content, **fields}, by=by, **said
        )

    def record(self, statement: str, *, by: Caller = OLGA, **fields: Any) -> Answer:
        """Record on the layer of task t1, which asks for no further fields."""
        body = {"statement": statement, "layer": "task", "task": "t1", **fields}
        return self.call("record_fact", "POST", "/facts", body, by=by)

    def on(self, verb: str, fact_id: str, path: str, body: Any, by: Caller, **said: Any) -> Answer:
        return self.call(verb, "POST", f"/facts/{fact_id}{path}", body, by=by, **said)

    def revise(
        self, fact_id: str, *, by: Caller = OLGA, expected: Any = 1, **fields: Any
    ) -> Answer:
        said = {n: fields.pop(n) for n in ("key", "headers", "projects") if n in fields}
        body = {"reason": "it moved", **fields}
        if expected is not None:
            body["expected_revision"] = expected
        return self.on("revise_fact", fact_id, "/revisions", body, by, **said)

    def publish(
        self, fact_id: str, *, by: Caller = BORIS, reason: str = "checked", **said: Any
    ) -> Answer:
        body = {"reason": reason, **said.pop("more", {})}
        return self.on("publish_fact", fact_id, "/publish", body, by, **said)

    def retract(
        self, fact_id: str, *, by: Caller = BORIS, reason: str = "it was wrong", **said: Any
    ) -> Answer:
        body = {"reason": reason, **said.pop("more", {})}
        return self.on("retract_fact", fact_id, "/retract", body, by, **said)

    def hold(
        self, fact_id: str, *, by: Caller = BORIS, reason: str = "a court asks", **said: Any
    ) -> Answer:
        return self.on("hold_fact", fact_id, "/hold", {"reason": reason}, by, **said)

    def unhold(self, fact_id: str, *, by: Caller = BORIS, **said: Any) -> Answer:
        return self.on("unhold_fact", fact_id, "/unhold", {"reason": "settled"}, by, **said)

    def forget(self, fact_id: str, *, by: Caller = BORIS, **said: Any) -> Answer:
        body = {"fact_id": fact_id, "reason": "asked to"}
        return self.call("forget_facts", "POST", "/forget", body, by=by, **said)

    def forget_source(self, source_id: str, *, by: Caller = BORIS, **said: Any) -> Answer:
        body = {"source_id": source_id, "reason": "the page is gone"}
        return self.call("forget_facts", "POST", "/forget", body, by=by, **said)

    def erase(self, fact_id: str, *, by: Caller = BORIS, keep_out: bool = False) -> Answer:
        body = {"reason": "the law", "keep_out": keep_out}
        return self.on("erase_fact", fact_id, "/erase", body, by)

    def claim(self, fact_id: str, *, by: Caller = VERA, **said: Any) -> Answer:
        return self.on("claim_review", fact_id, "/review/claim", None, by, **said)

    def heartbeat(self, fact_id: str, generation: int = 1, *, by: Caller = VERA) -> Answer:
        said = {"generation": generation}
        return self.on("heartbeat_review", fact_id, "/review/heartbeat", said, by)

    def release(self, fact_id: str, generation: int = 1, *, by: Caller = VERA) -> Answer:
        said = {"generation": generation}
        return self.on("release_review", fact_id, "/review/release", said, by)

    def finalize(
        self,
        fact_id: str,
        decision: str = "publish",
        *,
        by: Caller = VERA,
        generation: int = 1,
        revision: int = 1,
        **said: Any,
    ) -> Answer:
        body = {
            "decision": decision,
            "reason": said.pop("reason", "looked at it"),
            "generation": generation,
            "revision": revision,
        }
        return self.on("finalize_review", fact_id, "/review/finalize", body, by, **said)

    def get(self, fact_id: str, *, by: Caller = OLGA, **said: Any) -> Answer:
        return self.call("get_fact", "GET", f"/facts/{fact_id}", by=by, **said)

    def revision(self, fact_id: str, number: int, *, by: Caller = OLGA, **said: Any) -> Answer:
        return self.call(
            "get_revision", "GET", f"/facts/{fact_id}/revisions/{number}", by=by, **said
        )

    def state(self, fact_id: str) -> str:
        return str(self.get(fact_id, by=BORIS).fact["state"])

    def search(self, query: str, *, by: Caller = OLGA, **fields: Any) -> Answer:
        said = {n: fields.pop(n) for n in ("query_string", "projects", "tenant") if n in fields}
        if "query_string" in said:
            said["query"] = said.pop("query_string")
        body = {"query": query, **fields}
        return self.call("search_facts", "POST", "/search", body, by=by, **said)

    def context(self, query: str, *, by: Caller = OLGA, **fields: Any) -> Answer:
        return self.call("read_context", "POST", "/context", {"query": query, **fields}, by=by)

    def replay(self, context_id: str, *, by: Caller = OLGA) -> Answer:
        return self.call("replay_context", "GET", f"/context/{context_id}", by=by)

    def list(self, *, by: Caller = OLGA, **query: str) -> Answer:
        return self.call("list_facts", "GET", "/facts", by=by, query=query)

    def queue(self, *, by: Caller = VERA, **query: str) -> Answer:
        return self.call("review_queue", "GET", "/review-queue", by=by, query=query)

    def conflicts(self, *, by: Caller = OLGA, **query: str) -> Answer:
        return self.call("list_conflicts", "GET", "/conflicts", by=by, query=query)

    def timeline(self, *, by: Caller = OLGA, **query: str) -> Answer:
        about = {"subject_type": "service", "subject_id": "billing", **query}
        return self.call("read_timeline", "GET", "/timeline", by=by, query=about)

    def validate(self, source_id: str, current: str, *, by: Caller = OLGA) -> Answer:
        body = {"source_id": source_id, "current_source_hash": current}
        return self.call("validate_source", "POST", "/validate", body, by=by)

    def sweep(self) -> dict[str, int]:
        """Run the expire state machine to its end and return the sums of its counts."""
        step = importlib.import_module("functions.maintenance.expire_facts").handler
        sums, start = {"expired": 0, "held": 0, "left": 0}, None
        while True:
            done = step({"start": start}, CONTEXT)
            sums = {name: count + done[name] for name, count in sums.items()}
            if (start := done["start"]) is None:
                return sums

    def reindex(self) -> None:
        """Bring the index up to the table, as the stream does in production."""
        after: str | None = None
        while True:
            page = reconcile_index(
                bootstrap.facts(), bootstrap.index(), bootstrap.paid_embedder(), after
            )
            if (after := page.next) is None:
                return

    def allow(self, **settings: bool) -> None:
        """Change settings of project backend, as its owner would."""
        for name, value in settings.items():
            bootstrap._table().update(
                ("T#acme#P#backend", "META"),
                "SET #name = :value",
                names={"#name": name},
                values={":value": value},
            )

    def rows(self) -> list[dict[str, Any]]:
        """Return every item of the table."""
        found: list[dict[str, Any]] = self.client.scan(TableName="Memory")["Items"]
        return found  # far below the megabyte of one page

    def dump(self) -> str:
        """Return all that the table holds, once its TTL has passed over it, as one text."""
        kept = [
            r
            for r in self.rows()
            if int(r.get("ttl", {"N": "0"})["N"]) * 1000 > self.now or "ttl" not in r
        ]
        return str(kept)

    def disputed(self, *statements: str, **fields: Any) -> list[str]:
        """Publish facts of one key that say different things; return their ids, oldest first."""
        ids = []
        for statement in statements:
            fact_id = self.remember(statement, fact_key="deploy-port", **fields).id
            self.tick()
            assert self.publish(fact_id).status == 200
            self.tick()
            ids.append(fact_id)
        return ids


class NoVectors:
    """An embedder without a model: facts are found by their words."""

    identity = "none"

    def passages(self, texts: Any) -> list[None]:
        return [None for _ in texts]

    def query(self, text: str) -> None:
        return None


def forget_adapters() -> None:
    """Forget the adapters that an execution environment keeps: the next call is a cold start."""
    for factory in vars(bootstrap).values():
        if hasattr(factory, "cache_clear"):
            factory.cache_clear()


@pytest.fixture(name="desk")
def a_desk(client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """Tenants acme and rival, each with the projects backend and other."""
    desk = Desk(client)
    table = Table(client, "Memory")
    monkeypatch.setattr(bootstrap, "_table", lambda: table)
    monkeypatch.setenv("SIGNING_KEY", "a key of no value")
    monkeypatch.setenv("SEARCH_FOLDER", str(tmp_path / "search"))
    monkeypatch.setenv("OPENSEARCH_ENDPOINT", "")
    clock = SimpleNamespace(time_ns=lambda: desk.now * 1_000_000)
    monkeypatch.setattr(bootstrap, "time", clock)
    monkeypatch.setattr(embedder, "LocalEmbedder", NoVectors)
    forget_adapters()
    for tenant in ("acme", "rival"):
        for project in desk.projects:
            bootstrap.tenants().create_project(tenant, project, Profile.STANDARD, desk.now)
    yield desk
    bootstrap.index().close()  # type: ignore[attr-defined]
    forget_adapters()


@contextmanager
def meanwhile(method: str, action: Callable[[], object]) -> Iterator[None]:
    """Run `action` once, right before the next call of that method of the table.

    It stands for somebody who writes between our reading and our writing.
    """
    original, done = getattr(Table, method), []

    def second(self: Table, *args: Any, **kwargs: Any) -> Any:
        if not done:
            done.append(True)
            action()
        return original(self, *args, **kwargs)

    setattr(Table, method, second)
    try:
        yield
        assert done, f"nothing called {method}"
    finally:
        setattr(Table, method, original)


def statements(item: dict[str, Any]) -> set[str]:
    """Return what all sides of an item of search, queue or conflicts say."""
    return {item["fact"]["statement"], *(o["fact"]["statement"] for o in item["conflicts_with"])}


def sides(item: dict[str, Any]) -> set[str]:
    """Return the fact ids of all sides of an item, whichever verb answered it."""
    others = item["conflicts_with"]
    fact = item.get("fact", item)
    return {fact["fact_id"], *(other.get("fact", other)["fact_id"] for other in others)}


def labels_of(item: dict[str, Any]) -> dict[str, list[str]]:
    """Return the labels of every side of an item by fact id."""
    found = {item["fact"]["fact_id"]: item["labels"]}
    return found | {o["fact"]["fact_id"]: o["labels"] for o in item["conflicts_with"]}
