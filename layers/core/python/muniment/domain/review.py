"""Who may settle a fact under review (rule 3).

candidate ┐            ┌ publish ► reviewed ► published
corroborated ┴ claim ──┤
                       └ reject ► retracted, with a grave
"""

from __future__ import annotations

from enum import StrEnum

from muniment.domain.caller import Caller
from muniment.domain.errors import NotWaiting, SelfReview, StaleClaim, StaleRevision
from muniment.domain.fact import WAITING, Head, State
from muniment.domain.moments import SECOND, rfc3339
from muniment.domain.place import PUBLIC

LEASE = 15 * 60 * SECOND  # milliseconds that a claim and each heartbeat last


class Decision(StrEnum):
    PUBLISH = "publish"
    REJECT = "reject"


def check_claim(head: Head, *, by: str, generation: int, now: int) -> None:
    """Raise StaleClaim unless `by` holds the live claim of that generation (rows M-61, I-02)."""
    claim = head.claim
    held = claim is not None and claim.holder == by and claim.expires_at > now
    if not held or head.generation != generation:
        raise StaleClaim(
            f"the claim of generation {generation} is not yours any more",
            field="body.generation",
            limit=head.generation,
            actual=generation,
            hint="claim the fact again and look at its present revision",
        )


def check_revision(head: Head, revision: int) -> None:
    """Raise StaleRevision if the fact moved on since `revision` was read (row M-63)."""
    if head.newest.number != revision:
        raise StaleRevision(
            f"the fact is at revision {head.newest.number}, not {revision}",
            field="body.revision",
            limit=head.newest.number,
            actual=revision,
            hint="read the present revision and decide anew",
            revision=head.newest.number,
            state=str(head.newest.state),
        )


def check_independence(head: Head, caller: Caller, *, solo: bool) -> None:
    """Raise SelfReview if the caller wrote what it would publish (rows M-62, I-03, D-17).

    Principals are compared, never keys: a person with two keys is one author. What a person's
    agent wrote the person may approve. `solo` is the project's setting solo_publish.
    """
    wrote = (head.author.principal, head.editor.principal)
    if caller.principal in wrote and not solo:
        raise SelfReview(
            f"{caller.principal} wrote this fact: another person must approve it",
            hint="ask another reviewer, or let the project's owner set solo_publish",
        )


def check_waiting(head: Head) -> None:
    """Raise NotWaiting unless the fact waits for a reviewer (row M-55)."""
    if head.newest.state not in WAITING:
        raise NotWaiting(
            f"the fact is {head.newest.state}, so no review waits",
            limit="candidate or corroborated",
            actual=str(head.newest.state),
        )


def check_public(head: Head) -> None:
    """Raise NotWaiting for a person's private fact: nobody else may read it to judge it."""
    if head.cell.place.owner != PUBLIC:
        raise NotWaiting("a private fact is not reviewed", limit="a public fact", actual="private")


def taken(head: Head) -> StaleClaim:
    """Return the refusal of a claim that somebody else holds (row I-01)."""
    assert head.claim is not None
    until = rfc3339(head.claim.expires_at)
    return StaleClaim(
        f"{head.claim.holder} holds the claim until {until}",
        holder=head.claim.holder,
        expires_at=until,
        hint="take another fact, or come back when the claim has lapsed",
    )


class ClaimLost(Exception):
    """A claim was not to be had or not held any more; `head` is the fact as it is, if there."""

    def __init__(self, head: Head | None) -> None:
        super().__init__("claim lost")
        self.head = head


PUBLISHING = (State.REVIEWED, State.PUBLISHED)  # what a publication passes through (row I-05)
