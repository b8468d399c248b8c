"""Rates and quotas: one truth, repeated by the template, held by the local gateway."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from local.gateway import Gateway
from local.gateway_responses import QUOTA_EXCEEDED, THROTTLED
from local.proxy_events import Request
from local.rates import SAVE_SECONDS, Rate, Rates, rates_of
from local.workers import Outcome
from muniment.domain.plans import RATES, Plan
from tests.template import TEMPLATE, named

START = 1_780_000_000.0  # Unix seconds, 2026-05-28
JUNE = 1_780_272_000.0  # 2026-06-01T00:00:00Z
SLOW = {"slow": Rate(rate=2.0, burst=3, quota=5)}


class Clock:
    def __init__(self, now: float = START) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rates(tmp_path: Path, clock: Clock) -> Rates:
    return Rates(SLOW, tmp_path / "usage.json", clock)


def kinds(rates: Rates, count: int, tenant: str = "acme") -> list[str | None]:
    failures = [rates.refusal(tenant, "slow") for _ in range(count)]
    return [failure and failure.kind for failure in failures]


def test_given_the_template_when_its_plans_are_read_then_the_numbers_are_those_of_the_domain():
    told = {
        plan.value: Rate(rate.calls_per_second, rate.burst, rate.calls_per_month)
        for plan, rate in RATES.items()
    }
    assert rates_of(TEMPLATE) == told
    assert set(RATES) == set(Plan)
    per_minute = {plan.value: rate.calls_per_minute for plan, rate in RATES.items()}
    assert per_minute == {"trial": 60, "lean": 120, "standard": 120, "extended": 300}
    month = [rate.calls_per_month for rate in RATES.values()]
    assert month == [20_000, 250_000, 1_000_000, 5_000_000]


def test_given_the_plans_of_the_template_when_deployed_then_they_hold_the_stage_by_month():
    for plan in named("AWS::ApiGateway::UsagePlan").values():
        assert plan["ApiStages"] == [{"ApiId": {"Ref": "Api"}, "Stage": {"Ref": "Api.Stage"}}]
        assert plan["Quota"]["Period"] == "MONTH"


def test_given_a_burst_when_it_is_used_up_then_one_call_comes_back_with_each_part_of_a_second(
    rates: Rates, clock: Clock
):
    assert kinds(rates, 4) == [None, None, None, "THROTTLED"]
    clock.now += 0.49
    assert kinds(rates, 1) == ["THROTTLED"]
    clock.now += 0.01
    assert kinds(rates, 2) == [None, "THROTTLED"]


def test_given_a_silence_when_it_ends_then_no_more_than_the_burst_was_saved_up(
    rates: Rates, clock: Clock
):
    kinds(rates, 1)
    clock.now += 1
    assert kinds(rates, 4) == [None, None, None, "THROTTLED"]


def test_given_a_clock_set_back_when_asked_then_nobody_gains_or_waits_for_ever(
    rates: Rates, clock: Clock
):
    kinds(rates, 3)
    clock.now -= 3_600
    assert kinds(rates, 1) == ["THROTTLED"]
    clock.now += 0.5
    assert kinds(rates, 1) == [None]


def test_given_one_tenant_at_its_limit_when_another_calls_then_it_is_not_held(rates: Rates):
    kinds(rates, 4)
    assert kinds(rates, 1, "globex") == [None]


def test_given_a_plan_that_nobody_declared_when_asked_then_there_is_no_limit(rates: Rates):
    assert [rates.refusal("acme", "") for _ in range(9)] == [None] * 9


def test_given_a_month_used_up_when_asked_then_refused_until_the_next_begins(
    rates: Rates, clock: Clock
):
    for _ in range(5):
        clock.now += 1
        assert kinds(rates, 1) == [None]
    clock.now += 1
    assert kinds(rates, 1) == ["QUOTA_EXCEEDED"]
    clock.now = JUNE - 1
    assert kinds(rates, 1) == ["QUOTA_EXCEEDED"]
    clock.now = JUNE
    assert kinds(rates, 1) == [None]


def test_given_calls_when_the_process_ends_then_the_month_goes_on_where_it_was(
    tmp_path: Path, clock: Clock
):
    file = tmp_path / "usage.json"
    first = Rates(SLOW, file, clock)
    kinds(first, 3)
    assert not file.exists()
    first.save()
    clock.now += 60
    later = Rates(SLOW, file, clock)
    assert kinds(later, 3) == [None, None, "QUOTA_EXCEEDED"]


def test_given_calls_when_some_seconds_pass_then_they_are_written_down(
    rates: Rates, clock: Clock, tmp_path: Path
):
    kinds(rates, 1)
    clock.now += SAVE_SECONDS
    kinds(rates, 1)
    kept = json.loads((tmp_path / "usage.json").read_text())
    assert kept == {"month": "2026-05", "used": {"acme": 2}}


@pytest.mark.parametrize("text", ["", "[]", '{"month": "2026-05"}', '{"used": 1, "month": 2}'])
def test_given_a_file_that_nobody_can_read_when_started_then_the_month_begins_anew(
    tmp_path: Path, clock: Clock, text: str
):
    (tmp_path / "usage.json").write_text(text)
    assert kinds(Rates(SLOW, tmp_path / "usage.json", clock), 1) == [None]


@pytest.mark.parametrize(
    ("quota", "code", "wait"), [(9, "throttled", "1"), (3, "quota_exceeded", "3600")]
)
def test_given_the_products_gateway_when_a_plan_is_used_up_then_its_own_answer_says_how_long(
    tmp_path: Path, clock: Clock, quota: int, code: str, wait: str
):
    burst = 3 if code == "throttled" else 9
    rates = Rates({"slow": Rate(1.0, burst, quota)}, tmp_path / "usage.json", clock)
    gateway = Gateway(TEMPLATE, _admitting, "api1", rates)
    answers = [gateway.handle(_a_read()) for _ in range(4)]
    assert [answer.status for answer in answers] == [200, 200, 200, 429]
    assert json.loads(answers[-1].body)["code"] == code
    assert dict(answers[-1].headers)["Retry-After"] == wait
    open_route = Request("GET", "/api/v1/project-memory/health", (), b"", "127.0.0.1")
    assert gateway.handle(open_route).status == 200


def _a_read() -> Request:
    return Request("GET", "/api/v1/project-memory/facts", (), b"", "127.0.0.1")


def _admitting(name: str, event: Any) -> Outcome:
    if name != "Authorize":
        return Outcome({"statusCode": 200, "body": "{}"})
    statement = {"Effect": "Allow", "Resource": "*"}
    context = {"tenant": "acme", "plan": "slow"}
    policy = {"principalId": "p", "policyDocument": {"Statement": [statement]}}
    return Outcome({**policy, "context": context})


def test_given_failures_when_named_then_they_are_api_gateways():
    assert (THROTTLED.kind, THROTTLED.status) == ("THROTTLED", 429)
    assert (QUOTA_EXCEEDED.kind, QUOTA_EXCEEDED.status) == ("QUOTA_EXCEEDED", 429)
