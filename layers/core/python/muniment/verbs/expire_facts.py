"""Use case: write down that facts expired; readers stopped seeing them at the moment (rule 8)."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from muniment.domain.caller import PrincipalKind
from muniment.domain.fact import GONE, Author, Head, State
from muniment.domain.intake import Raced
from muniment.domain.limits import EXPIRY_SHARDS
from muniment.domain.moments import HOUR, hour
from muniment.verbs.changing import leave
from muniment.verbs.ports import Facts

SWEEP = Author("muniment", PrincipalKind.INTEGRATION)  # the service itself
REASON = "its time was over"
TRIES = 5
LOOK_BACK = 48 * HOUR  # milliseconds that a sweep may have failed without a trace left


@dataclass(frozen=True, slots=True)
class Expired:
    """Counts of one hour: written, kept by a legal hold, left for the next sweep."""

    expired: int
    held: int
    left: int


def expire_facts(facts: Facts, start: int, now: int) -> Expired:
    """Write the `expired` revision of every fact that was due in the hour of `start`.

    Both are Unix milliseconds. Held facts are skipped: a hold beats expiry (rule 9).
    """
    counts = {"expired": 0, "held": 0, "left": 0}
    for shard in range(EXPIRY_SHARDS):
        for head in facts.due(hour(start), shard, now):
            counts[_expire(facts, head, now)] += 1
    return Expired(**counts)


def expire_hour(facts: Facts, start: int | None, now: int) -> dict[str, int | None]:
    """Sweep one hour and return its counts with `start` of the next; None when all are done.

    Without a start it begins two days back: a sweep that failed is made good by the next ones,
    and readers never depended on it.
    """
    hour_start = (now - LOOK_BACK if start is None else start) // HOUR * HOUR
    done = expire_facts(facts, hour_start, now)
    following = hour_start + HOUR
    return {**asdict(done), "start": following if following <= now else None}


def _expire(facts: Facts, head: Head | None, now: int) -> str:
    for _ in range(TRIES):
        if head is None or head.is_live(now) or head.newest.state in GONE:
            return "left"
        if head.legal_hold:
            return "held"
        change = leave(facts, head, State.EXPIRED, by=SWEEP, reason=REASON, now=now)
        try:
            facts.carry_out(change)
        except Raced:
            head = facts.head(head.cell.place.tenant, head.fact_id)
            continue
        return "expired"
    return "left"
