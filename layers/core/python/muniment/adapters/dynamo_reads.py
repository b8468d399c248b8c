"""Reading facts from DynamoDB: one, many, whole, in pages, and the newest.

Pages come out of the index by_cell, several cells one behind the other, filters inside the query.
A position is `{cell number}:{fact id}`: the last fact of the page before. Fact ids grow with
time, so what is written while somebody pages comes behind, never in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from muniment.adapters import items, keyspace
from muniment.adapters.dynamo_table import Table
from muniment.domain import limits
from muniment.domain.caller import PrincipalKind
from muniment.domain.errors import NotFound
from muniment.domain.fact import Author, Category, Head, Kind, Revision, State, Subject, Trust
from muniment.domain.listing import Filters, History, Line, LinkRow, Page
from muniment.domain.moments import SECOND, hour, rfc3339
from muniment.domain.place import Cell, ValidAt

Item = dict[str, Any]
BETWEEN = "\n"  # in no key
ITEMS_PER_HEAD = 4  # a fact's head, revisions, hash and answer: read to find one head


class DynamoReads:
    """The reading half of verbs.ports.Facts. Strongly consistent but for `page` and `fresh`."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def head(self, tenant: str, fact_id: str) -> Head | None:
        item = self._table.get(keyspace.head_key(tenant, fact_id))
        return items.head_of(item) if item else None

    def heads(self, tenant: str, fact_ids: Sequence[str]) -> Mapping[str, Head]:
        rows = self._table.get_many([keyspace.head_key(tenant, i) for i in fact_ids])
        return {item["fact_id"]: items.head_of(item) for item in rows.values()}

    def then_and_now(self, tenant: str, fact_id: str, number: int) -> tuple[Head, Head]:
        head = keyspace.head_key(tenant, fact_id)
        revision = keyspace.revision_key(tenant, fact_id, number)
        rows = self._table.get_many([head, revision])
        if head not in rows or revision not in rows:
            raise NotFound("no such revision")
        now = items.head_of(rows[head])
        then = replace(
            now,
            newest=items.revision_of(rows[revision]),
            claim=None,
            corroborations=(),
            compressed_into=None,
        )
        return then, now

    def revisions(
        self, tenant: str, wanted: Sequence[tuple[str, int]]
    ) -> Mapping[tuple[str, int], Revision]:
        keys = {keyspace.revision_key(tenant, *pair): pair for pair in wanted}
        rows = self._table.get_many(list(keys))
        return {keys[key]: items.revision_of(item) for key, item in rows.items()}

    def history(self, tenant: str, fact_id: str) -> History | None:
        pages = self._table.query(
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": keyspace.fact_pk(tenant, fact_id)},
            ConsistentRead=True,
        )
        rows = [item for page, _ in pages for item in page]
        heads = [items.head_of(item) for item in rows if item["sk"] == "HEAD"]
        if not heads:
            return None
        revisions = [items.revision_of(item) for item in rows if item["sk"].startswith("R#")]
        return History(heads[0], tuple(revisions), tuple(_link_rows(rows)))

    def fresh(self, tenant: str, project: str, now: int) -> list[str]:
        since = now - limits.FRESH_SECONDS * SECOND
        hours = dict.fromkeys((hour(now), hour(since)))  # the last minute may span two hours
        found: list[str] = []
        for part in hours:
            pages = self._table.query(
                IndexName="by_recent",
                KeyConditionExpression="recent = :hour AND written_at >= :since",
                ExpressionAttributeValues={
                    ":hour": f"{keyspace.project_pk(tenant, project)}#{part}",
                    ":since": rfc3339(since),
                },
                ScanIndexForward=False,
                Limit=limits.FRESH_FACTS,
            )
            rows, _ = next(iter(pages))
            found += [str(item["pk"]).rpartition("#")[2] for item in rows]
        return found[: limits.FRESH_FACTS]

    def all_heads(self, after: str | None, size: int) -> tuple[list[Head], str | None]:
        start = dict(zip(("pk", "sk"), after.split(BETWEEN), strict=True)) if after else None
        rows, last = self._table.scan(
            start,
            FilterExpression="sk = :head",
            ExpressionAttributeValues={":head": "HEAD"},
            Limit=size * ITEMS_PER_HEAD,
            ConsistentRead=True,
        )
        following = f"{last['pk']}{BETWEEN}{last['sk']}" if last else None
        return [items.head_of(item) for item in rows], following

    def page(self, cells: Sequence[Cell], filters: Filters, after: str | None, size: int) -> Page:
        number, _, behind = (after or "0:").partition(":")
        lines: list[Line] = []
        last = ""
        for at in range(int(number), len(cells)):
            for item in self._lines(cells[at], filters, behind, size + 1 - len(lines)):
                if len(lines) == size:
                    return Page(tuple(lines), last)
                lines.append(_line(item, cells[at]))
                last = f"{at}:{item['fact_id']}"
            behind = ""
        return Page(tuple(lines), None)

    def _lines(self, cell: Cell, filters: Filters, behind: str, wanted: int) -> Iterator[Item]:
        """Yield matching index lines of one cell behind a fact id, in order of fact id."""
        condition, values = "cell = :cell", {":cell": keyspace.cell_key(cell)}
        if behind:
            condition += " AND fact_id > :behind"
            values[":behind"] = behind
        filter_expression, more, names = _filter(filters)
        narrow = filters.kind or filters.state or filters.min_trust or filters.subject_id
        ask: Item = {} if narrow or filters.scope else {"Limit": wanted}
        pages = self._table.query(
            IndexName="by_cell",
            KeyConditionExpression=condition,
            FilterExpression=filter_expression,
            ExpressionAttributeValues={**values, **more},
            **({"ExpressionAttributeNames": names} if names else {}),
            **ask,
        )
        for page, _ in pages:
            yield from page


