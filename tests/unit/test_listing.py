"""Filters: the same rule for the table's query and for a head that was found otherwise."""

import pytest

from muniment.domain.fact import GONE, Kind, State, Subject, Trust
from muniment.domain.listing import Filters
from tests.builders import NOW, a_content, a_head

HEAD = a_head(
    content=a_content(kind=Kind.RULE, subject=Subject("service", "billing"), scope="ops"),
    trust=Trust.IMPORTED,
)


@pytest.mark.parametrize(
    ("wanted", "admitted"),
    [
        ({}, True),
        ({"kind": Kind.RULE}, True),
        ({"kind": Kind.NOTE}, False),
        ({"state": State.CANDIDATE}, True),
        ({"state": State.PUBLISHED}, False),
        ({"min_trust": Trust.MODEL_OUTPUT}, True),
        ({"min_trust": Trust.IMPORTED}, True),
        ({"min_trust": Trust.SYSTEM}, False),
        ({"subject_id": "billing"}, True),
        ({"subject_id": "bill"}, False),
        ({"scope": "ops"}, True),
        ({"scope": "dev"}, False),
        ({"kind": Kind.RULE, "scope": "dev"}, False),
    ],
)
def test_given_filters_when_applied_then_all_of_them_must_match(wanted, admitted: bool):
    assert Filters(now=NOW, **wanted).admit(HEAD) is admitted


def test_given_a_fact_without_subject_or_scope_when_filtered_by_them_then_it_is_left_out():
    assert not Filters(now=NOW, subject_id="billing").admit(a_head())
    assert not Filters(now=NOW, scope="ops").admit(a_head())


@pytest.mark.parametrize("state", State)
def test_given_a_state_when_filtered_then_what_left_results_is_never_admitted(state: State):
    assert Filters(now=NOW).admit(a_head(state=state)) is (state not in GONE)


def test_given_an_end_when_filtered_then_it_is_exact_to_the_millisecond():
    head = a_head(content=a_content(expires_at=NOW))
    assert Filters(now=NOW - 1).admit(head)
    assert not Filters(now=NOW).admit(head)


def test_given_a_least_trust_when_spelled_out_then_it_and_the_stronger_are_named():
    assert Filters(now=NOW, min_trust=Trust.SYSTEM).trusts == (
        Trust.HUMAN,
        Trust.VERDICT,
        Trust.SYSTEM,
    )
    assert Filters(now=NOW).trusts == tuple(Trust)
