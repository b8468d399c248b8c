"""Who belongs to a tenant, and their roles, in DynamoDB.

TENANT#{t}  PRINCIPAL#{name}  kind, operator, roles by project, version

All roles of a person lie in one item, so the authorizer needs one read for any project.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from muniment.adapters.dynamo_table import ConditionFailed, Key, Table
from muniment.adapters.side_items import version_is
from muniment.domain.caller import PrincipalKind
from muniment.domain.errors import Busy, Conflict
from muniment.domain.membership import Member, Membership, Role

Item = dict[str, Any]
TAKEN = "{0} is known as {1}{2}"


class DynamoMembers:
    """The DynamoDB side of verbs.tenant_ports.Members."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def member(self, tenant: str, principal: str) -> Member | None:
        item = self._table.get(member_key(tenant, principal))
        return member_of(item) if item else None

    def members(self, tenant: str) -> list[Member]:
        pages = self._table.query(
            KeyConditionExpression="pk = :pk AND begins_with(sk, :principal)",
            ExpressionAttributeValues={":pk": tenant_pk(tenant), ":principal": "PRINCIPAL#"},
            ConsistentRead=True,
        )
        return [member_of(item) for page, _ in pages for item in page]

    def keep(self, tenant: str, *changed: Member, needing: Member | None = None) -> None:
        """Store members as they became, all or none, while `needing` stays as it was read.

        Raises Busy if somebody changed one of them since.
        """
        actions = [
            self._table.putting(member_item(tenant, member), version_is(member.version))
            for member in changed
        ]
        if needing and needing.principal not in {member.principal for member in changed}:
            key = member_key(tenant, needing.principal)
            actions.append(self._table.checking(key, version_is(needing.version)))
        try:
            self._table.transact(*actions)
        except ConditionFailed:
            raise Busy("somebody changed these members just now", retry_after=1) from None


def tenant_pk(tenant: str) -> str:
    return f"TENANT#{tenant}"


def member_key(tenant: str, principal: str) -> Key:
    return tenant_pk(tenant), f"PRINCIPAL#{principal}"


def member_item(tenant: str, member: Member) -> Item:
    """Return the item with the version after the one that was read."""
    pk, sk = member_key(tenant, member.principal)
    return {
        "pk": pk,
        "sk": sk,
        "kind": str(member.kind),
        "operator": member.operator,
        "version": member.version + 1,
        "roles": {where: _role_item(role) for where, role in member.roles.items()},
    }


def _role_item(membership: Membership) -> Item:
    item = {"role": str(membership.role), "by": membership.by, "at": membership.at}
    return item | ({"until": membership.until} if membership.until is not None else {})


def member_of(item: Mapping[str, Any]) -> Member:
    return Member(
        principal=str(item["sk"]).partition("#")[2],
        kind=PrincipalKind(item["kind"]),
        operator=item.get("operator"),
        roles={where: _membership(role) for where, role in item.get("roles", {}).items()},
        version=int(item.get("version", 0)),
    )


def _membership(item: Mapping[str, Any]) -> Membership:
    until = item.get("until")
    return Membership(
        Role(item["role"]), None if until is None else int(until), item["by"], int(item["at"])
    )


def check_same(known: Member, kind: PrincipalKind, operator: str | None) -> None:
    """Raise Conflict if the name is somebody else's: authorship compares principals (I-03)."""
    if (known.kind, known.operator) != (kind, operator):
        works_for = f" of {known.operator}" if known.operator else ""
        raise Conflict(TAKEN.format(known.principal, known.kind, works_for))
