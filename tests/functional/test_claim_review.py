"""POST …/review/claim: one live holder, a lapsed claim passes on with the next generation."""

from __future__ import annotations

import pytest

from muniment.domain.moments import parse
from muniment.domain.review import LEASE
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


def test_given_a_candidate_when_claimed_then_lease_generation_and_revision(desk: Desk) -> None:
    fact_id = desk.remember("A claim.").id
    body = desk.claim(fact_id).body
    assert parse(body.pop("expires_at")) == desk.now + LEASE == desk.now + 15 * 60 * 1000
    assert body == {"fact_id": fact_id, "generation": 1, "revision": 1, "holder": "vera"}
    assert len(desk.get(fact_id).body["revisions"]) == 1


def test_given_a_live_claim_when_another_claims_then_409_names_holder_and_end(desk: Desk) -> None:
    fact_id = desk.remember("A claim.").id
    ends = desk.claim(fact_id).body["expires_at"]
    answer = desk.claim(fact_id, by=BORIS)
    assert answer.refusal == (409, "stale_claim")
    assert (answer.body["holder"], answer.body["expires_at"]) == ("vera", ends)


@pytest.mark.parametrize(
    ("after", "status", "generation"), [(LEASE - 1, 409, 1), (LEASE, 200, 2), (LEASE + 1, 200, 2)]
)
def test_given_a_lease_when_another_claims_around_its_end_then_the_boundary_is_exact(
    desk: Desk, after: int, status: int, generation: int
) -> None:
    fact_id = desk.remember("A claim.").id
    desk.claim(fact_id)
    desk.tick(after)
    assert desk.claim(fact_id, by=BORIS).status == status
    holder = "boris" if generation == 2 else "vera"
    live = [item["claim"]["holder"] for item in desk.queue().items if "claim" in item]
    assert live == [holder]


def test_given_an_own_live_claim_when_claimed_again_then_prolonged_not_counted_up(
    desk: Desk,
) -> None:
    fact_id = desk.remember("A claim.").id
    desk.claim(fact_id)
    desk.tick(LEASE - 1)
    body = desk.claim(fact_id).body
    assert body["generation"] == 1
    assert parse(body["expires_at"]) == desk.now + LEASE
    desk.tick(LEASE)
    assert desk.claim(fact_id).body["generation"] == 2


def test_given_a_released_claim_when_another_claims_then_the_next_generation(desk: Desk) -> None:
    fact_id = desk.remember("A claim.").id
    desk.claim(fact_id)
    desk.release(fact_id)
    assert desk.claim(fact_id, by=BORIS).body["generation"] == 2


def test_given_two_reviewers_at_once_when_claiming_then_one_holds_it(desk: Desk) -> None:
    fact_id = desk.remember("A claim.").id
    with meanwhile("update", lambda: desk.claim(fact_id, by=BORIS)):
        answer = desk.claim(fact_id)
    assert (answer.status, answer.body["holder"]) == (409, "boris")


def test_given_a_release_between_two_looks_when_claiming_then_it_is_tried_again(
    desk: Desk,
) -> None:
    fact_id = desk.remember("A claim.").id
    desk.claim(fact_id, by=BORIS)
    desk.tick(1)
    with meanwhile("update", lambda: desk.release(fact_id, by=BORIS)):
        assert desk.claim(fact_id).body["generation"] == 2


@pytest.mark.parametrize("fate", ["publish", "retract", "hold_then_publish", "expire"])
def test_given_a_settled_fact_when_claimed_then_409(desk: Desk, fate: str) -> None:
    fact_id = desk.remember("A claim.", expires_at="2026-05-29T00:00:00Z").id
    if fate == "expire":
        desk.tick(24 * 3_600_000)
    elif fate == "hold_then_publish":
        desk.hold(fact_id)
        desk.publish(fact_id)
    else:
        getattr(desk, fate)(fact_id)
    assert desk.claim(fact_id).refusal == (409, "wrong_state")


def test_given_ones_own_private_fact_when_claimed_then_409_at_once(desk: Desk) -> None:
    fact_id = desk.remember("Mine.", by=VERA, audience="private").id
    answer = desk.claim(fact_id, by=VERA)
    assert answer.refusal == (409, "wrong_state")
    assert answer.body["actual"] == "private"


@pytest.mark.parametrize("by", [EDITOR, CODER], ids=["editor", "agent"])
def test_given_no_action_review_when_claiming_then_403(desk: Desk, by: Caller) -> None:
    fact_id = desk.remember("A claim.").id
    assert desk.claim(fact_id, by=by).refusal == (403, "not_allowed")
    assert "claim" not in desk.queue().items[0]


def test_given_ids_that_are_not_there_when_claiming_then_one_404(desk: Desk) -> None:
    foreign = desk.remember("Theirs.", projects="other").id
    private = desk.remember("Mine.", by=OLGA, audience="private").id
    forgotten = desk.remember("Gone.").id
    desk.forget(forgotten)
    answers = [desk.claim(i) for i in (NOBODY, foreign, private, forgotten, "no-ulid")]
    assert {a.status for a in answers} == {404}
    assert len({str(a.body) for a in answers}) == 1
