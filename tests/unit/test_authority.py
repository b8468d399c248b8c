"""How the standing of a fact changes, without a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from muniment.domain.authority import (
    check_expected,
    check_live,
    check_may_remove,
    check_not_held,
    consequences,
    publishing_states,
    steps_to,
    superseded,
    transition,
)
from muniment.domain.caller import Action, Caller, PrincipalKind
from muniment.domain.contradiction import Members
from muniment.domain.errors import NotAllowed, NotWaiting, OnHold, StaleRevision
from muniment.domain.fact import GONE, Author, Claim, Head, State
from muniment.domain.history import broken_link
from tests.builders import NOW, SALT, a_cell, a_content, a_head

BY = Author("boris", PrincipalKind.HUMAN)
ALIVE = [state for state in State if state not in GONE]


def a_keyed(number: int, says: str, state: State) -> Head:
    content = a_content(says, fact_key="port")
    return a_head(f"01J0000000000000000000000{number}", content=content, state=state)


def a_caller(kind: PrincipalKind, *actions: Action) -> Caller:
    operator = "olga" if kind is PrincipalKind.AGENT else None
    return Caller("acme", "who", kind, operator, ("backend",), frozenset(actions))


def test_given_states_when_stepped_then_one_chained_revision_each() -> None:
    head = replace(a_head(), claim=Claim("vera", NOW + 9), queued_at=NOW)
    step = steps_to(head, (State.REVIEWED, State.PUBLISHED), BY, "seen", NOW + 1)
    assert [(r.number, r.state, r.reason) for r in step.revisions] == [
        (2, State.REVIEWED, "seen"),
        (3, State.PUBLISHED, "seen"),
    ]
    assert broken_link([head.newest, *step.revisions], SALT) is None
    assert (step.before, step.after.newest) == (head, step.revisions[-1])
    assert (step.after.claim, step.after.queued_at) == (None, None)


def test_given_a_state_that_waits_when_stepped_then_claim_and_place_in_line_stay() -> None:
    claim = Claim("vera", NOW + 9)
    head = replace(a_head(), claim=claim, queued_at=NOW)
    after = steps_to(head, (State.CORROBORATED,), BY, "r", NOW + 1).after
    assert (after.claim, after.queued_at) == (claim, NOW)


def test_given_rivals_when_a_fact_is_published_then_all_sides_flip_in_one_change() -> None:
    rival, mine = a_keyed(1, "A", State.PUBLISHED), a_keyed(2, "B", State.CANDIDATE)
    members = Members(a_cell().place, "port", {}).after([rival, mine], NOW)
    change = transition(
        mine,
        (State.REVIEWED, State.PUBLISHED),
        by=BY,
        reason="r",
        now=NOW + 1,
        members=members,
        rivals=[rival],
    )
    assert [r.state for r in change.steps[0].revisions] == [
        State.REVIEWED,
        State.PUBLISHED,
        State.DISPUTED,
    ]
    assert change.head(rival.fact_id).newest.state is State.DISPUTED
    assert change.members[0].version == members.version  # the version it was read at
    assert all(member.standing for member in change.members[0].facts.values())
    assert change.burials == ()


def test_given_no_key_when_changed_then_no_members_are_written() -> None:
    step = steps_to(a_head(), (State.RETRACTED,), BY, "wrong", NOW)
    change = consequences([step], members=None, rivals=(), by=BY, now=NOW)
    assert change.members == ()


@pytest.mark.parametrize(
    ("state", "buried"),
    [
        (State.RETRACTED, True),
        (State.FORGOTTEN, True),
        (State.SUPERSEDED, False),
        (State.EXPIRED, False),
        (State.PUBLISHED, False),
    ],
)
def test_given_an_end_when_changed_then_only_what_was_found_wrong_is_buried(
    state: State, buried: bool
) -> None:
    change = transition(a_head(), (state,), by=BY, reason="why", now=NOW, members=None, rivals=())
    assert bool(change.burials) is buried
    if buried:
        (burial,) = change.burials
        assert (burial.grave.state, burial.grave.reason, burial.by) == (state, "why", "boris")


def test_given_an_old_fact_when_superseded_then_successor_and_its_reason_are_named() -> None:
    old = replace(a_head(), claim=Claim("vera", NOW), queued_at=NOW)
    new = a_head("01J00000000000000000000002")
    step = superseded(old, by=new, now=NOW)
    assert step.after.newest.state is State.SUPERSEDED
    assert step.after.superseded_by == new.fact_id
    assert step.after.newest.reason == f"superseded by {new.fact_id}: recorded"
    assert (step.after.claim, step.after.queued_at) == (None, None)
    assert broken_link([old.newest, *step.revisions], SALT) is None


@pytest.mark.parametrize("state", State)
def test_given_each_state_when_asked_to_publish_then_only_what_waits_may(state: State) -> None:
    head = a_head(state=state)
    if state in (State.CANDIDATE, State.CORROBORATED):
        assert publishing_states(head) == (State.REVIEWED, State.PUBLISHED)
    elif state is State.REVIEWED:
        assert publishing_states(head) == (State.PUBLISHED,)
    else:
        with pytest.raises(NotWaiting):
            publishing_states(head)


@pytest.mark.parametrize("state", State)
def test_given_each_state_when_checked_for_life_then_what_left_results_is_refused(
    state: State,
) -> None:
    head = a_head(state=state)
    if state in ALIVE:
        check_live(head, NOW)
    else:
        with pytest.raises(NotWaiting):
            check_live(head, NOW)


def test_given_an_end_when_checked_for_life_then_the_boundary_is_exact() -> None:
    head = a_head(content=a_content(expires_at=NOW + 1))
    check_live(head, NOW)
    with pytest.raises(NotWaiting) as refused:
        check_live(head, NOW + 1)
    assert refused.value.more["actual"] == "expired"


def test_given_a_hold_when_checked_then_refused() -> None:
    head = a_head()
    check_not_held(head)
    with pytest.raises(OnHold):
        check_not_held(replace(head, newest=replace(head.newest, legal_hold=True)))


MACHINES = (PrincipalKind.AGENT, PrincipalKind.INTEGRATION)


@pytest.mark.parametrize("kind", PrincipalKind)
@pytest.mark.parametrize("wrote", PrincipalKind)
@pytest.mark.parametrize("state", ALIVE)
def test_given_who_asks_and_who_wrote_when_removing_then_authority_and_people_are_safe(
    kind: PrincipalKind, wrote: PrincipalKind, state: State
) -> None:
    head = a_head(state=state, by=Author("writer", wrote))
    check_may_remove(head, a_caller(PrincipalKind.HUMAN, Action.OWN))
    protected = state.is_standing or (kind in MACHINES and wrote is PrincipalKind.HUMAN)
    caller = a_caller(kind, Action.WRITE, Action.REVIEW)
    if protected:
        with pytest.raises(NotAllowed):
            check_may_remove(head, caller)
    else:
        check_may_remove(head, caller)


def test_given_an_expectation_when_it_does_not_hold_then_the_present_head_is_told() -> None:
    check_expected(a_head(), None, "body.x")
    check_expected(a_head(), 1, "body.x")
    with pytest.raises(StaleRevision) as refused:
        check_expected(a_head(), 2, "body.x")
    told = refused.value.more
    assert (told["field"], told["revision"], told["actual"]) == ("body.x", 1, 2)
