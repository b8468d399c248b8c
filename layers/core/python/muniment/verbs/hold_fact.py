"""Use case: an owner puts evidence under legal hold, or releases it (rows M-49, M-50)."""

from __future__ import annotations

from dataclasses import replace

from muniment.domain.authority import author_of, check_expected
from muniment.domain.caller import Asked
from muniment.domain.change import Change, Step
from muniment.domain.errors import NotWaiting
from muniment.domain.fact import Author, Head
from muniment.domain.history import link
from muniment.domain.intake import Idempotency, Settings, Written
from muniment.verbs.changing import change_fact
from muniment.verbs.ports import Facts
from muniment.verbs.publish_fact import Reasoned


class HoldFact(Reasoned):
    """Body of POST /facts/{fact_id}/hold."""


class UnholdFact(Reasoned):
    """Body of POST /facts/{fact_id}/unhold."""


def hold_fact(
    facts: Facts, asked: Asked, fact_id: str, ask: HoldFact, request: Idempotency | None
) -> Written:
    """Put a hold; retracted and expired facts can be held too, since they are evidence."""
    return _set(facts, asked, fact_id, ask, request, held=True)


def unhold_fact(
    facts: Facts, asked: Asked, fact_id: str, ask: UnholdFact, request: Idempotency | None
) -> Written:
    """Release the hold."""
    return _set(facts, asked, fact_id, ask, request, held=False)


def _set(
    facts: Facts,
    asked: Asked,
    fact_id: str,
    ask: Reasoned,
    request: Idempotency | None,
    *,
    held: bool,
) -> Written:
    def decide(head: Head, settings: Settings) -> Change:
        check_expected(head, ask.expected_revision, "body.expected_revision")
        if head.legal_hold == held:
            raise NotWaiting(f"the fact is {'held already' if held else 'not held'}")
        return set_hold(head, held, by=author_of(asked.caller), reason=ask.reason, now=asked.now)

    return change_fact(facts, asked, fact_id, request, decide)


def set_hold(head: Head, held: bool, *, by: Author, reason: str, now: int) -> Change:
    """Return the change that puts a hold on, or takes it off; all else stays."""
    newest = head.newest
    later = link(
        newest,
        newest.content,
        trust=newest.trust,
        state=newest.state,
        author=by,
        reason=reason,
        now=now,
        salt=head.salt,
        legal_hold=held,
        superseded_by=newest.superseded_by,
    )
    return Change(steps=(Step(head, replace(head, newest=later), (later,)),))
