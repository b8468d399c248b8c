"""Facts in DynamoDB: the truth. One transaction a write, its domain rules as conditions.

Write conditions repeat what the use case decided, because another request may have run since:
every head changes only from the revision that was read, every key only from its version.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from botocore.exceptions import BotoCoreError

from muniment.adapters import items, keyspace
from muniment.adapters import side_items as side
from muniment.adapters.dynamo_budgets import DynamoBudgets
from muniment.adapters.dynamo_table import ConditionFailed, Key, Table
from muniment.adapters.dynamo_worklists import DynamoWorklists
from muniment.domain.change import Change, Step, grave_value
from muniment.domain.contradiction import Members
from muniment.domain.fact import WAITING, Head
from muniment.domain.intake import (
    Answer,
    Found,
    Grave,
    Idempotency,
    Intake,
    OutcomeUnknown,
    Raced,
    Situation,
    Twin,
)
from muniment.domain.place import Place

Item = dict[str, Any]


class DynamoFacts(DynamoWorklists):
    """The DynamoDB side of verbs.ports.Facts."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._budgets = DynamoBudgets(table)

    def find(self, intake: Intake) -> Found:
        head, content = intake.head, intake.head.newest.content
        place = head.cell.place
        project: Key = (keyspace.project_pk(place.tenant, place.project), "META")
        twin, grave = keyspace.hash_key(head), keyspace.grave_key(place, grave_value(head))
        members = keyspace.members_key(place, content.fact_key) if content.fact_key else None
        answered = self._answer_key(place, intake.idempotency)
        named = [*content.derived_from, *([content.supersedes] if content.supersedes else [])]
        sources = {i: keyspace.head_key(place.tenant, i) for i in named}
        near = {i: keyspace.head_key(place.tenant, i) for i in intake.candidates or ()}
        asked = [project, twin, grave, members, answered, *sources.values(), *near.values()]
        rows = self._table.get_many([key for key in asked if key is not None])
        heads = {i: items.head_of(rows[key]) for i, key in sources.items() if key in rows}
        return Found(
            settings=side.settings_of(rows.get(project)),
            answered=side.answer_of(
                rows.get(answered) if answered else None, head.newest.recorded_at
            ),
            twin=side.twin_of(rows.get(twin)),
            grave=side.grave_of(rows.get(grave)),
            members=(
                side.members_of(place, content.fact_key, rows.get(members))
                if content.fact_key and members
                else None
            ),
            superseded=heads.get(content.supersedes) if content.supersedes else None,
            missing=tuple(i for i in sources if not side.readable(heads.get(i), head)),
        )

    def situation(
        self, tenant: str, project: str, fact_id: str, request: Idempotency | None, now: int
    ) -> Situation:
        head, meta = (
            keyspace.head_key(tenant, fact_id),
            (keyspace.project_pk(tenant, project), "META"),
        )
        answered = keyspace.idempotency_key(tenant, project, request) if request else None
        rows = self._table.get_many([k for k in (head, meta, answered) if k is not None])
        return Situation(
            head=items.head_of(rows[head]) if head in rows else None,
            settings=side.settings_of(rows.get(meta)),
            answered=side.answer_of(rows.get(answered) if answered else None, now),
        )

    def members(self, place: Place, fact_key: str) -> Members:
        return side.members_of(
            place, fact_key, self._table.get(keyspace.members_key(place, fact_key))
        )

    def members_of(self, keys: Sequence[tuple[Place, str]]) -> list[Members]:
        asked = {keyspace.members_key(*key): key for key in keys}
        rows = self._table.get_many(list(asked))
        return [side.members_of(*asked[key], rows.get(key)) for key in asked]

    def standing_in_the_way(self, head: Head) -> tuple[Twin | None, Grave | None]:
        twin = keyspace.hash_key(head)
        grave = keyspace.grave_key(head.cell.place, grave_value(head))
        rows = self._table.get_many([twin, grave])
        return side.twin_of(rows.get(twin)), side.grave_of(rows.get(grave))

    def add(self, intake: Intake, twin: Twin | None, change: Change) -> None:
        head, tenant = intake.head, intake.head.cell.place.tenant
        reopened = [_reopening(self._table, head)] if intake.reopen else []
        self._write(
            [
                self._table.putting(items.head_item(head), side.ABSENT),
                self._table.putting(items.revision_item(head, head.newest), side.ABSENT),
                self._twin_action(head, twin),
                *reopened,
                *(
                    self._table.putting({"pk": pk, "sk": f"L#derived#{head.fact_id}"})
                    for pk in (
                        keyspace.fact_pk(tenant, i) for i in head.newest.content.derived_from
                    )
                ),
                *self._actions(change, head),
            ],
            change,
            head,
        )

    def carry_out(self, change: Change, twin: Twin | None = None) -> None:
        twins = [self._twin_action(change.twin_of, twin)] if change.twin_of else []
        first = change.steps[0].after
        self._write([*self._actions(change, first), *twins], change, first)

    def answer(self, place: Place, request: Idempotency, answer: Answer, now: int) -> None:
        try:
            self._table.put(*side.answer_put(place, request, answer, now))
        except ConditionFailed:
            raise Raced from None

    def _write(self, actions: list[Item], change: Change, first: Head) -> None:
        try:
            self._table.transact(*actions)
        except ConditionFailed:
            raise Raced from None
        except BotoCoreError as error:
            raise OutcomeUnknown from error
        if change.ended:  # behind the transaction, not in it: all writers share the budget
            place, now = first.cell.place, first.newest.recorded_at
            self._budgets.give_back(place.tenant, place.project, change.ended, now)

    def _actions(self, change: Change, first: Head) -> list[Item]:
        """Return the actions of a change; the answer is dated by its first head."""
        put, place, now = self._table.putting, first.cell.place, first.newest.recorded_at
        return [
            *(self._step_action(step) for step in change.steps),
            *(
                put(items.revision_item(step.after, revision), side.ABSENT)
                for step in change.steps
                for revision in step.revisions
            ),
            *(put(*side.members_put(members)) for members in change.members),
            *(put(side.burial_item(burial)) for burial in change.burials),
            *(put(*side.answer_put(place, ask, answer, now)) for ask, answer in change.answers),
        ]

    def _step_action(self, step: Step) -> Item:
        """Move one head: only what differs is written, so a claim beside it is left alone."""
        old, new = items.head_item(step.before), items.head_item(step.after)
        changed = {n: v for n, v in new.items() if not items.same(v, old.get(n))}
        gone = [n for n in old if items.absent(new.get(n)) and not items.absent(old[n])]
        if step.after.newest.state not in WAITING:  # also a claim taken since we read the head
            gone.append("claim")
        kept = {name: value for name, value in changed.items() if not items.absent(value)}
        names = {f"#{at}": name for at, name in enumerate([*kept, *gone])}
        values = {f":{at}": value for at, value in enumerate(kept.values())}
        setting = ", ".join(f"#{at} = :{at}" for at in range(len(kept)))
        removing = ", ".join(f"#{at}" for at in range(len(kept), len(names)))
        condition, said = _condition_of(step)
        return self._table.updating(
            keyspace.head_key(step.before.cell.place.tenant, step.before.fact_id),
            f"SET {setting}" + (f" REMOVE {removing}" if removing else ""),
            condition=condition,
            values={**values, **said},
            names=names,
        )

    def _twin_action(self, head: Head, twin: Twin | None) -> Item:
        """Point the hash of the statement at this fact, unless another came first."""
        pk, sk = keyspace.hash_key(head)
        version = twin.version + 1 if twin else 1
        item = {"pk": pk, "sk": sk, "fact_id": head.fact_id, "version": version}
        return self._table.putting(item, side.version_is(twin.version if twin else 0))

    @staticmethod
    def _answer_key(place: Place, request: Idempotency | None) -> Key | None:
        return keyspace.idempotency_key(place.tenant, place.project, request) if request else None


def _condition_of(step: Step) -> tuple[str, Item]:
    """Return what must hold of a head when it is moved, and the values for it."""
    condition, values = "revision = :seen", {":seen": step.before.newest.number}
    if (held := step.held) is None:
        return condition, values
    live = " AND generation = :generation AND claim.holder = :holder AND claim.expires_at > :now"
    said = {":generation": held.generation, ":holder": held.holder, ":now": held.now}
    return condition + live, {**values, **said}


def _reopening(table: Any, head: Head) -> Item:
    """Return the action that opens a grave again: who and when, the old reason stays."""
    action: Item = table.updating(
        keyspace.grave_key(head.cell.place, grave_value(head)),
        "SET reopened_by = :who, reopened_at = :now",
        condition="attribute_exists(pk)",
        values={":who": head.author.principal, ":now": head.newest.recorded_at},
    )
    return action
