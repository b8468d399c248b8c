"""Rule 11: one ceiling, three bands."""

import pytest

from muniment.domain.budget import (
    Admission,
    Band,
    Profile,
    admission,
    band,
    group_fingerprint,
    may_exceed,
    refusal,
    units,
)
from muniment.domain.fact import PROTECTED, Kind


@pytest.mark.parametrize(
    ("used", "degraded", "reason"),
    [
        (1, False, None),
        (237, False, None),
        (238, True, "soft_limit"),
        (250, True, "soft_limit"),
        (251, True, "protected_kind"),
    ],
)
def test_given_a_trial_project_when_a_write_makes_so_many_then_it_is_told(
    used: int, degraded: bool, reason: str | None
):
    assert admission(used, Profile.TRIAL.max_facts) == Admission(degraded, reason)


def test_given_the_profiles_when_asked_then_the_ceilings_are_those_of_the_rule():
    ceilings = [profile.max_facts for profile in Profile]
    assert ceilings == [250, 5_000, 100_000, 1_000_000]


def test_given_the_kinds_when_asked_then_only_the_protected_four_may_exceed():
    assert {kind for kind in Kind if may_exceed(kind)} == set(PROTECTED)
    assert {str(kind) for kind in PROTECTED} == {"decision", "verdict", "deployment", "incident"}


def test_given_a_full_project_when_refused_then_the_refusal_explains_itself():
    refused = refusal(253, 250, Kind.OBSERVATION)
    assert "holds 253 facts and its ceiling is 250" in refused.detail
    assert "observation" in refused.detail
    assert (refused.more["limit"], refused.more["actual"]) == (250, 253)
    for said in ("reading goes on", "Do not repeat the write", "forget", "larger profile"):
        assert said in refused.more["hint"]


def test_given_the_profiles_when_asked_then_the_units_are_those_of_the_rule():
    assert [p.max_summary_units for p in Profile] == [0, 0, 200_000, 2_000_000]
    assert [p.max_embedding_units for p in Profile] == [5_000, 100_000, 2_000_000, 20_000_000]


@pytest.mark.parametrize(
    ("used", "wanted"),
    [(0, "ok"), (237, "ok"), (238, "degraded"), (249, "degraded"), (250, "full"), (251, "full")],
)
def test_given_a_trial_project_when_looked_at_then_the_band_is_what_the_next_write_meets(
    used: int, wanted: str
):
    assert band(used, 250) is Band(wanted)


@pytest.mark.parametrize(("characters", "wanted"), [(0, 0), (1, 1), (16, 1), (17, 2), (2_000, 125)])
def test_given_a_text_when_priced_then_started_units_count_and_letters_cost_alike(
    characters: int, wanted: int
):
    assert units("x" * characters) == units("ы" * characters) == wanted


def test_given_a_group_when_named_then_order_is_nothing_and_every_other_group_is_another():
    name = group_fingerprint([("f1", 1), ("f2", 2)])
    assert name == group_fingerprint([("f2", 2), ("f1", 1)])
    others = ([("f1", 1)], [("f1", 2), ("f2", 1)], [("f1", 12), ("f2", 2)], [("f11", 1), ("f2", 2)])
    assert len({name, *map(group_fingerprint, others)}) == 5
