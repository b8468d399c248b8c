"""GET /conflicts, and every other path: both sides of a contradiction are one item, always."""

from __future__ import annotations

import pytest

from tests.functional.authority import (  # noqa: F401
    BORIS,
    CODER,
    OLGA,
    READER,
    VERA,
    Desk,
    a_desk,
    meanwhile,
    sides,
    statements,
)

DAY = 24 * 3_600_000
SIDES = {"Port is 8080.", "Port is 9090."}


def test_given_two_values_of_a_key_when_read_then_both_on_every_path(desk: Desk) -> None:
    ids = [desk.remember(text, fact_key="port", kind="note").id for text in sorted(SIDES)]
    desk.reindex()
    desk.tick(120_000)
    (item,) = desk.search("Port is 8080", limit=1).items
    assert statements(item) == SIDES
    (item,) = desk.search("9090", kind="note", min_trust="human", limit=1).items
    assert statements(item) == SIDES
    (item,) = desk.conflicts(limit="1").items
    assert statements(item) == SIDES
    (item,) = desk.list(limit="1").items
    assert sides(item) == set(ids)
    for fact_id in ids:
        shown = desk.get(fact_id).body
        (other,) = shown["contradictions"]
        assert {shown["fact"]["statement"], other["fact"]["statement"]} == SIDES
    context = desk.context("port", budget_tokens=400).body
    assert all(statement in context["text"] for statement in SIDES)
    assert "## contradictions: show a person both sides" in context["text"]
    assert {one["fact_id"] for one in context["items"]} == set(ids)
    assert desk.replay(context["context_id"]).body == context


@pytest.mark.parametrize(
    "query",
    [{}, {"kind": "note"}, {"state": "disputed"}, {"min_trust": "human"}, {"scope": "s"}],
    ids=lambda query: next(iter(query), "none"),
)
def test_given_a_filter_that_fits_one_side_when_listed_then_both_are_shown(
    desk: Desk, query: dict[str, str]
) -> None:
    one, two = desk.disputed(*sorted(SIDES), scope="s")
    third = desk.remember("Port is 7070.", by=CODER, fact_key="deploy-port").id
    (item,) = [i for i in desk.list(limit="1", **query).items if one in sides(i)]
    assert sides(item) == {one, two, third}


@pytest.mark.parametrize(
    "fields",
    [{"kind": "note"}, {"kind": "rule"}, {"min_trust": "human"}, {"scope": "s"}],
    ids=lambda fields: next(iter(fields)),
)
def test_given_a_filter_that_fits_one_side_when_searched_then_both_are_shown(
    desk: Desk, fields: dict[str, str]
) -> None:
    ids = {
        desk.remember("Port is 8080.", fact_key="port", kind="note", scope="s").id,
        desk.remember("Port is 9090.", fact_key="port", kind="rule", scope="s").id,
        desk.remember("Port is 7070.", fact_key="port", by=CODER).id,
    }
    (item,) = desk.search("port", limit=1, **fields).items
    assert sides(item) == ids
    text = desk.context("port", **fields).body["text"]
    assert all(port in text for port in ("8080", "9090", "7070"))


def test_given_many_contradictions_when_paged_by_one_then_each_once_with_both_sides(
    desk: Desk,
) -> None:
    expected = []
    for key in ("a", "b", "c"):
        pair = {desk.remember(f"{key} is {value}.", fact_key=key).id for value in (1, 2)}
        expected.append(pair)
        desk.tick()
    for read in (desk.conflicts, desk.list):
        seen, cursor = [], None
        while True:
            query = {"limit": "1"} | ({"cursor": cursor} if cursor else {})
            page = read(**query)
            seen += [sides(item) for item in page.items]
            if (cursor := page.body["next_cursor"]) is None:
                break
        assert seen == expected


