"""What every line of memory says about itself (rows M-21, M-32)."""

from dataclasses import replace

import pytest

from muniment.domain.caller import PrincipalKind
from muniment.domain.fact import Author, Kind, State, Trust
from muniment.domain.labels import labels, verify_before_use
from muniment.domain.moments import DAY
from muniment.domain.place import ValidAt
from tests.builders import NOW, a_cell, a_content, a_head

CODER = Author("coder", PrincipalKind.AGENT, "olga")


@pytest.mark.parametrize("trust", Trust)
@pytest.mark.parametrize("state", State)
def test_given_any_trust_and_state_when_labelled_then_both_stand_first(trust: Trust, state: State):
    found = labels(a_head(trust=trust, state=state, by=CODER), NOW)
    assert found[:2] == [f"trust: {trust}", f"state: {state}"]
    assert ("authority" in found) == (state is State.PUBLISHED)
    assert "verified" not in " ".join(found)


@pytest.mark.parametrize("trust", Trust)
def test_given_a_candidate_when_labelled_then_only_agents_and_models_make_claims(trust: Trust):
    found = labels(a_head(trust=trust), NOW)
    assert ("claim" in found) == (trust in (Trust.AGENT, Trust.MODEL_OUTPUT))


@pytest.mark.parametrize(
    ("ends", "label"),
    [
        (NOW + 1, "expires in 1 d"),
        (NOW + DAY, "expires in 1 d"),
        (NOW + DAY + 1, "expires in 2 d"),
        (NOW, "expired"),
        (NOW - 1, "expired"),
    ],
)
def test_given_an_end_when_labelled_then_started_days_count(ends: int, label: str):
    assert label in labels(a_head(content=a_content(expires_at=ends)), NOW)


def test_given_a_place_a_summary_a_hold_and_a_successor_when_labelled_then_each_is_told():
    head = a_head(
        cell=a_cell(valid_at=ValidAt(machine="laptop")), content=a_content(kind=Kind.SUMMARY)
    )
    newest = replace(head.newest, legal_hold=True, superseded_by="01J00000000000000000000002")
    found = labels(replace(head, newest=newest), NOW)
    assert "valid only at machine:laptop" in found
    assert "summary" in found
    assert "legal hold" in found
    assert "superseded by 01J00000000000000000000002" in found


@pytest.mark.parametrize(
    "statement",
    [
        "Run `make up` first.",
        "The port is set in local/up.py",
        "settings.yaml holds it",
        "call create_app() once",
        "pass --force to overwrite",
        "Порт задан в config/app.toml",
    ],
)
def test_given_a_fact_that_names_code_when_labelled_then_it_says_verify(statement: str):
    assert verify_before_use(a_content(statement))
    assert labels(a_head(content=a_content(statement)), NOW)[-1] == "verify before use"


@pytest.mark.parametrize(
    "statement", ["Money is stored in kopecks.", "Деплой по вторникам — не в пятницу.", "a - b"]
)
def test_given_prose_when_labelled_then_nothing_is_to_verify(statement: str):
    assert not verify_before_use(a_content(statement))
