"""POST /facts/{fact_id}/publish: an owner makes authority, never of their own word."""

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

HOUR = 3_600_000


def test_given_a_candidate_when_another_owner_publishes_then_it_passes_reviewed(desk: Desk) -> None:
    fact_id = desk.remember("Deploys go through Jenkins.").id
    desk.tick()
    answer = desk.publish(fact_id, reason="saw the pipeline")
    assert (answer.status, answer.body["revision"]) == (200, 3)
    history = desk.get(fact_id).body["revisions"]
    assert [one["state"] for one in history] == ["candidate", "reviewed", "published"]
    assert {one["reason"] for one in history[1:]} == {"saw the pipeline"}
    assert {one["author"]["principal"] for one in history[1:]} == {"boris"}
    assert "authority" in desk.get(fact_id).body["labels"]


@pytest.mark.parametrize("by", [VERA, EDITOR, CODER], ids=["reviewer", "editor", "agent"])
def test_given_no_action_own_when_publishing_then_403_and_nothing_moves(
    desk: Desk, by: Caller
) -> None:
    fact_id = desk.remember("Deploys go through Jenkins.").id
    assert desk.publish(fact_id, by=by).refusal == (403, "not_allowed")
    assert desk.state(fact_id) == "candidate"


def test_given_two_keys_of_one_person_when_publishing_their_own_fact_then_403(desk: Desk) -> None:
    writing_key = {**OLGA, "actions": "read,write"}
    fact_id = desk.remember("Deploys go through Jenkins.", by=writing_key).id
    assert desk.publish(fact_id, by=OLGA).refusal == (403, "self_review")
    assert desk.publish(fact_id, by=BORIS).status == 200


def test_given_an_agents_fact_when_its_operator_publishes_then_200(desk: Desk) -> None:
    fact_id = desk.remember("Deploys go through Jenkins.", by=CODER).id
    assert desk.publish(fact_id, by=OLGA).fact["state"] == "published"


def test_given_a_revision_when_its_editor_publishes_then_403(desk: Desk) -> None:
    fact_id = desk.record("Deploys go through Jenkins.", by=VERA).id
    assert desk.revise(fact_id, by=BORIS, statement="Deploys go through Gitea.").status == 200
    assert desk.publish(fact_id, by=BORIS).refusal == (403, "self_review")
    assert desk.publish(fact_id, by=OLGA).status == 200


def test_given_solo_publish_when_the_author_publishes_then_it_is_labelled_so(desk: Desk) -> None:
    fact_id = desk.remember("Deploys go through Jenkins.", by=OLGA).id
    desk.allow(solo_publish=True)
    assert desk.publish(fact_id, by=OLGA).status == 200
    assert "self-published" in desk.get(fact_id).body["labels"]
    other = desk.remember("Rollbacks go through Jenkins.", by=BORIS).id
    desk.publish(other, by=OLGA)
    assert "self-published" not in desk.get(other).body["labels"]


def test_given_a_published_fact_when_published_again_then_409(desk: Desk) -> None:
    fact_id = desk.remember("Deploys go through Jenkins.").id
    desk.publish(fact_id)
    assert desk.publish(fact_id).refusal == (409, "wrong_state")


def test_given_another_revision_when_expected_then_409_names_the_present_one(desk: Desk) -> None:
    fact_id = desk.record("Deploys go through Jenkins.").id
    desk.revise(fact_id, statement="Deploys go through Gitea.")
    answer = desk.publish(fact_id, more={"expected_revision": 1})
    assert answer.refusal == (409, "stale_revision")
    assert (answer.body["revision"], answer.body["state"]) == (2, "candidate")
    assert desk.publish(fact_id, more={"expected_revision": 2}).status == 200


def test_given_an_expired_fact_when_published_before_the_sweep_then_409(desk: Desk) -> None:
    fact_id = desk.remember("The freeze is on.", expires_at="2026-05-29T00:00:00Z").id
    desk.tick(24 * HOUR)
    assert desk.publish(fact_id).refusal == (409, "wrong_state")


def test_given_a_blank_reason_when_publishing_then_refused(desk: Desk) -> None:
    fact_id = desk.remember("Deploys go through Jenkins.").id
    assert desk.publish(fact_id, reason=" ").status == 422
    assert desk.on("publish_fact", fact_id, "/publish", {}, BORIS).status == 400
    assert desk.state(fact_id) == "candidate"


def test_given_a_revise_in_between_when_publishing_then_the_new_content_is_judged(
    desk: Desk,
) -> None:
    fact_id = desk.record("Deploys go through Jenkins.", by=VERA).id

    def revise() -> None:
        assert desk.revise(fact_id, by=BORIS, statement="Deploys go by hand.").status == 200

    with meanwhile("transact", revise):
        answer = desk.publish(fact_id, by=BORIS)  # he edited it meanwhile: now it is his own word
    assert answer.refusal == (403, "self_review")
    assert desk.state(fact_id) == "candidate"


def test_given_the_same_key_again_when_publishing_then_the_same_answer(desk: Desk) -> None:
    fact_id = desk.remember("Deploys go through Jenkins.").id
    first = desk.publish(fact_id, key="k1")
    again = desk.publish(fact_id, key="k1")
    assert (again.status, again.body) == (first.status, first.body)
    assert again.headers["X-Idempotent-Replayed"] == "true"
    assert "X-Idempotent-Replayed" not in first.headers
    assert desk.publish(fact_id, key="k1", reason="another").refusal == (
        409,
        "idempotency_mismatch",
    )
    other = desk.remember("Rollbacks go through Jenkins.").id
    assert desk.publish(other, key="k1").refusal == (409, "idempotency_mismatch")
    assert desk.state(other) == "candidate"


def test_given_a_fact_that_is_not_there_when_publishing_then_one_404(desk: Desk) -> None:
    foreign = desk.remember("Theirs.", projects="other").id
    forgotten = desk.remember("Gone.").id
    desk.forget(forgotten)
    answers = [desk.publish(i, by=BORIS) for i in (NOBODY, foreign)]
    assert {a.status for a in answers} == {404}
    assert answers[0].body == answers[1].body
