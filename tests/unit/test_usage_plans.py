"""The adapter of API Gateway's usage plans; tests/e2e runs it against the emulator, too."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from botocore.exceptions import ClientError

from muniment import bootstrap
from muniment.adapters.usage_plans import UsagePlans
from muniment.domain.errors import Unprocessable
from muniment.domain.plans import Plan


class Gateway:
    """As much of API Gateway as enrolling needs: keys by prefix in pages of one, plans of keys."""

    def __init__(self) -> None:
        self.keys: list[dict[str, str]] = []
        self.plans: dict[str, list[str]] = {}
        self._numbers = itertools.count(1)

    def create_usage_plan(self, name: str) -> dict[str, str]:
        self.plans[f"id-{name}"] = []
        return {"id": f"id-{name}"}

    def create_api_key(self, name: str, enabled: bool) -> dict[str, str]:
        number = next(self._numbers)
        self.keys.append({"id": f"key{number}", "name": name, "value": f"{number:020}"})
        return self.keys[-1]

    def get_paginator(self, operation: str) -> Gateway:
        assert operation == "get_api_keys"
        return self

    def paginate(self, nameQuery: str, includeValues: bool) -> list[dict[str, Any]]:
        return [{"items": [key]} for key in self.keys if key["name"].startswith(nameQuery)]

    def create_usage_plan_key(self, usagePlanId: str, keyId: str, keyType: str) -> None:
        if keyId in self.plans[usagePlanId]:
            raise _error("ConflictException")
        if any(keyId in keys for keys in self.plans.values()):
            raise _error("BadRequestException")  # two plans of one stage
        self.plans[usagePlanId].append(keyId)

    def delete_usage_plan_key(self, usagePlanId: str, keyId: str) -> None:
        if keyId not in self.plans[usagePlanId]:
            raise _error("NotFoundException")
        self.plans[usagePlanId].remove(keyId)


def _error(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": code}}, "UsagePlans")


@pytest.fixture
def client() -> Gateway:
    return Gateway()


@pytest.fixture
def ids(client: Gateway) -> dict[Plan, str]:
    return {plan: client.create_usage_plan(name=f"stack-{plan}")["id"] for plan in Plan}


def members(client: Gateway, ids: dict[Plan, str]) -> dict[Plan, list[str]]:
    """Return the names of the keys in each plan that has some."""
    names = {key["id"]: key["name"] for key in client.keys}
    return {p: [names[k] for k in client.plans[i]] for p, i in ids.items() if client.plans[i]}


def test_given_a_tenant_when_enrolled_twice_then_one_key_in_one_plan(
    client: Gateway, ids: dict[Plan, str]
):
    plans = UsagePlans(client, ids)
    values = {plans.enroll("acme", Plan.TRIAL) for _ in range(2)}
    (key,) = client.keys
    assert values == {key["value"]}
    assert len(key["value"]) >= 20
    assert members(client, ids) == {Plan.TRIAL: ["muniment-acme"]}


def test_given_another_plan_when_enrolled_then_the_same_key_moves(
    client: Gateway, ids: dict[Plan, str]
):
    plans = UsagePlans(client, ids)
    first = plans.enroll("acme", Plan.TRIAL)
    assert plans.enroll("acme", Plan.EXTENDED) == first
    assert members(client, ids) == {Plan.EXTENDED: ["muniment-acme"]}


def test_given_a_tenant_whose_name_begins_alike_when_enrolled_then_it_has_its_own_key(
    client: Gateway, ids: dict[Plan, str]
):
    plans = UsagePlans(client, ids)
    longer = plans.enroll("acme-2", Plan.LEAN)
    assert plans.enroll("acme", Plan.LEAN) != longer
    assert sorted(members(client, ids)[Plan.LEAN]) == ["muniment-acme", "muniment-acme-2"]


def test_given_a_move_that_broke_off_when_enrolled_again_then_it_is_finished(
    client: Gateway, ids: dict[Plan, str]
):
    plans = UsagePlans(client, ids)
    plans.enroll("acme", Plan.TRIAL)
    (key,) = client.keys
    client.delete_usage_plan_key(usagePlanId=ids[Plan.TRIAL], keyId=key["id"])
    plans.enroll("acme", Plan.LEAN)
    assert members(client, ids) == {Plan.LEAN: ["muniment-acme"]}


def test_given_the_stacks_output_when_read_then_it_names_the_plans(
    client: Gateway, ids: dict[Plan, str]
):
    text = ",".join(f"{plan}={plan_id}" for plan, plan_id in ids.items())
    UsagePlans.named(client, text).enroll("acme", Plan.STANDARD)
    assert members(client, ids) == {Plan.STANDARD: ["muniment-acme"]}


@pytest.mark.parametrize("text", ["trial", "gold=1", "trial=1,lean=2", "trial=1,lean=2,standard="])
def test_given_a_text_that_names_not_all_plans_when_read_then_it_is_refused(text: str):
    with pytest.raises(Unprocessable):
        UsagePlans.named(None, text)


def test_given_a_laptop_when_asked_then_there_are_no_usage_plans(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("USAGE_PLANS", raising=False)
    bootstrap.usage_plans.cache_clear()
    assert bootstrap.usage_plans() is None


def test_given_a_gateway_that_refuses_when_enrolled_then_nothing_is_hidden(
    client: Gateway, ids: dict[Plan, str], monkeypatch: pytest.MonkeyPatch
):
    def refuse(**_: object) -> None:
        raise _error("TooManyRequestsException")

    monkeypatch.setattr(client, "create_usage_plan_key", refuse)
    with pytest.raises(ClientError):
        UsagePlans(client, ids).enroll("acme", Plan.TRIAL)
