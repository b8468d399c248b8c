"""POST /facts/{fact_id}/hold and /unhold: a legal hold beats forget, erase and expiry."""

from __future__ import annotations

import pytest

from tests.functional.authority import (  # noqa: F401
    BORIS,
    CODER,
    EDITOR,
    NOBODY,
    OLGA,
    VERA,
    Caller,
    Desk,
    a_desk,
    meanwhile,
)

SAID = "The audit log is kept for 400 days."
DAY = 24 * 3_600_000


def test_given_a_fact_when_held_then_it_is_a_revision_with_the_reason(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    answer = desk.hold(fact_id, reason="case 17")
    assert (answer.body["revision"], answer.fact["legal_hold"]) == (2, True)
    shown = desk.get(fact_id).body
    assert [(r["legal_hold"], r["reason"]) for r in shown["revisions"]] == [
        (False, "recorded"),
        (True, "case 17"),
    ]
    assert "legal hold" in shown["labels"]
    assert desk.unhold(fact_id).fact["legal_hold"] is False
    assert "legal hold" not in desk.get(fact_id).body["labels"]


@pytest.mark.parametrize("by", [VERA, EDITOR, CODER], ids=["reviewer", "editor", "agent"])
def test_given_no_action_own_when_holding_or_releasing_then_403(desk: Desk, by: Caller) -> None:
    fact_id = desk.remember(SAID).id
    assert desk.hold(fact_id, by=by).refusal == (403, "not_allowed")
    desk.hold(fact_id)
    assert desk.unhold(fact_id, by=by).refusal == (403, "not_allowed")
    assert desk.get(fact_id).fact["legal_hold"] is True


def test_given_a_held_fact_when_forgotten_by_id_then_423_and_it_stays(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    desk.hold(fact_id)
    answer = desk.forget(fact_id)
    assert answer.refusal == (423, "legal_hold")
    assert answer.body["fact_id"] == fact_id
    deleted = desk.call("forget_fact", "DELETE", f"/facts/{fact_id}", by=BORIS)
    assert deleted.refusal == (423, "legal_hold")
    assert desk.state(fact_id) == "candidate"
    desk.unhold(fact_id)
    assert desk.forget(fact_id).status == 200


def test_given_a_held_fact_when_its_source_is_forgotten_then_the_rest_goes(desk: Desk) -> None:
    held, free = [desk.remember(text, source_id="log.md").id for text in (SAID, "A second one.")]
    desk.hold(held)
    body = desk.forget_source("log.md").body
    assert (body["forgotten"], body["held"], body["refused"]) == ([free], [held], [])
    assert (desk.state(held), desk.state(free)) == ("candidate", "forgotten")


def test_given_a_hold_in_between_when_forgotten_then_the_hold_wins(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    with meanwhile("transact", lambda: desk.hold(fact_id)):
        assert desk.forget(fact_id).refusal == (423, "legal_hold")
    assert desk.get(fact_id).fact["statement"] == SAID


def test_given_a_held_fact_when_erased_then_423_and_nothing_is_lost(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    desk.forget(fact_id)
    desk.hold(fact_id)
    assert desk.erase(fact_id).refusal == (423, "legal_hold")
    assert desk.get(fact_id, by=BORIS).fact["statement"] == SAID


def test_given_a_hold_in_between_when_erased_then_the_hold_wins(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    with meanwhile("transact", lambda: desk.hold(fact_id)):
        assert desk.erase(fact_id).refusal == (423, "legal_hold")
    assert desk.get(fact_id).fact["statement"] == SAID
    assert desk.revision(fact_id, 1).body["statement"] == SAID


def test_given_a_held_fact_when_it_expires_then_no_sweep_writes_it_off(desk: Desk) -> None:
    held, free = (
        desk.remember(text, expires_at="2026-05-29T00:00:00Z").id for text in (SAID, "Not held.")
    )
    desk.hold(held)
    desk.tick(DAY)
    counts = desk.sweep()
    assert (counts["expired"], counts["held"]) == (1, 1)
    assert (desk.state(held), desk.state(free)) == ("candidate", "expired")


def test_given_a_hold_in_between_when_swept_then_the_hold_wins(desk: Desk) -> None:
    fact_id = desk.remember(SAID, expires_at="2026-05-29T00:00:00Z").id
    desk.tick(DAY)
    with meanwhile("transact", lambda: desk.hold(fact_id)):
        counts = desk.sweep()
    assert (counts["expired"], counts["held"]) == (0, 1)


def test_given_a_held_fact_when_retracted_or_superseded_then_its_content_stays(desk: Desk) -> None:
    retracted, old = desk.remember(SAID).id, desk.remember("The old way.").id
    desk.hold(retracted)
    desk.hold(old)
    assert desk.retract(retracted).fact["legal_hold"] is True
    new = desk.remember("The new way.", supersedes=old).id
    fact = desk.get(old).fact
    assert (fact["state"], fact["superseded_by"], fact["legal_hold"]) == ("superseded", new, True)
    desk.unhold(old)
    assert desk.get(old).fact["superseded_by"] == new


def test_given_a_hold_when_held_again_then_409(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    assert desk.unhold(fact_id).refusal == (409, "wrong_state")
    desk.hold(fact_id)
    assert desk.hold(fact_id).refusal == (409, "wrong_state")
    assert len(desk.get(fact_id).body["revisions"]) == 2


def test_given_the_same_key_again_when_holding_then_the_same_answer(desk: Desk) -> None:
    fact_id, other = desk.remember(SAID).id, desk.remember("Another.").id
    for verb in (desk.hold, desk.unhold):
        first, again = verb(fact_id, key="k"), verb(fact_id, key="k")
        assert (again.status, again.body) == (first.status, first.body)
        assert again.headers["X-Idempotent-Replayed"] == "true"
        assert verb(other, key="k").refusal == (409, "idempotency_mismatch")
    assert desk.hold(fact_id, key="k", reason="else").refusal == (409, "idempotency_mismatch")


def test_given_an_id_that_is_not_there_when_holding_then_one_404(desk: Desk) -> None:
    foreign = desk.remember("Theirs.", projects="other").id
    private = desk.remember("Mine.", by=OLGA, audience="private").id
    answers = [desk.hold(i) for i in (NOBODY, foreign, private)]
    assert {a.status for a in answers} == {404}
    assert len({str(a.body) for a in answers}) == 1
