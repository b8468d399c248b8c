"""Use case: a fact proved wrong and leaves results; its history stays (rows M-46 to M-48)."""

from __future__ import annotations

from muniment.domain.authority import author_of, check_expected, check_live
from muniment.domain.caller import Asked
from muniment.domain.change import Change
from muniment.domain.fact import Head, State
from muniment.domain.intake import Idempotency, Settings, Written
from muniment.verbs.changing import change_fact, leave
from muniment.verbs.ports import Facts
from muniment.verbs.publish_fact import Reasoned


class RetractFact(Reasoned):
    """Body of POST /facts/{fact_id}/retract."""


def retract_fact(
    facts: Facts, asked: Asked, fact_id: str, ask: RetractFact, request: Idempotency | None
) -> Written:
    """Retract; the value is buried, so it cannot come back unasked (rule 6)."""

    def decide(head: Head, settings: Settings) -> Change:
        check_expected(head, ask.expected_revision, "body.expected_revision")
        check_live(head, asked.now)
        by = author_of(asked.caller)
        return leave(facts, head, State.RETRACTED, by=by, reason=ask.reason, now=asked.now)

    return change_fact(facts, asked, fact_id, request, decide)
