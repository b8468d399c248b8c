"""POST /facts/{fact_id}/revisions: a correction is one more revision, and a candidate again."""

from __future__ import annotations

import pytest

from tests.functional.authority import (  # noqa: F401
    BORIS,
    CODER,
    EDITOR,
    NOBODY,
    OLGA,
    PILOT,
    READER,
    VERA,
    Desk,
    a_desk,
    meanwhile,
)

SAID, CORRECTED = "The cache lives 10 minutes.", "The cache lives 15 minutes."


def test_given_a_fact_when_revised_then_the_old_revision_stays_byte_for_byte(desk: Desk) -> None:
    fact_id = desk.record(SAID).id
    before = desk.revision(fact_id, 1).body
    desk.tick(1000)
    answer = desk.revise(fact_id, statement=CORRECTED, reason="measured")
    assert (answer.status, answer.body["revision"]) == (200, 2)
    assert answer.fact["statement"] == CORRECTED
    assert desk.revision(fact_id, 1).body == before
    second = desk.revision(fact_id, 2).body
    assert (second["reason"], second["state"]) == ("measured", "candidate")
    assert second["chain"] != before["chain"]


def test_given_a_published_fact_when_an_owner_revises_then_it_is_a_candidate_again(
    desk: Desk,
) -> None:
    fact_id = desk.record(SAID).id
    desk.publish(fact_id)
    answer = desk.revise(fact_id, expected=3, statement=CORRECTED)
    assert answer.fact["state"] == "candidate"
    assert [item["fact"]["fact_id"] for item in desk.queue().items] == [fact_id]


def test_given_a_published_fact_when_an_editor_revises_then_403(desk: Desk) -> None:
    fact_id = desk.record(SAID, by=EDITOR).id
    desk.publish(fact_id)
    assert desk.revise(fact_id, by=EDITOR, expected=3, statement=CORRECTED).status == 403
    assert desk.state(fact_id) == "published"


def test_given_a_persons_fact_when_an_agent_revises_then_403(desk: Desk) -> None:
    fact_id = desk.record(SAID, by=OLGA).id
    assert desk.revise(fact_id, by=CODER, statement=CORRECTED).refusal == (403, "not_allowed")
    own = desk.record("A pilot's word.", by=PILOT).id
    assert desk.revise(own, by=CODER, statement="Another word.").status == 200


