"""Use case: at night the facts are counted, and a budget that a crash left wrong is set right.

    first step: a tally of every project ─► pages of facts ─► time is up? the rest is the next step
                                                          └► all counted: correct what is wrong

A project in which somebody writes is left for the next night (domain.recount says why). What a step
hands on is about 60 bytes a project; Step Functions carries 256 KB, which is 4,000 projects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple
from typing import Any

from muniment.domain.recount import Tally
from muniment.verbs.ports import Recount

STEP = 200_000  # milliseconds of counting; the function may run for 300 s
Step = dict[str, Any]
Tallies = dict[tuple[str, str], Tally]


def recount_budgets(
    budgets: Recount, step: Mapping[str, Any] | None, now: Callable[[], int]
) -> Step:
    """Do one step. `step` is None at first, then `next` of the last answer.

    Returns projects, corrected, busy, and `next`, which is None when all is done.
    """
    started = now()
    began, after = (step["began"], step["after"]) if step else (started, None)
    tallies = _resumed(step) if step else _begun(budgets, began)
    while True:
        heads, after = budgets.counted(after)
        for head in heads:
            if tally := tallies.get((head.tenant, head.project)):
                tallies[head.tenant, head.project] = tally.with_head(head, began)
        if after is None:
            return _corrected(budgets, tallies, now())
        if now() - started >= STEP:
            return _answer(tallies, 0, 0, _kept(began, after, tallies))


def _begun(budgets: Recount, began: int) -> Tallies:
    return {(tally.tenant, tally.project): tally for tally in budgets.tallies(began)}


def _corrected(budgets: Recount, tallies: Tallies, now: int) -> Step:
    corrected = busy = 0
    for tally in tallies.values():
        if tally.busy:
            busy += 1
        elif not tally.is_right:
            done = budgets.correct(tally, now)
            corrected, busy = corrected + done, busy + (not done)
    return _answer(tallies, corrected, busy, None)


def _answer(tallies: Tallies, corrected: int, busy: int, following: Step | None) -> Step:
    counts = {"projects": len(tallies), "corrected": corrected, "busy": busy}
    return {**counts, "next": following}


def _kept(began: int, after: str, tallies: Tallies) -> Step:
    return {"began": began, "after": after, "tallies": [astuple(t) for t in tallies.values()]}


def _resumed(step: Mapping[str, Any]) -> Tallies:
    found = [Tally(*said) for said in step["tallies"]]
    return {(tally.tenant, tally.project): tally for tally in found}
