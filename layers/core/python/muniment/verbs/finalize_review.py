"""Use case: a reviewer settles the exact revision they looked at (rows M-60 to M-63)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from muniment.domain.authority import author_of, check_live
from muniment.domain.caller import Asked
from muniment.domain.change import Change, Held
from muniment.domain.errors import Refused
from muniment.domain.fact import Head, State
from muniment.domain.intake import Idempotency, Settings, Written
from muniment.domain.review import (
    Decision,
    check_claim,
    check_independence,
    check_revision,
    check_waiting,
)
from muniment.verbs.changing import change_fact, leave
from muniment.verbs.fields import Count, FactId, Reason
from muniment.verbs.ports import Facts
from muniment.verbs.publish_fact import published
from muniment.verbs.screened import Screened


class FinalizeReview(Screened):
    """Body of POST …/review/finalize. Generation and revision come from the claim's answer."""

    decision: Decision
    reason: Reason
    generation: Annotated[Count, Field(ge=1)]
    revision: Annotated[Count, Field(ge=1)]


class FinalizeOne(FinalizeReview):
    fact_id: FactId


class FinalizeReviews(Screened):
    """Body of POST /review/finalize: several decisions, each settled by itself."""

    items: Annotated[list[FinalizeOne], Field(min_length=1, max_length=50)]


def finalize_review(
    facts: Facts, asked: Asked, fact_id: str, ask: FinalizeReview, request: Idempotency | None
) -> Written:
    """Publish or reject. Raises StaleClaim, then StaleRevision, then SelfReview, in that order:

    a reviewer who lost the claim learns nothing about the newer revision.
    """
    held = Held(asked.caller.principal, ask.generation, asked.now)

    def decide(head: Head, settings: Settings) -> Change:
        check_claim(head, by=held.holder, generation=ask.generation, now=asked.now)
        check_revision(head, ask.revision)
        check_waiting(head)
        check_live(head, asked.now)
        if ask.decision is Decision.PUBLISH:
            check_independence(head, asked.caller, solo=settings.solo_publish)
            return published(facts, head, asked, ask.reason, held)
        by, now = author_of(asked.caller), asked.now
        return leave(facts, head, State.RETRACTED, by=by, reason=ask.reason, now=now, held=held)

    return change_fact(facts, asked, fact_id, request, decide)


Outcome = tuple[str, Written | Refused]


def finalize_reviews(facts: Facts, asked: Asked, ask: FinalizeReviews) -> list[Outcome]:
    """Settle each item; one refusal stops no other. Returns fact id and outcome, in order."""
    return [(item.fact_id, _outcome(facts, asked, item)) for item in ask.items]


def _outcome(facts: Facts, asked: Asked, item: FinalizeOne) -> Written | Refused:
    said: dict[str, Any] = item.model_dump(exclude={"fact_id"})
    try:
        return finalize_review(facts, asked, item.fact_id, FinalizeReview(**said), None)
    except Refused as refusal:
        return refusal
