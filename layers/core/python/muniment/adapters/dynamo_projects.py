"""Projects, what is left of deleted ones, and the holds that outlive them, in DynamoDB.

T#{t}#P#{p}  META               profile, settings, names; deleted_at once it is deleted
T#{t}#P#{p}  BUDGET             see dynamo_budgets
TENANT#{t}   PROJECT#{p}        that there is such a project: what lists them
SWEEPS       {t}#{p}            a deleted project whose facts are still to be forgotten
T#{t}#HOLDS  HELD#{p}#{fact}    a held fact of a deleted project

A project's META is never deleted, so its id is never given again and its facts can not come back
under a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from muniment.adapters import keyspace
from muniment.adapters import side_items as side
from muniment.adapters.dynamo_members import tenant_pk
from muniment.adapters.dynamo_table import ConditionFailed, Key, Table
from muniment.domain.budget import Profile
from muniment.domain.errors import Conflict, NotFound
from muniment.domain.moments import DAY, SECOND
from muniment.domain.projects import Deleted, Held, Project

Item = dict[str, Any]
LIVING = "attribute_exists(pk) AND attribute_not_exists(deleted_at)"
SWEEPS = "SWEEPS"
SWEPT_DAYS = 35  # that a finished sweep is remembered


class DynamoProjects:
    """The DynamoDB side of verbs.tenant_ports.Projects."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def create_project(
        self,
        tenant: str,
        project: str,
        profile: Profile,
        now: int,
        said: Mapping[str, Any] | None = None,
    ) -> None:
        """Raises Conflict if the project exists, or ever did."""
        pk = keyspace.project_pk(tenant, project)
        meta = {"pk": pk, "sk": "META", "profile": str(profile), "created_at": now}
        budget = {"pk": pk, "sk": "BUDGET", "facts": 0}
        listed = {"pk": tenant_pk(tenant), "sk": f"PROJECT#{project}"}
        put = self._table.putting
        try:
            self._table.transact(
                put({**meta, **(said or {})}, side.ABSENT), put(budget, side.ABSENT), put(listed)
            )
        except ConditionFailed:
            raise Conflict(f"project {project} exists already, or was deleted") from None

    def project(self, tenant: str, project: str) -> Project | None:
        """Return it unless it is deleted."""
        item = self._table.get(_meta(tenant, project))
        return _project_of(project, item) if item else None

    def projects(self, tenant: str) -> list[Project]:
        """Return all that are not deleted, in order of their ids."""
        pages = self._table.query(
            KeyConditionExpression="pk = :pk AND begins_with(sk, :project)",
            ExpressionAttributeValues={":pk": tenant_pk(tenant), ":project": "PROJECT#"},
            ConsistentRead=True,
        )
        ids = sorted(str(item["sk"]).partition("#")[2] for page, _ in pages for item in page)
        rows = self._table.get_many([_meta(tenant, project) for project in ids])
        found = (_project_of(p, rows.get(_meta(tenant, p))) for p in ids)
        return [project for project in found if project]

    def set_project(self, tenant: str, project: str, chosen: Mapping[str, Any]) -> Project:
        """Change settings and names; None takes a name away. Raises NotFound."""
        kept = {name: value for name, value in chosen.items() if value is not None}
        gone = [name for name in chosen if name not in kept]
        setting = "SET " + ", ".join(f"#{name} = :{name}" for name in kept) if kept else ""
        removing = " REMOVE " + ", ".join(f"#{name}" for name in gone) if gone else ""
        said: Item = {"values": {f":{name}": value for name, value in kept.items()}} if kept else {}
        item = self._living(
            tenant,
            project,
            setting + removing,
            names={f"#{name}": name for name in chosen},
            **said,
        )
        found = _project_of(project, item)
        assert found is not None
        return found

    def delete_project(self, tenant: str, project: str, *, by: str, reason: str, now: int) -> None:
        """Hide the project at once and note it for the sweep. Raises NotFound."""
        values = {":now": now, ":by": by, ":reason": reason}
        sweep = {"pk": SWEEPS, "sk": f"{tenant}#{project}", "deleted_at": now}
        try:
            self._table.transact(
                self._table.updating(
                    _meta(tenant, project),
                    "SET deleted_at = :now, deleted_by = :by, delete_reason = :reason",
                    condition=LIVING,
                    values=values,
                ),
                self._table.putting(sweep),
            )
        except ConditionFailed:
            raise NotFound("no such project") from None

    def to_sweep(self) -> list[Deleted]:
        pages = self._table.query(
            KeyConditionExpression="pk = :pk",
            FilterExpression="attribute_not_exists(swept_at)",
            ExpressionAttributeValues={":pk": SWEEPS},
            ConsistentRead=True,
        )
        rows = [item for page, _ in pages for item in page]
        named = [(str(row["sk"]).split("#"), int(row["deleted_at"])) for row in rows]
        return [Deleted(tenant, project, at) for (tenant, project), at in named]

    def swept(self, tenant: str, project: str, now: int) -> None:
        self._table.update(
            (SWEEPS, f"{tenant}#{project}"),
            "SET swept_at = :now, #ttl = :ttl",
            condition="attribute_exists(pk)",
            values={":now": now, ":ttl": (now + SWEPT_DAYS * DAY) // SECOND},
            names={"#ttl": "ttl"},
        )

    def list_hold(self, tenant: str, held: Held) -> None:
        """Write it into the ledger; once is enough."""
        pk, sk = _held_key(tenant, held.project, held.fact_id)
        row = {"pk": pk, "sk": sk, "listed_at": held.listed_at}
        try:
            self._table.put(row, side.ABSENT)
        except ConditionFailed:
            return

    def holds(self, tenant: str) -> list[Held]:
        pages = self._table.query(
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": _held_key(tenant, "", "")[0]},
            ConsistentRead=True,
        )
        return [_held_of(item) for page, _ in pages for item in page]

    def release_hold(self, tenant: str, held: Held, *, by: str, reason: str, now: int) -> None:
        """Note the release; the first one stays."""
        self._table.update(
            _held_key(tenant, held.project, held.fact_id),
            "SET released_at = if_not_exists(released_at, :now), "
            "released_by = if_not_exists(released_by, :by), "
            "#reason = if_not_exists(#reason, :reason)",
            condition="attribute_exists(pk)",
            values={":now": now, ":by": by, ":reason": reason},
            names={"#reason": "reason"},
        )

    def _living(self, tenant: str, project: str, expression: str, **said: Any) -> Item:
        try:
            return self._table.update(_meta(tenant, project), expression, condition=LIVING, **said)
        except ConditionFailed:
            raise NotFound(f"no such project {project}") from None


def _meta(tenant: str, project: str) -> Key:
    return keyspace.project_pk(tenant, project), "META"


def _held_key(tenant: str, project: str, fact_id: str) -> Key:
    return f"T#{tenant}#HOLDS", f"HELD#{project}#{fact_id}"


def _held_of(item: Mapping[str, Any]) -> Held:
    _, project, fact_id = str(item["sk"]).split("#")
    released_at = item.get("released_at")
    return Held(
        project,
        fact_id,
        int(item["listed_at"]),
        None if released_at is None else int(released_at),
        item.get("released_by"),
        item.get("reason"),
    )


def _project_of(project: str, item: Mapping[str, Any] | None) -> Project | None:
    settings = side.settings_of(dict(item)) if item else None
    if item is None or settings is None:
        return None
    return Project(
        project=project,
        settings=settings,
        created_at=int(item.get("created_at", 0)),
        display_name=item.get("display_name"),
        repository=item.get("repository"),
    )
