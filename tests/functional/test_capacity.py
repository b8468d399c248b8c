"""What each verb costs in DynamoDB, against the table of the design (storage.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from muniment.adapters.dynamo_table import Table
from tests.capacity import KB, CountingClient, index_units, read_units, size_of, write_units
from tests.functional.conftest import Service


@dataclass(frozen=True)
class Cost:
    trips: int
    writes: int
    reads: float


@pytest.fixture
def counted(service: Service) -> CountingClient:
    counting = CountingClient(service.client)
    service.patch.setattr("muniment.bootstrap._table", lambda: table)
    table = Table(counting, "Memory")
    return counting


def cost_of(counting: CountingClient, act: Callable[[], object]) -> Cost:
    counting.clear()
    act()
    assert counting.largest <= KB, "the reference fact's items are at most 1 KB"
    return Cost(len(counting.trips), counting.writes + counting.index_writes, counting.reads)


def within(cost: Cost, *, trips: int, writes: int, reads: float) -> bool:
    print(cost)
    return cost.trips <= trips and cost.writes <= writes and cost.reads <= reads


def test_given_the_reference_fact_when_recorded_then_it_costs_what_the_design_says(
    service: Service, counted: CountingClient
):
    headers = {"X-Idempotency-Key": "k1"}
    cost = cost_of(counted, lambda: service.record(headers=headers))
    assert counted.trips == ["batch_get_item", "update_item", "transact_write_items"]
    assert within(cost, trips=3, writes=14, reads=8)


@pytest.mark.parametrize("verb", ["record", "remember"])
def test_given_a_fact_with_key_and_source_when_written_then_no_more_than_three_trips_are_made(
    service: Service, counted: CountingClient, verb: str
):
    source = service.a_fact("The source.")
    service.index()
    said = {"fact_key": "port", "source_id": "docs/x.md", "derived_from": [source]}
    if verb == "record":
        cost_of(counted, lambda: service.record(**said))
    else:
        cost_of(counted, lambda: service.remember("The port is 8080.", **said))
    assert counted.trips == ["batch_get_item", "update_item", "transact_write_items"]


def test_given_the_same_request_when_replayed_then_nothing_is_written(
    service: Service, counted: CountingClient
):
    headers = {"X-Idempotency-Key": "k1"}
    service.record(headers=headers)
    cost = cost_of(counted, lambda: service.record(headers=headers))
    assert within(cost, trips=2, writes=0, reads=8)


def test_given_a_repeat_when_recorded_then_nothing_is_written(
    service: Service, counted: CountingClient
):
    service.record()
    assert within(cost_of(counted, service.record), trips=2, writes=0, reads=8)


def test_given_a_fact_when_read_then_it_is_one_trip(service: Service, counted: CountingClient):
    fact_id = service.record().body["fact"]["fact_id"]
    cost = cost_of(counted, lambda: service.get(fact_id))
    assert within(cost, trips=1, writes=0, reads=1)


def test_given_a_page_of_50_when_listed_then_it_is_one_trip_of_20_units(
    service: Service, counted: CountingClient
):
    for number in range(50):
        service.now += 1
        service.record(statement=f"Fact {number} rolls out through app-staging.")
    cost = cost_of(counted, lambda: service.list(limit="50"))
    assert within(cost, trips=1, writes=0, reads=20)


def test_given_ten_indexed_facts_when_searched_then_one_batch_follows_the_tail(
    service: Service, counted: CountingClient
):
    for number in range(10):
        service.record(statement=f"Fact {number} rolls out through app-staging.")
    service.index()
    service.now += 600_000
    cost = cost_of(counted, lambda: service.search("rolls out through app-staging"))
    assert sorted(counted.trips) == ["batch_get_item", "query"]  # the query runs beside the index
    assert within(cost, trips=2, writes=0, reads=16)


def test_given_thirty_indexed_facts_when_a_context_is_read_then_two_trips_follow_the_tail(
    service: Service, counted: CountingClient
):
    for number in range(30):
        service.record(statement=f"Fact {number} rolls out through app-staging.")
    service.index()
    service.now += 600_000
    ask = {"budget_tokens": 1_000}
    cost = cost_of(counted, lambda: service.context("rolls out through app-staging", **ask))
    assert sorted(counted.trips) == ["batch_get_item", "put_item", "query"]
    assert within(cost, trips=3, writes=2, reads=40)


def test_given_items_when_measured_then_names_and_values_count():
    assert size_of({"pk": {"S": "жж"}, "n": {"N": "-12345"}}) == 2 + 4 + 1 + 4
    assert size_of({"m": {"M": {"a": {"S": "b"}}}, "l": {"L": [{"BOOL": True}]}}) == 7 + 6
    assert size_of(None) == 0
    assert read_units(0, consistent=True) == 1
    assert read_units(4 * KB + 1, consistent=False) == 1


def test_given_a_head_when_written_then_each_index_entry_that_changes_counts():
    key = {"pk": {"S": "p"}, "sk": {"S": "HEAD"}}
    head = key | {"recent": {"S": "r"}, "written_at": {"S": "t"}, "statement": {"S": "x" * 3_000}}
    assert write_units(None, head) == write_units(head, key) == 3
    assert index_units(None, key) == 0
    assert index_units(None, head) == index_units(head, key) == 1
    assert index_units(head, head | {"statement": {"S": "y"}}) == 0
    assert index_units(head, head | {"written_at": {"S": "u"}}) == 2
