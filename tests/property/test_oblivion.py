"""Forgotten, retracted and rejected values stay away, however they are written."""

import pytest

from tests.property.oblivion import AFTER, WAYS, cases, run_case
from tests.property.people import surfaces
from tests.property.service import service


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_KEY", "mun_test")


def test_given_every_way_out_and_back_when_tried_in_every_writing_then_nothing_returns(key):
    some = cases(1)
    assert len(some) == len(WAYS) * len(AFTER) * len(surfaces("x")) == 192
    with service() as it:
        for case in some:
            run_case(it, case)


def test_given_a_statement_when_written_on_its_surfaces_then_each_differs_from_it():
    statement = "The café's deploy port is 8080."
    written = surfaces(statement)
    assert len({statement, *written.values()}) == 9
