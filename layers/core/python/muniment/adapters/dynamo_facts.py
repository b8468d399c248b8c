"""Facts in DynamoDB: the truth. One transaction a write, its domain rules as conditions.

Write conditions repeat what the use case decided, because another request may have run since.
"""

from __future__ import annotations

from typing import Any

from muniment.adapters import items
from muniment.adapters.dynamo_reads import DynamoReads
from muniment.adapters.dynamo_table import ConditionFailed, Key
from muniment.domain import limits
from muniment.domain.budget import Admission, Profile, admission, may_exceed, refusal
from muniment.domain.fact import Kind
from muniment.domain.intake import Answer, Found, Grave, Intake, Raced, Twin
from muniment.domain.moments import SECOND

Item = dict[str, Any]


class DynamoFacts(DynamoReads):
    """The DynamoDB side of verbs.ports.Facts."""

    def find(self, intake: Intake) -> Found:
        place, content = intake.head.cell.place, intake.head.newest.content
        project: Key = (items.project_pk(place.tenant, place.project), "META")
        twin, grave = items.hash_key(intake), items.grave_key(intake)
        members, answered = items.fact_key_key(intake), items.idempotency_key(intake)
        sources = [items.head_key(place.tenant, i) for i in content.derived_from]
        asked = [project, twin, grave, members, answered, *sources]
        rows = self._table.get_many([key for key in asked if key is not None])
        return Found(
            profile=_profile(rows.get(project)),
            answered=_answer(rows.get(answered) if answered else None, intake),
            twin=_twin(rows.get(twin)),
            grave=_grave(rows.get(grave)),
            members=len(rows[members]["members"]) if members in rows else None,
            missing=tuple(
                fact_id
                for fact_id, key in zip(content.derived_from, sources, strict=True)
                if key not in rows or not _derivable(rows[key], intake)
            ),
        )

    def reserve(self, tenant: str, project: str, kind: Kind, profile: Profile) -> Admission:
        ceiling = profile.max_facts
        key = (items.project_pk(tenant, project), "BUDGET")
        free: Item = {"condition": "attribute_not_exists(facts) OR facts < :ceiling"}
        said = {} if may_exceed(kind) else free
        values = {":one": 1} if may_exceed(kind) else {":one": 1, ":ceiling": ceiling}
        try:
            budget = self._table.update(key, "ADD facts :one", values=values, **said)
        except ConditionFailed:
            raise refusal(ceiling, kind) from None
        return admission(int(budget["facts"]), ceiling)

    def give_back(self, tenant: str, project: str) -> None:
        key = (items.project_pk(tenant, project), "BUDGET")
        self._table.update(key, "ADD facts :less", values={":less": -1})

    def add(self, intake: Intake, found: Found, admission: Admission) -> None:
        head, tenant = intake.head, intake.head.cell.place.tenant
        absent = {"condition": "attribute_not_exists(pk)"}
        actions = [
            self._table.putting(items.head_item(head), absent),
            self._table.putting(items.revision_item(tenant, head.fact_id, head.newest), absent),
            self._twin_action(intake, found),
            *self._member_actions(intake, found),
            *(
                self._table.putting({"pk": pk, "sk": f"L#derived#{head.fact_id}"})
                for pk in (items.fact_pk(tenant, i) for i in head.newest.content.derived_from)
            ),
        ]
        if request := intake.idempotency:
            answer = Answer(request.request, head.fact_id, head.newest.number, admission, False)
            actions.append(self._table.putting(*_answer_put(intake, answer)))
        try:
            self._table.transact(*actions)
        except ConditionFailed:
            raise Raced from None

    def answer(self, intake: Intake, answer: Answer) -> None:
        try:
            self._table.put(*_answer_put(intake, answer))
        except ConditionFailed:
            raise Raced from None

    def _twin_action(self, intake: Intake, found: Found) -> Item:
        """Point the hash of the statement at this fact, unless another came first.

        A hash item is never deleted: its version lets a slow writer notice a fact that was
        written and gone again meanwhile.
        """
        pk, sk = items.hash_key(intake)
        twin, head = found.twin, intake.head
        item = {
            "pk": pk,
            "sk": sk,
            "fact_id": head.fact_id,
            "principal": head.author.principal,
            "version": twin.version + 1 if twin else 1,
            "expires_at": head.newest.content.expires_at,
        }
        if twin is None:
            return self._table.putting(item, {"condition": "attribute_not_exists(pk)"})
        unchanged = {
            "condition": "#version = :seen",
            "values": {":seen": twin.version},
            "names": {"#version": "version"},
        }
        return self._table.putting(item, unchanged)

    def _member_actions(self, intake: Intake, found: Found) -> list[Item]:
        """Enter the fact among the live ones of its fact_key, 100 at most (storage.md)."""
        if (key := items.fact_key_key(intake)) is None:
            return []
        head, newest = intake.head, intake.head.newest
        member = {"revision": newest.number, "value": intake.value, "state": str(newest.state)}
        if found.members is None:
            item = {"pk": key[0], "sk": key[1], "members": {head.fact_id: member}}
            return [self._table.putting(item, {"condition": "attribute_not_exists(pk)"})]
        return [
            self._table.updating(
                key,
                "SET members.#fact = :member",
                condition="attribute_exists(pk) AND size(members) < :most",
                values={":member": member, ":most": limits.KEY_MEMBERS},
                names={"#fact": head.fact_id},
            )
        ]


