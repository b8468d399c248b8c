"""What is found about facts at a read: stale and conflict, through chains and cycles."""

from __future__ import annotations

import pytest

from muniment.domain.fact import Head, State
from muniment.domain.judgement import Judged, inherit, outdated
from tests.builders import NOW, a_content, a_head


def a_side(number: int, says: str, state: State = State.CANDIDATE, now: int = NOW) -> Head:
    content = a_content(says, fact_key="port")
    return a_head(f"01J0000000000000000000000{number}", content=content, state=state, now=now)


@pytest.mark.parametrize(
    ("sources", "marked", "reached"),
    [
        ({}, {"a"}, {"a"}),
        ({"b": ["a"]}, {"a"}, {"a", "b"}),
        ({"b": ["a"]}, {"b"}, {"b"}),
        ({"b": ["a"], "c": ["b"], "d": ["c"]}, {"a"}, {"a", "b", "c", "d"}),
        ({"a": ["b"], "b": ["a"]}, {"a"}, {"a", "b"}),
        ({"a": ["a"]}, {"a"}, {"a"}),
        ({"a": ["c"], "b": ["a"], "c": ["b"], "x": ["y"]}, {"b"}, {"a", "b", "c"}),
        ({"s": ["a", "b", "c"]}, {"c"}, {"c", "s"}),
        ({"b": ["a"]}, set(), set()),
    ],
)
def test_given_derivations_when_some_are_marked_then_all_built_on_them_are_reached(
    sources: dict[str, list[str]], marked: set[str], reached: set[str]
) -> None:
    assert inherit(sources, marked) == reached


@pytest.mark.parametrize(
    ("stored", "known", "stale"),
    [
        ("h1", {"a.md": "h1"}, False),
        ("h1", {"a.md": "h2"}, True),
        (None, {"a.md": "h2"}, True),
        ("h1", {"b.md": "h2"}, False),
        ("h1", {}, False),
    ],
)
def test_given_a_hash_when_the_caller_knows_another_then_outdated(
    stored: str | None, known: dict[str, str], stale: bool
) -> None:
    head = a_head(content=a_content(source_id="a.md", source_hash=stored))
    assert outdated(head, known) is stale
    assert not outdated(a_head(), known)


def test_given_sides_when_ordered_then_authority_first_then_newest() -> None:
    old, new = a_side(1, "A"), a_side(2, "B", now=NOW + 1)
    published = a_side(3, "C", State.PUBLISHED, now=NOW - 9)
    assert Judged(old, (new, published)).sides() == (published, new, old)


def test_given_a_side_when_turned_then_it_sees_the_others_and_its_own_staleness() -> None:
    one, two, three = a_side(1, "A"), a_side(2, "B"), a_side(3, "a")
    judged = Judged(one, (three, two), stale=True, stale_others=frozenset({three.fact_id}))
    turned = judged.turned(two)
    assert (turned.head, turned.stale) == (two, False)
    assert turned.stale_others == {one.fact_id, three.fact_id}
    assert {h.fact_id for h in turned.opposed} == {one.fact_id, three.fact_id}
    assert judged.turned(three).stale
    assert turned.turned(one).labels(NOW) == judged.labels(NOW)


def test_given_sides_that_agree_when_labelled_then_only_other_values_are_named() -> None:
    one, agrees, differs = a_side(1, "A"), a_side(2, "a"), a_side(3, "B")
    judged = Judged(one, (differs, agrees))
    assert judged.against == (differs,)
    assert f"conflict with {differs.fact_id}" in judged.labels(NOW)
    both = f"conflict with {agrees.fact_id}, {one.fact_id}"
    assert both in judged.turned(differs).labels(NOW)


@pytest.mark.parametrize(
    ("judged", "status", "all_stale"),
    [
        (Judged(a_side(1, "A")), "unverified", False),
        (Judged(a_side(1, "A"), stale=True), "stale", True),
        (Judged(a_side(1, "A"), inherits_conflict=True, stale=True), "conflict", True),
        (Judged(a_side(1, "A"), (a_side(2, "B"),), stale=True), "conflict", False),
        (
            Judged(
                a_side(1, "A"),
                (a_side(2, "B"),),
                stale=True,
                stale_others=frozenset({a_side(2, "B").fact_id}),
            ),
            "conflict",
            True,
        ),
    ],
)
def test_given_what_was_found_when_told_then_conflict_outweighs_stale_and_nothing_says_true(
    judged: Judged, status: str, all_stale: bool
) -> None:
    assert (judged.status, judged.all_stale) == (status, all_stale)
