"""Tenants, projects, principals and keys in DynamoDB.

TENANT#{t}        META              plan and subscription state
TENANT#{t}        PRINCIPAL#{name}  who acts; an agent has an operator
TENANT#{t}        KEY#{key id}      what the owner lists and revokes: no secret, the hash only
KEY#{sha256}      META              what the authorizer reads: one item, everything in it
T#{t}#P#{p}       META, BUDGET      the project
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from muniment.adapters import keyspace
from muniment.adapters.dynamo_table import ConditionFailed, Key, Table
from muniment.domain.budget import Profile
from muniment.domain.caller import Action, PrincipalKind
from muniment.domain.errors import Conflict, NotFound
from muniment.domain.keys import ApiKey

Item = dict[str, Any]
ABSENT = {"condition": "attribute_not_exists(pk)"}


class DynamoKeys:
    """The two reads of the authorizer."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def find(self, sha256: str) -> ApiKey | None:
        item = self._table.get(_sha_key(sha256))
        return _key_of(item) if item else None

    def plan_of(self, tenant: str) -> tuple[str, str]:
        """Return the tenant's plan of calls and its usage key, empty where it has none."""
        item = self._table.get((f"TENANT#{tenant}", "META")) or {}
        return item.get("plan", ""), item.get("usage_key", "")


class DynamoTenants:
    """What an operator does. Every method is one transaction or one query."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def create_tenant(
        self, tenant: str, now: int, plan: str = "standard", usage_key: str | None = None
    ) -> None:
        """Raises Conflict if the tenant exists. `usage_key`: what API Gateway counts calls by."""
        item = {"pk": f"TENANT#{tenant}", "sk": "META", "state": "active", "created_at": now}
        item |= {"plan": plan, "usage_key": usage_key}
        self._put_new(item, f"tenant {tenant} exists already")

    def has_tenant(self, tenant: str) -> bool:
        return self._table.get((f"TENANT#{tenant}", "META")) is not None

    def create_project(self, tenant: str, project: str, profile: Profile, now: int) -> None:
        """Raises Conflict if the project exists."""
        pk = keyspace.project_pk(tenant, project)
        meta = {"pk": pk, "sk": "META", "profile": str(profile), "created_at": now}
        budget = {"pk": pk, "sk": "BUDGET", "facts": 0}
        try:
            self._table.transact(
                self._table.putting(meta, ABSENT), self._table.putting(budget, ABSENT)
            )
        except ConditionFailed:
            raise Conflict(f"project {project} exists already") from None

    def set_project(self, tenant: str, project: str, chosen: Mapping[str, bool]) -> None:
        """Change settings of a project (domain.intake.Settings). Raises NotFound."""
        names = {f"#{name}": name for name in chosen}
        values = {f":{name}": value for name, value in chosen.items()}
        setting = ", ".join(f"#{name} = :{name}" for name in chosen)
        try:
            self._table.update(
                (keyspace.project_pk(tenant, project), "META"),
                f"SET {setting}",
                condition="attribute_exists(pk)",
                values=values,
                names=names,
            )
        except ConditionFailed:
            raise NotFound(f"no such project {project}") from None

    def add_key(self, key: ApiKey, sha256: str) -> None:
        """Store a key and its principal. Raises NotFound, or Conflict for another kind of it.

        A principal stays what it is: the same name with another kind or operator is refused,
        because authorship compares principals (row I-03).
        """
        tenant, who = f"TENANT#{key.tenant}", _principal_item(key)
        projects = [(keyspace.project_pk(key.tenant, project), "META") for project in key.projects]
        rows = self._table.get_many([(tenant, "META"), *projects, (who["pk"], who["sk"])])
        missing = [p for p, k in zip(key.projects, projects, strict=True) if k not in rows]
        if (tenant, "META") not in rows or missing:
            what = f"project {missing[0]}" if missing else f"tenant {key.tenant}"
            raise NotFound(f"no such {what}")
        known = rows.get((who["pk"], who["sk"]))
        if known and (known["kind"], known.get("operator")) != (str(key.kind), key.operator):
            raise Conflict(f"principal {key.principal} is known as {known['kind']}")
        shown = {**_key_item(key), "pk": tenant, "sk": f"KEY#{key.key_id}", "sha256": sha256}
        pk, sk = _sha_key(sha256)
        self._table.transact(
            self._table.putting(who),
            self._table.putting(shown, ABSENT),
            self._table.putting({**_key_item(key), "pk": pk, "sk": sk}, ABSENT),
        )

    def keys(self, tenant: str) -> list[ApiKey]:
        """Return the tenant's keys in order of creation."""
        pages = self._table.query(
            KeyConditionExpression="pk = :pk AND begins_with(sk, :key)",
            ExpressionAttributeValues={":pk": f"TENANT#{tenant}", ":key": "KEY#"},
        )
        found = [_key_of(item) for page, _ in pages for item in page]
        return sorted(found, key=lambda key: (key.created_at, key.key_id))

    def revoke(self, tenant: str, key_id: str, now: int) -> None:
        """Close a key at once; closing it again changes nothing. Raises NotFound."""
        shown = (f"TENANT#{tenant}", f"KEY#{key_id}")
        item = self._table.get(shown)
        if item is None:
            raise NotFound(f"no such key {key_id}")
        revoking = "SET revoked_at = if_not_exists(revoked_at, :now)"
        self._table.transact(
            self._table.updating(shown, revoking, values={":now": now}),
            self._table.updating(_sha_key(item["sha256"]), revoking, values={":now": now}),
        )

    def _put_new(self, item: Mapping[str, Any], taken: str) -> None:
        try:
            self._table.put(item, ABSENT)
        except ConditionFailed:
            raise Conflict(taken) from None


def _sha_key(sha256: str) -> Key:
    return f"KEY#{sha256}", "META"


def _principal_item(key: ApiKey) -> Item:
    return {
        "pk": f"TENANT#{key.tenant}",
        "sk": f"PRINCIPAL#{key.principal}",
        "kind": str(key.kind),
        "operator": key.operator,
    }


def _key_item(key: ApiKey) -> Item:
    return {
        "key_id": key.key_id,
        "tenant": key.tenant,
        "principal": key.principal,
        "kind": str(key.kind),
        "operator": key.operator,
        "projects": list(key.projects),
        "actions": sorted(key.actions),
        "created_at": key.created_at,
        "expires_at": key.expires_at,
        "revoked_at": key.revoked_at,
    }


def _key_of(item: Mapping[str, Any]) -> ApiKey:
    expires_at, revoked_at = item.get("expires_at"), item.get("revoked_at")
    return ApiKey(
        key_id=item["key_id"],
        tenant=item["tenant"],
        principal=item["principal"],
        kind=PrincipalKind(item["kind"]),
        operator=item.get("operator"),
        projects=tuple(item["projects"]),
        actions=frozenset(Action(action) for action in item["actions"]),
        created_at=int(item["created_at"]),
        expires_at=None if expires_at is None else int(expires_at),
        revoked_at=None if revoked_at is None else int(revoked_at),
    )
