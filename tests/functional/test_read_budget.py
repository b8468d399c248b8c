"""GET /budget: the spend bar, where its numbers come from, and `muniment project top-up`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from muniment import cli
from tests.builders import AGENT, OWNER
from tests.functional.conftest import Service

PK = "T#acme#P#backend"


def budget(service: Service, **said: Any) -> dict[str, Any]:
    reply = service.call("read_budget", "GET", "/budget", **said)
    assert reply.status == 200, reply.text
    return reply.body


def top_up(*arguments: str, tenant: str = "acme") -> int:
    return cli.main(["project", "top-up", "backend", "--tenant", tenant, *arguments])


def test_given_a_new_project_when_read_then_every_meter_stands_at_nothing(service: Service):
    body = budget(service)
    assert (body["project"], body["profile"]) == ("backend", "trial")
    facts = body["facts"]
    assert {name: facts[name] for name in ("used", "ceiling", "ratio", "remaining", "band")} == {
        "used": 0,
        "ceiling": 250,
        "ratio": 0.0,
        "remaining": 250,
        "band": "ok",
    }
    assert set(body["bands"]) == {"ok", "degraded", "full"}
    assert facts["meaning"] == body["bands"]["ok"]
    units = {name: value for name, value in body.items() if "Units" in name}
    assert units == {
        "summaryUnitsUsed": 0,
        "usedSummaryUnits": 0,
        "maxSummaryUnits": 0,
        "remainingSummaryUnits": 0,
        "embeddingUnitsUsed": 0,
        "maxEmbeddingUnits": 5_000,
        "remainingEmbeddingUnits": 5_000,
    }


@pytest.mark.parametrize(
    ("used", "band", "ratio", "remaining"),
    [
        (237, "ok", 0.948, 13),
        (238, "degraded", 0.952, 12),
        (249, "degraded", 0.996, 1),
        (250, "full", 1.0, 0),
        (253, "full", 1.012, 0),
    ],
)
def test_given_a_filling_project_when_read_then_band_and_room_say_what_the_next_write_meets(
    service: Service, used: int, band: str, ratio: float, remaining: int
):
    service.change(PK, "BUDGET", facts=used)
    facts = budget(service)["facts"]
    assert (facts["band"], facts["ratio"], facts["remaining"]) == (band, ratio, remaining)
    told = service.record(kind="observation")
    degraded = told.headers.get("X-Project-Memory-Budget") == "degraded"
    assert (told.status == 429, degraded) == {
        "ok": (False, used + 1 >= 237.5),
        "degraded": (False, True),
        "full": (True, False),
    }[band]


def test_given_facts_that_come_and_go_when_read_then_room_is_free_at_once(service: Service):
    first = service.a_fact("Port is 8080.")
    service.a_fact("Staging is green.")
    assert budget(service)["facts"]["used"] == 2
    body = {"fact_id": first, "reason": "wrong"}
    assert service.call("forget_facts", "POST", "/forget", body).status == 200
    assert budget(service)["facts"]["used"] == 1


def test_given_spent_units_when_read_then_both_names_of_summary_units_are_one_number(
    service: Service,
):
    service.table.put({"pk": PK, "sk": "UNITS#summary", "used": 7})
    service.table.put({"pk": PK, "sk": "UNITS#embedding", "used": 5_001})
    body = budget(service)
    assert body["summaryUnitsUsed"] == body["usedSummaryUnits"] == 7
    assert (body["embeddingUnitsUsed"], body["remainingEmbeddingUnits"]) == (5_001, 0)


def test_given_another_project_when_read_then_it_has_its_own_bar(service: Service):
    service.a_fact("Port is 8080.")
    said = {"query": {"project": "web"}, "projects": "backend,web"}
    assert budget(service, **said)["facts"]["used"] == 0
    assert budget(service, tenant="globex")["facts"]["used"] == 0


def test_given_an_agent_when_it_asks_then_it_may_read_and_a_stranger_may_not(service: Service):
    budget(service, caller={**AGENT, "actions": "read"})
    reply = service.call("read_budget", "GET", "/budget", caller={**OWNER, "actions": "write"})
    assert (reply.status, reply.body["code"]) == (403, "not_allowed")
    reply = service.call("read_budget", "GET", "/budget", projects="nowhere")
    assert (reply.status, reply.body["code"]) == (404, "not_found")
    reply = service.call("read_budget", "GET", "/budget", query={"more": "1"})
    assert reply.status == 400


def test_given_a_full_project_when_topped_up_then_it_takes_facts_again_and_no_counter_moved(
    service: Service, capsys: pytest.CaptureFixture[str]
):
    service.change(PK, "BUDGET", facts=250)
    assert service.record().status == 429
    assert top_up("--facts", "2", "--embedding-units", "100", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "tenant": "acme",
        "project": "backend",
        "profile": "trial",
        "max_facts": 252,
        "max_summary_units": 0,
        "max_embedding_units": 5_100,
    }
    facts = budget(service)["facts"]
    assert (facts["used"], facts["ceiling"], facts["band"]) == (250, 252, "degraded")
    assert service.record().status == 201
    assert top_up("--facts", "3") == 0
    assert "max_facts            255" in capsys.readouterr().out
    assert budget(service)["facts"]["used"] == 251


@pytest.mark.parametrize(
    "arguments", [(), ("--facts", "0"), ("--facts", "-5"), ("--summary-units", "1000000001")]
)
def test_given_a_top_up_that_means_nothing_when_asked_then_refused(
    service: Service, arguments: tuple[str, ...]
):
    assert top_up(*arguments) == 1
    assert budget(service)["facts"]["ceiling"] == 250


def test_given_no_such_project_when_topped_up_then_refused(
    service: Service, capsys: pytest.CaptureFixture[str]
):
    assert top_up("--facts", "1", tenant="nobody") == 1
    assert "no such project" in capsys.readouterr().err
