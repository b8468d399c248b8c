"""Rule 11: one ceiling, three bands."""

import pytest

from muniment.domain.budget import Admission, Profile, admission, may_exceed, refusal
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
    refused = refusal(250, Kind.OBSERVATION)
    assert "250" in refused.detail
    assert "observation" in refused.detail
    assert refused.more["limit"] == refused.more["actual"] == 250
    assert refused.more["hint"]
