"""Lists out of the sparse indexes: what waits, what contradicts, what ends, what happened.

Each is eventually consistent, so it only names facts: what is decided is read from the table.
"""

from __future__ import annotations

from typing import Any

from muniment.adapters import items, keyspace
from muniment.adapters import side_items as side
from muniment.adapters.dynamo_reads import BETWEEN, DynamoReads
from muniment.domain.contradiction import Members
from muniment.domain.fact import Head
from muniment.domain.listing import About, Event, EventPage, IdPage, MembersPage
from muniment.domain.moments import rfc3339

Item = dict[str, Any]


class DynamoWorklists(DynamoReads):
    """The listing part of verbs.ports.Facts beside `page`."""

    def of_source(self, tenant: str, project: str, source_id: str) -> list[str]:
        pages = self._table.query(
            IndexName="by_source",
            KeyConditionExpression="#source = :source",
            ExpressionAttributeNames={"#source": "source"},
            ExpressionAttributeValues={":source": keyspace.source_pk(tenant, project, source_id)},
        )
        return [item["fact_id"] for page, _ in pages for item in page]

    def queue(self, tenant: str, project: str, after: str | None, size: int) -> IdPage:
        rows, following = self._queued(keyspace.project_pk(tenant, project), after, size)
        return IdPage(tuple(str(row["pk"]).rpartition("#")[2] for row in rows), following)

    def conflicts(self, tenant: str, project: str, after: str | None, size: int) -> MembersPage:
        worklist = f"{keyspace.project_pk(tenant, project)}#conflicts"
        rows, following = self._queued(worklist, after, size)
        found = self._table.get_many([(row["pk"], row["sk"]) for row in rows])
        keys = [side.members_at(tenant, project, item) for item in found.values()]
        live = sorted((m for m in keys if m.is_conflict), key=_age)
        return MembersPage(tuple(live), following)

    def timeline(self, about: About, after: str | None, size: int) -> EventPage:
        condition, start = "about = :about AND happened BETWEEN :start AND :until", after or ""
        page, last = next(
            iter(
                self._table.query(
                    IndexName="by_subject",
                    KeyConditionExpression=condition,
                    ExpressionAttributeValues={
                        ":about": keyspace.subject_pk(about.place, about.subject),
                        ":start": start + ("~" if after else "0"),
                        ":until": f"{rfc3339(about.until)}#~",
                    },
                    Limit=size,
                )
            )
        )
        events = tuple(
            Event(str(item["pk"]).rpartition("#")[2], items.revision_of(item)) for item in page
        )
        return EventPage(events, page[-1]["happened"] if last and page else None)

    def due(self, hour: str, shard: int, now: int) -> list[Head]:
        pages = self._table.query(
            IndexName="by_due",
            KeyConditionExpression="due = :due AND due_at <= :now",
            ExpressionAttributeValues={":due": f"{hour}#{shard}", ":now": rfc3339(now)},
        )
        keys = [(item["pk"], item["sk"]) for page, _ in pages for item in page]
        return [items.head_of(item) for item in self._table.get_many(keys).values()]

    def _queued(self, queue: str, after: str | None, size: int) -> tuple[list[Item], str | None]:
        """Return one page of by_queue and where the next one starts."""
        ask: Item = {}
        if after:
            pk, sk, queued_at = after.split(BETWEEN)
            key = {"pk": pk, "sk": sk, "queue": queue, "queued_at": queued_at}
            ask["ExclusiveStartKey"] = {name: {"S": value} for name, value in key.items()}
        pages = self._table.query(
            IndexName="by_queue",
            KeyConditionExpression="queue = :queue",
            ExpressionAttributeValues={":queue": queue},
            Limit=size,
            **ask,
        )
        page, last = next(iter(pages))
        if last is None:
            return page, None
        return page, BETWEEN.join(str(last[name]) for name in ("pk", "sk", "queued_at"))


def _age(members: Members) -> str:
    return min(members.facts)
