"""The nightly recount: what a crash left wrong is right again, and no writer loses anything."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from muniment import bootstrap
from muniment.adapters.dynamo_budgets import DynamoBudgets
from muniment.adapters.dynamo_table import Table
from muniment.domain.recount import AT_WORK, QUIET
from muniment.verbs import recount_budgets
from tests.builders import CONTEXT
from tests.functional.conftest import Service

PK = "T#acme#P#backend"


class Killed(BaseException):
    """The process ends here: nothing after it runs."""


def recount(next_step: Any = None) -> dict[str, Any]:
    handler = importlib.import_module("functions.maintenance.recount_budgets").handler
    done: dict[str, Any] = handler({"next": next_step}, CONTEXT)
    return done


def outcome(corrected: int = 0, busy: int = 0) -> dict[str, Any]:
    """Return the last answer for the three projects of the fixture."""
    return {"projects": 3, "corrected": corrected, "busy": busy, "next": None}


def die_at(service: Service, method: str, act: Callable[[], object]) -> None:
    """Run `act` in a process that is killed at its next call of that method of the table."""

    def die(*_: object, **__: object) -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, method, die)
        with pytest.raises(Killed):
            act()


def test_given_a_crash_between_reserve_and_write_when_recounted_then_the_count_is_right(
    service: Service,
):
    service.a_fact("Port is 8080.")
    die_at(service, "transact", lambda: service.remember("Never written."))
    assert service.used() == 2
    service.now += QUIET
    assert recount() == outcome(corrected=1)
    assert service.used() == 1
    service.now += QUIET
    assert recount() == outcome()


def test_given_a_crash_behind_a_fact_that_ended_when_recounted_then_its_room_is_free(
    service: Service,
):
    fact_id = service.a_fact("Port is 8080.")
    body = {"fact_id": fact_id, "reason": "wrong"}
    die_at(service, "update", lambda: service.call("forget_facts", "POST", "/forget", body))
    assert service.used() == 1
    service.now += QUIET
    assert recount() == outcome(busy=1), "its give-back might still be on its way"
    service.now += AT_WORK - QUIET
    assert recount() == outcome(corrected=1)
    assert service.used() == 0


def test_given_a_count_that_is_too_low_when_recounted_then_it_is_raised(service: Service):
    for number in range(3):
        service.a_fact(f"Port number {number}.")
    service.change(PK, "BUDGET", facts=1)
    service.now += QUIET
    assert recount() == outcome(corrected=1)
    assert service.used() == 3


def test_given_a_project_that_just_moved_when_recounted_then_it_is_left_for_the_next_night(
    service: Service,
):
    service.a_fact("Port is 8080.")
    service.change(PK, "BUDGET", facts=9)
    service.now += QUIET - 1
    assert recount() == outcome(busy=1)
    assert service.used() == 9


def counting(service: Service, act: Callable[[], object], *, late: bool) -> dict[str, Any]:
    """Recount while somebody acts: before the facts are read, or right behind."""
    original = DynamoBudgets.counted

    def meanwhile(self: DynamoBudgets, after: str | None) -> Any:
        if not late:
            act()
        found = original(self, after)
        if late:
            act()
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DynamoBudgets, "counted", meanwhile)
        return recount()


@pytest.mark.parametrize("late", [False, True])
def test_given_a_writer_during_the_count_when_recounted_then_nothing_is_corrected_or_lost(
    service: Service, late: bool
):
    service.a_fact("Port is 8080.")
    service.change(PK, "BUDGET", facts=7)
    service.now += QUIET
    assert counting(service, lambda: service.a_fact("Meanwhile."), late=late) == outcome(busy=1)
    assert service.used() == 8
    service.now += QUIET
    assert recount() == outcome(corrected=1)
    assert service.used() == 2


@pytest.mark.parametrize("late", [False, True])
def test_given_a_fact_that_ends_during_the_count_when_its_room_comes_back_late_then_not_twice(
    service: Service, late: bool
):
    """The give-back arrives behind the recount: the worst moment there is."""
    service.a_fact("Stays.")
    fact_id = service.a_fact("Ends.")
    service.change(PK, "BUDGET", facts=7)
    service.now += QUIET
    held: list[tuple[Any, ...]] = []
    real = DynamoBudgets.give_back

    def end() -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(DynamoBudgets, "give_back", lambda self, *said: held.append(said))
            body = {"fact_id": fact_id, "reason": "wrong"}
            assert service.call("forget_facts", "POST", "/forget", body).status == 200

    done = counting(service, end, late=late)
    assert done == (outcome(corrected=1) if late else outcome(busy=1))
    for said in held:
        real(bootstrap.budgets(), *said)
    assert service.used() == (1 if late else 6)
    service.now += AT_WORK + QUIET
    assert recount() == outcome(corrected=0 if late else 1)
    assert service.used() == 1


def test_given_more_facts_than_a_step_can_count_when_stepped_then_the_rest_is_the_next(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    for number in range(6):
        service.a_fact(f"Port number {number}.")
    service.change(PK, "BUDGET", facts=1)
    service.now += QUIET
    monkeypatch.setattr(recount_budgets, "STEP", 0)
    scan = Table.scan
    monkeypatch.setattr(Table, "scan", lambda self, after, **ask: scan(self, after, **ask, Limit=7))
    steps, done = 1, recount()
    while done["next"] is not None:
        assert done["corrected"] == 0
        steps, done = steps + 1, recount(done["next"])
    assert steps > 3
    assert done == outcome(corrected=1)
    assert service.used() == 6


def test_given_a_crash_between_steps_when_the_step_is_repeated_then_the_count_is_the_same(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    for number in range(4):
        service.a_fact(f"Port number {number}.")
    service.change(PK, "BUDGET", facts=1)
    service.now += QUIET
    scan = Table.scan
    with monkeypatch.context() as patch:
        patch.setattr(recount_budgets, "STEP", 0)
        patch.setattr(Table, "scan", lambda self, after, **ask: scan(self, after, **ask, Limit=9))
        first = recount()["next"]
    assert first is not None
    assert recount(first)["corrected"] == 1
    assert recount(first) == outcome(busy=1), "it moved since: corrected already"
    assert service.used() == 4