@pytest.mark.parametrize("values", [(1, 2, 3), (1, 1, 2), (1, 2, 2), (2, 1, 2)])
def test_given_three_sides_when_read_then_one_item_labelled_by_value_everywhere(
    desk: Desk, values: tuple[int, ...]
) -> None:
    ids = {}
    for number, value in enumerate(values):
        layer = {"layer": "task", "task": f"t{number}"} if number else {}
        ids[desk.remember(f"Port is {value}.", fact_key="port", **layer).id] = value
        desk.tick()
    first, *_ = ids
    for answer in (desk.search("port"), desk.conflicts(), desk.queue(limit="1")):
        (item,) = answer.items
        assert sides(item) == set(ids)
        labelled = {item["fact"]["fact_id"]: item["labels"]}
        labelled |= {o["fact"]["fact_id"]: o["labels"] for o in item["conflicts_with"]}
        for fact_id, labels in labelled.items():
            (told,) = [label for label in labels if label.startswith("conflict with ")]
            against = {i for i, value in ids.items() if value != ids[fact_id]}
            assert set(told.removeprefix("conflict with ").split(", ")) == against
            assert labels == desk.get(fact_id).body["labels"]
    (item,) = desk.list().items
    assert sides(item) == set(ids)
    assert item["fact_id"] == first


def test_given_facts_that_agree_when_read_then_no_contradiction(desk: Desk) -> None:
    desk.remember("Port is 8080.", fact_key="port")
    desk.remember("port is 8080", fact_key="port", layer="task", task="t1")
    assert desk.conflicts().items == []
    assert desk.search("port").items[0]["conflicts_with"] == []


def test_given_other_places_when_they_differ_then_no_contradiction(desk: Desk) -> None:
    here = desk.remember("Port is 1.", fact_key="port").id
    desk.remember("Port is 2.", fact_key="port", valid_at={"workplace": "lab"})
    desk.remember("Port is 3.", fact_key="port", valid_at={"machine": "m1"})
    desk.remember("Port is 4.", fact_key="port", audience="private")
    desk.remember("Port is 5.", fact_key="port", query={"workspace": "w2"})
    desk.remember("Port is 6.", fact_key="port", projects="other")
    assert desk.conflicts().items == []
    assert desk.get(here).body["contradictions"] == []
    near = desk.search("port", coordinates={"workplace": "lab", "machine": "m1"})
    assert [item["conflicts_with"] for item in near.items] == [[], [], []]
    everything = desk.search("port", audience="all")
    assert [item["conflicts_with"] for item in everything.items] == [[], []]


def test_given_a_private_contradiction_when_read_then_only_its_person_sees_it(
    desk: Desk,
) -> None:
    for value in (1, 2):
        desk.remember(f"Port is {value}.", fact_key="port", audience="private", by=OLGA)
    assert desk.conflicts(by=OLGA).items == []
    (item,) = desk.search("port", audience="private", by=OLGA).items
    assert statements(item) == {"Port is 1.", "Port is 2."}
    assert desk.search("port", audience="private", by=BORIS).items == []
    desk.tick()
    ids = {desk.remember(f"Host is {name}.", fact_key="host").id for name in "ab"}
    page = desk.conflicts(limit="1")  # no page is spent on what nobody may see
    assert ([sides(item) for item in page.items], page.body["next_cursor"]) == ([ids], None)


def test_given_the_oldest_side_expired_when_listed_then_the_others_still_conflict(
    desk: Desk,
) -> None:
    desk.remember("Port is 1.", fact_key="port", expires_at="2026-05-29T00:00:00Z")
    desk.tick()
    ids = {desk.remember(f"Port is {value}.", fact_key="port").id for value in (2, 3)}
    desk.tick(DAY)
    (item,) = desk.conflicts().items
    assert sides(item) == ids
    (item,) = desk.list().items
    assert sides(item) == ids


def test_given_only_one_side_left_by_expiry_when_listed_then_no_contradiction(
    desk: Desk,
) -> None:
    desk.remember("Port is 1.", fact_key="port", expires_at="2026-05-29T00:00:00Z")
    desk.remember("Port is 2.", fact_key="port")
    assert len(desk.conflicts().items) == 1
    desk.tick(DAY)
    assert desk.conflicts().items == []


def test_given_two_published_values_when_the_second_stands_then_both_are_disputed(
    desk: Desk,
) -> None:
    one, two = desk.disputed(*sorted(SIDES))
    assert (desk.state(one), desk.state(two)) == ("disputed", "disputed")
    (item,) = desk.search("port").items
    assert sides(item) == {one, two}
    assert f"disputed with {two}" in desk.get(one).body["labels"]
    assert "authority" not in desk.get(one).body["labels"]
    assert [r["state"] for r in desk.get(two).body["revisions"]] == [
        "candidate",
        "reviewed",
        "published",
        "disputed",
    ]


