"""Whether a tenant has paid: the state is a function of the clock, no job has to set it.

    paid until T ──► active ──T──► grace: read-only ──T + 14 days──► closed
    (no T: always active)          search yes, save no               no request is served

Facts and holds stay where they are in every state (rows W-52, W-53, D-21).
"""

from __future__ import annotations

from enum import StrEnum

from muniment.domain.errors import ReadOnly, SubscriptionClosed
from muniment.domain.limits import GRACE_DAYS
from muniment.domain.moments import DAY, rfc3339


class Subscription(StrEnum):
    ACTIVE = "active"
    GRACE = "grace"
    CLOSED = "closed"


def subscription(paid_until: int | None, now: int) -> Subscription:
    """Return the state at `now`; both are Unix milliseconds."""
    if paid_until is None or now < paid_until:
        return Subscription.ACTIVE
    return Subscription.GRACE if now < grace_ends(paid_until) else Subscription.CLOSED


def grace_ends(paid_until: int) -> int:
    return paid_until + GRACE_DAYS * DAY


def check_served(state: Subscription, *, writes: bool) -> None:
    """Raise SubscriptionClosed, or ReadOnly for what would write during the grace."""
    if state is Subscription.CLOSED:
        raise SubscriptionClosed(
            "the subscription is closed; facts and holds are kept",
            hint="renew the subscription, and everything is there again",
        )
    if state is Subscription.GRACE and writes:
        raise ReadOnly(
            "the subscription has lapsed: memory can be read, nothing can be written",
            hint="renew the subscription; reading ends, too, 14 days after it lapsed",
        )


def told(paid_until: int | None, now: int) -> dict[str, str]:
    """Return the state and its moments, for people."""
    shown = {"state": str(subscription(paid_until, now))}
    if paid_until is not None:
        shown |= {"paid_until": rfc3339(paid_until), "grace_ends": rfc3339(grace_ends(paid_until))}
    return shown