def test_given_the_repo_layer_when_revised_then_405_unless_the_owner_allows_it(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    answer = desk.revise(fact_id, statement=CORRECTED)
    assert answer.refusal == (405, "create_only")
    assert fact_id in answer.body["hint"]
    desk.allow(repo_revise=True)
    assert desk.revise(fact_id, statement=CORRECTED).status == 200


def test_given_no_expected_revision_when_revised_then_400_and_if_match_does_as_well(
    desk: Desk,
) -> None:
    fact_id = desk.record(SAID).id
    assert desk.revise(fact_id, expected=None, statement=CORRECTED).refusal == (400, "malformed")
    for etag in ("2", "one", ""):
        headers = {"If-Match": etag}
        answer = desk.revise(fact_id, expected=None, statement=CORRECTED, headers=headers)
        assert answer.status in (400, 409)
    headers = {"if-match": '"1"'}
    assert desk.revise(fact_id, expected=None, statement=CORRECTED, headers=headers).status == 200


def test_given_a_stale_expectation_when_revised_then_409_carries_the_present_head(
    desk: Desk,
) -> None:
    fact_id = desk.record(SAID).id
    desk.revise(fact_id, statement=CORRECTED)
    answer = desk.revise(fact_id, expected=1, statement="The cache lives 20 minutes.")
    assert answer.refusal == (409, "stale_revision")
    assert (answer.body["limit"], answer.body["actual"]) == (2, 1)
    assert (answer.body["revision"], answer.body["state"]) == (2, "candidate")
    assert desk.get(fact_id).fact["statement"] == CORRECTED


def test_given_a_faster_writer_when_revised_then_the_slower_gets_409(desk: Desk) -> None:
    fact_id = desk.record(SAID).id
    with meanwhile("transact", lambda: desk.revise(fact_id, statement="The faster one.")):
        answer = desk.revise(fact_id, statement=CORRECTED)
    assert answer.refusal == (409, "stale_revision")
    assert [r["statement"] for r in desk.get(fact_id).body["revisions"]] == [
        SAID,
        "The faster one.",
    ]


def test_given_a_claim_when_revised_then_the_reviewer_must_look_again(desk: Desk) -> None:
    fact_id = desk.record(SAID, by=EDITOR).id
    desk.claim(fact_id)
    desk.revise(fact_id, by=EDITOR, statement=CORRECTED)
    assert desk.finalize(fact_id, revision=1).refusal == (409, "stale_revision")
    assert desk.finalize(fact_id, revision=2).status == 200


def test_given_a_corroborated_fact_when_revised_then_its_voices_are_not_counted(
    desk: Desk,
) -> None:
    fact_id = desk.record(SAID, source_id="a.md").id
    desk.record(SAID, by=BORIS, source_id="b.md")
    assert desk.state(fact_id) == "corroborated"
    desk.revise(fact_id, expected=2, statement=CORRECTED)
    (item,) = desk.queue().items
    assert item["why"] == ["revised by human olga, not reviewed yet"]
    again = desk.record(CORRECTED, by=BORIS, source_id="b.md")
    assert again.fact["state"] == "corroborated"


def test_given_nothing_new_when_revised_then_422(desk: Desk) -> None:
    fact_id = desk.record(SAID).id
    assert desk.revise(fact_id, statement=SAID).status == 422
    assert desk.revise(fact_id).status == 422
    assert len(desk.get(fact_id).body["revisions"]) == 1


def test_given_a_statement_that_stands_already_when_revised_into_it_then_422(desk: Desk) -> None:
    standing, fact_id = desk.record(CORRECTED).id, desk.record(SAID).id
    answer = desk.revise(fact_id, statement=CORRECTED)
    assert (answer.status, answer.body["fact_id"]) == (422, standing)
    desk.retract(standing)
    assert desk.revise(fact_id, statement=CORRECTED).refusal == (409, "duplicate_tombstone")


def test_given_a_statement_freed_by_a_revision_when_recorded_then_it_is_a_new_fact(
    desk: Desk,
) -> None:
    first = desk.record(SAID).id
    desk.revise(first, statement=CORRECTED)
    second = desk.record(SAID)
    assert (second.status, second.body["repeat"]) == (201, False)
    assert second.id != first
    third = desk.record(CORRECTED)
    assert (third.id, third.body["repeat"]) == (first, True)


def test_given_a_race_for_one_statement_when_revised_into_it_then_one_fact_holds_it(
    desk: Desk,
) -> None:
    fact_id = desk.record(SAID).id
    with meanwhile("transact", lambda: desk.record(CORRECTED)):
        answer = desk.revise(fact_id, statement=CORRECTED)
    assert answer.status == 422
    assert desk.get(fact_id).fact["statement"] == SAID


@pytest.mark.parametrize("fate", ["retract", "forget"])
def test_given_a_fact_that_left_results_when_revised_then_409(desk: Desk, fate: str) -> None:
    fact_id = desk.record(SAID).id
    getattr(desk, fate)(fact_id)
    assert desk.revise(fact_id, expected=2, statement=CORRECTED).refusal == (409, "wrong_state")


def test_given_an_expired_fact_when_revised_then_409_before_and_after_the_sweep(
    desk: Desk,
) -> None:
    fact_id = desk.record(SAID, expires_at="2026-05-29T00:00:00Z").id
    desk.tick(24 * 3_600_000)
    later = {"statement": CORRECTED, "expires_at": "2026-06-29T00:00:00Z"}
    assert desk.revise(fact_id, **later).refusal == (409, "wrong_state")
    desk.sweep()
    assert desk.revise(fact_id, expected=2, **later).refusal == (409, "wrong_state")


def test_given_the_same_key_again_when_revised_then_the_same_answer(desk: Desk) -> None:
    fact_id, other = desk.record(SAID).id, desk.record("Another.").id
    first = desk.revise(fact_id, key="k", statement=CORRECTED)
    again = desk.revise(fact_id, key="k", statement=CORRECTED)
    assert (again.status, again.body) == (first.status, first.body)
    assert again.headers["X-Idempotent-Replayed"] == "true"
    assert len(desk.get(fact_id).body["revisions"]) == 2
    mismatch = (409, "idempotency_mismatch")
    assert desk.revise(fact_id, key="k", statement="Else.").refusal == mismatch
    assert desk.revise(other, key="k", statement=CORRECTED).refusal == mismatch
    assert desk.revise(fact_id, key="k", expected=2, statement=CORRECTED).refusal == mismatch


def test_given_a_lost_answer_when_two_send_one_key_then_one_revision(desk: Desk) -> None:
    fact_id = desk.record(SAID).id
    with meanwhile("transact", lambda: desk.revise(fact_id, key="k", statement=CORRECTED)):
        answer = desk.revise(fact_id, key="k", statement=CORRECTED)
    assert (answer.status, answer.body["revision"]) == (200, 2)
    assert answer.headers["X-Idempotent-Replayed"] == "true"


def test_given_an_id_that_is_not_there_when_revised_then_one_404(desk: Desk) -> None:
    foreign = desk.remember("Theirs.", projects="other").id
    private = desk.record("Mine.", by=OLGA, audience="private").id
    forgotten = desk.record("Gone.").id
    desk.forget(forgotten)
    ids = (NOBODY, foreign, private, forgotten, "no-ulid")
    answers = [desk.revise(i, by=VERA, statement=CORRECTED) for i in ids]
    assert {a.status for a in answers} == {404}
    assert len({str(a.body) for a in answers}) == 1


def test_given_only_read_when_revised_then_403(desk: Desk) -> None:
    fact_id = desk.record(SAID).id
    assert desk.revise(fact_id, by=READER, statement=CORRECTED).refusal == (403, "not_allowed")
