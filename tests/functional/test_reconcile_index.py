"""The nightly repair: whatever the stream lost comes back, page by page, and only that."""

from __future__ import annotations

from functions.maintenance.reconcile_index import handler
from muniment import bootstrap
from muniment.verbs import index_facts
from tests.builders import CONTEXT
from tests.functional.conftest import HashedWords, Service


def reconciled() -> tuple[int, int, int]:
    """Run all steps; return how many there were, what they compared, what they repaired."""
    steps = compared = repaired = 0
    event = {"next": None}
    while True:
        event = handler(event, CONTEXT)
        steps, compared = steps + 1, compared + event["compared"]
        repaired += event["repaired"]
        if event["next"] is None:
            return steps, compared, repaired


def test_given_a_lost_index_when_reconciled_then_every_head_of_every_tenant_is_back(
    service: Service,
):
    service.patch.setattr(index_facts, "PAGE", 1)
    mine = [service.a_fact(f"Port number {number}.") for number in range(4)]
    theirs = service.a_fact("Port number theirs.", tenant="globex")
    steps, compared, repaired = reconciled()
    assert steps > 2
    assert (compared, repaired) == (5, 5)
    service.now += 600_000
    assert set(service.found("port number")) == set(mine)
    assert bootstrap.index().revisions("globex", "backend", [theirs]) == {theirs: 1}


def test_given_an_index_that_is_current_when_reconciled_then_nothing_is_embedded(
    service: Service,
):
    service.a_fact("Staging.")
    service.index()
    service.patch.setattr(HashedWords, "passages", None)
    assert reconciled() == (1, 1, 0)


def test_given_one_lost_entry_when_reconciled_then_only_that_is_repaired(service: Service):
    service.a_fact("Staging.")
    service.index()
    service.a_fact("Production.")
    assert reconciled() == (1, 2, 1)


def test_given_no_facts_when_reconciled_then_one_step_says_so(service: Service):
    assert reconciled() == (1, 0, 0)
