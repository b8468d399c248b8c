"""Use case: list what is remembered, page by page, complete and without repeats (case D17)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from muniment.domain import limits
from muniment.domain.caller import Asked
from muniment.domain.errors import CursorMismatch, NotAllowed
from muniment.domain.fact import Kind, State, Trust
from muniment.domain.listing import Filters, Page
from muniment.domain.place import PUBLIC, Coordinates, Layer, Scope
from muniment.domain.sealed import seal, unseal
from muniment.verbs.fields import Label, PlaceName, Thread, Where
from muniment.verbs.ports import Facts

PURPOSE = "cursor"


class ListFacts(Where):
    """Query of GET /facts. A page lists one layer: what is valid everywhere, then what is here."""

    layer: Layer = Layer.REPO
    session: Thread | None = None
    task: Thread | None = None
    workplace: PlaceName | None = None
    machine: PlaceName | None = None
    audience: Literal["public", "private"] = "public"
    kind: Kind | None = None
    state: State | None = None
    min_trust: Trust | None = None
    subject_id: Label | None = None
    scope: Label | None = None
    limit: Annotated[int, Field(ge=1, le=limits.PAGE)] = limits.PAGE_DEFAULT
    cursor: Annotated[str, Field(max_length=1_000)] | None = None


def list_facts(facts: Facts, asked: Asked, ask: ListFacts, secret: str) -> Page:
    """Return one page; its `next` is sealed and opens only this very query (case D18)."""
    query = _query(asked, ask)
    after = _opened(secret, query, ask.cursor)
    page = facts.page(_scope(asked, ask).cells(), _filters(ask, asked.now), after, ask.limit)
    return Page(
        page.lines, page.next and seal(secret, PURPOSE, {"query": query, "after": page.next})
    )


def _scope(asked: Asked, ask: ListFacts) -> Scope:
    owner = asked.caller.person if ask.audience == "private" else PUBLIC
    if owner is None:
        raise NotAllowed(
            "an integration works for no person, so it has no private memory",
            field="query.audience",
        )
    here = Coordinates(ask.workplace, ask.machine, ask.session, ask.task)
    return Scope(
        asked.caller.tenant, asked.project, asked.workspace, (owner,), here, layers=(ask.layer,)
    )


def _filters(ask: ListFacts, now: int) -> Filters:
    return Filters(
        now=now,
        kind=ask.kind,
        state=ask.state,
        min_trust=ask.min_trust,
        subject_id=ask.subject_id,
        scope=ask.scope,
    )


def _query(asked: Asked, ask: ListFacts) -> dict[str, Any]:
    """Return what a cursor is bound to: everything but the page's size and the cursor itself."""
    whose = {"tenant": asked.caller.tenant, "project": asked.project, "in": asked.workspace}
    return whose | ask.model_dump(
        mode="json", exclude={"limit", "cursor", "project", "workspace"}, exclude_none=True
    )


def _opened(secret: str, query: dict[str, Any], cursor: str | None) -> str | None:
    if cursor is None:
        return None
    try:
        held = unseal(secret, PURPOSE, cursor)
    except ValueError:
        held = {}
    if held.get("query") != query:
        raise CursorMismatch(
            "this cursor belongs to another query",
            field="query.cursor",
            hint="keep filters, project and workspace as they were, or start without a cursor",
        )
    return str(held["after"])
