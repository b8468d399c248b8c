"""One wording of labels: search, context and page data say the same of a fact."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from muniment.domain.moments import DAY, rfc3339
from tests.builders import NOW
from tests.functional.authority import (  # noqa: F401
    BORIS,
    CODER,
    OLGA,
    READER,
    Desk,
    a_desk,
    labels_of,
)

HERE = {"workplace": "lab", "task": "t1"}


def a_candidate(desk: Desk) -> str:
    return desk.remember("The marker says one.", by=CODER).id


def an_authority(desk: Desk) -> str:
    fact_id = desk.remember("The marker says two.").id
    desk.publish(fact_id)
    return fact_id


def a_held_one(desk: Desk) -> str:
    fact_id = desk.remember("The marker says three.").id
    desk.hold(fact_id)
    return fact_id


def an_ending_one(desk: Desk) -> str:
    return desk.remember("The marker says four.", expires_at=rfc3339(NOW + 3 * DAY)).id


def a_place_bound_one(desk: Desk) -> str:
    return desk.remember("The marker says five.", valid_at={"workplace": "lab"}).id


def one_that_names_code(desk: Desk) -> str:
    return desk.remember("The marker is in src/marker.py.").id


def a_summary(desk: Desk) -> str:
    source = desk.remember("Ground for six.").id
    fact_id = desk.remember("The marker says six.", kind="summary", derived_from=[source]).id
    desk.retract(source)
    return fact_id


def a_disputed_one(desk: Desk) -> str:
    return desk.disputed("The marker says seven.", "The marker says eight.")[0]


def a_solo_one(desk: Desk) -> str:
    desk.allow(solo_publish=True)
    fact_id = desk.record("The marker says nine.").id
    desk.publish(fact_id, by=OLGA)
    return fact_id


CASES: dict[Callable[[Desk], str], list[str]] = {
    a_candidate: ["trust: agent", "state: candidate", "claim"],
    an_authority: ["trust: human", "state: published", "authority"],
    a_held_one: ["trust: human", "state: candidate", "legal hold"],
    an_ending_one: ["trust: human", "state: candidate", "expires in 3 d"],
    a_place_bound_one: ["trust: human", "state: candidate", "valid only at workplace:lab"],
    one_that_names_code: ["trust: human", "state: candidate", "verify before use"],
    a_summary: ["trust: human", "state: candidate", "summary", "stale"],
    a_disputed_one: ["trust: human", "state: disputed", "disputed with {}"],
    a_solo_one: ["trust: human", "state: published", "authority", "self-published"],
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_given_a_fact_when_read_then_search_context_page_and_replay_say_the_same(
    desk: Desk, case: Callable[[Desk], str]
) -> None:
    fact_id = case(desk)
    page = desk.get(fact_id, by=READER).body
    others = [one["fact"]["fact_id"] for one in page["contradictions"]]
    assert page["labels"] == [label.format(*others) for label in CASES[case]]
    found = desk.search("marker", by=READER, coordinates=HERE, limit=50).items
    labelled = {i: labels for item in found for i, labels in labels_of(item).items()}
    assert labelled[fact_id] == page["labels"]
    context = desk.context("marker", by=READER, coordinates=HERE).body
    (line,) = re.findall(rf"^\| fact {fact_id} r\d+; (.*)$", context["text"], re.MULTILINE)
    assert line.split("; ") == page["labels"]
    assert desk.replay(context["context_id"], by=READER).body == context
    for other in page["contradictions"]:
        their_id = other["fact"]["fact_id"]
        assert other["labels"] == labelled[their_id] == desk.get(their_id).body["labels"]


def test_given_a_fact_that_left_results_when_its_page_is_read_then_it_says_why(
    desk: Desk,
) -> None:
    retracted, old = desk.remember("One.").id, desk.remember("Two.").id
    desk.retract(retracted, reason="it was a guess")
    new = desk.remember("Three.", supersedes=old).id
    assert "retracted: it was a guess" in desk.get(retracted).body["labels"]
    assert f"superseded by {new}" in desk.get(old).body["labels"]


def test_given_a_context_when_facts_change_then_the_replay_still_says_what_was_said(
    desk: Desk,
) -> None:
    fact_id = desk.remember("The marker says one.").id
    context = desk.context("marker").body
    desk.publish(fact_id)
    desk.retract(fact_id)
    assert desk.replay(context["context_id"]).body == context
    assert "nothing fitting is remembered" in desk.context("marker").body["text"]


def test_given_a_session_that_says_otherwise_when_others_read_then_the_conflict_is_flagged(
    desk: Desk,
) -> None:
    settled = desk.remember("The marker says one.", fact_key="m").id
    here = {"layer": "session", "session": "s1", "by": CODER}
    against = desk.remember("The marker says two.", fact_key="m", **here).id
    page = desk.get(settled).body["labels"]
    assert f"conflict with {against}" in page
    (item,) = desk.search("marker").items
    assert labels_of(item)[settled] == page
    assert f"conflict with {against}" in desk.context("marker").body["text"]
    (line,) = desk.list().items
    assert [other["fact_id"] for other in line["conflicts_with"]] == [against]
