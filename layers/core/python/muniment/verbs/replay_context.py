"""Use case: read again, byte for byte, what an agent was given (rows M-18, M-41)."""

from __future__ import annotations

from dataclasses import replace

from muniment.domain.caller import Asked
from muniment.domain.context import Shown, render
from muniment.domain.errors import NotFound
from muniment.domain.place import PUBLIC
from muniment.verbs.ports import Contexts, Facts
from muniment.verbs.read_context import GivenContext


def replay_context(facts: Facts, contexts: Contexts, asked: Asked, context_id: str) -> GivenContext:
    """Build the kept context again from immutable revisions. Raises NotFound.

    A context with private facts is replayed to that person's own keys only.
    """
    tenant = asked.caller.tenant
    served = contexts.kept(tenant, asked.project, context_id)
    if served is None or not set(served.owners) <= {PUBLIC, asked.caller.person}:
        raise NotFound("no such context")
    revisions = facts.revisions(tenant, [(fact.fact_id, fact.revision) for fact in served.shown])
    shown = [
        Shown(fact.fact_id, revisions[fact.fact_id, fact.revision], fact.layer, fact.labels)
        for fact in served.shown
    ]
    again = render(shown, served.boundary, served.budget)
    context = replace(again, overflow=served.overflow, dropped=served.dropped)
    return GivenContext(context_id, context, served.degraded)
