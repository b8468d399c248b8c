"""The ports Budgets and Recount: the adapter on moto and on the table in memory."""

from __future__ import annotations

from collections.abc import Iterator

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from muniment.adapters.dynamo_budgets import DynamoBudgets
from muniment.adapters.dynamo_facts import DynamoFacts
from muniment.adapters.dynamo_table import Table
from muniment.adapters.dynamo_tenants import DynamoTenants
from muniment.domain.budget import Admission, Allowance, Profile
from muniment.domain.change import Change
from muniment.domain.errors import HardLimit, NotFound
from muniment.domain.fact import Kind, State
from muniment.domain.intake import Intake, Settings
from muniment.domain.recount import QUIET, Counted, Tally
from tests.builders import NOW, a_cell, a_content, a_head
from tests.property.memory_dynamo import MemoryDynamo
from tests.template import create_table_request

HERE = ("acme", "backend")
PK = "T#acme#P#backend"
TRIAL = Settings(Profile.TRIAL)
PLENTY = Profile.TRIAL.max_embedding_units


@pytest.fixture(params=["moto", "memory"])
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    if request.param == "memory":
        yield Table(MemoryDynamo(create_table_request("Memory")), "Memory")
        return
    with mock_aws():
        client = boto3.client("dynamodb")
        client.create_table(**create_table_request("Memory"))
        yield Table(client, "Memory")


@pytest.fixture
def budgets(table: Table) -> DynamoBudgets:
    DynamoTenants(table).create_project(*HERE, Profile.TRIAL, NOW)
    return DynamoBudgets(table)


def reserve(
    budgets: DynamoBudgets, kind: Kind = Kind.NOTE, settings: Settings = TRIAL
) -> Admission:
    return budgets.reserve(*HERE, kind, settings, NOW)


def row(table: Table, sk: str = "BUDGET") -> dict[str, object]:
    item = table.get((PK, sk)) or {}
    return {name: value for name, value in item.items() if name not in ("pk", "sk")}


def used(budgets: DynamoBudgets) -> tuple[int, int]:
    spending = budgets.spending(*HERE)
    assert spending is not None
    return spending.facts, spending.embedding_units


def test_given_the_ceiling_when_reserved_then_only_protected_kinds_pass(
    budgets: DynamoBudgets, table: Table
):
    table.put({"pk": PK, "sk": "BUDGET", "facts": 236})
    told = [reserve(budgets) for _ in range(14)]
    assert [one.reason for one in told] == [None] + ["soft_limit"] * 13
    with pytest.raises(HardLimit) as refused:
        reserve(budgets)
    assert (refused.value.more["actual"], refused.value.more["limit"]) == (250, 250)
    assert reserve(budgets, Kind.DECISION) == Admission(True, "protected_kind")
    with pytest.raises(HardLimit) as refused:
        reserve(budgets)
    assert refused.value.more["actual"] == 251
    budgets.give_back(*HERE, 2, NOW)
    assert reserve(budgets).reason == "soft_limit"


def test_given_a_project_without_a_count_when_reserved_then_it_begins_at_one(
    budgets: DynamoBudgets, table: Table
):
    table.put({"pk": PK, "sk": "BUDGET"})
    assert reserve(budgets) == Admission()
    assert row(table) == {"facts": 1, "moves": 1, "moved_at": NOW}


def test_given_a_topped_up_project_when_reserved_then_its_ceiling_is_higher(
    budgets: DynamoBudgets, table: Table
):
    table.put({"pk": PK, "sk": "BUDGET", "facts": 250})
    more = Settings(Profile.TRIAL, extra_facts=1)
    assert reserve(budgets, settings=more) == Admission(True, "soft_limit")
    with pytest.raises(HardLimit):
        reserve(budgets, settings=more)


def test_given_every_change_when_made_then_moves_counts_it_and_the_time_is_kept(
    budgets: DynamoBudgets, table: Table
):
    for _ in range(3):
        reserve(budgets)
    budgets.give_back(*HERE, 2, NOW + 5)
    assert row(table) == {"facts": 1, "moves": 4, "moved_at": NOW + 5}


def test_given_more_than_is_counted_when_given_back_then_nothing_moves(
    budgets: DynamoBudgets, table: Table
):
    reserve(budgets)
    budgets.give_back(*HERE, 2, NOW)
    assert row(table) == {"facts": 1, "moves": 1, "moved_at": NOW}


def test_given_a_table_that_fails_when_given_back_then_the_write_before_it_stands(
    budgets: DynamoBudgets, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object, **__: object) -> None:
        raise ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "UpdateItem")

    monkeypatch.setattr(budgets, "_table", type("Away", (), {"update": fail}))
    budgets.give_back(*HERE, 1, NOW)


