"""POST /facts/{fact_id}/retract: out of every result at once, history and reason stay."""

from __future__ import annotations

import pytest

from tests.functional.authority import (  # noqa: F401
    BORIS,
    CODER,
    EDITOR,
    NOBODY,
    OLGA,
    READER,
    VERA,
    Caller,
    Desk,
    a_desk,
    meanwhile,
)

SAID = "The broker listens on 5671."


def test_given_a_published_fact_when_retracted_then_it_leaves_every_read_path(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    desk.publish(fact_id)
    desk.reindex()
    assert len(desk.search("broker listens").items) == 1
    answer = desk.retract(fact_id, reason="it moved to 5672")
    assert answer.fact["state"] == "retracted"
    desk.reindex()
    assert desk.search("broker listens").items == []
    assert desk.list().items == []
    assert "nothing fitting is remembered" in desk.context("broker listens").body["text"]
    assert desk.queue().items == []


def test_given_a_retracted_fact_when_read_by_id_then_history_and_reason_are_there(
    desk: Desk,
) -> None:
    fact_id = desk.remember(SAID).id
    desk.retract(fact_id, reason="it moved to 5672")
    shown = desk.get(fact_id, by=READER).body
    assert shown["fact"]["statement"] == SAID
    assert "retracted: it moved to 5672" in shown["labels"]
    assert [one["state"] for one in shown["revisions"]] == ["candidate", "retracted"]


@pytest.mark.parametrize("by", [VERA, EDITOR, CODER], ids=["reviewer", "editor", "agent"])
def test_given_no_action_own_when_retracting_then_403(desk: Desk, by: Caller) -> None:
    fact_id = desk.remember(SAID).id
    assert desk.retract(fact_id, by=by).refusal == (403, "not_allowed")
    assert desk.state(fact_id) == "candidate"


@pytest.mark.parametrize("fate", ["retracted", "forgotten", "superseded", "expired"])
def test_given_a_fact_that_left_results_when_retracted_then_409_tells_its_state(
    desk: Desk, fate: str
) -> None:
    fact_id = desk.remember(SAID, expires_at="2026-05-30T00:00:00Z").id
    if fate == "retracted":
        desk.retract(fact_id)
    elif fate == "forgotten":
        desk.forget(fact_id)
    elif fate == "superseded":
        desk.remember("The broker listens on 5672.", supersedes=fact_id)
    else:
        desk.tick(3 * 24 * 3_600_000)
    answer = desk.retract(fact_id)
    assert answer.refusal == (409, "wrong_state")
    assert answer.body["actual"] == fate


def test_given_an_own_fact_when_its_author_retracts_then_nobody_else_is_needed(desk: Desk) -> None:
    fact_id = desk.remember(SAID, by=OLGA).id
    assert desk.retract(fact_id, by=OLGA).status == 200


def test_given_another_revision_when_expected_then_409(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    desk.publish(fact_id)
    assert desk.retract(fact_id, more={"expected_revision": 1}).refusal == (409, "stale_revision")
    assert desk.retract(fact_id, more={"expected_revision": 3}).status == 200


def test_given_a_publication_in_between_when_retracting_then_both_are_in_the_history(
    desk: Desk,
) -> None:
    fact_id = desk.remember(SAID).id
    with meanwhile("transact", lambda: desk.publish(fact_id)):
        assert desk.retract(fact_id).body["revision"] == 4
    states = [one["state"] for one in desk.get(fact_id).body["revisions"]]
    assert states == ["candidate", "reviewed", "published", "retracted"]


def test_given_a_claim_in_between_when_retracting_then_the_claim_goes_too(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    with meanwhile("transact", lambda: desk.claim(fact_id)):
        assert desk.retract(fact_id).status == 200
    assert desk.heartbeat(fact_id).refusal == (409, "stale_claim")


def test_given_the_same_key_again_when_retracting_then_the_same_answer(desk: Desk) -> None:
    fact_id, other = desk.remember(SAID).id, desk.remember("Another.").id
    first, again = desk.retract(fact_id, key="k"), desk.retract(fact_id, key="k")
    assert (again.status, again.body) == (first.status, first.body)
    assert again.headers["X-Idempotent-Replayed"] == "true"
    assert desk.retract(fact_id, key="k", reason="else").status == 409
    assert desk.retract(other, key="k").refusal == (409, "idempotency_mismatch")
    assert desk.state(other) == "candidate"


def test_given_an_id_that_is_not_there_when_retracting_then_one_404(desk: Desk) -> None:
    foreign = desk.remember("Theirs.", projects="other").id
    private = desk.remember("Mine.", by=OLGA, audience="private").id
    answers = [desk.retract(i, by=BORIS) for i in (NOBODY, foreign, private, "no-ulid")]
    assert {a.status for a in answers} == {404}
    assert len({str(a.body) for a in answers}) == 1
