"""Use case: read again, byte for byte, what an agent was given (rows M-18, M-41)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from muniment.domain.caller import Action, Asked
from muniment.domain.context import ServedFact, Shown, compose
from muniment.domain.erasure import emptied
from muniment.domain.errors import NotFound
from muniment.domain.fact import Revision, State
from muniment.domain.place import PUBLIC
from muniment.domain.ulid import is_ulid
from muniment.verbs.ports import Contexts, Facts
from muniment.verbs.read_context import GivenContext

FORGOTTEN = "this fact was forgotten since"


def replay_context(facts: Facts, contexts: Contexts, asked: Asked, context_id: str) -> GivenContext:
    """Build the kept context again from immutable revisions. Raises NotFound.

    A context with private facts is replayed to that person's own keys only. What was forgotten
    since is named but not said again, except to an owner, who reads the trail (rule 10).
    """
    tenant = asked.caller.tenant
    served = contexts.kept(tenant, asked.project, context_id) if is_ulid(context_id) else None
    if served is None or not set(served.owners) <= {PUBLIC, asked.caller.person}:
        raise NotFound("no such context")
    wanted = [(side.fact_id, side.revision) for fact in served.shown for side in _sides(fact)]
    revisions = dict(facts.revisions(tenant, wanted))
    if Action.OWN not in asked.caller.actions:
        heads = facts.heads(tenant, sorted({fact_id for fact_id, _ in wanted}))
        revisions |= {
            (fact_id, number): _unsaid(revisions[fact_id, number])
            for fact_id, number in wanted
            if fact_id in heads and heads[fact_id].newest.state is State.FORGOTTEN
        }
    shown = [_shown(fact, revisions) for fact in served.shown]
    context = compose(shown, served.boundary, overflow=served.overflow, dropped=served.dropped)
    return GivenContext(context_id, context, served.degraded)


def _unsaid(revision: Revision) -> Revision:
    content = replace(emptied(revision.content), name="forgotten", description=FORGOTTEN)
    return replace(revision, content=content)


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
