"""Budgets over HTTP: the race at the ceiling, a crash that the recount heals, plans and rates."""

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from muniment.adapters.usage_plans import UsagePlans
from muniment.domain.plans import RATES, Plan
from tests.e2e import budgets
from tests.e2e.conftest import ROOT, Cloud, LocalRun, Reply, cloud_of
from tests.e2e.keys import table_of
from tests.e2e.machines import aws, run_machine
from tests.e2e.races import Team
from tests.e2e.writers import Writer

WRITERS, CLAIMS, CEILING = 16, 3, 20
BLOWS = 4  # kills of all workers while writers write
PATIENCE = 30  # seconds


@pytest.mark.slow
def test_given_16_writers_at_the_ceiling_when_all_write_then_it_holds_and_every_refusal_explains(
    cloud: Cloud,
) -> None:
    budgets.ceiling_race(Team.of(cloud), "few", WRITERS, CLAIMS, CEILING)


@pytest.mark.slow
def test_given_functions_killed_while_they_write_when_recounted_then_the_budget_is_right(
    start_local: Callable[..., LocalRun],
) -> None:
    run = start_local(app=ROOT)
    cloud = cloud_of(run)
    tenant = cloud.tenant()
    writers = [Writer(cloud, tenant["key"], f"writer {n}", 15) for n in range(4)]
    for writer in writers:
        writer.start()
    for _ in range(BLOWS):
        time.sleep(0.4)
        _kill_workers(run)
    for writer in writers:
        writer.join()
    name = tenant["tenant"]
    before, there = budgets.settled(cloud, name), budgets.live(cloud, name)
    assert before >= there, "a crash leaves the count too high, never too low"

    reserved = table_of(cloud)  # one more that certainly died between its two writes
    reserved.update((budgets.pk_of(name), "BUDGET"), "ADD facts :n, moves :n", values={":n": 1})
    done = budgets.recounted(cloud)
    assert done["corrected"] >= 1
    assert budgets.counted(cloud, name) == there
    assert sum(len(writer.acknowledged) for writer in writers) <= there
    assert cloud.send("POST", "/remember", {"content": "On."}, key=tenant["key"]).status == 201


def test_given_the_state_machine_when_started_then_it_counts_all_projects_to_the_end(
    cloud: Cloud,
) -> None:
    cloud.tenant("one", "two")
    told = run_machine(cloud, "Recount")
    assert (told["projects"] >= 2, told["next"]) == (True, None)


def _kill_workers(run: LocalRun) -> None:
    """End the processes that run functions, in the middle of whatever they do."""
    listed: list[int] = [p for p in run.processes() if _is_worker(p)]
    for pid in listed:
        os.kill(pid, signal.SIGKILL)


def _is_worker(pid: int) -> bool:
    try:
        return b"local.runtime" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def in_plan(cloud: Cloud, plan: Plan) -> str:
    """Return the key of a tenant in that plan."""
    tenant = cloud.tenant()
    table_of(cloud).update(
        (f"TENANT#{tenant['tenant']}", "META"),
        "SET #plan = :plan",
        names={"#plan": "plan"},
        values={":plan": str(plan)},
    )
    return str(tenant["key"])


@pytest.mark.slow
def test_given_a_plan_when_burst_or_month_is_used_up_then_429_says_how_long_and_waiting_helps(
    start_local: Callable[..., LocalRun],
) -> None:
    run = start_local(app=ROOT, rate_limits=True)
    cloud = cloud_of(run)
    key, other = in_plan(cloud, Plan.TRIAL), in_plan(cloud, Plan.TRIAL)

    def ask(who: str = key) -> Reply:
        return cloud.send("GET", "/budget", key=who)

    burst, began = RATES[Plan.TRIAL].burst, time.monotonic()
    statuses: list[int] = []
    while (reply := ask()).status == 200:
        statuses.append(200)
    passed = time.monotonic() - began
    assert burst <= len(statuses) <= burst + passed + 1
    assert (reply.status, reply.json()["code"], reply.json()["retry"]) == (429, "throttled", True)
    assert reply.headers["content-type"] == "application/problem+json"
    wait = int(reply.headers["retry-after"])
    assert ask(other).status == 200
    assert cloud.send("GET", "/health").status == 200
    time.sleep(wait)
    assert ask().status == 200

    run.stop()
    _use_up_the_month(run.data / "usage.json", calls=len(statuses) + 1)
    run = start_local(app=ROOT, rate_limits=True, data=run.data, port=run.port)
    reply = cloud_of(run).send("GET", "/budget", key=key)
    assert (reply.status, reply.json()["code"]) == (429, "quota_exceeded")
    assert reply.headers["retry-after"] == "3600"


def _use_up_the_month(file: Path, calls: int) -> None:
    """Raise the count of the tenant that made so many calls to its quota."""
    usage: dict[str, Any] = json.loads(file.read_text())
    (tenant,) = (name for name, used in usage["used"].items() if used == calls)
    usage["used"][tenant] = RATES[Plan.TRIAL].calls_per_month
    file.write_text(json.dumps(usage))


def test_given_the_deployed_stack_when_a_tenant_is_enrolled_then_its_key_stands_in_one_plan(
    cloud: Cloud,
) -> None:
    client = aws(cloud, "apigateway")
    deployed = client.get_usage_plans()["items"]
    ids = {plan: p["id"] for plan in Plan for p in deployed if p["name"].endswith(f"-{plan}")}
    plans = UsagePlans(client, ids)
    first = plans.enroll("emulated", Plan.TRIAL)
    assert plans.enroll("emulated", Plan.TRIAL) == first
    assert plans.enroll("emulated", Plan.LEAN) == first
    members = {p: client.get_usage_plan_keys(usagePlanId=i)["items"] for p, i in ids.items()}
    assert [plan for plan, keys in members.items() if keys] == [Plan.LEAN]
    assert [key["name"] for key in members[Plan.LEAN]] == ["muniment-emulated"]