def _profile(item: Item | None) -> Profile | None:
    if item is None or "deleted_at" in item:
        return None
    return Profile(item["profile"])


def _answer_put(intake: Intake, answer: Answer) -> tuple[Item, Item]:
    """Return the item that keeps an answer, and the condition that no answer is kept yet.

    DynamoDB's TTL may remove an item days late, so the condition reads the time itself.
    """
    request, key = intake.idempotency, items.idempotency_key(intake)
    assert request is not None and key is not None
    item = {
        "pk": key[0],
        "sk": key[1],
        "request": bytes.fromhex(request.request),
        "fact_id": answer.fact_id,
        "revision": answer.revision,
        "reason": answer.admission.reason,
        "degraded": answer.admission.degraded or None,
        "repeat": answer.repeat or None,
        "ttl": request.until // SECOND,
    }
    now = intake.head.newest.recorded_at // SECOND
    return item, {
        "condition": "attribute_not_exists(pk) OR #ttl <= :now",
        "values": {":now": now},
        "names": {"#ttl": "ttl"},
    }


def _answer(item: Item | None, intake: Intake) -> Answer | None:
    if item is None or item["ttl"] <= intake.head.newest.recorded_at // SECOND:
        return None
    told = Admission(item.get("degraded", False), item.get("reason"))
    return Answer(
        request=bytes(item["request"]).hex(),
        fact_id=item["fact_id"],
        revision=int(item["revision"]),
        admission=told,
        repeat=item.get("repeat", False),
    )


def _twin(item: Item | None) -> Twin | None:
    if item is None:
        return None
    ends = item.get("expires_at")
    return Twin(
        fact_id=item["fact_id"],
        principal=item["principal"],
        gone=item.get("gone", False),
        version=int(item["version"]),
        expires_at=None if ends is None else int(ends),
    )


def _grave(item: Item | None) -> Grave | None:
    return Grave(item["fact_id"], item["state"], item["reason"]) if item else None


def _derivable(source: Item, intake: Intake) -> bool:
    """Tell whether a fact may be built on: same project, and readable by whoever reads this one."""
    head, place = items.head_of(source), intake.head.cell.place
    theirs = head.cell.place
    alive = head.is_live(intake.head.newest.recorded_at)
    return alive and theirs.project == place.project and theirs.owner in ("", place.owner)
