"""A DynamoDB client that keeps its table in a dictionary: some fifty times faster than moto.

It knows the calls and expressions that adapters.dynamo_table makes, and is strict where the
product relies on DynamoDB: a transaction is all or nothing, names each failed condition, shows the
item that beat it, and touches no item twice. test_memory_dynamo proves it against moto.

    table   pk + sk                               every item
    views   hash + range, sparse, projected       the global indexes, never behind
    stream  [(old image, new image), ...]         what DynamoDB Streams would deliver
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from botocore.exceptions import ClientError

from tests.property.memory_expressions import Given, Item, holds, sortable
from tests.property.memory_updates import updated

Ask = Mapping[str, Any]
Answer = dict[str, Any]
Key = tuple[str, str]
MOST_ACTIONS = 100  # of one transaction
MOST_KEYS = 100  # of one BatchGetItem


class _View:
    """Items by a hash key, ordered by a range key: the table itself, or one of its indexes."""

    def __init__(self, hash_name: str, range_name: str, shown: set[str] | None = None) -> None:
        self.hash, self.range, self._shown = hash_name, range_name, shown
        self.lines: dict[str, dict[Key, Item]] = {}

    @classmethod
    def of(cls, index: Ask) -> _View:
        """Return the view that a GlobalSecondaryIndex of CreateTable describes."""
        hash_name, range_name = (key["AttributeName"] for key in index["KeySchema"])
        projection = index["Projection"]
        if projection["ProjectionType"] == "ALL":
            return cls(hash_name, range_name)
        more = projection.get("NonKeyAttributes", ())
        return cls(hash_name, range_name, {"pk", "sk", hash_name, range_name, *more})

    def replace(self, key: Key, old: Item | None, new: Item | None) -> None:
        if old is not None and self._holds(old):
            self.lines[old[self.hash]["S"]].pop(key)
        if new is not None and self._holds(new):
            self.lines.setdefault(new[self.hash]["S"], {})[key] = new

    def shown(self, item: Item) -> Item:
        if self._shown is None:
            return item
        return {name: value for name, value in item.items() if name in self._shown}

    def position(self, item: Item) -> tuple[Any, ...]:
        return sortable(item[self.range]), *_key(item)

    def key_of(self, item: Item) -> Item:
        return {name: item[name] for name in ("pk", "sk", self.hash, self.range)}

    def _holds(self, item: Item) -> bool:
        return self.hash in item and self.range in item


class MemoryDynamo:
    """`request` is what CreateTable gets: the global indexes are read from it."""

    def __init__(self, request: Ask) -> None:
        self._table = _View("pk", "sk")
        self._views = {i["IndexName"]: _View.of(i) for i in request["GlobalSecondaryIndexes"]}
        self._lock = threading.RLock()
        self._done: set[str] = set()
        self.stream: list[tuple[Item | None, Item | None]] = []
        self.meanwhile: Callable[[], object] | None = None  # what happens before the next write

    def clear(self) -> None:
        """Forget everything."""
        self._done.clear()
        self.stream.clear()
        for view in (self._table, *self._views.values()):
            view.lines.clear()

    def put_back(self, length: int) -> None:
        """Undo every write since the stream had that length."""
        for old, new in reversed(self.stream[length:]):
            self._store(_key(new or old or {}), old)
        del self.stream[length:]

    def items(self) -> list[Item]:
        """Return every item of the table."""
        return [item for part in self._table.lines.values() for item in part.values()]

    def get_item(self, **ask: Any) -> Answer:
        item = self._item(_key(ask["Key"]))
        return {} if item is None else {"Item": item}

    def batch_get_item(self, RequestItems: Ask) -> Answer:
        ((table, ask),) = RequestItems.items()
        keys = [_key(key) for key in ask["Keys"]]
        if not 1 <= len(keys) <= MOST_KEYS or len(set(keys)) != len(keys):
            raise _error("ValidationException", "BatchGetItem")
        found = [item for item in map(self._item, keys) if item is not None]
        return {"Responses": {table: found}, "UnprocessedKeys": {}}

    def query(self, **ask: Any) -> Answer:
        view = self._views[ask["IndexName"]] if "IndexName" in ask else self._table
        assert view is self._table or "ConsistentRead" not in ask, "no index reads consistently"
        condition, given = ask["KeyConditionExpression"], _given(ask, {})
        wanted = given.values[_hash_placeholder(condition, view.hash)]["S"]
        with self._lock:
            items = list(view.lines.get(wanted, {}).values())
        rows = [item for item in items if holds(condition, _given(ask, item))]
        return _page(view, sorted(rows, key=view.position), ask)

    def scan(self, **ask: Any) -> Answer:
        with self._lock:
            rows = sorted(self.items(), key=_key)
        return _page(_View("pk", "sk"), rows, ask)

    def put_item(self, **ask: Any) -> Answer:
        with self._lock:
            self._write_one({"Put": ask}, "PutItem")
        return {}

    def update_item(self, **ask: Any) -> Answer:
        self._meet()
        with self._lock:
            new = self._write_one({"Update": ask}, "UpdateItem")
        return {"Attributes": new} if ask.get("ReturnValues") == "ALL_NEW" else {}

    def delete_item(self, **ask: Any) -> Answer:
        """Do what DynamoDB's TTL does; the product itself deletes nothing."""
        with self._lock:
            self._store(_key(ask["Key"]), None)
        return {}

    def transact_write_items(self, **ask: Any) -> Answer:
        self._meet()
        with self._lock:
            if ask["ClientRequestToken"] not in self._done:
                self._transact(ask["TransactItems"])
                self._done.add(ask["ClientRequestToken"])
        return {}

    def _meet(self) -> None:
        """Let another request run between what this one read and what it writes, once."""
        other, self.meanwhile = self.meanwhile, None
        if other is not None:
            other()

    def _transact(self, actions: list[Ask]) -> None:
        keys = [_target(action) for action in actions]
        if len(set(keys)) != len(keys) or not 1 <= len(actions) <= MOST_ACTIONS:
            raise _error("ValidationException", "TransactWriteItems")
        reasons = [self._reason(action) for action in actions]
        if any(reason["Code"] != "None" for reason in reasons):
            more = {"CancellationReasons": reasons}
            raise _error("TransactionCanceledException", "TransactWriteItems", **more)
        news = [self._new(action) for action in actions]
        for key, new in zip(keys, news, strict=True):
            if new is not None:
                self._store(key, new)

    def _reason(self, action: Ask) -> Answer:
        """Return why an action may not be carried out; the code "None" where it may."""
        ((_, ask),) = action.items()
        old = self._item(_target(action))
        if holds(ask.get("ConditionExpression"), _given(ask, old or {})):
            return {"Code": "None"}
        wants = ask.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
        return {"Code": "ConditionalCheckFailed", **({"Item": old} if wants and old else {})}

    def _write_one(self, action: Ask, operation: str) -> Item:
        reason = self._reason(action)
        if reason.pop("Code") != "None":
            raise _error("ConditionalCheckFailedException", operation, **reason)
        new = self._new(action)
        assert new is not None
        self._store(_target(action), new)
        return new

    def _new(self, action: Ask) -> Item | None:
        """Return the item as the action leaves it; None: it only checked."""
        ((verb, ask),) = action.items()
        if verb == "ConditionCheck":
            return None
        if verb == "Put":
            return dict(ask["Item"])
        old = self._item(_key(ask["Key"])) or dict(ask["Key"])
        new = updated(ask["UpdateExpression"], _given(ask, old))
        assert _key(new) == _key(old), "an update changes no key"
        return new

    def _item(self, key: Key) -> Item | None:
        return self._table.lines.get(key[0], {}).get(key)

    def _store(self, key: Key, new: Item | None) -> None:
        old = self._item(key)
        for view in (self._table, *self._views.values()):
            view.replace(key, old, new)
        if old != new:
            self.stream.append((old, new))


