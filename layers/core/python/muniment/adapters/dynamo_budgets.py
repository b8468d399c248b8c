"""What a project used, in DynamoDB: the counter of its facts and the ledger of its units.

    T#{t}#P#{p}  META               profile, and what an operator added: extra_…
    T#{t}#P#{p}  BUDGET             facts (live heads), moves (changes of this item), moved_at
    T#{t}#P#{p}  UNITS#{what}       used: only grows
    T#{t}#P#{p}  LEDGER#{what}#{f}  one payment for the group with fingerprint f; never deleted

BUDGET stands in no transaction, because all writers of a project share it: it is moved before and
after, by one update each. UNITS stands in the transaction of its own ledger row.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from botocore.exceptions import BotoCoreError, ClientError

from muniment.adapters import keyspace
from muniment.adapters import side_items as side
from muniment.adapters.dynamo_table import ConditionFailed, Item, Key, Table
from muniment.domain.budget import UNIT, Admission, Spending, admission, may_exceed, refusal
from muniment.domain.errors import Busy, NotFound
from muniment.domain.fact import Kind, State
from muniment.domain.intake import Settings
from muniment.domain.recount import Counted, Tally

EMBEDDING, SUMMARY = "UNITS#embedding", "UNITS#summary"
BETWEEN = "\n"  # in no key


class DynamoBudgets:
    """The DynamoDB side of verbs.ports.Budgets."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def reserve(
        self, tenant: str, project: str, kind: Kind, settings: Settings, now: int
    ) -> Admission:
        ceiling = settings.allowance.facts
        free: Item = {"condition": "attribute_not_exists(facts) OR facts < :ceiling"}
        said = {} if may_exceed(kind) else free
        values = {":one": 1, ":now": now} | ({":ceiling": ceiling} if said else {})
        moved = "ADD facts :one, moves :one SET moved_at = :now"
        try:
            budget = self._table.update(_budget(tenant, project), moved, values=values, **said)
        except ConditionFailed as failed:
            (full,) = failed.items
            raise refusal(int((full or {}).get("facts", ceiling)), ceiling, kind) from None
        return admission(int(budget["facts"]), ceiling)

    def give_back(self, tenant: str, project: str, count: int, now: int) -> None:
        """Never raises: what is not given back is found by the nightly recount."""
        with suppress(ConditionFailed, Busy, BotoCoreError, ClientError):
            self._table.update(
                _budget(tenant, project),
                "ADD facts :less, moves :one SET moved_at = :now",
                condition="facts >= :count",
                values={":less": -count, ":count": count, ":one": 1, ":now": now},
            )

    def spending(self, tenant: str, project: str) -> Spending | None:
        meta, budget = _meta(tenant, project), _budget(tenant, project)
        units = {what: (meta[0], what) for what in (EMBEDDING, SUMMARY)}
        rows = self._table.get_many([meta, budget, *units.values()])
        settings = side.settings_of(rows.get(meta))
        if settings is None:
            return None
        used = {what: int(rows.get(key, {}).get("used", 0)) for what, key in units.items()}
        return Spending(
            profile=settings.profile,
            allowance=settings.allowance,
            facts=int(rows.get(budget, {}).get("facts", 0)),
            summary_units=used[SUMMARY],
            embedding_units=used[EMBEDDING],
        )

    def pay_embedding(
        self, tenant: str, project: str, units: int, fingerprint: str, now: int
    ) -> bool:
        settings = side.settings_of(self._table.get(_meta(tenant, project)))
        if settings is None or (left := settings.allowance.embedding_units - units) < 0:
            return False
        key: Key = (keyspace.project_pk(tenant, project), EMBEDDING)
        row = {
            "pk": key[0],
            "sk": f"LEDGER#embedding#{fingerprint}",
            "units": units,
            "characters_per_unit": UNIT,
            "paid_at": now,
        }
        counted = self._table.updating(
            key,
            "ADD used :units",
            condition="attribute_not_exists(used) OR used <= :left",
            values={":units": units, ":left": left},
        )
        try:
            self._table.transact(counted, self._table.putting(row, side.ABSENT))
        except ConditionFailed as failed:
            return failed.items[1] is not None  # paid before: the same group comes again
        return True

    def top_up(self, tenant: str, project: str, more: Mapping[str, int]) -> None:
        """Raise maxima: facts, summary_units, embedding_units. Raises NotFound."""
        adding = ", ".join(f"extra_{name} :{name}" for name in more)
        try:
            self._table.update(
                _meta(tenant, project),
                f"ADD {adding}",
                condition="attribute_exists(pk) AND attribute_not_exists(deleted_at)",
                values={f":{name}": count for name, count in more.items()},
            )
        except ConditionFailed:
            raise NotFound(f"no such project {project}") from None

    def tallies(self, began: int) -> list[Tally]:
        found, after = list[Tally](), None
        while True:
            rows, after = self._rows("BUDGET", "facts, moves, moved_at", {}, after)
            found += [_tally(row, began) for row in rows]
            if after is None:
                return found

    def counted(self, after: str | None) -> tuple[list[Counted], str | None]:
        start = dict(zip(("pk", "sk"), after.split(BETWEEN), strict=True)) if after else None
        names = {"#tenant": "tenant", "#project": "project", "#state": "state"}
        rows, last = self._rows("HEAD", "#tenant, #project, #state, recorded_at", names, start)
        heads = [
            Counted(r["tenant"], r["project"], State(r["state"]), int(r["recorded_at"]))
            for r in rows
        ]
        return heads, f"{last['pk']}{BETWEEN}{last['sk']}" if last else None

    def _rows(
        self, sk: str, shown: str, names: Item, after: Item | None
    ) -> tuple[list[Item], Item | None]:
        """Return one page of all items with that sort key, and where the next page starts."""
        named = {"ExpressionAttributeNames": names} if names else {}
        return self._table.scan(
            after,
            FilterExpression="sk = :sk",
            ProjectionExpression=f"pk, sk, {shown}",
            ExpressionAttributeValues={":sk": sk},
            ConsistentRead=True,
            **named,
        )

    def correct(self, tally: Tally, now: int) -> bool:
        try:
            self._table.update(
                _budget(tally.tenant, tally.project),
                "SET facts = :live, moves = :next, moved_at = :now",
                condition="moves = :was OR attribute_not_exists(moves)",
                values={
                    ":live": tally.live,
                    ":was": tally.moves,
                    ":next": tally.moves + 1,
                    ":now": now,
                },
            )
        except ConditionFailed:
            return False
        return True


def _meta(tenant: str, project: str) -> Key:
    return keyspace.project_pk(tenant, project), "META"


def _budget(tenant: str, project: str) -> Key:
    return keyspace.project_pk(tenant, project), "BUDGET"


def _tally(row: Item, began: int) -> Tally:
    _, tenant, _, project = str(row["pk"]).split("#")
    numbers = {name: int(row.get(name, 0)) for name in ("facts", "moves", "moved_at")}
    return Tally.of(tenant, project, **numbers, began=began)
