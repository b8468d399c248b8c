"""Where facts live: cells never collide, and a reader sees only what is true for it."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.place import EVERYWHERE, PUBLIC, Coordinates, Layer, Scope, ValidAt
from tests.builders import a_cell

NAMES = ("a", "a1", "a-1", "A", "а")  # case D08; the last one is Cyrillic
LAPTOP = Coordinates(workplace="office", machine="laptop", session="s1", task="t1")


NOWHERE = Coordinates()


def a_scope(coordinates: Coordinates = NOWHERE, **changes) -> Scope:
    return Scope(
        **{"tenant": "acme", "project": "backend", "workspace": "default", "owners": (PUBLIC,)}
        | changes,
        coordinates=coordinates,
    )


@pytest.mark.parametrize("part", ["tenant", "project", "workspace", "owner", "thread"])
def test_given_names_that_look_alike_when_made_cells_then_no_two_share_a_token(part: str):
    assert len({a_cell(**{part: name}).token for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize("part", ["workspace", "owner"])
def test_given_names_that_look_alike_when_made_places_then_no_two_share_a_key(part: str):
    assert len({a_cell(**{part: name}).place.key for name in NAMES}) == len(NAMES)


def test_given_all_parts_varied_when_made_cells_then_every_cell_has_its_own_key_and_token():
    places = (EVERYWHERE, ValidAt(workplace="x"), ValidAt(machine="x"))
    cells = [
        a_cell(tenant=t, project=p, workspace=w, owner=o, valid_at=v, layer=layer, thread=thread)
        for t, p, w, o, v, layer, thread in product(
            ("a", "b"), ("a", "b"), ("a", "b"), ("", "a", "b"), places, Layer, ("", "a")
        )
    ]
    assert len({cell.token for cell in cells}) == len(cells)
    assert len({(c.place.tenant, c.place.project, c.key) for c in cells}) == len(cells)


ids = st.text("ab-1", min_size=1, max_size=4)


@given(st.tuples(*[ids] * 5), st.tuples(*[ids] * 5))
def test_given_parts_shifted_between_fields_when_made_cells_then_only_equal_parts_are_equal(
    one, other
):
    names = ("tenant", "project", "workspace", "owner", "thread")
    first, second = (a_cell(**dict(zip(names, parts, strict=True))) for parts in (one, other))
    assert (first.token == second.token) == (one == other)


def test_given_a_token_when_looked_at_then_no_search_engine_can_take_it_apart():
    assert a_cell(project="my-group").token.isalnum()


def test_given_full_coordinates_when_scoped_then_24_cells_are_seen():
    cells = a_scope(LAPTOP, owners=(PUBLIC, "olga")).cells()
    assert len(set(cells)) == len(cells) == 2 * 3 * 4
    assert {cell.thread for cell in cells if cell.layer is Layer.SESSION} == {"s1"}
    assert {cell.thread for cell in cells if cell.layer is Layer.TASK} == {"t1"}
    assert {cell.thread for cell in cells if cell.layer is Layer.REPO} == {""}


def test_given_no_coordinates_when_scoped_then_only_what_is_true_everywhere_is_seen():
    cells = a_scope().cells()
    assert {cell.place.valid_at for cell in cells} == {EVERYWHERE}
    assert [cell.layer for cell in cells] == [Layer.OBJECTIVE, Layer.REPO]


@pytest.mark.parametrize(
    ("valid_at", "seen"),
    [
        (EVERYWHERE, True),
        (ValidAt(workplace="office"), True),
        (ValidAt(machine="laptop"), True),
        (ValidAt(workplace="home"), False),
        (ValidAt(machine="server"), False),
        (ValidAt(workplace="laptop"), False),
        (ValidAt(machine="office"), False),
    ],
)
def test_given_a_reader_somewhere_when_asked_then_only_what_is_true_there_is_held(
    valid_at: ValidAt, seen: bool
):
    assert a_scope(LAPTOP).holds(a_cell(valid_at=valid_at)) is seen


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"tenant": "other"},
        {"project": "backend2"},
        {"workspace": "second"},
        {"owner": "olga"},
        {"layer": Layer.SESSION, "thread": "s2"},
        {"layer": Layer.TASK, "thread": "t2"},
        {"layer": Layer.SESSION, "thread": "t1"},
    ],
)
def test_given_a_cell_elsewhere_when_asked_then_it_is_not_held(elsewhere):
    assert a_scope(LAPTOP).holds(a_cell())
    assert not a_scope(LAPTOP).holds(a_cell(**elsewhere))


def test_given_a_persons_own_scope_when_asked_then_public_and_others_private_are_not_held():
    scope = a_scope(owners=("olga",))
    assert scope.holds(a_cell(owner="olga"))
    assert not scope.holds(a_cell())
    assert not scope.holds(a_cell(owner="pavel"))
