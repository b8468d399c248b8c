"""The whole service in one process: the real handlers over a table and an index in memory.

    with service() as it:
        it.call(REVIEWER, "claim_review", f"/facts/{fact_id}/review/claim")

Requests are API Gateway events, answers are statuses and parsed bodies. `clock` is the moment of
every request in Unix milliseconds; each request moves it on by one.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from muniment import bootstrap
from muniment.domain.budget import Profile
from muniment.domain.fact import Revision
from muniment.domain.history import broken_link
from muniment.verbs.expire_facts import LOOK_BACK
from tests.builders import CONTEXT, NOW, an_event
from tests.property.memory_dynamo import MemoryDynamo
from tests.property.memory_index import MemoryIndex, NoEmbedder
from tests.template import ROOT, create_table_request, routes

TENANT, PROJECT = "acme", "backend"
Caller = dict[str, str]


def person(name: str, actions: str = "read,write,review") -> Caller:
    return {"principal": name, "kind": "human", "actions": actions}


def agent(name: str, operator: str, actions: str = "read,write") -> Caller:
    return {"principal": name, "kind": "agent", "operator": operator, "actions": actions}


@dataclass(frozen=True)
class Answer:
    status: int
    body: dict[str, Any]

    @property
    def seen(self) -> tuple[int, str | None]:
        """Return status and the code of a refusal."""
        return self.status, self.body.get("code") if self.status >= 400 else None


class Service:
    """One tenant with one project of the largest profile."""

    def __init__(self, client: MemoryDynamo, index: MemoryIndex) -> None:
        self.client, self.index = client, index
        self.clock = NOW
        self.delivered = 0
        named = {"".join(part.title() for part in n.split("_")): n for n in _handlers()}
        self._routes = {named[logical]: route for logical, route in routes().items()}

    def begin(self, **settings: bool) -> None:
        """Start over with an empty table and a project with these settings."""
        self.client.clear()
        self.index.clear()
        self.index.deaf = False
        self.clock, self.delivered = NOW, 0
        self.restart()
        bootstrap.tenants().create_project(TENANT, PROJECT, Profile.EXTENDED, NOW)
        self.set(**settings)

    def set(self, **settings: bool) -> None:
        """Change settings of the project, as an operator does."""
        meta = bootstrap._table().get((f"T#{TENANT}#P#{PROJECT}", "META"))
        bootstrap._table().put({**(meta or {}), **settings})

    def restart(self) -> None:
        """Begin as a fresh execution environment: nothing is remembered in the process."""
        for factory in vars(bootstrap).values():
            if hasattr(factory, "cache_clear"):
                factory.cache_clear()

    @property
    def now(self) -> int:
        return self.clock

    def time_ns(self) -> int:
        return self.clock * 1_000_000

    def call(
        self,
        caller: Caller,
        verb: str,
        path: str,
        body: Any = None,
        *,
        headers: dict[str, str] | None = None,
        **query: Any,
    ) -> Answer:
        """Send one request to the handler of `verb`; the index learns of what it changed."""
        self.clock += 1
        said = {name: str(value) for name, value in query.items() if value is not None}
        method = self._routes[verb].method
        sent = {"query": said, "headers": headers or {}, "tenant": TENANT}
        event = an_event(method, path, body, caller=caller, **sent)
        handler = importlib.import_module(f"functions.api.{verb}").handler
        answer = handler(event, CONTEXT)
        self.deliver()
        return Answer(answer["statusCode"], json.loads(answer["body"]))

    def used(self) -> int:
        """Return how many facts the project's budget counts."""
        key = {"pk": {"S": f"T#{TENANT}#P#{PROJECT}"}, "sk": {"S": "BUDGET"}}
        return int(self.client.get_item(Key=key)["Item"]["facts"]["N"])

    def deliver(self) -> None:
        """Carry what the stream holds into the index."""
        images = self.client.stream[self.delivered :]
        self.delivered = len(self.client.stream)
        records = [_record(old, new) for old, new in images if new and new["sk"]["S"] == "HEAD"]
        if records:
            _handler("streams.index_facts")({"Records": records}, CONTEXT)

    def reconcile(self) -> None:
        """Compare the index with the table, page by page."""
        following = None
        while True:
            done = _handler("maintenance.reconcile_index")({"next": following}, CONTEXT)
            if (following := done["next"]) is None:
                return

    def expire(self) -> dict[str, int]:
        """Sweep as a state machine does; return what came of it. It begins where a fact is due."""
        self.clock += 1
        counts, start = {"expired": 0, "held": 0, "left": 0}, self._first_due()
        while start is not None:
            done = _handler("maintenance.expire_facts")({"start": start}, CONTEXT)
            counts = {name: counts[name] + done[name] for name in counts}
            start = done["start"]
        self.deliver()
        return counts

    def _first_due(self) -> int:
        due = [int(item["expires_at"]["N"]) for item in self.client.items() if "due" in item]
        return max(min([self.clock, *due]), self.clock - LOOK_BACK)

    def sweep_ttl(self) -> int:
        """Delete what DynamoDB's TTL would: items whose `ttl` is over. Returns how many."""
        now = self.clock // 1000
        over = [i for i in self.client.items() if "ttl" in i and int(i["ttl"]["N"]) <= now]
        for item in over:
            self.client.delete_item(Key={"pk": item["pk"], "sk": item["sk"]})
        return len(over)

    def pages(
        self, caller: Caller, verb: str, path: str, *, limit: int, **query: Any
    ) -> list[list[dict[str, Any]]]:
        """Return every page of a list. Its cursor must end."""
        found, cursor = [], None
        for _ in range(200):
            answer = self.call(caller, verb, path, limit=limit, cursor=cursor, **query)
            assert answer.status == 200, answer
            found.append(answer.body["items"])
            if (cursor := answer.body["next_cursor"]) is None:
                return found
        raise AssertionError("the pages never end")

    def broken_link(self, fact_id: str) -> int | None:
        """Verify the chain of a fact as it is stored; None: whole."""
        history = bootstrap.facts().history(TENANT, fact_id)
        assert history is not None
        revisions: tuple[Revision, ...] = history.revisions
        assert revisions[-1] == history.head.newest
        return broken_link(revisions, history.head.salt)


def _handlers() -> list[str]:
    return [path.stem for path in (ROOT / "functions/api").glob("*.py")]


def _handler(name: str) -> Any:
    return importlib.import_module(f"functions.{name}").handler


def _record(old: Any, new: Any) -> dict[str, Any]:
    images = {"NewImage": new} | ({"OldImage": old} if old else {})
    return {"dynamodb": {"Keys": {"pk": new["pk"], "sk": new["sk"]}, **images}}


@contextmanager
def service() -> Iterator[Service]:
    """Put table, index, embedder and clock of ours under the real handlers."""
    it = Service(MemoryDynamo(create_table_request("Memory")), MemoryIndex())
    environment = {"MEMORY_TABLE": "Memory", "SIGNING_KEY": "test", "SEARCH_FOLDER": ""}
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, environment))
        stack.enter_context(patch("boto3.client", lambda *_, **__: it.client))
        stack.enter_context(patch("muniment.adapters.no_index.NoIndex", lambda: it.index))
        stack.enter_context(patch("muniment.adapters.embedder.LocalEmbedder", NoEmbedder))
        stack.enter_context(patch.object(logging.getLogger("muniment"), "disabled", True))
        stack.enter_context(patch.object(bootstrap, "time", SimpleNamespace(time_ns=it.time_ns)))
        try:
            yield it
        finally:
            it.restart()
