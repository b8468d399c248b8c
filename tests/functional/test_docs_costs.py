"""The table "What a verb costs" of docs/operations.md is what this test counts, row by row."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable

import pytest

from muniment import bootstrap, cli
from muniment.adapters.dynamo_table import Table
from muniment.domain.membership import Member, Membership, Role
from muniment.domain.moments import HOUR
from tests.builders import CONTEXT
from tests.capacity import CountingClient
from tests.functional.conftest import Service
from tests.functional.test_docs_tables import cells, read

Act = Callable[[], object]
PAGE = 50
KEY = {"fact_key": "port", "source_id": "docs/x.md", "source_hash": "sha256:1"}
CODER = {"principal": "coder", "kind": "agent", "operator": "olga", "actions": "read,write"}
MARIA = {"principal": "maria", "kind": "human", "actions": "read,write,review,own"}


def authorize(service: Service, capsys: pytest.CaptureFixture[str]) -> Act:
    cli.main(["tenant", "create", "priced", "--project", "backend", "--json"])
    key = json.loads(capsys.readouterr().out)["key"]
    event = {"headers": {"X-Api-Key": key}, "methodArn": "arn:aws:x:y:1:api/live/GET/facts"}
    handler = importlib.import_module("functions.auth.authorize").handler
    return lambda: handler(event, CONTEXT)


def record(service: Service, **fields: object) -> Act:
    return lambda: service.record(headers={"X-Idempotency-Key": "k"}, **fields)


def _fact(service: Service, statement: str = "The port is 8080.", **fields: object) -> str:
    reply = service.record(statement=statement, caller=CODER, **fields)
    assert reply.status == 201, reply.text
    service.now += HOUR
    return str(reply.body["fact"]["fact_id"])


def _post(service: Service, verb: str, path: str, body: object = None) -> Act:
    def act() -> None:
        headers = {"X-Idempotency-Key": path} if body else {}
        reply = service.call(verb, "POST", path, body, caller=MARIA, headers=headers)
        assert reply.status == 200, reply.text

    return act


def change(service: Service, verb: str, **fields: object) -> Act:
    fact_id = _fact(service, **fields)
    body = {"reason": "because"}
    if verb == "forget_facts":
        return _post(service, verb, "/forget", {"fact_id": fact_id, **body})
    return _post(service, verb, f"/facts/{fact_id}/{verb.removesuffix('_fact')}", body)


def revise(service: Service) -> Act:
    fact_id = _fact(service, layer="task", task="t1")
    body = {"reason": "because", "expected_revision": 1, "statement": "The port is 9090."}
    return _post(service, "revise_fact", f"/facts/{fact_id}/revisions", body)


def dispute(service: Service) -> Act:
    change(service, "publish_fact", **KEY)()
    fact_id = _fact(service, "The port is 9090.", fact_key="port")
    return _post(service, "publish_fact", f"/facts/{fact_id}/publish", {"reason": "because"})


def claim(service: Service) -> Act:
    return _post(service, "claim_review", f"/facts/{_fact(service)}/review/claim")


def finalize(service: Service) -> Act:
    fact_id = _fact(service)
    _post(service, "claim_review", f"/facts/{fact_id}/review/claim")()
    body = {"decision": "publish", "reason": "because", "generation": 1, "revision": 1}
    return _post(service, "finalize_review", f"/facts/{fact_id}/review/finalize", body)


def _many(service: Service, count: int) -> None:
    for number in range(count):
        _fact(service, f"Fact {number} rolls out through app-staging.", source_id="docs/x.md")
    service.index()
    service.now += HOUR


def get(service: Service) -> Act:
    fact_id = _fact(service)
    return lambda: service.get(fact_id)


def _get(service: Service, verb: str, path: str) -> Act:
    return lambda: service.call(verb, "GET", path, caller=MARIA)


def page(service: Service, verb: str, path: str, **query: str) -> Act:
    _many(service, PAGE)
    return lambda: service.call(verb, "GET", path, caller=MARIA, query={"limit": str(PAGE)} | query)


def search(service: Service) -> Act:
    _many(service, 10)
    return lambda: service.search("rolls out through app-staging")


def context(service: Service) -> Act:
    _many(service, 30)
    return lambda: service.context("rolls out through app-staging", budget_tokens=1_000)


def replay(service: Service) -> Act:
    _many(service, 30)
    given = service.context("rolls out through app-staging", budget_tokens=1_000).body["context_id"]
    return lambda: service.call("replay_context", "GET", f"/context/{given}")


def validate(service: Service) -> Act:
    _many(service, PAGE)
    body = {"source_id": "docs/x.md", "current_source_hash": "sha256:2"}
    return _post(service, "validate_source", "/validate", body)


def tenant(
    service: Service, verb: str, method: str, path: str, body: object = None, **query: str
) -> Act:
    """Return a call of one of the verbs about projects, people and keys, by an owner of all."""
    tenants = bootstrap.tenants()
    owner = Membership(Role.OWNER, None, "operator", service.now)
    tenants.keep("acme", Member("maria").with_role("*", owner), Member("boris"))
    caller = MARIA | ({"projects": "*"} if path in ("/projects", "/keys", "/holds") else {})

    def act() -> None:
        reply = service.call(verb, method, path, body, caller=caller, query=query)
        assert reply.status in (200, 201), reply.text

    return act


NEW_KEY = {"principal": "ci", "kind": "integration", "projects": ["backend"], "actions": ["read"]}
TIMELINE = {"subject_type": "service", "subject_id": "staging"}
ROWS: dict[str, Callable[[Service], Act]] = {
    "record, remember": lambda s: record(s, subject={"type": "t", "id": "i"}),
    "the same with source and fact_key": lambda s: record(s, **KEY),
    "revise": revise,
    "publish": lambda s: change(s, "publish_fact"),
    "retract": lambda s: change(s, "retract_fact"),
    "forget": lambda s: change(s, "forget_facts"),
    "publish into a dispute": dispute,
    "hold, unhold": lambda s: change(s, "hold_fact"),
    "claim, heartbeat, release": claim,
    "finalize": finalize,
    "get": get,
    "list": lambda s: page(s, "list_facts", "/facts"),
    "timeline": lambda s: page(s, "read_timeline", "/timeline", **TIMELINE),
    "review queue": lambda s: page(s, "review_queue", "/review-queue"),
    "search": search,
    "context": context,
    "replay a context": replay,
    "validate a source": validate,
    "erase": lambda s: change(s, "erase_fact"),
    "read budget": lambda s: _get(s, "read_budget", "/budget"),
    "list projects": lambda s: tenant(s, "list_projects", "GET", "/projects"),
    "make a project": lambda s: tenant(s, "create_project", "POST", "/projects", {"project": "x"}),
    "set a project": lambda s: tenant(
        s, "set_project", "PATCH", "/projects/backend", {"solo_publish": True}
    ),
    "delete a project": lambda s: tenant(
        s, "delete_project", "DELETE", "/projects/backend", reason="r"
    ),
    "set a member": lambda s: tenant(
        s, "set_member", "PUT", "/projects/backend/members/boris", {"role": "reader"}
    ),
    "list keys": lambda s: tenant(s, "list_keys", "GET", "/keys"),
    "make a key": lambda s: tenant(s, "create_key", "POST", "/keys", NEW_KEY),
}


@pytest.fixture
def counted(service: Service) -> CountingClient:
    counting = CountingClient(service.client)
    table = Table(counting, "Memory")
    service.patch.setattr("muniment.bootstrap._table", lambda: table)
    bootstrap.tenants.cache_clear()  # the fixture has used it already
    return counting


def told() -> dict[str, list[str]]:
    """Return trips, write and read units of the table by verb."""
    return {row[0]: row[1:4] for row in cells(read("docs/operations.md")) if len(row) == 5}


def cost(counted: CountingClient, act: Act) -> list[str]:
    counted.clear()
    act()
    units = counted.writes + counted.index_writes
    return [str(len(counted.trips)), str(units), f"{counted.reads:g}"]


@pytest.mark.parametrize("verb", ROWS)
def test_given_the_reference_fact_when_counted_then_the_verb_costs_what_the_table_says(
    service: Service, counted: CountingClient, verb: str
):
    assert cost(counted, ROWS[verb](service)) == told()[verb]


def test_given_a_key_when_checked_then_the_authorizer_costs_what_the_table_says(
    service: Service, counted: CountingClient, capsys: pytest.CaptureFixture[str]
):
    assert cost(counted, authorize(service, capsys)) == told()["authorizer, on every request"]


def test_given_the_table_when_listed_then_every_row_is_counted():
    assert {v for v in told() if v != "verb"} - {"---"} == {*ROWS, "authorizer, on every request"}
