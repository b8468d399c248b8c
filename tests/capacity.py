"""Counts what a verb costs in DynamoDB: calls, and request units by the size of each item.

    counting = CountingClient(client)
    Table(counting, "Memory")  …  counting.trips  counting.writes  counting.reads

DynamoDB's rules, as its price list has them: a write costs one unit for each started KB of the
larger of old and new item, twice that in a transaction; each index entry that comes, goes or
changes costs one more for each started KB of what it projects; a read costs one unit for each
started 4 KB, half of that when it may be stale. An item that is not there costs the least.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.template import create_table_request

Item = Mapping[str, Any]
KB = 1_024  # bytes
CHANGING = {"put_item", "update_item", "delete_item", "transact_write_items"}
READING = {"get_item", "batch_get_item", "query", "scan"}
INDEXES: list[dict[str, Any]] = create_table_request("Memory")["GlobalSecondaryIndexes"]


def size_of(item: Item | None) -> int:
    """Return the bytes of an item: names and values; 0 for none."""
    return sum(len(name.encode()) + _bytes(value) for name, value in (item or {}).items())


def _bytes(value: Mapping[str, Any]) -> int:
    ((kind, held),) = value.items()
    if kind == "S":
        return len(held.encode())
    if kind == "N":
        return len(held.strip("-0.").replace(".", "")) // 2 + 2
    if kind == "B":
        return len(held)
    if kind == "M":
        return 3 + sum(1 + len(name.encode()) + _bytes(part) for name, part in held.items())
    if kind == "L":
        return 3 + sum(1 + _bytes(part) for part in held)
    return 1  # BOOL, NULL


def write_units(old: Item | None, new: Item | None) -> int:
    """Return the units of one write to the table."""
    return max(1, math.ceil(max(size_of(old), size_of(new)) / KB))


def index_units(old: Item | None, new: Item | None) -> int:
    """Return the units of what that write changes in all indexes."""
    return sum(_entry_units(_entry(index, old), _entry(index, new)) for index in INDEXES)


def _entry(index: Mapping[str, Any], item: Item | None) -> tuple[Any, Item] | None:
    """Return key and projection of an item in an index; None where it has no entry."""
    names = [part["AttributeName"] for part in index["KeySchema"]]
    if item is None or not all(name in item for name in names):
        return None
    shown = {*names, "pk", "sk", *index["Projection"].get("NonKeyAttributes", ())}
    return [item[name] for name in names], {n: v for n, v in item.items() if n in shown}


def _entry_units(old: tuple[Any, Item] | None, new: tuple[Any, Item] | None) -> int:
    if old == new:
        return 0
    if old and new and old[0] == new[0]:
        return write_units(old[1], new[1])
    return sum(write_units(None, entry[1]) for entry in (old, new) if entry)


def read_units(size: int, *, consistent: bool) -> float:
    return max(1, math.ceil(size / (4 * KB))) * (1 if consistent else 0.5)


@dataclass
class CountingClient:
    """A DynamoDB client that counts. `writes` is of the table, `index_writes` of its indexes."""

    client: Any
    trips: list[str] = field(default_factory=list)
    writes: int = 0
    index_writes: int = 0
    reads: float = 0.0
    largest: int = 0

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.client, name)
        if name in CHANGING:
            return lambda **ask: self._change(name, method, ask)
        if name in READING:
            return lambda **ask: self._read(name, method, ask)
        return method

    def clear(self) -> None:
        self.trips, self.writes, self.index_writes = [], 0, 0
        self.reads, self.largest = 0.0, 0

    def _read(self, name: str, method: Any, ask: dict[str, Any]) -> Any:
        self.trips.append(name)
        answer = method(**ask)
        self.reads += sum(_read_costs(name, ask, answer))
        return answer

    def _change(self, name: str, method: Any, ask: dict[str, Any]) -> Any:
        self.trips.append(name)
        keys = list(_keys(ask.get("TransactItems") or [{name: ask}]))
        before = [self._item(key) for key in keys]
        answer = method(**ask)
        factor = 2 if "TransactItems" in ask else 1
        for key, old in zip(keys, before, strict=True):
            new = self._item(key)
            self.writes += factor * write_units(old, new)
            self.index_writes += index_units(old, new)
            self.largest = max(self.largest, size_of(new))
        return answer

    def _item(self, key: Item) -> Item | None:
        found = self.client.get_item(TableName="Memory", Key=dict(key), ConsistentRead=True)
        item: Item | None = found.get("Item")
        return item


def _keys(actions: list[dict[str, Any]]) -> Iterator[Item]:
    for action in actions:
        ((_, said),) = action.items()
        whole = said.get("Key") or said["Item"]
        yield {name: whole[name] for name in ("pk", "sk")}


def _read_costs(name: str, ask: Mapping[str, Any], answer: Mapping[str, Any]) -> Iterator[float]:
    if name == "get_item":
        yield read_units(size_of(answer.get("Item")), consistent=ask.get("ConsistentRead", False))
    elif name == "batch_get_item":
        for table, request in ask["RequestItems"].items():
            found = answer["Responses"].get(table, [])
            absent = [None] * (len(request["Keys"]) - len(found))
            for item in [*found, *absent]:
                yield read_units(size_of(item), consistent=request["ConsistentRead"])
    else:
        size = sum(map(size_of, answer["Items"]))
        yield read_units(size, consistent=ask.get("ConsistentRead", False))
