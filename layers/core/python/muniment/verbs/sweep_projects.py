"""Use case: what a deleted project leaves behind (row D-23): facts are forgotten, held ones listed.

    first step: which projects? ──► pages of all facts ──► time is up? the rest is the next step
    (none: done)                    └ held: into the ledger        └► all seen: those are swept

A write that began before the deletion may end after it, so a project is done only once a pass began
SETTLED after its deletion; until then each pass does what it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from muniment.domain.caller import PrincipalKind
from muniment.domain.fact import GONE, Author, Head, State
from muniment.domain.intake import Raced
from muniment.domain.projects import Held
from muniment.verbs.changing import TRIES, leave
from muniment.verbs.ports import Facts
from muniment.verbs.tenant_ports import Holds

SWEEP = Author("muniment", PrincipalKind.INTEGRATION)  # the service itself
REASON = "its project was deleted"
STEP = 200_000  # milliseconds of work; the function may run for 300 s
SETTLED = 60_000  # milliseconds; no request runs longer
PAGE = 200  # heads
Step = dict[str, Any]


def sweep_projects(
    holds: Holds, facts: Facts, step: Mapping[str, Any] | None, now: Callable[[], int]
) -> Step:
    """Do one step. `step` is None at first, then `next` of the last answer.

    Returns forgotten, held, left (somebody was at work on it: the next pass does it), projects
    that are done, and `next`, which is None when all was seen.
    """
    started = now()
    deleted = {(d.tenant, d.project): d.deleted_at for d in holds.to_sweep()}
    began, after = (step["began"], step["after"]) if step else (started, None)
    counts = {"forgotten": 0, "held": 0, "left": int(step["left"]) if step else 0}
    while deleted:
        heads, after = facts.all_heads(after, PAGE)
        for head in heads:
            place = head.cell.place
            if (place.tenant, place.project) in deleted:
                counts[_sweep(holds, facts, head, now())] += 1
        if after is None:
            break
        if now() - started >= STEP:
            kept = {"began": began, "after": after, "left": counts["left"]}
            return {**counts, "projects": 0, "next": kept}
    done = [key for key, at in deleted.items() if not counts["left"] and began >= at + SETTLED]
    for tenant, project in done:
        holds.swept(tenant, project, now())
    return {**counts, "projects": len(done), "next": None}


def _sweep(holds: Holds, facts: Facts, head: Head | None, now: int) -> str:
    """Return forgotten, held or left; what is gone already counts as forgotten."""
    for _ in range(TRIES):
        if head is None:
            return "forgotten"
        place = head.cell.place
        if head.legal_hold:
            holds.list_hold(place.tenant, Held(place.project, head.fact_id, now))
            return "held"
        if head.newest.state in GONE:
            return "forgotten"
        try:
            change = leave(facts, head, State.FORGOTTEN, by=SWEEP, reason=REASON, now=now)
            facts.carry_out(change)
            return "forgotten"
        except Raced:
            head = facts.head(place.tenant, head.fact_id)
    return "left"
