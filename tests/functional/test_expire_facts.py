"""The expire sweep writes down what readers saw at the moment: expiry is a read rule."""

from __future__ import annotations

import importlib

import pytest

from muniment.domain.moments import DAY, HOUR, rfc3339
from tests.builders import CONTEXT, NOW
from tests.functional.authority import CODER, READER, Desk, a_desk, meanwhile  # noqa: F401

ENDS = NOW + HOUR


def dated(desk: Desk, statement: str = "The freeze is on.", **fields: object) -> str:
    return desk.remember(statement, expires_at=rfc3339(ENDS), **fields).id


@pytest.mark.parametrize(("shift", "shown"), [(-1, True), (0, False), (1, False)])
def test_given_a_moment_around_the_end_when_read_then_the_boundary_is_exact_without_a_sweep(
    desk: Desk, shift: int, shown: bool
) -> None:
    fact_id = dated(desk)
    desk.reindex()
    desk.tick(HOUR + shift)
    assert bool(desk.search("freeze").items) is shown
    assert bool(desk.list().items) is shown
    assert bool(desk.queue().items) is shown
    assert (fact_id in desk.context("freeze").body["text"]) is shown
    label = "expires in 1 d" if shown else "expired"
    assert label in desk.get(fact_id, by=READER).body["labels"]


def test_given_due_facts_when_swept_then_each_gets_one_expired_revision(desk: Desk) -> None:
    ids = [dated(desk, f"Fact {n}.") for n in range(10)]
    later = desk.remember("Later.", expires_at=rfc3339(ENDS + DAY)).id
    desk.tick(HOUR)
    assert desk.sweep() == {"expired": 10, "held": 0, "left": 0}
    assert desk.sweep() == {"expired": 0, "held": 0, "left": 0}
    for fact_id in ids:
        newest = desk.get(fact_id).body["revisions"][-1]
        assert (newest["state"], newest["revision"]) == ("expired", 2)
        assert (newest["author"]["principal"], newest["reason"]) == (
            "muniment",
            "its time was over",
        )
    assert desk.state(later) == "candidate"


def test_given_a_sweep_that_failed_for_two_days_when_swept_then_made_good(desk: Desk) -> None:
    fact_id = dated(desk)
    desk.tick(2 * DAY)
    assert desk.sweep()["expired"] == 1
    assert desk.state(fact_id) == "expired"


def test_given_a_fact_not_yet_due_when_its_hour_is_swept_then_left_alone(desk: Desk) -> None:
    fact_id = dated(desk)
    desk.tick(HOUR - 1)
    assert desk.sweep() == {"expired": 0, "held": 0, "left": 0}
    assert desk.state(fact_id) == "candidate"


def test_given_an_end_that_was_moved_in_between_when_swept_then_the_fact_lives(desk: Desk) -> None:
    fact_id = desk.record("Soon over.", expires_at=rfc3339(ENDS)).id
    desk.tick(HOUR)

    def prolong() -> None:
        desk.now -= 1  # a writer whose clock is a little behind
        later = rfc3339(ENDS + DAY)
        assert desk.revise(fact_id, expires_at=later).status == 200
        desk.now += 1

    with meanwhile("transact", prolong):
        counts = desk.sweep()
    assert counts == {"expired": 0, "held": 0, "left": 1}
    assert desk.state(fact_id) == "candidate"


def test_given_an_expired_value_when_said_again_then_it_is_no_grave(desk: Desk) -> None:
    first = dated(desk)
    desk.tick(HOUR)
    second = desk.remember("The freeze is on.")
    assert (second.status, second.id != first) == (201, True)
    desk.sweep()
    assert desk.remember("The freeze is on.").id == second.id
    assert desk.remember("the FREEZE is on").status == 201


def test_given_ephemeral_kinds_when_recorded_then_they_end_within_14_days(desk: Desk) -> None:
    fact_id = desk.remember("Step 3 of 5.", by=CODER, kind="progress").id
    desk.reindex()
    desk.tick(14 * DAY - 1)
    assert desk.search("step").items
    desk.tick(1)
    assert not desk.search("step").items
    desk.sweep()
    assert desk.state(fact_id) == "expired"


def test_given_a_first_start_when_stepped_then_it_begins_two_days_back_and_ends_now(
    desk: Desk,
) -> None:
    step = importlib.import_module("functions.maintenance.expire_facts").handler
    starts = [None]
    while (following := step({"start": starts[-1]}, CONTEXT)["start"]) is not None:
        starts.append(following)
    assert starts[1] == (NOW - 2 * DAY) // HOUR * HOUR + HOUR
    assert starts[-1] == NOW // HOUR * HOUR
    assert len(starts) == 49
