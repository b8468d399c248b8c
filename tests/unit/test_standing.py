"""Rule 2: authority is granted, never claimed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.caller import Action, Caller, PrincipalKind
from muniment.domain.errors import NotAllowed
from muniment.domain.fact import EPHEMERAL, PROTECTED, Kind, Trust
from muniment.domain.moments import DAY
from muniment.domain.standing import expiry_of, kind_of, trust_of
from tests.builders import NOW


def a_caller(kind: PrincipalKind) -> Caller:
    operator = "olga" if kind is PrincipalKind.AGENT else None
    return Caller("acme", "p", kind, operator, ("backend",), frozenset(Action))


HUMAN, AGENT, INTEGRATION = map(a_caller, PrincipalKind)


@pytest.mark.parametrize("kind", PROTECTED)
def test_given_an_agent_when_it_asks_for_a_protected_kind_then_it_is_refused(kind: Kind):
    with pytest.raises(NotAllowed) as refused:
        kind_of(kind, AGENT)
    assert refused.value.more["field"] == "body.kind"
    assert kind_of(kind, HUMAN) is kind_of(kind, INTEGRATION) is kind


def test_given_a_commit_when_not_from_an_integration_then_it_is_refused():
    for caller in (HUMAN, AGENT):
        with pytest.raises(NotAllowed):
            kind_of(Kind.COMMIT, caller)
    assert kind_of(Kind.COMMIT, INTEGRATION) is Kind.COMMIT


def test_given_no_kind_when_recorded_then_an_agent_observes_and_the_others_note():
    assert kind_of(None, AGENT) is Kind.OBSERVATION
    assert kind_of(None, HUMAN) is kind_of(None, INTEGRATION) is Kind.NOTE


@pytest.mark.parametrize("kind", Kind)
def test_given_any_kind_when_recorded_then_trust_follows_the_principal(kind: Kind):
    assert trust_of(HUMAN, kind) is Trust.HUMAN
    assert trust_of(AGENT, kind) is Trust.AGENT
    seen = {Kind.COMMIT, Kind.DEPLOYMENT, Kind.INCIDENT}
    expected = Trust.SYSTEM if kind in seen else Trust.IMPORTED
    assert trust_of(INTEGRATION, kind) is (Trust.VERDICT if kind is Kind.VERDICT else expected)


def test_given_the_trust_classes_when_ranked_then_the_last_two_are_claims():
    assert [trust.rank for trust in Trust] == [5, 4, 3, 2, 1, 0]
    assert [trust for trust in Trust if trust.is_claim] == [Trust.AGENT, Trust.MODEL_OUTPUT]


@given(st.sampled_from(Kind), st.none() | st.integers(NOW - DAY, NOW + 100 * DAY))
def test_given_any_wish_when_recorded_then_ephemeral_kinds_end_within_14_days(
    kind: Kind, asked: int | None
):
    ends = expiry_of(asked, kind, NOW)
    if kind not in EPHEMERAL:
        assert ends == asked
    else:
        assert ends is not None
        assert ends <= NOW + 14 * DAY
        assert asked is None or ends <= asked
