"""Use case: an owner makes a fact authority, without the queue (rows M-44, M-45)."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from muniment.domain.authority import (
    author_of,
    check_expected,
    check_live,
    consequences,
    publishing_states,
    steps_to,
    superseded,
)
from muniment.domain.caller import Asked
from muniment.domain.change import Change, Held, Step
from muniment.domain.fact import GONE, Head
from muniment.domain.intake import Idempotency, Settings, Written
from muniment.domain.review import check_independence
from muniment.verbs.changing import around, change_fact
from muniment.verbs.fields import Count, Reason
from muniment.verbs.ports import Facts
from muniment.verbs.screened import Screened


class Reasoned(Screened):
    """Body of the owner's verbs: why, and optionally the revision it speaks of."""

    reason: Reason
    expected_revision: Annotated[Count, Field(ge=1)] | None = None


class PublishFact(Reasoned):
    """Body of POST /facts/{fact_id}/publish."""


def publish_fact(
    facts: Facts, asked: Asked, fact_id: str, ask: PublishFact, request: Idempotency | None
) -> Written:
    """Publish. Raises SelfReview, NotWaiting, StaleRevision, NotFound."""

    def decide(head: Head, settings: Settings) -> Change:
        check_expected(head, ask.expected_revision, "body.expected_revision")
        check_live(head, asked.now)
        check_independence(head, asked.caller, solo=settings.solo_publish)
        return published(facts, head, asked, ask.reason)

    return change_fact(facts, asked, fact_id, request, decide)


def published(
    facts: Facts, head: Head, asked: Asked, reason: str, held: Held | None = None
) -> Change:
    """Return the change that publishes: what it supersedes ends, what it contradicts is disputed.

    A reviewer's claim `held` must still be live when it is written.
    """
    by = author_of(asked.caller)
    own = steps_to(head, publishing_states(head), by, reason, asked.now)
    wrote = (head.author.principal, head.editor.principal)
    after = replace(own.after, self_published=by.principal in wrote)
    steps = [Step(own.before, after, own.revisions, held)]
    if old := _predecessor(facts, head):
        steps.append(superseded(old, by=own.after, now=asked.now))
    members, rivals = around(facts, head)
    return consequences(steps, members=members, rivals=rivals, by=by, now=asked.now)


def _predecessor(facts: Facts, head: Head) -> Head | None:
    """Return the fact that this one supersedes, if it is still in the results."""
    if (fact_id := head.newest.content.supersedes) is None:
        return None
    old = facts.head(head.cell.place.tenant, fact_id)
    return old if old and old.newest.state not in GONE else None
