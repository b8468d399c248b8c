"""Who may settle a fact under review."""

from __future__ import annotations

from dataclasses import replace

import pytest

from muniment.domain.caller import Action, Caller, PrincipalKind
from muniment.domain.errors import NotWaiting, SelfReview, StaleClaim, StaleRevision
from muniment.domain.fact import Author, Claim, Head, State
from muniment.domain.review import (
    check_claim,
    check_independence,
    check_public,
    check_revision,
    check_waiting,
    taken,
)
from tests.builders import NOW, a_cell, a_head


def claimed(*, by: str = "vera", ends: int = NOW + 1, generation: int = 3) -> Head:
    return replace(a_head(), claim=Claim(by, ends), generation=generation)


def a_person(name: str) -> Caller:
    actions = frozenset({Action.REVIEW})
    return Caller("acme", name, PrincipalKind.HUMAN, None, ("backend",), actions)


@pytest.mark.parametrize(
    ("head", "holds"),
    [
        (claimed(), True),
        (claimed(ends=NOW), False),
        (claimed(ends=NOW - 1), False),
        (claimed(by="boris"), False),
        (claimed(generation=4), False),
        (claimed(generation=2), False),
        (a_head(), False),
    ],
    ids=["live", "ends now", "lapsed", "another's", "taken over", "older", "none"],
)
def test_given_a_claim_when_checked_then_only_the_live_one_of_that_generation_holds(
    head: Head, holds: bool
) -> None:
    if holds:
        check_claim(head, by="vera", generation=3, now=NOW)
        return
    with pytest.raises(StaleClaim) as refused:
        check_claim(head, by="vera", generation=3, now=NOW)
    assert refused.value.more["limit"] == head.generation


def test_given_a_revision_when_the_fact_moved_on_then_the_present_one_is_told() -> None:
    check_revision(a_head(), 1)
    with pytest.raises(StaleRevision) as refused:
        check_revision(a_head(), 2)
    assert (refused.value.more["revision"], refused.value.more["state"]) == (1, "candidate")


@pytest.mark.parametrize(
    ("author", "editor", "reviewer", "may"),
    [
        ("olga", "olga", "olga", False),
        ("olga", "boris", "olga", False),
        ("olga", "boris", "boris", False),
        ("olga", "olga", "boris", True),
    ],
)
def test_given_who_wrote_when_they_would_approve_then_only_others_may(
    author: str, editor: str, reviewer: str, may: bool
) -> None:
    head = replace(
        a_head(),
        author=Author(author, PrincipalKind.HUMAN),
        editor=Author(editor, PrincipalKind.HUMAN),
    )
    check_independence(head, a_person(reviewer), solo=True)
    if may:
        check_independence(head, a_person(reviewer), solo=False)
    else:
        with pytest.raises(SelfReview):
            check_independence(head, a_person(reviewer), solo=False)


def test_given_an_agents_fact_when_its_operator_approves_then_it_is_another_principal() -> None:
    agent = Author("coder", PrincipalKind.AGENT, "olga")
    check_independence(a_head(by=agent), a_person("olga"), solo=False)


@pytest.mark.parametrize("state", State)
def test_given_each_state_when_checked_then_only_candidate_and_corroborated_wait(
    state: State,
) -> None:
    head = a_head(state=state)
    if state in (State.CANDIDATE, State.CORROBORATED):
        check_waiting(head)
    else:
        with pytest.raises(NotWaiting):
            check_waiting(head)


def test_given_a_private_fact_when_reviewed_then_refused() -> None:
    check_public(a_head())
    with pytest.raises(NotWaiting):
        check_public(a_head(cell=a_cell(owner="olga")))


def test_given_anothers_claim_when_told_then_holder_and_end_are_named() -> None:
    told = taken(claimed(ends=NOW)).more
    assert (told["holder"], told["expires_at"]) == ("vera", "2026-05-28T20:26:40.000Z")
