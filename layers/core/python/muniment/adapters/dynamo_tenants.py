"""Tenants in DynamoDB, and all that an operator of the service does to one.

TENANT#{t}  META  plan, usage key, paid_until
"""

from __future__ import annotations

from typing import Any

from muniment.adapters import keyspace
from muniment.adapters.dynamo_keys import DynamoKeys
from muniment.adapters.dynamo_members import check_same, member_key, member_of, tenant_pk
from muniment.adapters.dynamo_projects import DynamoProjects
from muniment.adapters.dynamo_table import ConditionFailed, Key
from muniment.adapters.side_items import ABSENT
from muniment.domain.caller import EVERYWHERE, PrincipalKind
from muniment.domain.errors import Conflict, NotFound
from muniment.domain.keys import ApiKey
from muniment.domain.membership import Member, Membership, least_role
from muniment.domain.plans import Plan

OPERATOR = "operator"  # who granted what the operator's command did


class DynamoTenants(DynamoProjects, DynamoKeys):
    """Every method is one transaction or one query."""

    def create_tenant(
        self, tenant: str, now: int, plan: str = "standard", usage_key: str | None = None
    ) -> None:
        """Raises Conflict if the tenant exists. `usage_key`: what API Gateway counts calls by."""
        item = {"pk": tenant_pk(tenant), "sk": "META", "created_at": now}
        try:
            self._table.put(item | {"plan": plan, "usage_key": usage_key}, ABSENT)
        except ConditionFailed:
            raise Conflict(f"tenant {tenant} exists already") from None

    def has_tenant(self, tenant: str) -> bool:
        return self._table.get(_meta(tenant)) is not None

    def plan(self, tenant: str) -> Plan:
        """Return the tenant's plan. Raises NotFound."""
        if (item := self._table.get(_meta(tenant))) is None:
            raise NotFound(f"no such tenant {tenant}")
        return Plan(item.get("plan", Plan.TRIAL))

    def paid_until(self, tenant: str) -> int | None:
        """Return until when it paid, Unix milliseconds; None: no end. Raises NotFound."""
        if (item := self._table.get(_meta(tenant))) is None:
            raise NotFound(f"no such tenant {tenant}")
        return int(item["paid_until"]) if "paid_until" in item else None

    def set_tenant(self, tenant: str, **chosen: Any) -> None:
        """Set plan, usage_key or paid_until; None takes it away. Raises NotFound."""
        kept = {name: value for name, value in chosen.items() if value is not None}
        gone = [f"#{name}" for name in chosen if name not in kept]
        setting = "SET " + ", ".join(f"#{name} = :{name}" for name in kept) if kept else ""
        said: dict[str, Any] = {"values": {f":{n}": v for n, v in kept.items()}} if kept else {}
        try:
            self._table.update(
                _meta(tenant),
                setting + (" REMOVE " + ", ".join(gone) if gone else ""),
                condition="attribute_exists(pk)",
                names={f"#{name}": name for name in chosen},
                **said,
            )
        except ConditionFailed:
            raise NotFound(f"no such tenant {tenant}") from None

    def enrol(self, key: ApiKey, sha256: str) -> None:
        """Store a key that the operator gives, with the roles its person needs for it.

        Raises NotFound, or Conflict for another kind of the principal. A role is only raised:
        who may more already keeps it.
        """
        tenant, person = (tenant_pk(key.tenant), "META"), key.person
        metas = {
            p: (keyspace.project_pk(key.tenant, p), "META") for p in key.projects if p != EVERYWHERE
        }
        who = member_key(key.tenant, person) if person else None
        mine = member_key(key.tenant, key.principal)
        rows = self._table.get_many([one for one in (tenant, who, mine, *metas.values()) if one])
        if tenant not in rows:
            raise NotFound(f"no such tenant {key.tenant}")
        for project, meta in metas.items():
            if "deleted_at" in rows.get(meta, {"deleted_at": 0}):
                raise NotFound(f"no such project {project}")
        if mine in rows:
            check_same(member_of(rows[mine]), key.kind, key.operator)
        if who in rows:
            check_same(member_of(rows[who]), PrincipalKind.HUMAN, None)
        people = (
            [_with_roles(member_of(rows[who]) if who in rows else Member(person), key)]
            if (person and who)
            else []
        )
        self.add_key(key, sha256, *people)


def _with_roles(person: Member, key: ApiKey) -> Member:
    """Return the person with at least the roles that the key's actions need."""
    for project in key.projects:
        if not key.actions <= person.actions_in(project, key.created_at):
            role = least_role(key.actions | person.actions_in(project, key.created_at))
            granted = Membership(role, None, OPERATOR, key.created_at)
            person = person.with_role(project, granted)
    return person


def _meta(tenant: str) -> Key:
    return tenant_pk(tenant), "META"