def _page(view: _View, rows: list[Item], ask: Ask) -> Answer:
    """Cut the rows to a page; the limit counts before the filter, as in DynamoDB."""
    place = view.position if "KeyConditionExpression" in ask else _key
    if not ask.get("ScanIndexForward", True):
        rows.reverse()
        assert "ExclusiveStartKey" not in ask, "nobody pages backwards yet"
    if start := ask.get("ExclusiveStartKey"):
        rows = [item for item in rows if place(item) > place(start)]
    page = rows[: ask.get("Limit", len(rows))]
    shown = [view.shown(item) for item in page]
    kept = [i for i in shown if holds(ask.get("FilterExpression"), _given(ask, i))]
    return {"Items": kept} | (
        {"LastEvaluatedKey": view.key_of(page[-1])} if len(page) < len(rows) else {}
    )


def _hash_placeholder(condition: str, name: str) -> str:
    left, _, right = condition.split(" AND ")[0].partition(" = ")
    assert left.lstrip("#") == name, f"the first condition must be on {name}: {condition}"
    return right


def _given(ask: Ask, item: Item) -> Given:
    names = ask.get("ExpressionAttributeNames", {})
    return Given(item, ask.get("ExpressionAttributeValues", {}), names)


def _key(item: Ask) -> Key:
    return item["pk"]["S"], item["sk"]["S"]


def _target(action: Ask) -> Key:
    ((verb, ask),) = action.items()
    return _key(ask["Item"] if verb == "Put" else ask["Key"])


def _error(code: str, operation: str, **more: Any) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": code}, **more}, operation)