def test_given_a_project_when_read_then_profile_and_top_ups_make_its_maxima(
    budgets: DynamoBudgets,
):
    budgets.top_up(*HERE, {"facts": 10, "embedding_units": 7})
    budgets.top_up(*HERE, {"facts": 5, "summary_units": 3})
    spending = budgets.spending(*HERE)
    assert spending is not None
    assert spending.profile is Profile.TRIAL
    assert spending.allowance == Allowance(265, 3, 5_007)
    assert (spending.facts, spending.summary_units, spending.embedding_units) == (0, 0, 0)


def test_given_no_such_project_when_read_paid_or_topped_up_then_it_is_said(
    budgets: DynamoBudgets, table: Table
):
    assert budgets.spending("acme", "other") is None
    assert budgets.pay_embedding("acme", "other", 1, "f", NOW) is False
    with pytest.raises(NotFound):
        budgets.top_up("acme", "other", {"facts": 1})
    table.update((PK, "META"), "SET deleted_at = :now", values={":now": NOW})
    assert budgets.spending(*HERE) is None
    assert budgets.pay_embedding(*HERE, 1, "f", NOW) is False
    with pytest.raises(NotFound):
        budgets.top_up(*HERE, {"facts": 1})


def test_given_a_group_when_paid_again_then_it_costs_nothing_more(
    budgets: DynamoBudgets, table: Table
):
    assert [budgets.pay_embedding(*HERE, 30, "f1", NOW) for _ in range(3)] == [True] * 3
    assert budgets.pay_embedding(*HERE, 12, "f2", NOW)
    assert used(budgets) == (0, 42)
    paid = row(table, "LEDGER#embedding#f1")
    assert paid == {"units": 30, "characters_per_unit": 16, "paid_at": NOW}


def test_given_too_little_room_when_paid_then_nothing_is_and_a_smaller_group_still_fits(
    budgets: DynamoBudgets, table: Table
):
    assert budgets.pay_embedding(*HERE, PLENTY - 5, "f1", NOW)
    assert budgets.pay_embedding(*HERE, 6, "f2", NOW) is False
    assert row(table, "LEDGER#embedding#f2") == {}
    assert budgets.pay_embedding(*HERE, 5, "f3", NOW)
    assert budgets.pay_embedding(*HERE, 1, "f4", NOW) is False
    assert budgets.pay_embedding(*HERE, PLENTY - 5, "f1", NOW), (
        "paid before, also when all is spent"
    )
    assert used(budgets) == (0, PLENTY)
    budgets.top_up(*HERE, {"embedding_units": 6})
    assert budgets.pay_embedding(*HERE, 6, "f2", NOW)
    assert used(budgets) == (0, PLENTY + 6)


def test_given_a_group_larger_than_everything_when_paid_then_it_does_not_fit(
    budgets: DynamoBudgets,
):
    assert budgets.pay_embedding(*HERE, PLENTY + 1, "f1", NOW) is False
    assert used(budgets) == (0, 0)


def test_given_facts_of_several_projects_when_counted_then_each_page_names_state_and_time(
    budgets: DynamoBudgets, table: Table
):
    facts = DynamoFacts(table)
    for number, state in enumerate((State.CANDIDATE, State.FORGOTTEN)):
        head = a_head(
            f"01J{number:023}",
            cell=a_cell(project=f"p{number}"),
            content=a_content(f"Fact {number}."),
            state=state,
        )
        facts.add(Intake(head, None), None, Change(steps=()))
    found, after = budgets.counted(None)
    assert after is None
    assert set(found) == {
        Counted("acme", "p0", State.CANDIDATE, NOW),
        Counted("acme", "p1", State.FORGOTTEN, NOW),
    }


def test_given_budgets_when_a_count_begins_then_those_that_moved_just_now_are_busy(
    budgets: DynamoBudgets,
):
    (fresh,) = budgets.tallies(NOW)
    assert fresh == Tally("acme", "backend", 0, 0)
    reserve(budgets)
    assert budgets.tallies(NOW + QUIET - 1) == [Tally("acme", "backend", 1, 1, busy=True)]
    assert budgets.tallies(NOW + QUIET) == [Tally("acme", "backend", 1, 1)]


def test_given_a_tally_when_corrected_then_only_if_nothing_moved_since(
    budgets: DynamoBudgets, table: Table
):
    (first,) = budgets.tallies(NOW)
    assert budgets.correct(Tally("acme", "backend", 0, 0, live=4), NOW)
    assert row(table) == {"facts": 4, "moves": 1, "moved_at": NOW}
    assert budgets.correct(first, NOW) is False
    reserve(budgets)
    assert budgets.correct(Tally("acme", "backend", 4, 1, live=9), NOW) is False
    assert used(budgets) == (5, 0)
