"""Races over HTTP on a running cloud: a few rounds of each; `make stress` runs a thousand."""

import pytest

from tests.e2e import races
from tests.e2e.conftest import Cloud

ROUNDS = 2


@pytest.fixture(scope="module")
def team(cloud: Cloud) -> races.Team:
    return races.Team.of(cloud)


@pytest.mark.slow
def test_given_200_revises_of_one_revision_when_sent_at_once_then_one_wins(team: races.Team):
    races.revise_race(team, 200)


def test_given_one_claim_when_finalized_8_times_at_once_then_it_is_published_once(team: races.Team):
    for _ in range(ROUNDS):
        races.finalize_race(team)


def test_given_a_claim_that_lapses_when_two_finalize_then_never_two_publications(team: races.Team):
    for _ in range(ROUNDS):
        races.takeover_race(team)


def test_given_two_contradicting_facts_when_published_at_once_then_both_are_disputed(
    team: races.Team,
):
    for _ in range(ROUNDS):
        races.dispute_race(team)


def test_given_writers_at_once_when_all_have_recorded_then_every_fact_is_there_once(
    team: races.Team,
):
    races.record_race(team, "few", 10, 3)
