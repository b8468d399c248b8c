"""GET /timeline: every step of every fact about a subject, in order of time."""

from __future__ import annotations

import pytest

from muniment.domain.moments import rfc3339
from tests.functional.authority import (  # noqa: F401
    BORIS,
    CI,
    CODER,
    OLGA,
    READER,
    Desk,
    a_desk,
)

BILLING = {"subject": {"type": "service", "id": "billing"}}


def a_history(desk: Desk) -> tuple[str, str, list[int]]:
    """Record, publish, contradict, retract; return both ids and the moment of each step."""
    moments = []

    def step() -> None:
        desk.tick(1000)
        moments.append(desk.now)

    step()
    one = desk.remember("Port is 8080.", by=CODER, fact_key="port", **BILLING).id
    step()
    desk.publish(one)
    step()
    two = desk.remember("Port is 9090.", fact_key="port", **BILLING).id
    step()
    desk.publish(two)
    step()
    desk.retract(one)
    desk.remember("Of another subject.", subject={"type": "service", "id": "orders"})
    desk.remember("Of another type.", subject={"type": "team", "id": "billing"})
    return one, two, moments


def test_given_a_history_when_read_then_every_step_in_order_with_who_and_why(desk: Desk) -> None:
    one, two, moments = a_history(desk)
    told = [(e["fact_id"], e["state"], e["by"]["principal"]) for e in desk.timeline().items]
    assert told[:5] == [
        (one, "candidate", "coder"),
        (one, "reviewed", "boris"),
        (one, "published", "boris"),
        (two, "candidate", "olga"),
        (one, "disputed", "boris"),
    ]
    assert told[5:8] == [(two, s, "boris") for s in ("reviewed", "published", "disputed")]
    assert sorted(told[8:]) == sorted([(one, "retracted", "boris"), (two, "published", "boris")])
    assert [e["at"] for e in desk.timeline().items] == sorted(
        e["at"] for e in desk.timeline().items
    )
    assert desk.timeline().items[-1]["at"] == rfc3339(moments[-1])
    assert desk.timeline().items[4]["reason"] == f"contradicted: fact {two}"
    assert desk.timeline().items[0]["revision"]["statement"] == "Port is 8080."


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_given_pages_when_walked_then_the_same_list_as_whole(desk: Desk, size: int) -> None:
    a_history(desk)
    whole = desk.timeline().items
    seen, cursor = [], None
    while True:
        query = {"limit": str(size)} | ({"cursor": cursor} if cursor else {})
        page = desk.timeline(**query)
        seen += page.items
        if (cursor := page.body["next_cursor"]) is None:
            break
    assert seen == whole


@pytest.mark.parametrize(("shift", "count"), [(-1, 1), (0, 3), (1, 3)])
def test_given_as_of_around_a_step_when_read_then_that_millisecond_is_included(
    desk: Desk, shift: int, count: int
) -> None:
    _, _, moments = a_history(desk)
    as_of = rfc3339(moments[1] + shift)
    assert len(desk.timeline(as_of=as_of).items) == count
    assert len(desk.timeline(as_of=as_of.replace("Z", "+00:00")).items) == count


def test_given_a_naive_moment_when_read_then_400(desk: Desk) -> None:
    answer = desk.timeline(as_of="2026-05-28T20:00:00")
    assert (answer.status, answer.body["field"]) == (400, "query.as_of")


def test_given_a_private_fact_when_read_then_only_its_person_sees_it(desk: Desk) -> None:
    desk.remember("Mine.", by=OLGA, audience="private", **BILLING)
    assert desk.timeline(by=OLGA).items == []
    assert len(desk.timeline(by=OLGA, audience="private").items) == 1
    assert len(desk.timeline(by=CODER, audience="private").items) == 1  # olga's own agent
    assert desk.timeline(by=BORIS, audience="private").items == []
    assert desk.timeline(by=CI, audience="private").refusal == (403, "not_allowed")


def test_given_a_forgotten_fact_when_read_then_pages_stay_full_for_others(desk: Desk) -> None:
    ids = []
    for number in range(4):
        ids.append(desk.remember(f"Fact {number}.", **BILLING).id)
        desk.tick()
    for fact_id in ids[:2]:
        desk.forget(fact_id)
    page = desk.timeline(by=READER, limit="2")
    assert {event["fact_id"] for event in page.items} == set(ids[2:])
    assert len(desk.timeline(by=BORIS).items) == 6


def test_given_another_workspace_or_project_when_read_then_empty(desk: Desk) -> None:
    desk.remember("Here.", **BILLING)
    assert desk.timeline(workspace="w2").items == []
    query = {"subject_type": "service", "subject_id": "billing"}
    other = desk.call("read_timeline", "GET", "/timeline", query=query, projects="other")
    assert other.items == []


def test_given_no_subject_when_read_then_400(desk: Desk) -> None:
    answer = desk.call("read_timeline", "GET", "/timeline", query={"subject_type": "service"})
    assert (answer.status, answer.body["field"]) == (400, "query.subject_id")
