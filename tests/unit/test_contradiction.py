"""Members of a fact_key, and which published facts are disputed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from muniment.domain import limits
from muniment.domain.caller import PrincipalKind
from muniment.domain.contradiction import Member, Members, moved, opposed_to, settle, value_of
from muniment.domain.errors import Unprocessable
from muniment.domain.fact import Author, Head, State
from tests.builders import NOW, a_cell, a_content, a_head

BY = Author("boris", PrincipalKind.HUMAN)
PLACE = a_cell().place


def a_fact(number: int, says: str, state: State = State.PUBLISHED, ends: int | None = None) -> Head:
    content = a_content(says, fact_key="port", expires_at=ends)
    return a_head(f"01J0000000000000000000000{number}", content=content, state=state)


def members_of(*heads: Head) -> Members:
    return Members(PLACE, "port", {}).after(heads, NOW)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Port is 8080.", "PORT IS 8080", True),
        ("Port is 8080", "Роrt is 8080", True),
        ("Port is 8080", "Port is 80\u200b80", True),
        ("Port is 8080", "Port is 8081", False),
        ("x >= 3", "x <= 3", False),
    ],
)
def test_given_two_statements_when_compared_then_case_and_look_alikes_make_no_other_value(
    one: str, other: str, same: bool
) -> None:
    assert (value_of(a_fact(1, one)) == value_of(a_fact(2, other))) is same


def test_given_heads_when_members_follow_then_live_ones_stay_and_others_leave() -> None:
    live, gone = a_fact(1, "A"), a_fact(2, "B", State.CANDIDATE)
    members = members_of(live, gone)
    assert members.facts[live.fact_id] == Member(value_of(live), standing=True)
    assert members.facts[gone.fact_id].standing is False
    assert members.is_conflict
    for state in (State.SUPERSEDED, State.RETRACTED, State.EXPIRED, State.FORGOTTEN):
        later = members.after([a_fact(2, "B", state)], NOW)
        assert list(later.facts) == [live.fact_id]
        assert not later.is_conflict


@pytest.mark.parametrize(("ends", "stays"), [(NOW - 1, False), (NOW, False), (NOW + 1, True)])
def test_given_an_end_when_members_follow_then_the_boundary_is_exact(
    ends: int, stays: bool
) -> None:
    assert bool(members_of(a_fact(1, "A", ends=ends)).facts) is stays


def test_given_members_when_asked_for_others_then_all_of_them_but_only_in_conflict() -> None:
    one, two, three = a_fact(1, "A"), a_fact(2, "a"), a_fact(3, "B")
    assert members_of(one, two).others(one.fact_id) == []
    members = members_of(one, two, three)
    assert members.others(one.fact_id) == [three.fact_id, two.fact_id]
    assert members.others("01J000000000000000000000ZZ") == []


def test_given_standing_facts_when_listed_then_published_and_disputed_oldest_first() -> None:
    heads = [
        a_fact(3, "A", State.DISPUTED),
        a_fact(2, "B", State.CORROBORATED),
        a_fact(1, "C", State.PUBLISHED),
    ]
    assert members_of(*heads).standing() == [heads[2].fact_id, heads[0].fact_id]


def test_given_a_full_key_when_one_more_comes_then_422_with_the_limit() -> None:
    facts = {f"F{n:03}": Member("v", standing=False) for n in range(limits.KEY_MEMBERS)}
    full = Members(PLACE, "port", facts)
    with pytest.raises(Unprocessable) as refused:
        full.after([a_fact(1, "A", State.CANDIDATE)], NOW)
    assert refused.value.more["limit"] == limits.KEY_MEMBERS
    known = replace(
        full, facts={**dict(list(facts.items())[1:]), a_fact(1, "A").fact_id: facts["F000"]}
    )
    assert len(known.after([a_fact(1, "B", State.CANDIDATE)], NOW).facts) == limits.KEY_MEMBERS


def test_given_too_many_published_when_one_more_stands_then_422() -> None:
    facts = {f"F{n:03}": Member("v", standing=True) for n in range(limits.KEY_STANDING)}
    with pytest.raises(Unprocessable):
        Members(PLACE, "port", facts).after([a_fact(1, "A")], NOW)
    assert Members(PLACE, "port", facts).after([a_fact(1, "A", State.CANDIDATE)], NOW)


@pytest.mark.parametrize(
    ("states", "says", "becomes"),
    [
        ("PP", "AB", "DD"),
        ("PP", "AA", ""),
        ("DD", "AB", ""),
        ("DD", "AA", "PP"),
        ("D", "A", "P"),
        ("P", "A", ""),
        ("DDP", "ABA", "--D"),
        ("PPP", "ABC", "DDD"),
        ("DP", "AA", "P-"),
    ],
)
def test_given_standing_facts_when_settled_then_only_those_whose_state_flips(
    states: str, says: str, becomes: str
) -> None:
    named = {"P": State.PUBLISHED, "D": State.DISPUTED}
    heads = [
        a_fact(n, what, named[s]) for n, (s, what) in enumerate(zip(states, says, strict=True))
    ]
    flipped = {h.fact_id: h for h in settle(heads, by=BY, cause="fact X", now=NOW + 1)}
    wanted = {heads[n].fact_id: named[s] for n, s in enumerate(becomes) if s != "-"}
    assert {i: h.newest.state for i, h in flipped.items()} == wanted
    for head in flipped.values():
        assert (head.newest.number, head.newest.author, head.newest.recorded_at) == (2, BY, NOW + 1)
        assert head.newest.reason.endswith("fact X")


def test_given_an_expired_side_when_settled_then_it_contradicts_nobody() -> None:
    live, over = a_fact(1, "A", State.DISPUTED), a_fact(2, "B", State.DISPUTED, ends=NOW)
    (settled,) = settle([live, over], by=BY, cause="x", now=NOW)
    assert (settled.fact_id, settled.newest.state) == (live.fact_id, State.PUBLISHED)


def test_given_others_when_one_differs_then_all_of_them_are_opposed() -> None:
    mine, agrees, differs = a_fact(1, "A"), a_fact(2, "a"), a_fact(3, "B")
    assert opposed_to(mine, [agrees]) == ()
    assert opposed_to(mine, [agrees, differs]) == (agrees, differs)


def test_given_a_head_when_moved_then_content_trust_and_hold_stay() -> None:
    head = a_fact(1, "A")
    later = moved(head, state=State.DISPUTED, by=BY, reason="r", now=NOW + 5)
    assert later.newest.content == head.newest.content
    assert later.newest.trust is head.newest.trust
    assert later.newest.digest == head.newest.digest
    assert later.newest.chain != head.newest.chain
