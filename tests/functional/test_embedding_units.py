"""Embedding units: paid before a text is embedded, once, whole or not at all (rule 12)."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError

from muniment import bootstrap
from muniment.domain.budget import units
from muniment.domain.errors import IndexUnavailable
from muniment.domain.fact import State
from muniment.verbs import index_facts
from tests.builders import a_cell, a_content, a_head
from tests.functional.conftest import HashedWords, Service
from tests.functional.test_index_facts import image, later
from tests.functional.test_reconcile_index import reconciled

PK = "T#acme#P#backend"
ROOM = 5_000  # of a trial project


def spent(service: Service, pk: str = PK) -> int:
    row = service.table.get((pk, "UNITS#embedding")) or {}
    return int(row.get("used", 0))


def ledger(service: Service, pk: str = PK) -> list[int]:
    rows = [r for r in service.rows() if r["pk"]["S"] == pk and r["sk"]["S"].startswith("LEDGER#")]
    assert all(row["characters_per_unit"] == {"N": "16"} for row in rows)
    return sorted(int(row["units"]["N"]) for row in rows)


def embedded(service: Service) -> list[str]:
    """Return the texts that are embedded from now on."""
    texts: list[str] = []

    def passages(self: HashedWords, some: list[str]) -> list[Any]:
        texts.extend(some)
        return [self.query(text) for text in some]

    service.patch.setattr(HashedWords, "passages", passages)
    return texts


def price(service: Service, fact_id: str) -> int:
    head = bootstrap.facts().head("acme", fact_id)
    assert head is not None
    return units(head.newest.content.text)


def test_given_facts_when_indexed_then_name_description_and_statement_are_paid(service: Service):
    one = service.a_fact("Port is 8080.")
    two = service.a_fact("Сборка ночью: нагрузка низкая.")
    service.index()
    assert spent(service) == price(service, one) + price(service, two)
    assert ledger(service) == [spent(service)]


def test_given_a_batch_that_failed_behind_the_payment_when_it_comes_again_then_paid_once(
    service: Service,
):
    service.a_fact("Port is 8080.")
    service.a_fact("Staging is green.")
    real = bootstrap.index()

    class Away:
        def write(self, entries: object) -> None:
            raise IndexUnavailable

    texts = embedded(service)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("functions.streams.index_facts.index", Away)
        for _ in range(3):
            with pytest.raises(IndexUnavailable):
                service.index()
    first = spent(service)
    assert service.index() == {"indexed": 2}
    assert spent(service) == first == sum(ledger(service))
    assert len(texts) == 8  # embedded each time, paid once
    assert len(real.revisions("acme", "backend", _ids(service))) == 2


def _ids(service: Service) -> list[str]:
    return [r["fact_id"]["S"] for r in service.rows() if r["sk"]["S"] == "HEAD"]


def test_given_a_new_revision_when_indexed_then_it_is_paid_as_another(service: Service):
    one = a_head()
    two = later(one, statement="Another statement, twice as long as the one before it was.")
    service.stream({"NewImage": image(one)})
    first = spent(service)
    service.stream({"NewImage": image(two), "OldImage": image(one)})
    assert spent(service) == first + units(two.newest.content.text) == sum(ledger(service))


def test_given_two_tenants_in_one_batch_when_indexed_then_each_project_pays_its_own(
    service: Service,
):
    mine = service.a_fact("Port is 8080.")
    service.a_fact("A longer fact of somebody else.", tenant="globex")
    service.index()
    theirs = "T#globex#P#backend"
    assert ledger(service) == [spent(service)] == [price(service, mine)]
    assert ledger(service, theirs) == [spent(service, theirs)] != [0]


def test_given_a_long_text_when_paid_then_only_what_the_model_sees_counts(service: Service):
    service.a_fact("word " * 1_500)
    service.index()
    assert spent(service) == 2_000 // 16


def test_given_a_tombstone_when_indexed_then_it_costs_nothing(service: Service):
    texts = embedded(service)
    service.stream({"NewImage": image(later(a_head(), State.FORGOTTEN))})
    assert (spent(service), texts, ledger(service)) == (0, [], [])


def test_given_spent_units_when_indexed_then_the_words_are_found_and_nothing_fails(
    service: Service,
):
    service.table.put({"pk": PK, "sk": "UNITS#embedding", "used": ROOM - 1})
    fact_id = service.a_fact("Staging rolls out at noon.")
    other = service.a_fact("Staging rolls out at noon.", tenant="globex")
    texts = embedded(service)
    assert service.index() == {"indexed": 2}
    assert len(texts) == 1, "the other tenant's"
    assert (spent(service), ledger(service)) == (ROOM - 1, [])  # not even a part
    service.now += 600_000
    assert service.found("staging") == [fact_id]
    assert service.search("staging").body["degraded"] == []
    assert bootstrap.index().revisions("globex", "backend", [other]) == {other: 1}


def test_given_a_topped_up_project_when_indexed_then_it_is_embedded_again(service: Service):
    service.table.put({"pk": PK, "sk": "UNITS#embedding", "used": ROOM})
    bootstrap.budgets().top_up("acme", "backend", {"embedding_units": 100})
    texts = embedded(service)
    fact_id = service.a_fact("Port is 8080.")
    service.index()
    assert len(texts) == 1
    assert spent(service) == ROOM + price(service, fact_id)


def test_given_a_lost_index_when_reconciled_then_the_repair_pays_before_it_embeds(
    service: Service,
):
    service.patch.setattr(index_facts, "PAGE", 2)
    ids = [service.a_fact(f"Port number {number}.") for number in range(5)]
    reconciled()
    first = spent(service)
    assert first == sum(price(service, fact_id) for fact_id in ids) == sum(ledger(service))
    reconciled()
    assert spent(service) == first


def test_given_a_project_that_is_gone_when_its_fact_is_indexed_then_words_only(service: Service):
    texts = embedded(service)
    head = a_head(cell=a_cell(project="nowhere"), content=a_content("Left behind."))
    assert service.stream({"NewImage": image(head)}) == {"indexed": 1}
    assert texts == []


def test_given_a_throttling_table_when_indexed_then_the_batch_comes_again_unpaid(service: Service):
    def throttle(**_: object) -> None:
        error = {"Code": "ThrottlingException", "Message": "slow down"}
        raise ClientError({"Error": error}, "TransactWriteItems")

    service.a_fact("Port is 8080.")
    service.patch.setattr("muniment.adapters.dynamo_table.FIRST_WAIT", 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service.client, "transact_write_items", throttle)
        with pytest.raises(Exception, match="busy"):
            service.index()
    assert spent(service) == 0
    assert service.index() == {"indexed": 1}
