"""Tenants in API Gateway's usage plans: the gateway itself holds a tenant to its rate and quota.

    authorizer ── usageIdentifierKey ──► API key of the tenant ──► usage plan ──► 429 or on

The value of that key is no secret of a caller: it opens nothing, the authorizer names it after it
has checked the caller's own key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from muniment.domain.errors import Unprocessable
from muniment.domain.plans import Plan


class UsagePlans:
    """`client` is boto3's API Gateway client; `ids` are the usage plans of one stack."""

    def __init__(self, client: Any, ids: Mapping[Plan, str]) -> None:
        self._client, self._ids = client, ids

    @classmethod
    def named(cls, client: Any, text: str) -> UsagePlans:
        """Read the output UsagePlans of the stack: `trial=ID,lean=ID,…`. Raises Unprocessable."""
        try:
            pairs = [pair.split("=") for pair in text.split(",")]
            ids = {Plan(name.strip()): plan_id.strip() for name, plan_id in pairs}
        except ValueError:
            raise Unprocessable(
                "USAGE_PLANS must be trial=ID,lean=ID,…", field="USAGE_PLANS"
            ) from None
        if missing := [plan for plan in Plan if not ids.get(plan)]:
            raise Unprocessable(f"USAGE_PLANS lacks the plan '{missing[0]}'", field="USAGE_PLANS")
        return cls(client, ids)

    def enroll(self, tenant: str, plan: Plan) -> str:
        """Bring the tenant into the plan, and out of the others; return its usage key's value.

        May be repeated; one that broke off half way is finished by the next. A tenant that moves
        is in no plan for a moment: a request that meets it is answered 403.
        """
        key_id, value = self._key(f"muniment-{tenant}")
        for other, plan_id in self._ids.items():
            if other != plan:
                self._leave(plan_id, key_id)
        self._enter(self._ids[plan], key_id)
        return value

    def _key(self, name: str) -> tuple[str, str]:
        """Return id and value of the key with that very name; made if there is none."""
        pages = self._client.get_paginator("get_api_keys").paginate(
            nameQuery=name, includeValues=True
        )
        found = [key for page in pages for key in page["items"] if key["name"] == name]
        key = min(found, key=lambda one: one["id"]) if found else self._made(name)
        return key["id"], key["value"]

    def _made(self, name: str) -> Mapping[str, Any]:
        made: Mapping[str, Any] = self._client.create_api_key(name=name, enabled=True)
        return made

    def _enter(self, plan_id: str, key_id: str) -> None:
        try:
            self._client.create_usage_plan_key(usagePlanId=plan_id, keyId=key_id, keyType="API_KEY")
        except ClientError as error:
            _unless(error, "ConflictException")  # it is in the plan already

    def _leave(self, plan_id: str, key_id: str) -> None:
        try:
            self._client.delete_usage_plan_key(usagePlanId=plan_id, keyId=key_id)
        except ClientError as error:
            _unless(error, "NotFoundException")  # it was not in the plan


def _unless(error: ClientError, code: str) -> None:
    if error.response["Error"]["Code"] != code:
        raise error
