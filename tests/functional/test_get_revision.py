"""GET /facts/{fact_id}/revisions/{n} and `as_of`: the past reads the same for ever."""

from __future__ import annotations

import pytest

from muniment import bootstrap
from muniment.domain.history import broken_link
from muniment.domain.moments import rfc3339
from tests.functional.authority import (  # noqa: F401
    BORIS,
    NOBODY,
    OLGA,
    READER,
    STRANGER,
    Desk,
    a_desk,
    sides,
)


def test_given_all_that_can_happen_when_revisions_are_read_again_then_byte_for_byte_the_same(
    desk: Desk,
) -> None:
    fact_id = desk.record("One.", by=OLGA, fact_key="k", source_id="a.md", tags=["t"]).id
    kept: dict[int, object] = {}

    def look() -> None:
        newest = desk.get(fact_id).fact["revision"]
        for number in range(1, newest + 1):
            body = desk.revision(fact_id, number).body
            assert kept.setdefault(number, body) == body
        assert [kept[n] for n in sorted(kept)] == desk.get(fact_id).body["revisions"]

    steps = [
        lambda: desk.record("One.", by=BORIS, source_id="b.md"),
        lambda: desk.hold(fact_id),
        lambda: desk.revise(fact_id, expected=3, statement="Two."),
        lambda: desk.unhold(fact_id),
        lambda: desk.publish(fact_id),
        lambda: desk.disputed("Another."),
        lambda: desk.retract(fact_id),
    ]
    for step in steps:
        desk.tick(7)
        result = step()
        assert isinstance(result, list) or result.status < 400, result
        look()
    history = bootstrap.facts().history("acme", fact_id)
    assert history is not None
    assert broken_link(history.revisions, history.head.salt) is None
    assert [r.number for r in history.revisions] == list(range(1, len(kept) + 1))


@pytest.mark.parametrize(
    ("name", "value"),
    [("statement", "Forged."), ("author", "mallory"), ("reason", "forged"), ("recorded_at", 1)],
)
def test_given_a_forged_revision_when_the_chain_is_walked_then_the_first_broken_link_is_named(
    desk: Desk, name: str, value: object
) -> None:
    fact_id = desk.record("One.").id
    desk.revise(fact_id, statement="Two.")
    desk.publish(fact_id)
    key = (f"T#acme#F#{fact_id}", "R#0000000002")
    bootstrap._table().update(key, "SET #n = :v", names={"#n": name}, values={":v": value})
    history = bootstrap.facts().history("acme", fact_id)
    assert history is not None
    assert broken_link(history.revisions, history.head.salt) == 2


@pytest.mark.parametrize(
    ("shift", "number", "statement"), [(-1, 1, "One."), (0, 2, "Two."), (1, 2, "Two.")]
)
def test_given_as_of_around_a_revision_when_got_then_that_millisecond_is_included(
    desk: Desk, shift: int, number: int, statement: str
) -> None:
    born = desk.now
    fact_id = desk.record("One.").id
    desk.tick(1000)
    desk.revise(fact_id, statement="Two.")
    then = desk.now
    desk.tick(1000)
    desk.publish(fact_id)
    body = desk.get(fact_id, query={"as_of": rfc3339(then + shift)}).body
    assert (body["fact"]["revision"], body["fact"]["statement"]) == (number, statement)
    assert body["fact"]["state"] == "candidate"
    assert len(body["revisions"]) == number
    assert desk.get(fact_id, query={"as_of": rfc3339(born)}).fact["revision"] == 1
    assert desk.get(fact_id, query={"as_of": rfc3339(born - 1)}).status == 404
    assert desk.get(fact_id, query={"as_of": rfc3339(desk.now)}).fact["state"] == "published"


@pytest.mark.parametrize("number", ["0", "3", "-1", "99999999999"])
def test_given_a_number_that_is_not_there_when_read_then_404(desk: Desk, number: str) -> None:
    fact_id = desk.record("One.").id
    answer = desk.call("get_revision", "GET", f"/facts/{fact_id}/revisions/{number}")
    assert answer.refusal == (404, "not_found")
    assert answer.body == desk.revision(NOBODY, 1).body


def test_given_facts_one_may_not_see_when_read_then_one_404(desk: Desk) -> None:
    fact_id = desk.record("Ours.").id
    private = desk.record("Hers.", by=OLGA, audience="private").id
    foreign = desk.remember("Theirs.", projects="other").id
    forgotten = desk.record("Gone.").id
    desk.forget(forgotten)
    answers = [desk.revision(i, 1, by=READER) for i in (private, foreign, forgotten, NOBODY, "x")]
    answers.append(desk.revision(fact_id, 1, by=STRANGER, tenant="rival"))
    assert {a.status for a in answers} == {404}
    assert len({str(a.body) for a in answers}) == 1
    assert desk.revision(fact_id, 1, by=READER).status == 200
    assert desk.revision(private, 1, by=OLGA).status == 200


def test_given_as_of_around_each_step_when_searched_then_that_millisecond_is_included(
    desk: Desk,
) -> None:
    born = desk.now
    fact_id = desk.remember("The lamp is green.").id
    desk.tick(1000)
    desk.publish(fact_id)
    published = desk.now
    desk.tick(1000)
    desk.retract(fact_id)
    retracted = desk.now
    desk.tick(1000)
    desk.reindex()
    states = {}
    for moment in (born - 1, born, published - 1, published, retracted - 1, retracted):
        items = desk.search("lamp", as_of=rfc3339(moment)).items
        states[moment] = [item["fact"]["state"] for item in items]
    assert states == {
        born - 1: [],
        born: ["candidate"],
        published - 1: ["candidate"],
        published: ["published"],
        retracted - 1: ["published"],
        retracted: [],
    }


def test_given_as_of_when_facts_contradicted_each_other_then_both_sides_as_one_item(
    desk: Desk,
) -> None:
    one = desk.remember("The lamp is green.", fact_key="lamp").id
    two = desk.remember("The lamp is red.", fact_key="lamp").id
    then = desk.now
    desk.tick(1000)
    desk.retract(two)
    desk.reindex()
    for limit in (1, 10):
        (item,) = desk.search("lamp", as_of=rfc3339(then), limit=limit).items
        assert sides(item) == {one, two}
    (item,) = desk.search("lamp", as_of=rfc3339(desk.now)).items
    assert sides(item) == {one}


def test_given_as_of_when_a_fact_was_forgotten_since_then_it_stays_forgotten(desk: Desk) -> None:
    fact_id = desk.remember("The lamp is green.").id
    then = desk.now
    desk.tick(1000)
    desk.forget(fact_id)
    desk.reindex()
    assert desk.search("lamp", as_of=rfc3339(then)).items == []
