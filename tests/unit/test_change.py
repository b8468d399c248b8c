"""Changes: steps by fact, and graves for what was found wrong."""

from __future__ import annotations

import pytest

from muniment.domain.authority import steps_to
from muniment.domain.caller import PrincipalKind
from muniment.domain.change import Change, burial_of, grave_value, needs_grave
from muniment.domain.fact import Author, State
from tests.builders import NOW, a_cell, a_content, a_head

BY = Author("boris", PrincipalKind.HUMAN)
OTHER = "01J00000000000000000000002"


def test_given_steps_when_asked_for_a_head_then_it_is_as_the_change_leaves_it() -> None:
    one = steps_to(a_head(), (State.RETRACTED,), BY, "r", NOW)
    two = steps_to(a_head(OTHER), (State.REVIEWED, State.PUBLISHED), BY, "r", NOW)
    change = Change(steps=(one, two))
    assert change.head(OTHER) is two.after
    assert change.head(one.after.fact_id).newest.state is State.RETRACTED


@pytest.mark.parametrize("state", State)
def test_given_each_state_when_asked_then_only_retracted_and_forgotten_need_a_grave(
    state: State,
) -> None:
    assert needs_grave(state) is (state in (State.RETRACTED, State.FORGOTTEN))


def test_given_a_retracted_head_when_buried_then_place_value_and_reason_are_kept() -> None:
    head = steps_to(a_head(), (State.RETRACTED,), BY, "it was wrong", NOW).after
    burial = burial_of(head, NOW + 1)
    assert (burial.place, burial.by, burial.at) == (a_cell().place, "boris", NOW + 1)
    assert (burial.grave.fact_id, burial.grave.state) == (head.fact_id, "retracted")
    assert burial.grave.reason == "it was wrong"
    assert burial.value == grave_value(head)


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("PORT IS 8080", True),
        ("Port is ８０８０.", True),
        ("Port is 80\u200b80.", True),
        ("Роrt is 8080", True),
        ("Port is 8081.", False),
        ("Port is -8080.", False),
    ],
)
def test_given_a_variant_when_its_grave_is_looked_for_then_same_values_share_it(
    said: str, same: bool
) -> None:
    buried = a_head(content=a_content("Port is 8080."))
    assert (grave_value(a_head(content=a_content(said))) == grave_value(buried)) is same
