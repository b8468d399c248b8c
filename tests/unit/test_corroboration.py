"""When another voice makes a fact more than one voice's word."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from muniment.domain.budget import Profile
from muniment.domain.caller import PrincipalKind
from muniment.domain.corroboration import corroborated, corroborates, says_the_same
from muniment.domain.fact import Author, Corroboration, Head, State, Trust
from muniment.domain.history import broken_link
from muniment.domain.intake import Settings
from muniment.domain.place import Layer
from tests.builders import NOW, SALT, a_cell, a_content, a_head

OTHER = "01J00000000000000000000002"
SETTINGS = Settings(Profile.STANDARD)


def the_fact(**changes: Any) -> Head:
    state, trust = changes.pop("state", State.CANDIDATE), changes.pop("trust", Trust.HUMAN)
    content = a_content(**{"source_id": "a.md", "derived_from": ("G1",), **changes})
    return a_head(content=content, state=state, trust=trust)


def the_voice(principal: str = "boris", **changes: Any) -> Head:
    trust = changes.pop("trust", Trust.HUMAN)
    content = a_content(**{"source_id": "b.md", "derived_from": ("G2",), **changes})
    by = Author(principal, PrincipalKind.HUMAN)
    return a_head(OTHER, content=content, by=by, trust=trust)


@pytest.mark.parametrize("state", [State.CANDIDATE, State.CORROBORATED])
def test_given_another_voice_from_another_source_when_it_repeats_then_it_counts(
    state: State,
) -> None:
    assert corroborates(the_voice(), the_fact(state=state))


@pytest.mark.parametrize(
    ("voice", "fact"),
    [
        (the_voice("olga"), the_fact()),
        (the_voice(source_id=None), the_fact()),
        (the_voice(source_id="a.md"), the_fact()),
        (the_voice(derived_from=("G1", "G2")), the_fact()),
        (the_voice(derived_from=(the_fact().fact_id,)), the_fact()),
        (the_voice(trust=Trust.MODEL_OUTPUT), the_fact()),
        (the_voice(), the_fact(trust=Trust.MODEL_OUTPUT)),
        (the_voice(), the_fact(state=State.PUBLISHED)),
        (the_voice(), the_fact(state=State.RETRACTED)),
    ],
    ids=[
        "author",
        "no source",
        "same source",
        "shared origin",
        "built on it",
        "a model's voice",
        "a model's fact",
        "published",
        "retracted",
    ],
)
def test_given_a_voice_that_is_not_independent_when_it_repeats_then_it_does_not_count(
    voice: Head, fact: Head
) -> None:
    assert not corroborates(voice, fact)


def test_given_an_editor_or_an_earlier_voice_when_they_repeat_then_it_does_not_count() -> None:
    edited = replace(the_fact(), editor=Author("boris", PrincipalKind.HUMAN))
    assert not corroborates(the_voice("boris"), edited)
    confirmed = replace(the_fact(), corroborations=(Corroboration("boris", "b.md"),))
    assert not corroborates(the_voice("boris", source_id="c.md"), confirmed)
    assert not corroborates(the_voice("vera", source_id="b.md"), confirmed)
    assert corroborates(the_voice("vera", source_id="c.md"), confirmed)


def test_given_a_corroboration_when_written_then_one_revision_names_the_voice() -> None:
    fact = the_fact()
    change = corroborated(fact, the_voice(), SETTINGS, NOW + 1)
    (step,) = change.steps
    assert step.before is fact
    assert step.after.newest.state is State.CORROBORATED
    assert step.after.newest.reason == "corroborated by boris from b.md"
    assert step.after.corroborations == (Corroboration("boris", "b.md"),)
    assert change.members == ()
    assert broken_link([fact.newest, *step.revisions], SALT) is None


def test_given_the_policy_when_corroborated_then_it_is_published_and_says_so() -> None:
    policy = replace(SETTINGS, publish_on_corroboration=True)
    (step,) = corroborated(the_fact(), the_voice(), policy, NOW + 1).steps
    assert [r.state for r in step.revisions] == [
        State.CORROBORATED,
        State.REVIEWED,
        State.PUBLISHED,
    ]
    assert step.after.newest.reason.endswith("published by policy")


def test_given_two_facts_when_compared_then_cell_and_exact_statement_decide() -> None:
    fact = a_head(content=a_content("Port is 8080."))
    assert says_the_same(a_head(OTHER, content=a_content("  Port  is 8080. ")), fact)
    assert not says_the_same(a_head(OTHER, content=a_content("PORT is 8080.")), fact)
    elsewhere = a_cell(layer=Layer.TASK, thread="t1")
    assert not says_the_same(a_head(OTHER, content=fact.newest.content, cell=elsewhere), fact)
