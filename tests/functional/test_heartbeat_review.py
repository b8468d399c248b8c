"""POST …/review/heartbeat and …/review/release: only the live holder of the generation."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from muniment.domain.moments import parse
from muniment.domain.review import LEASE
from tests.functional.authority import (  # noqa: F401
    BORIS,
    EDITOR,
    NOBODY,
    VERA,
    Answer,
    Desk,
    a_desk,
    meanwhile,
)

Step = Callable[..., Answer]
STEPS = [Desk.heartbeat, Desk.release]
EACH = pytest.mark.parametrize("step", STEPS, ids=["heartbeat", "release"])


def test_given_a_live_claim_when_it_beats_then_it_lasts_a_lease_from_now(desk: Desk) -> None:
    fact_id = desk.remember("A claim.").id
    desk.claim(fact_id)
    desk.tick(LEASE - 1)
    body = desk.heartbeat(fact_id).body
    assert parse(body["expires_at"]) == desk.now + LEASE
    assert (body["generation"], body["holder"]) == (1, "vera")
    desk.tick(LEASE - 1)
    assert desk.claim(fact_id, by=BORIS).status == 409


def test_given_a_live_claim_when_released_then_nobody_holds_it(desk: Desk) -> None:
    fact_id = desk.remember("A claim.").id
    desk.claim(fact_id)
    body = desk.release(fact_id).body
    assert body == {"fact_id": fact_id, "generation": 1, "revision": 1}
    assert desk.release(fact_id).refusal == (409, "stale_claim")
    assert desk.heartbeat(fact_id).refusal == (409, "stale_claim")


@EACH
@pytest.mark.parametrize(("after", "status"), [(LEASE - 1, 200), (LEASE, 409), (LEASE + 1, 409)])
def test_given_a_lease_around_its_end_when_stepped_then_the_boundary_is_exact(
    desk: Desk, step: Step, after: int, status: int
) -> None:
    fact_id = desk.remember("A claim.").id
    desk.claim(fact_id)
    desk.tick(after)
    assert step(desk, fact_id).status == status


@EACH
def test_given_anothers_claim_or_generation_when_stepped_then_409(desk: Desk, step: Step) -> None:
    fact_id = desk.remember("A claim.").id
    assert step(desk, fact_id).refusal == (409, "stale_claim")
    desk.claim(fact_id)
    assert step(desk, fact_id, by=BORIS).refusal == (409, "stale_claim")
    wrong = step(desk, fact_id, 2)
    assert wrong.refusal == (409, "stale_claim")
    assert (wrong.body["limit"], wrong.body["actual"]) == (1, 2)
    assert desk.heartbeat(fact_id).status == 200


@EACH
def test_given_a_take_over_when_the_old_holder_steps_then_409_for_ever(
    desk: Desk, step: Step
) -> None:
    fact_id = desk.remember("A claim.").id
    desk.claim(fact_id)
    desk.tick(LEASE)
    desk.claim(fact_id, by=BORIS)
    assert step(desk, fact_id, 1).refusal == (409, "stale_claim")
    desk.release(fact_id, 2, by=BORIS)
    desk.claim(fact_id)
    assert step(desk, fact_id, 1).refusal == (409, "stale_claim")
    assert step(desk, fact_id, 3).status == 200


@EACH
def test_given_a_release_in_between_when_stepped_then_409(desk: Desk, step: Step) -> None:
    fact_id = desk.remember("A claim.").id
    desk.claim(fact_id)
    with meanwhile("update", lambda: desk.release(fact_id)):
        assert step(desk, fact_id).refusal == (409, "stale_claim")


@EACH
def test_given_a_settled_fact_when_stepped_then_409(desk: Desk, step: Step) -> None:
    fact_id = desk.remember("A claim.").id
    desk.claim(fact_id)
    desk.publish(fact_id)
    assert step(desk, fact_id).refusal == (409, "stale_claim")


@EACH
def test_given_a_bad_generation_when_stepped_then_refused(desk: Desk, step: Step) -> None:
    fact_id = desk.remember("A claim.").id
    desk.claim(fact_id)
    assert step(desk, fact_id, 0).status == 422
    assert step(desk, fact_id, True).status == 400
    assert step(desk, fact_id, "1").status == 400


@EACH
def test_given_no_right_or_no_fact_when_stepped_then_403_or_one_404(desk: Desk, step: Step) -> None:
    fact_id = desk.remember("A claim.").id
    assert step(desk, fact_id, by=EDITOR).refusal == (403, "not_allowed")
    foreign = desk.remember("Theirs.", projects="other").id
    forgotten = desk.remember("Gone.").id
    desk.forget(forgotten)
    answers = [step(desk, i, by=VERA) for i in (NOBODY, foreign, forgotten)]
    assert {a.status for a in answers} == {404}
    assert len({str(a.body) for a in answers}) == 1
