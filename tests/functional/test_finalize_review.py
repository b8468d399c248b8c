"""POST …/review/finalize: the exact revision, under a live claim, never one's own word."""

from __future__ import annotations

import pytest

from muniment.domain.review import LEASE
from tests.functional.authority import (  # noqa: F401
    BORIS,
    CODER,
    EDITOR,
    NOBODY,
    OLGA,
    VERA,
    Desk,
    a_desk,
    meanwhile,
)

SAID = "Tests run on every push."


def test_given_a_claim_when_finalized_with_publish_then_two_revisions_in_one_step(
    desk: Desk,
) -> None:
    fact_id = desk.remember(SAID, by=CODER).id
    desk.claim(fact_id)
    answer = desk.finalize(fact_id, reason="seen in CI")
    assert (answer.status, answer.fact["state"], answer.body["revision"]) == (200, "published", 3)
    revisions = desk.get(fact_id).body["revisions"]
    assert [r["state"] for r in revisions] == ["candidate", "reviewed", "published"]
    assert {(r["author"]["principal"], r["reason"]) for r in revisions[1:]} == {
        ("vera", "seen in CI")
    }
    assert desk.queue().items == []
    assert desk.claim(fact_id, by=BORIS).status == 409


def test_given_a_claim_when_finalized_with_reject_then_retracted_and_buried(desk: Desk) -> None:
    fact_id = desk.remember(SAID, by=CODER).id
    desk.claim(fact_id)
    assert desk.finalize(fact_id, "reject", reason="not so").fact["state"] == "retracted"
    assert desk.queue().items == []
    again = desk.remember(SAID.upper(), by=OLGA)
    assert again.refusal == (409, "duplicate_tombstone")
    assert "not so" in again.body["detail"]


def test_given_everything_wrong_when_finalized_then_claim_revision_author_in_that_order(
    desk: Desk,
) -> None:
    fact_id = desk.record(SAID, by=VERA).id
    desk.claim(fact_id)
    desk.revise(fact_id, by=VERA, statement="Tests run on every merge.")
    assert desk.finalize(fact_id, generation=2).refusal == (409, "stale_claim")
    assert desk.finalize(fact_id, generation=1, revision=1).refusal == (409, "stale_revision")
    assert desk.finalize(fact_id, generation=1, revision=2).refusal == (403, "self_review")
    assert desk.state(fact_id) == "candidate"


def test_given_a_lost_claim_when_finalized_then_nothing_of_the_newer_revision_is_told(
    desk: Desk,
) -> None:
    fact_id = desk.record(SAID, by=EDITOR).id
    desk.claim(fact_id)
    desk.tick(LEASE)
    desk.claim(fact_id, by=BORIS)
    desk.revise(fact_id, by=EDITOR, statement="Tests run on every merge.")
    answer = desk.finalize(fact_id)
    assert answer.refusal == (409, "stale_claim")
    assert "revision" not in answer.body


@pytest.mark.parametrize(("after", "status"), [(LEASE - 1, 200), (LEASE, 409)])
def test_given_a_lease_around_its_end_when_finalized_then_the_boundary_is_exact(
    desk: Desk, after: int, status: int
) -> None:
    fact_id = desk.remember(SAID, by=CODER).id
    desk.claim(fact_id)
    desk.tick(after)
    assert desk.finalize(fact_id).status == status


def test_given_the_author_when_finalized_then_403_even_with_another_key(desk: Desk) -> None:
    fact_id = desk.remember(SAID, by=OLGA).id
    second_key = {**OLGA, "actions": "read,review"}
    desk.claim(fact_id, by=second_key)
    assert desk.finalize(fact_id, by=second_key).refusal == (403, "self_review")
    assert desk.finalize(fact_id, "reject", by=second_key).status == 200


def test_given_an_editor_when_finalized_by_them_then_403(desk: Desk) -> None:
    fact_id = desk.record(SAID, by=EDITOR).id
    desk.revise(fact_id, by=VERA, statement="Tests run on every merge.")
    desk.claim(fact_id, by=VERA)
    assert desk.finalize(fact_id, by=VERA, revision=2).refusal == (403, "self_review")


def test_given_an_agents_fact_when_its_operator_finalizes_then_published(desk: Desk) -> None:
    fact_id = desk.remember(SAID, by=CODER).id
    desk.claim(fact_id, by=OLGA)
    assert desk.finalize(fact_id, by=OLGA).status == 200


def test_given_solo_publish_when_the_author_finalizes_then_published_and_labelled(
    desk: Desk,
) -> None:
    desk.allow(solo_publish=True)
    fact_id = desk.remember(SAID, by=VERA).id
    desk.claim(fact_id)
    assert desk.finalize(fact_id).status == 200
    assert "self-published" in desk.get(fact_id).body["labels"]