def test_given_a_claim_against_authority_when_recorded_then_authority_stays(desk: Desk) -> None:
    settled = desk.remember("Port is 8080.", fact_key="port").id
    desk.publish(settled)
    desk.remember("Port is 9090.", by=CODER, fact_key="port")
    shown = desk.get(settled).body
    assert shown["fact"]["state"] == "published"
    assert shown["fact"]["status"] == "conflict"
    (item,) = desk.conflicts().items
    assert item["fact"]["fact_id"] == settled  # authority stands first


def test_given_published_values_that_agree_when_published_then_no_dispute(desk: Desk) -> None:
    one = desk.remember("Port is 8080.", fact_key="port").id
    two = desk.remember("PORT IS 8080", fact_key="port", layer="task", task="t1").id
    desk.publish(one)
    desk.publish(two)
    assert (desk.state(one), desk.state(two)) == ("published", "published")


@pytest.mark.parametrize("way", ["retract", "forget", "revise", "supersede", "expire", "erase"])
def test_given_a_dispute_when_one_side_leaves_then_the_other_is_authority_again(
    desk: Desk, way: str
) -> None:
    ends = {"expires_at": "2026-05-29T00:00:00Z"} if way == "expire" else {}
    one = desk.remember("Port is 8080.", fact_key="port", layer="task", task="t1", **ends).id
    desk.publish(one)
    two = desk.remember("Port is 9090.", fact_key="port").id
    desk.publish(two)
    assert desk.state(one) == desk.state(two) == "disputed"
    if way == "revise":
        assert desk.revise(one, expected=4, statement="Port is 9090 here.").status == 200
    elif way == "supersede":
        new = desk.remember("PORT IS 9090", fact_key="port", supersedes=one).id
        desk.publish(new)
    elif way == "expire":
        desk.tick(DAY)
        assert desk.sweep()["expired"] == 1
    else:
        assert getattr(desk, way)(one).status == 200
    assert desk.state(two) == "published"
    reason = desk.get(two).body["revisions"][-1]["reason"]
    cause = new if way == "supersede" else one
    assert reason == f"contradiction settled: fact {cause}"


def test_given_three_disputed_values_when_they_leave_one_by_one_then_the_last_is_authority(
    desk: Desk,
) -> None:
    one, two, three = desk.disputed("Port is 1.", "Port is 2.", "Port is 3.")
    assert [desk.state(i) for i in (one, two, three)] == ["disputed"] * 3
    desk.retract(one)
    assert [desk.state(i) for i in (two, three)] == ["disputed"] * 2
    desk.retract(three)
    assert desk.state(two) == "published"
    assert desk.conflicts().items == []


def test_given_two_publications_at_once_when_they_contradict_then_both_are_disputed(
    desk: Desk,
) -> None:
    one, two = (desk.remember(text, fact_key="port").id for text in sorted(SIDES))
    with meanwhile("transact", lambda: desk.publish(two)):
        assert desk.publish(one).fact["state"] == "disputed"
    assert (desk.state(one), desk.state(two)) == ("disputed", "disputed")


def test_given_a_retraction_in_between_when_published_then_no_dispute_remains(desk: Desk) -> None:
    one, two = (desk.remember(text, fact_key="port").id for text in sorted(SIDES))
    desk.publish(one)
    with meanwhile("transact", lambda: desk.retract(one)):
        assert desk.publish(two).fact["state"] == "published"


def test_given_two_records_at_once_when_one_key_then_the_key_knows_both(desk: Desk) -> None:
    with meanwhile("transact", lambda: desk.remember("Port is 1.", fact_key="port")):
        desk.remember("Port is 2.", fact_key="port")
    (item,) = desk.conflicts().items
    assert statements(item) == {"Port is 1.", "Port is 2."}


def test_given_only_read_when_listed_then_allowed(desk: Desk) -> None:
    desk.disputed(*sorted(SIDES))
    assert len(desk.conflicts(by=READER).items) == 1