def _filter(filters: Filters) -> tuple[str, Item, dict[str, str]]:
    """Return the filter expression of a query, its values and its names."""
    parts = ["(attribute_not_exists(expires_at) OR expires_at > :now)"]
    values: Item = {":now": filters.now}
    names: dict[str, str] = {}
    wanted = {
        "kind": filters.kind,
        "state": filters.state,
        "subject_id": filters.subject_id,
        "scope": filters.scope,
    }
    for name, value in wanted.items():
        if value is not None:
            parts.append(f"#{name} = :{name}")
            values[f":{name}"] = str(value)
            names[f"#{name}"] = name
    if filters.min_trust is not None:
        classes = {f":trust{i}": str(trust) for i, trust in enumerate(filters.trusts)}
        parts.append(f"trust IN ({', '.join(classes)})")
        values |= classes
    return " AND ".join(parts), values, names


def _line(item: Item, cell: Cell) -> Line:
    ends = item.get("expires_at")
    return Line(
        fact_id=item["fact_id"],
        revision=int(item["revision"]),
        name=item["name"],
        description=item["description"],
        kind=Kind(item["kind"]),
        category=Category(item["category"]) if "category" in item else None,
        subject=Subject(item["subject_type"], item["subject_id"]) if "subject_id" in item else None,
        layer=cell.layer,
        valid_at=ValidAt(item.get("valid_workplace"), item.get("valid_machine")),
        trust=Trust(item["trust"]),
        state=State(item["state"]),
        author=Author(item["author"], PrincipalKind(item["author_kind"]), item.get("operator")),
        recorded_at=int(item["recorded_at"]),
        expires_at=None if ends is None else int(ends),
        fact_key=item.get("fact_key"),
    )


def _link_rows(rows: Sequence[Item]) -> list[LinkRow]:
    parts = [str(item["sk"]).split("#") for item in rows if item["sk"].startswith("L#")]
    return [LinkRow(link_type, other) for _, link_type, other in parts]
