"""Use case: show one fact whole, with every revision and the links around it (rows M-37, M-38)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from muniment.domain.caller import Asked
from muniment.domain.errors import NotFound
from muniment.domain.judgement import Judged
from muniment.domain.listing import History
from muniment.domain.place import PUBLIC, Cell
from muniment.verbs.changing import known_form, visible
from muniment.verbs.fields import Moment, Where
from muniment.verbs.judging import judge
from muniment.verbs.ports import Facts


class GetFact(Where):
    """Query of GET /facts/{fact_id}. `as_of` shows the fact as that moment left it."""

    as_of: Moment | None = None


def get_fact(facts: Facts, asked: Asked, fact_id: str, ask: GetFact) -> tuple[History, Judged]:
    """Return head, revisions, contradictions and links; those to what left results are gone.

    Raises NotFound in the same words for an id that never was, another project's and another
    person's.
    """
    history = facts.history(asked.caller.tenant, known_form(fact_id, asked))
    head = visible(history.head if history else None, asked)
    assert history is not None
    if ask.as_of is not None:
        history = _as_of(history, ask.as_of)
        head = history.head
    others = {row.other for row in history.links} | set(head.newest.content.derived_from)
    known = facts.heads(asked.caller.tenant, sorted(others)) if others else {}
    live = {i for i, other in known.items() if other.is_live(asked.now)}
    links = tuple(row for row in history.links if row.other in live)
    sources = tuple(i for i in head.newest.content.derived_from if i in live)
    seen = partial(readable, asked=asked)
    (judged,) = judge(facts, [head], seen, asked.now, {})
    return replace(history, links=links, sources=sources), judged


def _as_of(history: History, moment: int) -> History:
    """Return the history up to `moment`, that millisecond included. Raises NotFound before it."""
    known = tuple(r for r in history.revisions if r.recorded_at <= moment)
    if not known:
        raise NotFound("the fact did not exist at that moment")
    head = replace(history.head, newest=known[-1], claim=None)
    return replace(history, head=head, revisions=known)


def readable(cell: Cell, *, asked: Asked) -> bool:
    """Tell whether the caller may read that cell: the project's public facts and its person's."""
    place = cell.place
    mine = place.owner in (PUBLIC, asked.caller.person)
    return (place.tenant, place.project) == (asked.caller.tenant, asked.project) and mine
