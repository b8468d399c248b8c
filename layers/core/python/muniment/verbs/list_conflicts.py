"""Use case: the worklist of contradictions nobody has resolved (rows L-39, D-04)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from muniment.domain import limits
from muniment.domain.caller import Asked
from muniment.domain.reports import Conflicts
from muniment.verbs.cursors import opened, sealed
from muniment.verbs.fields import Where
from muniment.verbs.judging import grouped, judge, public
from muniment.verbs.ports import Facts


class ListConflicts(Where):
    """Query of GET /conflicts."""

    limit: Annotated[int, Field(ge=1, le=limits.PAGE)] = limits.PAGE_DEFAULT
    cursor: Annotated[str, Field(max_length=1_000)] | None = None


def list_conflicts(facts: Facts, asked: Asked, ask: ListConflicts, secret: str) -> Conflicts:
    """Return one page of public contradictions of the project, whatever the workspace."""
    tenant, project = asked.caller.tenant, asked.project
    query = {"verb": "conflicts", "tenant": tenant, "project": project}
    page = facts.conflicts(tenant, project, opened(secret, query, ask.cursor), ask.limit)
    keys = [sorted(key.facts) for key in page.keys]
    heads = facts.heads(tenant, [i for key in keys for i in key]) if keys else {}
    # the oldest that is live: one may have expired since its key was written
    live = [[heads[i] for i in key if i in heads and heads[i].is_live(asked.now)] for key in keys]
    judged = judge(facts, [key[0] for key in live if key], public, asked.now, {})
    unresolved = [one for one in grouped(judged) if one.opposed]
    return Conflicts(tuple(unresolved), sealed(secret, query, page.next))
