"""Use cases: a reviewer keeps a claim alive, or gives it back (rows M-58, M-59, I-02)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from muniment.domain.caller import Asked
from muniment.domain.errors import StaleClaim
from muniment.domain.fact import Head
from muniment.domain.review import LEASE, ClaimLost, check_claim
from muniment.verbs.changing import known_form, visible
from muniment.verbs.fields import Ask, Count
from muniment.verbs.ports import Reviews


class HoldingClaim(Ask):
    """Body of …/review/heartbeat and …/review/release."""

    generation: Annotated[Count, Field(ge=1)]


def heartbeat_review(reviews: Reviews, asked: Asked, fact_id: str, ask: HoldingClaim) -> Head:
    """Return the head with the claim prolonged by 15 minutes from now. Raises StaleClaim."""
    try:
        return reviews.prolong(
            asked, known_form(fact_id, asked), ask.generation, until=asked.now + LEASE
        )
    except ClaimLost as lost:
        raise _stale(lost, asked, ask) from None


def release_review(reviews: Reviews, asked: Asked, fact_id: str, ask: HoldingClaim) -> Head:
    """Return the head without the claim. Raises StaleClaim."""
    try:
        return reviews.release(asked, known_form(fact_id, asked), ask.generation)
    except ClaimLost as lost:
        raise _stale(lost, asked, ask) from None


def _stale(lost: ClaimLost, asked: Asked, ask: HoldingClaim) -> StaleClaim:
    """Return why the claim is not held any more. Raises NotFound for what cannot be seen."""
    head = visible(lost.head, asked)
    try:
        check_claim(head, by=asked.caller.principal, generation=ask.generation, now=asked.now)
    except StaleClaim as stale:
        return stale
    return StaleClaim("the claim changed hands a moment ago", hint="claim the fact again")
