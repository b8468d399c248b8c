"""Use case: a reviewer takes a fact to look at, and nobody else does meanwhile (row M-57)."""

from __future__ import annotations

from muniment.domain.authority import check_live
from muniment.domain.caller import Asked
from muniment.domain.errors import Busy
from muniment.domain.fact import Head
from muniment.domain.review import LEASE, ClaimLost, check_public, check_waiting, taken
from muniment.verbs.changing import known_form, visible
from muniment.verbs.ports import Reviews

TRIES = 5


def claim_review(reviews: Reviews, asked: Asked, fact_id: str) -> Head:
    """Return the head with the caller's live claim, for 15 minutes.

    A lapsed claim is taken over with the next generation; the caller's own live claim is
    prolonged. Raises StaleClaim with holder and end while another reviewer holds it (row I-01),
    NotWaiting, NotFound.
    """
    fact_id = known_form(fact_id, asked)
    for _ in range(TRIES):
        try:
            return reviews.claim(asked, fact_id, until=asked.now + LEASE)
        except ClaimLost as lost:
            head = visible(lost.head, asked)
        check_public(head)
        check_waiting(head)
        check_live(head, asked.now)
        if head.claim is None or head.claim.expires_at <= asked.now:
            continue  # it lapsed or was released between our two looks
        if head.claim.holder != asked.caller.principal:
            raise taken(head)
        try:
            return reviews.prolong(asked, fact_id, head.generation, until=asked.now + LEASE)
        except ClaimLost:
            continue
    raise Busy("the claim changes hands too fast", retry_after=1)