def test_given_no_claim_when_finalized_then_409(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    assert desk.finalize(fact_id).refusal == (409, "stale_claim")
    desk.claim(fact_id, by=BORIS)
    assert desk.finalize(fact_id, by=VERA).refusal == (409, "stale_claim")


def test_given_a_finalized_fact_when_finalized_again_then_one_publication(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    desk.claim(fact_id)
    assert desk.finalize(fact_id).status == 200
    assert desk.finalize(fact_id).refusal == (409, "stale_claim")
    assert desk.finalize(fact_id, "reject", revision=3).refusal == (409, "stale_claim")
    assert desk.state(fact_id) == "published"


def test_given_a_take_over_in_between_when_the_old_holder_finalizes_then_409(desk: Desk) -> None:
    fact_id = desk.remember(SAID, by=CODER).id
    desk.claim(fact_id)
    desk.tick(LEASE - 1)

    def lapse_and_take_over() -> None:
        desk.tick(1)
        assert desk.claim(fact_id, by=BORIS).body["generation"] == 2

    with meanwhile("transact", lapse_and_take_over):
        assert desk.finalize(fact_id).refusal == (409, "stale_claim")
    assert desk.state(fact_id) == "candidate"
    assert desk.finalize(fact_id, by=BORIS, generation=2).status == 200


def test_given_a_release_and_a_new_claim_in_between_when_finalized_then_409(desk: Desk) -> None:
    fact_id = desk.remember(SAID, by=CODER).id
    desk.claim(fact_id)

    def claim_anew() -> None:
        desk.release(fact_id)
        desk.claim(fact_id)

    with meanwhile("transact", claim_anew):
        assert desk.finalize(fact_id).refusal == (409, "stale_claim")
    assert desk.finalize(fact_id, generation=2).status == 200


def test_given_a_release_in_between_when_finalized_then_409(desk: Desk) -> None:
    fact_id = desk.remember(SAID, by=CODER).id
    desk.claim(fact_id)
    with meanwhile("transact", lambda: desk.release(fact_id)):
        assert desk.finalize(fact_id).refusal == (409, "stale_claim")
    assert desk.state(fact_id) == "candidate"


def test_given_a_revision_in_between_when_finalized_then_409(desk: Desk) -> None:
    fact_id = desk.record(SAID, by=EDITOR).id
    desk.claim(fact_id)
    with meanwhile("transact", lambda: desk.revise(fact_id, by=EDITOR, statement="Else.")):
        assert desk.finalize(fact_id).refusal == (409, "stale_revision")
    assert desk.state(fact_id) == "candidate"


def test_given_an_expired_fact_when_finalized_then_409(desk: Desk) -> None:
    fact_id = desk.remember(SAID, expires_at="2026-05-28T20:30:00Z").id
    desk.claim(fact_id)
    desk.tick(10 * 60 * 1000)
    assert desk.finalize(fact_id).refusal == (409, "wrong_state")


def test_given_the_same_key_again_when_finalized_then_the_same_answer(desk: Desk) -> None:
    fact_id, other = desk.remember(SAID).id, desk.remember("Another.").id
    desk.claim(fact_id)
    desk.claim(other)
    first, again = desk.finalize(fact_id, key="k"), desk.finalize(fact_id, key="k")
    assert (first.status, again.status, again.body) == (200, 200, first.body)
    assert again.headers["X-Idempotent-Replayed"] == "true"
    assert desk.finalize(fact_id, "reject", key="k").refusal == (409, "idempotency_mismatch")
    assert desk.finalize(other, key="k").refusal == (409, "idempotency_mismatch")
    assert desk.state(other) == "candidate"


def test_given_no_right_or_no_fact_when_finalized_then_403_or_one_404(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    assert desk.finalize(fact_id, by=EDITOR).refusal == (403, "not_allowed")
    foreign = desk.remember("Theirs.", projects="other").id
    forgotten = desk.remember("Gone.").id
    desk.forget(forgotten)
    answers = [desk.finalize(i, by=VERA) for i in (NOBODY, foreign, forgotten)]
    assert {a.status for a in answers} == {404}
    assert len({str(a.body) for a in answers}) == 1


@pytest.mark.parametrize("field", ["decision", "reason", "generation", "revision"])
def test_given_a_missing_field_when_finalized_then_400_names_it(desk: Desk, field: str) -> None:
    fact_id = desk.remember(SAID).id
    body = {"decision": "publish", "reason": "so", "generation": 1, "revision": 1}
    del body[field]
    answer = desk.on("finalize_review", fact_id, "/review/finalize", body, VERA)
    assert (answer.status, answer.body["field"]) == (400, f"body.{field}")
