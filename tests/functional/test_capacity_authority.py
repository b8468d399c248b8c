"""What each verb of authority costs in DynamoDB, against the table of the design (storage.md).

The reference fact has no fact_key and items of at most 1 KB. `writes` are those of the table and
of its indexes; in a transaction each counts twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from muniment import bootstrap
from muniment.adapters.dynamo_table import Table
from tests.capacity import KB, CountingClient
from tests.functional.authority import CODER, EDITOR, OLGA, Desk, a_desk  # noqa: F401


@dataclass(frozen=True)
class Cost:
    trips: int
    writes: int
    reads: float


@dataclass
class Counter:
    desk: Desk
    counting: CountingClient

    def of(self, act: Callable[[], object], *, largest: int = KB) -> Cost:
        """Return what `act` cost; every item it wrote was small enough to be the reference."""
        self.counting.clear()
        act()
        assert self.counting.largest <= largest
        writes = self.counting.writes + self.counting.index_writes
        return Cost(len(self.counting.trips), writes, self.counting.reads)


@pytest.fixture
def counter(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Counter:
    counting = CountingClient(desk.client)
    table = Table(counting, "Memory")
    monkeypatch.setattr(bootstrap, "_table", lambda: table)
    for factory in vars(bootstrap).values():
        if hasattr(factory, "cache_clear"):
            factory.cache_clear()
    return Counter(desk, counting)


def reference(desk: Desk, **fields: Any) -> str:
    said = {
        "by": CODER,
        "subject": {"type": "service", "id": "staging"},
        "citations": [{"quote": "see the pipeline", "locator": "docs/deploy.md#L10"}],
        **fields,
    }
    return desk.remember("Deploys to staging roll out through app-staging.", **said).id


def test_given_the_reference_fact_when_claimed_then_one_trip_two_units_no_read(
    counter: Counter,
) -> None:
    desk, fact_id = counter.desk, reference(counter.desk)
    one_write = Cost(trips=1, writes=1, reads=0)
    assert counter.of(lambda: desk.claim(fact_id)) == one_write
    assert counter.of(lambda: desk.heartbeat(fact_id)) == one_write
    assert counter.of(lambda: desk.release(fact_id)) == one_write


VERBS: dict[str, tuple[Callable[..., object], int]] = {  # what ends a fact frees its room
    "publish": (Desk.publish, 2),
    "retract": (Desk.retract, 3),
    "forget": (Desk.forget, 3),
    "hold": (Desk.hold, 2),
}


@pytest.mark.parametrize("verb", VERBS)
def test_given_the_reference_fact_when_changed_then_two_trips_ten_units_three_reads(
    counter: Counter, verb: str
) -> None:
    fact_id, (act, trips) = reference(counter.desk), VERBS[verb]
    cost = counter.of(lambda: act(counter.desk, fact_id))
    print(verb, cost)
    assert cost.trips == trips
    assert cost.writes <= 10
    assert cost.reads <= 3


def test_given_an_idempotency_key_when_changed_then_the_kept_answer_costs_two_units_more(
    counter: Counter,
) -> None:
    desk, plain = counter.desk, reference(counter.desk)
    without = counter.of(lambda: desk.retract(plain))
    keyed = reference(desk, layer="task", task="t1", reopen=True, by=OLGA)
    cost = counter.of(lambda: desk.retract(keyed, key="k"))
    print("retract with a key", cost)
    assert cost == Cost(3, without.writes + 2, 3)


def test_given_the_reference_fact_when_revised_then_three_trips_for_a_new_statement(
    counter: Counter,
) -> None:
    desk, fact_id = counter.desk, reference(counter.desk, layer="task", task="t1")
    cost = counter.of(lambda: desk.revise(fact_id, statement="It rolls out at noon."))
    print("revise statement", cost)
    assert (cost.trips, cost.writes <= 10, cost.reads <= 4) == (3, True, True)
    cost = counter.of(lambda: desk.revise(fact_id, expected=2, tags=["deploy"]))
    print("revise tags", cost)
    assert (cost.trips, cost.writes <= 10, cost.reads <= 3) == (2, True, True)


@pytest.mark.parametrize(("decision", "trips"), [("publish", 2), ("reject", 3)])
def test_given_the_reference_fact_when_finalized_then_two_trips_and_one_for_the_room(
    counter: Counter, decision: str, trips: int
) -> None:
    desk, fact_id = counter.desk, reference(counter.desk)
    desk.claim(fact_id)
    cost = counter.of(lambda: desk.finalize(fact_id, decision))
    print("finalize", decision, cost)
    assert (cost.trips, cost.writes <= 12, cost.reads <= 2) == (trips, True, True)


def test_given_a_keyed_fact_when_changed_then_one_trip_more_and_two_with_rivals(
    counter: Counter,
) -> None:
    desk = counter.desk
    one = reference(desk, fact_key="rollout")
    two = desk.remember("It rolls out at noon.", by=CODER, fact_key="rollout").id
    cost = counter.of(lambda: desk.publish(one))
    print("publish keyed", cost)
    assert cost.trips == 3
    cost = counter.of(lambda: desk.publish(two))
    print("publish against a published rival", cost)
    assert cost.trips == 4
    cost = counter.of(lambda: desk.retract(one))
    print("retract a side", cost)
    assert cost.trips == 5


def test_given_a_corroboration_when_counted_then_three_trips(counter: Counter) -> None:
    desk = counter.desk
    reference(desk, source_id="a.md")
    said = "Deploys to staging roll out through app-staging."
    cost = counter.of(lambda: desk.remember(said, by=EDITOR, source_id="b.md"))
    print("corroborate", cost)
    assert cost.trips == 3


def test_given_reads_of_authority_when_counted_then_few_trips_and_no_write(
    counter: Counter,
) -> None:
    desk, fact_id = counter.desk, reference(counter.desk)
    for name, act, trips in (
        ("queue", desk.queue, 2),
        ("conflicts", desk.conflicts, 1),
        ("timeline", lambda: desk.timeline(subject_id="staging"), 1),
        ("get", lambda: desk.get(fact_id), 1),
        ("revision", lambda: desk.revision(fact_id, 1), 1),
        ("validate", lambda: desk.validate("a.md", "h"), 1),
    ):
        cost = counter.of(act)
        print(name, cost)
        assert (cost.trips, cost.writes) == (trips, 0), name
        assert cost.reads <= 3


def test_given_an_erase_when_counted_then_a_trip_for_each_revision(counter: Counter) -> None:
    desk, fact_id = counter.desk, reference(counter.desk)
    desk.publish(fact_id)
    cost = counter.of(lambda: desk.erase(fact_id))
    print("erase of three revisions", cost)
    assert cost.trips <= 5 + 2 * 3 + 2
