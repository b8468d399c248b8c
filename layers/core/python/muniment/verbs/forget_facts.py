"""Use case: forget one fact, or all that came from one source (rule 10, rows W-21 to W-23).

Soft and immediate: gone from every read path, the trail stays, the value is buried. A fact under
legal hold stays and is named in the answer.
"""

from __future__ import annotations

from muniment.domain.authority import (
    author_of,
    check_live,
    check_may_remove,
    check_not_held,
)
from muniment.domain.caller import Asked
from muniment.domain.change import Change
from muniment.domain.errors import Malformed, NotAllowed, NotFound, NotWaiting, OnHold
from muniment.domain.fact import Head, State
from muniment.domain.intake import Idempotency, Settings, Written
from muniment.domain.reports import Forgotten
from muniment.verbs.changing import change_fact, leave
from muniment.verbs.fields import FactId, Reason, SourceId
from muniment.verbs.ports import Facts
from muniment.verbs.screened import Screened


class ForgetFacts(Screened):
    """Body of POST /forget: one of the two, and why."""

    fact_id: FactId | None = None
    source_id: SourceId | None = None
    reason: Reason = "forgotten on request"


def forget_facts(
    facts: Facts, asked: Asked, ask: ForgetFacts, request: Idempotency | None
) -> Forgotten:
    """Forget by id or by source.

    By id raises NotFound, OnHold, NotAllowed. By source each fact is one transaction: what a hold
    or a right keeps is told, the rest goes; asking again goes on where it stopped.
    """
    if (ask.fact_id is None) == (ask.source_id is None):
        raise Malformed(
            "say what to forget: fact_id or source_id, one of them",
            field="body",
            limit="one of fact_id, source_id",
            actual="both" if ask.fact_id else "none",
        )
    if ask.fact_id is not None:
        done = forget_fact(facts, asked, ask.fact_id, ask.reason, request)
        return Forgotten((done.head.fact_id,), replayed=done.replayed)
    return _forget_source(facts, asked, ask)


def forget_fact(
    facts: Facts, asked: Asked, fact_id: str, reason: str, request: Idempotency | None
) -> Written:
    """Forget one fact. Raises NotFound, OnHold, NotAllowed, NotWaiting if it is gone already."""

    def decide(head: Head, settings: Settings) -> Change:
        check_live(head, asked.now)
        check_not_held(head)
        check_may_remove(head, asked.caller)
        by = author_of(asked.caller)
        return leave(facts, head, State.FORGOTTEN, by=by, reason=reason, now=asked.now)

    return change_fact(facts, asked, fact_id, request, decide)


def _forget_source(facts: Facts, asked: Asked, ask: ForgetFacts) -> Forgotten:
    assert ask.source_id is not None
    done: dict[str, list[str]] = {"forgotten": [], "held": [], "refused": []}
    for fact_id in facts.of_source(asked.caller.tenant, asked.project, ask.source_id):
        try:
            forget_fact(facts, asked, fact_id, ask.reason, None)
            done["forgotten"].append(fact_id)
        except OnHold:
            done["held"].append(fact_id)
        except NotAllowed:
            done["refused"].append(fact_id)
        except (NotFound, NotWaiting):
            continue  # another person's, or gone already: as if it were not there
    forgotten, held, refused = map(tuple, done.values())
    return Forgotten(forgotten, held, refused)
