"""Use case: list what is remembered, page by page, complete and without repeats (case D17).

A contradiction is one item with both sides in it, at the place of its oldest side (row I-06).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from muniment.domain import limits
from muniment.domain.caller import Asked
from muniment.domain.fact import Head, Kind, State, Trust
from muniment.domain.listing import Filters, Line, Listed, ListItem
from muniment.domain.place import PUBLIC, Coordinates, Layer, Scope
from muniment.verbs.cursors import opened, sealed
from muniment.verbs.fields import Label, PlaceName, Thread, Where
from muniment.verbs.judging import judge
from muniment.verbs.ports import Facts


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


def list_facts(facts: Facts, asked: Asked, ask: ListFacts, secret: str) -> Listed:
    """Return one full page; its cursor opens only this very query."""
    query, scope, filters = _query(asked, ask), _scope(asked, ask), _filters(ask, asked.now)
    after = opened(secret, query, ask.cursor)
    items: list[ListItem] = []
    while True:
        page = facts.page(scope.cells(), filters, after, ask.limit - len(items))
        items += _with_sides(facts, scope, filters, page.lines)
        after = page.next
        if after is None or len(items) >= ask.limit:
            return Listed(tuple(items), sealed(secret, query, after))


def _with_sides(
    facts: Facts, scope: Scope, filters: Filters, lines: Sequence[Line]
) -> list[ListItem]:
    """Return the lines as items. A line whose contradiction stands elsewhere is left out there.

    It stands at its oldest side that this list shows, so that no page repeats it.
    """
    keyed = [line.fact_id for line in lines if line.fact_key]
    heads = facts.heads(scope.tenant, keyed) if keyed else {}
    judged = judge(facts, list(heads.values()), scope.reaches, filters.now, {})
    opposed = {one.head.fact_id: one.opposed for one in judged if one.opposed}
    items = []
    for line in lines:
        others = opposed.get(line.fact_id, ())
        older = [o for o in others if o.fact_id < line.fact_id and _listed(o, scope, filters)]
        if not older:
            items.append(ListItem(line, tuple(Line.of(other) for other in others)))
    return items


def _listed(head: Head, scope: Scope, filters: Filters) -> bool:
    return scope.holds(head.cell) and filters.admit(head)


def _scope(asked: Asked, ask: ListFacts) -> Scope:
    owner = asked.caller.owner("query.audience") if ask.audience == "private" else PUBLIC
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
    beside = {"limit", "cursor", "project", "workspace"}
    return whose | ask.model_dump(mode="json", exclude=beside, exclude_none=True)
