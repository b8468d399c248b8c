"""GET /review-queue: what waits for a person, oldest first, and why."""

from __future__ import annotations

import pytest

from muniment.domain.review import LEASE
from tests.functional.authority import (  # noqa: F401
    BORIS,
    CODER,
    EDITOR,
    OLGA,
    VERA,
    Caller,
    Desk,
    a_desk,
    sides,
    statements,
)


def ids(items: list[dict[str, object]]) -> list[str]:
    return [str(item["fact"]["fact_id"]) for item in items]  # type: ignore[index]


def waiting(desk: Desk, count: int) -> list[str]:
    found = []
    for number in range(count):
        found.append(desk.remember(f"Fact {number}.", by=CODER).id)
        desk.tick()
    return found


def test_given_facts_of_every_state_when_listed_then_only_what_waits_oldest_first(
    desk: Desk,
) -> None:
    first, published, retracted, confirmed, forgotten, last = waiting(desk, 6)
    desk.publish(published)
    desk.retract(retracted)
    desk.forget(forgotten)
    desk.remember("Fact 3.", by=EDITOR, source_id="b.md")
    assert desk.state(confirmed) == "corroborated"
    desk.remember("Mine.", by=OLGA, audience="private")
    desk.remember("Theirs.", projects="other")
    assert ids(desk.queue().items) == [first, confirmed, last]


def test_given_a_corroboration_or_a_hold_when_listed_then_the_place_in_the_line_stays(
    desk: Desk,
) -> None:
    one, two, three = waiting(desk, 3)
    desk.hold(one)
    desk.remember("Fact 1.", by=EDITOR, source_id="b.md")
    assert ids(desk.queue().items) == [one, two, three]


def test_given_a_revision_when_listed_then_it_waits_anew_at_the_end(desk: Desk) -> None:
    one, two = desk.record("One.").id, desk.record("Two.").id
    desk.tick()
    desk.revise(one, statement="One, corrected.")
    assert ids(desk.queue().items) == [two, one]


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_given_pages_while_others_settle_when_walked_then_all_once_in_order(
    desk: Desk, size: int
) -> None:
    facts = waiting(desk, 6)
    seen, cursor, settled = [], None, False
    while True:
        query = {"limit": str(size)} | ({"cursor": cursor} if cursor else {})
        page = desk.queue(**query)
        seen += ids(page.items)
        if not settled:
            desk.publish(facts[0])
            settled = True
        if (cursor := page.body["next_cursor"]) is None:
            break
    assert seen == facts


def test_given_a_cursor_when_used_for_another_query_then_400(desk: Desk) -> None:
    waiting(desk, 2)
    cursor = desk.queue(limit="1").body["next_cursor"]
    assert desk.conflicts(cursor=cursor).refusal == (400, "cursor_mismatch")
    assert desk.queue(cursor=cursor[:-2] + "xx").refusal == (400, "cursor_mismatch")


def test_given_reasons_to_wait_when_listed_then_each_is_told(desk: Desk) -> None:
    plain = desk.remember("Plain.", by=CODER).id
    confirmed = desk.remember("Confirmed.", by=CODER, source_id="a.md").id
    desk.remember("Confirmed.", by=EDITOR, source_id="b.md")
    settled = desk.remember("Port is 8080.", fact_key="port").id
    desk.publish(settled)
    against = desk.remember("Port is 9090.", by=EDITOR, fact_key="port").id
    why = {item["fact"]["fact_id"]: item["why"] for item in desk.queue().items}
    assert why == {
        plain: ["recorded by agent coder, not reviewed yet"],
        confirmed: ["corroborated by eve from b.md"],
        against: [
            f"contradicts {settled} (published)",
            "recorded by human eve, not reviewed yet",
        ],
    }


def test_given_a_contradiction_when_listed_then_both_sides_on_any_page_size(desk: Desk) -> None:
    for statement in ("Port is 1.", "Port is 2."):
        desk.remember(statement, fact_key="port")
        desk.tick()
    for size in ("1", "50"):
        item = desk.queue(limit=size).items[0]
        assert statements(item) == {"Port is 1.", "Port is 2."}


def test_given_a_private_fact_of_the_same_key_when_listed_then_no_conflict(desk: Desk) -> None:
    desk.remember("Port is 1.", fact_key="port")
    desk.remember("Port is 2.", fact_key="port", audience="private", by=VERA)
    (item,) = desk.queue(by=VERA).items
    assert item["conflicts_with"] == []
    assert len(sides(item)) == 1


def test_given_claims_when_listed_then_only_live_ones_are_shown(desk: Desk) -> None:
    (fact_id,) = waiting(desk, 1)
    desk.claim(fact_id)
    (item,) = desk.queue().items
    assert (item["claim"]["holder"], item["claim"]["generation"]) == ("vera", 1)
    desk.tick(LEASE)
    assert "claim" not in desk.queue().items[0]


def test_given_an_expired_fact_when_listed_then_it_waits_no_more(desk: Desk) -> None:
    desk.remember("Until tomorrow.", expires_at="2026-05-29T00:00:00Z")
    assert len(desk.queue().items) == 1
    desk.tick(24 * 3_600_000)
    assert desk.queue().items == []


@pytest.mark.parametrize("by", [EDITOR, CODER], ids=["editor", "agent"])
def test_given_no_action_review_when_listed_then_403(desk: Desk, by: Caller) -> None:
    assert desk.queue(by=by).refusal == (403, "not_allowed")
    assert desk.queue(by=BORIS).items == []
