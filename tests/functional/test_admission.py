"""One ceiling, three bands (rule 11): who is stored, who is refused, what the counter does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from muniment.domain.budget import Profile
from muniment.domain.fact import GONE, PROTECTED, Kind
from muniment.domain.moments import HOUR, rfc3339
from tests.functional.authority import (  # noqa: F401
    BORIS,
    CI,
    CODER,
    OLGA,
    VERA,
    Answer,
    Desk,
    a_desk,
    meanwhile,
)

CEILING = Profile.STANDARD.max_facts
KEY = {"pk": {"S": "T#acme#P#backend"}, "sk": {"S": "BUDGET"}}


def used(desk: Desk) -> int:
    item = desk.client.get_item(TableName="Memory", Key=KEY)["Item"]
    return int(item["facts"]["N"])


def live(desk: Desk) -> int:
    heads = [row for row in desk.rows() if row["sk"]["S"] == "HEAD"]
    mine = [row for row in heads if row["project"]["S"] == "backend"]
    return sum(row["state"]["S"] not in GONE for row in mine)


def fill(desk: Desk, facts: int) -> None:
    desk.client.put_item(TableName="Memory", Item={**KEY, "facts": {"N": str(facts)}})


def admission(answer: Answer) -> tuple[Any, str | None]:
    return answer.body.get("admission"), answer.headers.get("X-Project-Memory-Budget")


@pytest.mark.parametrize(
    ("before", "kind", "told", "header"),
    [
        (CEILING * 95 // 100 - 2, "note", {"degraded": False}, None),
        (
            CEILING * 95 // 100 - 1,
            "note",
            {"degraded": True, "reason": "soft_limit"},
            "degraded",
        ),
        (CEILING - 1, "decision", {"degraded": True, "reason": "soft_limit"}, "degraded"),
        (CEILING, "decision", {"degraded": True, "reason": "protected_kind"}, "degraded"),
        (CEILING + 7, "decision", {"degraded": True, "reason": "protected_kind"}, "degraded"),
    ],
)
def test_given_so_many_facts_when_one_more_is_stored_then_its_writer_is_told(
    desk: Desk, before: int, kind: str, told: dict[str, Any], header: str | None
) -> None:
    fill(desk, before)
    answer = desk.remember("Port is 8080.", kind=kind)
    assert answer.status == 201
    assert admission(answer) == (told, header)
    assert desk.get(answer.id).fact["statement"] == "Port is 8080."  # saved, not only promised


@pytest.mark.parametrize("kind", [None, *(k for k in Kind if k not in PROTECTED)])
def test_given_a_full_project_when_any_other_kind_comes_then_refused_with_what_to_do(
    desk: Desk, kind: str | None
) -> None:
    known = desk.remember("Port is 8080.").id
    fill(desk, CEILING)
    said = {"kind": str(kind)} if kind else {}
    answer = desk.remember("One more.", by=CI, **said)
    assert answer.refusal == (429, "hard_limit")
    assert f"holds {CEILING} facts and its ceiling is {CEILING}" in answer.body["detail"]
    assert (answer.body["limit"], answer.body["actual"]) == (CEILING, CEILING)
    assert answer.body["retry"] is False
    for said_so in ("reading goes on", "forget or retract", "larger profile"):
        assert said_so in answer.body["hint"]
    assert "Retry-After" not in answer.headers
    assert used(desk) == CEILING
    assert desk.get(known).status == 200
    assert desk.list().status == desk.context("port").status == 200


@pytest.mark.parametrize("kind", sorted(PROTECTED))
def test_given_a_full_project_when_an_agent_says_a_protected_kind_then_it_cannot_dodge(
    desk: Desk, kind: str
) -> None:
    fill(desk, CEILING)
    assert desk.remember("Noise.", by=CODER, kind=kind).refusal == (403, "not_allowed")
    assert used(desk) == CEILING
    assert desk.remember("A verdict.", by=CI, kind=kind).status == 201
    assert used(desk) == CEILING + 1


def test_given_a_kept_answer_when_replayed_then_it_tells_the_same_admission(desk: Desk) -> None:
    fill(desk, CEILING)
    first = desk.remember("We ship on Fridays.", kind="decision", key="k1")
    again = desk.remember("We ship on Fridays.", kind="decision", key="k1")
    assert admission(again) == admission(first)
    assert again.headers["X-Idempotent-Replayed"] == "true"
    assert used(desk) == CEILING + 1


def _retract(desk: Desk, fact_id: str) -> Answer:
    return desk.retract(fact_id)


def _reject(desk: Desk, fact_id: str) -> Answer:
    desk.claim(fact_id)
    return desk.finalize(fact_id, "reject")


ENDING: dict[str, Callable[[Desk, str], Answer]] = {
    "retract": _retract,
    "forget": lambda desk, fact_id: desk.forget(fact_id),
    "forget by source": lambda desk, fact_id: desk.forget_source("a.md"),
    "reject": _reject,
    "erase": lambda desk, fact_id: desk.erase(fact_id),
}


@pytest.mark.parametrize("verb", ENDING)
def test_given_a_full_project_when_a_fact_ends_then_its_room_is_free_at_once(
    desk: Desk, verb: str
) -> None:
    fact_id = desk.remember("Port is 8080.", by=CODER, source_id="a.md").id
    fill(desk, CEILING)
    assert ENDING[verb](desk, fact_id).status == 200
    assert used(desk) == CEILING - 1
    assert desk.remember("Something else.", by=CODER).status == 201
    assert ENDING[verb](desk, fact_id).status in (200, 409, 404)  # a second time frees nothing
    assert used(desk) == CEILING


def test_given_a_fact_that_left_already_when_held_or_erased_then_no_room_is_given_back_again(
    desk: Desk,
) -> None:
    desk.remember("Stays.")
    fact_id = desk.remember("Port is 8080.").id
    desk.retract(fact_id)
    assert desk.hold(fact_id).status == desk.unhold(fact_id).status == 200
    assert desk.erase(fact_id).status == 200
    assert used(desk) == live(desk) == 1


def test_given_a_fact_when_it_expires_then_the_sweep_frees_its_room_and_a_held_one_keeps_it(
    desk: Desk,
) -> None:
    ends = rfc3339(desk.now + HOUR)
    desk.remember("Over soon.", expires_at=ends)
    held = desk.remember("Held.", expires_at=ends).id
    desk.hold(held)
    desk.tick(HOUR)
    desk.sweep()
    assert used(desk) == live(desk) == 1


def test_given_a_fact_that_takes_anothers_place_when_recorded_then_the_count_stays(
    desk: Desk,
) -> None:
    old = desk.remember("Port is 8080.", by=CODER).id
    new = desk.remember("Port is 9090.", by=CODER, supersedes=old)
    assert new.status == 201
    assert (desk.state(old), used(desk), live(desk)) == ("superseded", 1, 1)


def test_given_a_published_fact_when_its_successor_is_published_then_the_count_falls(
    desk: Desk,
) -> None:
    old = desk.remember("Port is 8080.", by=CODER).id
    desk.publish(old)
    new = desk.remember("Port is 9090.", by=CODER, supersedes=old).id
    assert (used(desk), live(desk)) == (2, 2)  # what a person published waits for a person
    desk.publish(new)
    assert (used(desk), live(desk)) == (1, 1)


def test_given_writes_that_add_nothing_when_done_then_the_count_stays(desk: Desk) -> None:
    first = desk.remember("Port is 8080.", by=CODER, source_id="a.md", key="k1").id
    assert desk.remember("Port is 8080.", by=CODER, source_id="a.md", key="k1").id == first
    assert desk.remember("Port is 8080.", by=VERA, source_id="b.md").id == first
    assert desk.remember("Port is 8080.", by=CODER, source_id="c.md", key="k1").status == 409
    assert desk.remember("Gone.", derived_from=["01J0000000000000000000000Z"]).status == 422
    assert desk.publish(first).status == 200
    assert desk.hold(first).status == 200
    assert used(desk) == live(desk) == 1


def test_given_a_rival_that_says_the_same_when_both_write_then_one_is_counted(desk: Desk) -> None:
    with meanwhile("transact", lambda: desk.remember("Port is 8080.", by=VERA)):
        assert desk.remember("Port is 8080.", by=OLGA).status == 200
    assert used(desk) == live(desk) == 1


def test_given_two_who_end_one_fact_when_they_meet_then_its_room_is_given_back_once(
    desk: Desk,
) -> None:
    desk.remember("Another.")
    fact_id = desk.remember("Port is 8080.").id
    with meanwhile("transact", lambda: desk.retract(fact_id, by=BORIS)):
        assert desk.retract(fact_id, by=BORIS).status == 409
    assert used(desk) == live(desk) == 1


def test_given_a_count_that_cannot_be_moved_when_a_fact_ends_then_the_change_stands(
    desk: Desk,
) -> None:
    fact_id = desk.remember("Port is 8080.").id
    fill(desk, 0)  # it should be 1
    assert desk.retract(fact_id).status == 200
    assert (desk.state(fact_id), used(desk)) == ("retracted", 0)
