"""API keys in DynamoDB, twice each: for the authorizer by hash, for lists by id.

KEY#{sha256}  META          what the authorizer reads: one item, everything in it
TENANT#{t}    KEY#{key id}  what is listed, rotated and revoked: no secret, the hash only
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from muniment.adapters import keyspace
from muniment.adapters.dynamo_members import (
    DynamoMembers,
    check_same,
    member_item,
    member_key,
    member_of,
    tenant_pk,
)
from muniment.adapters.dynamo_table import ConditionFailed, Key, Table
from muniment.adapters.side_items import ABSENT, version_is
from muniment.domain.caller import Action, PrincipalKind
from muniment.domain.errors import Busy, Conflict, NotFound
from muniment.domain.keys import ApiKey, KeyStanding
from muniment.domain.membership import Member

Item = dict[str, Any]


class KnownKeys:
    """The two reads of the authorizer; the DynamoDB side of api.authorizer.Keys."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def find(self, sha256: str) -> ApiKey | None:
        item = self._table.get(_sha_key(sha256))
        return _key_of(item) if item else None

    def standing(self, key: ApiKey, project: str | None) -> KeyStanding | None:
        tenant: Key = (tenant_pk(key.tenant), "META")
        person = member_key(key.tenant, key.person) if key.person else None
        meta = (keyspace.project_pk(key.tenant, project), "META") if project else None
        rows = self._table.get_many([one for one in (tenant, person, meta) if one])
        if (known := rows.get(tenant)) is None:
            return None
        paid_until = known.get("paid_until")
        return KeyStanding(
            plan=known.get("plan", ""),
            usage_key=known.get("usage_key", ""),
            paid_until=None if paid_until is None else int(paid_until),
            member=member_of(rows[person]) if person and person in rows else None,
            exists=bool(meta and meta in rows and "deleted_at" not in rows[meta]),
        )


class DynamoKeys(DynamoMembers):
    """The DynamoDB side of verbs.tenant_ports.Keys."""

    def add_key(self, key: ApiKey, sha256: str, *people: Member) -> None:
        """Store a key, its principal if it is new, and `people` as they became.

        Raises Conflict if the principal's name belongs to another kind or operator, Busy if one
        of the people changed since.
        """
        if key.principal not in {person.principal for person in people}:
            people = (*people, *self._new_principal(key))
        put = self._table.putting
        try:
            self._table.transact(
                *(put(member_item(key.tenant, one), version_is(one.version)) for one in people),
                *self._key_actions(key, sha256),
            )
        except ConditionFailed:
            raise Busy("somebody changed these members just now", retry_after=1) from None

    def keys(self, tenant: str) -> list[ApiKey]:
        """Return the tenant's keys in order of creation."""
        pages = self._table.query(
            KeyConditionExpression="pk = :pk AND begins_with(sk, :key)",
            ExpressionAttributeValues={":pk": tenant_pk(tenant), ":key": "KEY#"},
            ConsistentRead=True,
        )
        found = [_key_of(item) for page, _ in pages for item in page]
        return sorted(found, key=lambda key: (key.created_at, key.key_id))

    def key(self, tenant: str, key_id: str) -> ApiKey | None:
        item = self._table.get(_shown_key(tenant, key_id))
        return _key_of(item) if item else None

    def rotate(self, old: ApiKey, new: ApiKey, sha256: str, old_ends: int) -> None:
        """Store the new key and let the old one end, in one step. Raises Conflict, NotFound."""
        if (item := self._table.get(_shown_key(old.tenant, old.key_id))) is None:
            raise NotFound(f"no such key {old.key_id}")
        ending = {
            "condition": "attribute_not_exists(revoked_at) AND attribute_not_exists(rotated_to)",
            "values": {":ends": old_ends, ":new": new.key_id},
        }
        changing = "SET expires_at = :ends, rotated_to = :new"
        try:
            self._table.transact(
                self._table.updating(_shown_key(old.tenant, old.key_id), changing, **ending),
                self._table.updating(_sha_key(item["sha256"]), changing, **ending),
                *self._key_actions(new, sha256),
            )
        except ConditionFailed:
            raise Conflict("this key was rotated or revoked before") from None

    def revoke(self, tenant: str, key_id: str, now: int) -> ApiKey:
        """Close a key at once; closing it again changes nothing. Raises NotFound."""
        shown = _shown_key(tenant, key_id)
        item = self._table.get(shown)
        if item is None:
            raise NotFound(f"no such key {key_id}")
        revoking = "SET revoked_at = if_not_exists(revoked_at, :now)"
        self._table.transact(
            self._table.updating(shown, revoking, values={":now": now}),
            self._table.updating(_sha_key(item["sha256"]), revoking, values={":now": now}),
        )
        return _key_of({"revoked_at": now, **item})

    def _new_principal(self, key: ApiKey) -> list[Member]:
        known = self.member(key.tenant, key.principal)
        if known:
            check_same(known, key.kind, key.operator)
            return []
        return [Member(key.principal, key.kind, key.operator)]

    def _key_actions(self, key: ApiKey, sha256: str) -> list[Item]:
        pk, sk = _shown_key(key.tenant, key.key_id)
        shown = {**_key_item(key), "pk": pk, "sk": sk, "sha256": sha256}
        pk, sk = _sha_key(sha256)
        hidden = {**_key_item(key), "pk": pk, "sk": sk}
        return [self._table.putting(shown, ABSENT), self._table.putting(hidden, ABSENT)]


def _sha_key(sha256: str) -> Key:
    return f"KEY#{sha256}", "META"


def _shown_key(tenant: str, key_id: str) -> Key:
    return tenant_pk(tenant), f"KEY#{key_id}"


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
        "made_by": key.made_by,
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
        made_by=item.get("made_by", ""),
    )
