"""POST /review/finalize: many decisions, each settled by itself."""

from __future__ import annotations

from typing import Any

from tests.functional.authority import (  # noqa: F401
    BORIS,
    EDITOR,
    NOBODY,
    VERA,
    Answer,
    Caller,
    Desk,
    a_desk,
)


def settle(desk: Desk, *items: dict[str, Any], by: Caller = VERA) -> Answer:
    whole = [
        {"decision": "publish", "reason": "seen", "generation": 1, "revision": 1, **item}
        for item in items
    ]
    return desk.call("finalize_reviews", "POST", "/review/finalize", {"items": whole}, by=by)


def test_given_many_decisions_when_some_fail_then_each_has_its_own_outcome(desk: Desk) -> None:
    good, bad, own, lost = (
        desk.remember(f"Fact {i}.", by=VERA if i == 2 else BORIS).id for i in range(4)
    )
    foreign = desk.remember("Theirs.", projects="other").id
    for fact_id in (good, bad, own):
        desk.claim(fact_id)
    answer = settle(
        desk,
        {"fact_id": good},
        {"fact_id": own},
        {"fact_id": lost},
        {"fact_id": bad, "decision": "reject", "reason": "not so"},
        {"fact_id": NOBODY},
        {"fact_id": foreign},
        {"fact_id": good},
    )
    told = [(one["fact_id"], one["status"], one.get("code")) for one in answer.items]
    assert told == [
        (good, 200, None),
        (own, 403, "self_review"),
        (lost, 409, "stale_claim"),
        (bad, 200, None),
        (NOBODY, 404, "not_found"),
        (foreign, 404, "not_found"),
        (good, 409, "stale_claim"),
    ]
    states = [desk.state(i) for i in (good, own, lost, bad)]
    assert states == ["published", "candidate", "candidate", "retracted"]
    assert answer.items[0]["fact"]["state"] == "published"
    assert "fact" not in answer.items[1]


def test_given_contradicting_facts_when_published_in_one_request_then_disputed(
    desk: Desk,
) -> None:
    ids = [desk.remember(f"Port is {port}.", fact_key="port", by=BORIS).id for port in (1, 2, 3)]
    for fact_id in ids:
        desk.claim(fact_id)
    answer = settle(desk, *({"fact_id": fact_id} for fact_id in ids))
    assert [one["fact"]["state"] for one in answer.items] == ["published", "disputed", "disputed"]
    assert {desk.state(fact_id) for fact_id in ids} == {"disputed"}


def test_given_none_or_too_many_items_when_settled_then_422(desk: Desk) -> None:
    assert settle(desk).status == 422
    assert settle(desk, *({"fact_id": NOBODY} for _ in range(51))).status == 422
    assert settle(desk, {"fact_id": "no-ulid"}).status == 422


def test_given_no_action_review_when_settled_then_403(desk: Desk) -> None:
    fact_id = desk.remember("A fact.").id
    desk.claim(fact_id)
    assert settle(desk, {"fact_id": fact_id}, by=EDITOR).refusal == (403, "not_allowed")
    assert desk.state(fact_id) == "candidate"
