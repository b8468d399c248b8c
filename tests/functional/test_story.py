"""The story of the README: a wrong port, a right one, a dispute, and how it came to this."""

from __future__ import annotations

from tests.functional.authority import (  # noqa: F401
    BORIS,
    CODER,
    OLGA,
    READER,
    Desk,
    a_desk,
    sides,
    statements,
)

BILLING = {
    "fact_key": "billing/deploy-port",
    "subject": {"type": "service", "id": "billing"},
}
WRONG, RIGHT = "Billing deploys on port 8080.", "Billing deploys on port 9443."


def test_given_a_wrong_port_when_people_settle_it_then_it_cannot_come_back(desk: Desk) -> None:
    # an agent records a wrong port: a claim, not authority
    wrong = desk.remember(WRONG, by=CODER, source_id="chat/417", **BILLING)
    assert (wrong.fact["state"], wrong.fact["trust"]) == ("candidate", "agent")
    desk.tick(1000)

    # a person records the right one, another person publishes it; the claim stays a claim
    right = desk.remember(RIGHT, by=OLGA, source_id="runbook.md", **BILLING)
    desk.tick(1000)
    assert desk.publish(right.id, by=BORIS, reason="seen in the runbook").status == 200
    (item,) = desk.search("billing deploy port").items
    assert (item["fact"]["statement"], item["fact"]["state"]) == (RIGHT, "published")
    assert statements(item) == {WRONG, RIGHT}
    desk.tick(1000)

    # a second source contradicts it, and somebody publishes that: nobody chooses silently
    confirmed = desk.remember(WRONG, by=OLGA, source_id="old-wiki.md", **BILLING)
    assert (confirmed.id, confirmed.fact["state"]) == (wrong.id, "corroborated")
    desk.tick(1000)
    assert desk.publish(wrong.id, by=BORIS, reason="two sources").fact["state"] == "disputed"
    desk.reindex()
    for read in (
        desk.search("billing deploy port", limit=1),
        desk.conflicts(limit="1"),
    ):
        (item,) = read.items
        assert statements(item) == {WRONG, RIGHT}
        assert {item["fact"]["state"], item["conflicts_with"][0]["fact"]["state"]} == {"disputed"}
    (line,) = desk.list(limit="1").items
    assert sides(line) == {wrong.id, right.id}
    text = desk.context("billing deploy port", by=CODER).body["text"]
    assert WRONG in text
    assert RIGHT in text
    assert "authority\n" not in text
    desk.tick(1000)

    # the owner retracts one side with a reason: the other is authority again, at once
    desk.retract(wrong.id, by=OLGA, reason="8080 was the old host")
    (item,) = desk.search("billing deploy port", by=READER).items
    assert (item["fact"]["statement"], item["conflicts_with"]) == (RIGHT, [])
    assert "authority" in item["labels"]
    assert desk.conflicts().items == []

    # the timeline tells how it came to this
    told = [
        (event["revision"]["statement"], event["state"], event["by"]["principal"])
        for event in desk.timeline().items
    ]
    assert told[:5] == [
        (WRONG, "candidate", "coder"),
        (RIGHT, "candidate", "olga"),
        (RIGHT, "reviewed", "boris"),
        (RIGHT, "published", "boris"),
        (WRONG, "corroborated", "olga"),
    ]
    assert (RIGHT, "disputed", "boris") in told[5:9]
    assert [e for e in told[5:9] if e[0] == WRONG] == [
        (WRONG, state, "boris") for state in ("reviewed", "published", "disputed")
    ]
    assert set(told[9:]) == {(WRONG, "retracted", "olga"), (RIGHT, "published", "olga")}
    reasons = [event["reason"] for event in desk.timeline().items]
    assert "8080 was the old host" in reasons

    # and the retracted value cannot come back, however it is written
    for said in (WRONG, WRONG.upper(), WRONG.replace("8080", "80\u200b80"), f"{WRONG[:-1]}!"):
        refused = desk.remember(said, by=CODER, source_id="chat/500", **BILLING)
        assert refused.refusal == (409, "duplicate_tombstone")
        assert "8080 was the old host" in refused.body["detail"]
        assert refused.body["fact_id"] == wrong.id
