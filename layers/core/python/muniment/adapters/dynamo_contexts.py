"""The log of contexts in DynamoDB: ids, revisions and labels, kept for 90 days.

T#{t}#P#{p}#C#{context_id}   META
"""

from __future__ import annotations

from typing import Any

from muniment.adapters import keyspace
from muniment.adapters.dynamo_table import Key, Table
from muniment.domain import limits
from muniment.domain.context import Served, ServedFact
from muniment.domain.moments import DAY, SECOND
from muniment.domain.place import Coordinates, Layer


class DynamoContexts:
    """The DynamoDB side of verbs.ports.Contexts."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def keep(self, served: Served) -> None:
        pk, sk = _key(served.tenant, served.project, served.context_id)
        here = served.coordinates
        self._table.put(
            {
                "pk": pk,
                "sk": sk,
                "principal": served.principal,
                "owners": list(served.owners),
                "here": [here.workplace, here.machine, here.session, here.task],
                "budget": served.budget,
                "boundary": served.boundary,
                "now": served.now,
                "shown": [_packed(fact) for fact in served.shown],
                "overflow": served.overflow or None,
                "dropped": list(served.dropped),
                "ignored": served.ignored or None,
                "degraded": list(served.degraded),
                "ttl": (served.now + limits.CONTEXT_LOG_DAYS * DAY) // SECOND,
            }
        )

    def kept(self, tenant: str, project: str, context_id: str) -> Served | None:
        item = self._table.get(_key(tenant, project, context_id))
        return _served(tenant, project, context_id, item) if item else None


def _key(tenant: str, project: str, context_id: str) -> Key:
    return f"{keyspace.project_pk(tenant, project)}#C#{context_id}", "META"


def _served(tenant: str, project: str, context_id: str, item: dict[str, Any]) -> Served:
    return Served(
        context_id=context_id,
        tenant=tenant,
        project=project,
        principal=item["principal"],
        owners=tuple(item["owners"]),
        coordinates=Coordinates(*item["here"]),
        budget=int(item["budget"]),
        boundary=item["boundary"],
        now=int(item["now"]),
        shown=tuple(_unpacked(fact) for fact in item.get("shown", ())),
        overflow=item.get("overflow", False),
        dropped=tuple(item.get("dropped", ())),
        ignored=item.get("ignored", False),
        degraded=tuple(item.get("degraded", ())),
    )


def _packed(fact: ServedFact) -> list[Any]:
    """Return a fact and those shown against it, as short as a list can say it."""
    opposed = [_packed(other) for other in fact.opposed]
    said = [fact.fact_id, fact.revision, str(fact.layer), list(fact.labels)]
    return [*said, -1 if fact.cut is None else fact.cut, *opposed]


def _unpacked(packed: list[Any]) -> ServedFact:
    fact_id, revision, layer, labels, cut, *opposed = packed
    others = tuple(_unpacked(other) for other in opposed)
    shown = None if cut < 0 else int(cut)
    return ServedFact(fact_id, int(revision), Layer(layer), tuple(labels), shown, others)
