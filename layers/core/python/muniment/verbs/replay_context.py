"""Use case: read again, byte for byte, what an agent was given (rows M-18, M-41)."""

from __future__ import annotations

from collections.abc import Mapping

from muniment.domain.caller import Asked
from muniment.domain.context import ServedFact, Shown, compose
from muniment.domain.errors import NotFound
from muniment.domain.fact import Revision
from muniment.domain.place import PUBLIC
from muniment.domain.ulid import is_ulid
from muniment.verbs.ports import Contexts, Facts
from muniment.verbs.read_context import GivenContext


def replay_context(facts: Facts, contexts: Contexts, asked: Asked, context_id: str) -> GivenContext:
    """Build the kept context again from immutable revisions. Raises NotFound.

    A context with private facts is replayed to that person's own keys only.
    """
    tenant = asked.caller.tenant
    served = contexts.kept(tenant, asked.project, context_id) if is_ulid(context_id) else None
    if served is None or not set(served.owners) <= {PUBLIC, asked.caller.person}:
        raise NotFound("no such context")
    wanted = [(side.fact_id, side.revision) for fact in served.shown for side in _sides(fact)]
    revisions = facts.revisions(tenant, wanted)
    shown = [_shown(fact, revisions) for fact in served.shown]
    context = compose(shown, served.boundary, overflow=served.overflow, dropped=served.dropped)
    return GivenContext(context_id, context, served.degraded)


def _sides(fact: ServedFact) -> tuple[ServedFact, ...]:
    return (fact, *fact.opposed)


def _shown(fact: ServedFact, revisions: Mapping[tuple[str, int], Revision]) -> Shown:
    return Shown(
        fact.fact_id,
        revisions[fact.fact_id, fact.revision],
        fact.layer,
        fact.labels,
        fact.cut,
        tuple(_shown(other, revisions) for other in fact.opposed),
    )
