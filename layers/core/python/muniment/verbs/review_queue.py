"""Use case: what waits for a reviewer, oldest first, and why each waits (rows M-54 to M-56)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from muniment.domain import limits
from muniment.domain.caller import Asked
from muniment.domain.fact import WAITING, State
from muniment.domain.judgement import Judged
from muniment.domain.reports import Queue, Waiting
from muniment.verbs.cursors import opened, sealed
from muniment.verbs.fields import Where
from muniment.verbs.judging import judge, public
from muniment.verbs.ports import Facts


class ReviewQueue(Where):
    """Query of GET /review-queue."""

    limit: Annotated[int, Field(ge=1, le=limits.PAGE)] = limits.PAGE_DEFAULT
    cursor: Annotated[str, Field(max_length=1_000)] | None = None


def review_queue(facts: Facts, asked: Asked, ask: ReviewQueue, secret: str) -> Queue:
    """Return one page. A page may be short where a fact was settled a moment ago."""
    query = {"verb": "queue", "tenant": asked.caller.tenant, "project": asked.project}
    tenant, project = asked.caller.tenant, asked.project
    page = facts.queue(tenant, project, opened(secret, query, ask.cursor), ask.limit)
    heads = facts.heads(tenant, page.fact_ids) if page.fact_ids else {}
    waiting = [
        heads[i]
        for i in page.fact_ids
        if i in heads and heads[i].newest.state in WAITING and heads[i].is_live(asked.now)
    ]
    judged = judge(facts, waiting, public, asked.now, {})
    items = tuple(Waiting(one, why(one)) for one in judged)
    return Queue(items, sealed(secret, query, page.next))


def why(judged: Judged) -> tuple[str, ...]:
    """Return the reasons why a fact waits, most pressing first."""
    head = judged.head
    found = [f"contradicts {other.fact_id} ({other.newest.state})" for other in judged.against]
    found += [f"corroborated by {c.principal} from {c.source_id}" for c in head.corroborations]
    if head.newest.state is State.CANDIDATE:
        word = "revised" if head.newest.number > 1 else "recorded"
        found.append(f"{word} by {head.editor.kind} {head.editor.principal}, not reviewed yet")
    return tuple(found)
