"""Requests and facts for tests. Name only what the test is about; the rest is ordinary."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from muniment.domain.caller import Action, PrincipalKind
from muniment.domain.fact import Author, Content, Head, Kind, State, Trust
from muniment.domain.history import link
from muniment.domain.place import EVERYWHERE, Cell, Layer, Place

NOW = 1_780_000_000_000  # Unix milliseconds: 2026-05-28T20:26:40.000Z
SALT = bytes(range(32))
CONTEXT = SimpleNamespace(
    function_name="verb",
    memory_limit_in_mb=512,
    invoked_function_arn="arn:aws:lambda:eu-central-1:1:function:verb",
    aws_request_id="r1",
    get_remaining_time_in_millis=lambda: 10_000,
)
OWNER = {"principal": "olga", "kind": "human", "actions": ",".join(Action)}
AGENT = {"principal": "coder", "kind": "agent", "operator": "olga", "actions": "read,write"}


def a_cell(**changes: Any) -> Cell:
    """Changes: tenant, project, workspace, owner, valid_at, layer, thread."""
    cell = Cell(Place("acme", "backend", "default", "", EVERYWHERE), Layer.REPO)
    beside = {name: changes.pop(name) for name in ("layer", "thread") if name in changes}
    return replace(cell, place=replace(cell.place, **changes), **beside)


def a_content(statement: str = "Staging rolls out through app-staging.", **changes: Any) -> Content:
    ordinary = Content(
        statement=statement, kind=Kind.NOTE, name="staging", description="How staging rolls out"
    )
    return replace(ordinary, **changes)


def a_head(
    fact_id: str = "01J00000000000000000000001",
    *,
    content: Content | None = None,
    cell: Cell | None = None,
    state: State = State.CANDIDATE,
    trust: Trust = Trust.HUMAN,
    by: Author | None = None,
    now: int = NOW,
) -> Head:
    by = by or Author("olga", PrincipalKind.HUMAN)
    first = link(
        None,
        content or a_content(),
        trust=trust,
        state=state,
        author=by,
        reason="recorded",
        now=now,
        salt=SALT,
    )
    return Head(
        fact_id=fact_id, cell=cell or a_cell(), newest=first, author=by, editor=by, salt=SALT
    )


def an_event(
    method: str, path: str, body: Any = None, *, caller: dict[str, str] | None = None, **said: Any
) -> dict[str, Any]:
    """Return the event API Gateway sends. Said: query, headers, tenant, projects, raw."""
    who = {"tenant": said.get("tenant", "acme"), "projects": said.get("projects", "backend")}
    who |= {"subscription": said.get("subscription", "active")}
    query = said.get("query") or {}
    return {
        "httpMethod": method,
        "path": f"/api/v1/project-memory{path}",
        "resource": f"/api/v1/project-memory{path}",
        "headers": said.get("headers", {}),
        "multiValueHeaders": {k: [v] for k, v in said.get("headers", {}).items()},
        "queryStringParameters": query or None,
        "multiValueQueryStringParameters": {k: [v] for k, v in query.items()} or None,
        "body": said.get("raw", None if body is None else json.dumps(body)),
        "isBase64Encoded": said.get("base64", False),
        "requestContext": {"requestId": "r1", "authorizer": {**who, **(caller or OWNER)}},
    }
