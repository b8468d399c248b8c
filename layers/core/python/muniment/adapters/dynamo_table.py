"""One DynamoDB table, spoken to in plain Python values: reads, one-item writes, transactions.

Only a failed condition is an answer about the domain. Throttling and colliding transactions are
tried again with jitter, then they are Busy: nothing was written, the same request may come again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar
from uuid import uuid4

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.exceptions import ClientError

from muniment.domain.errors import Busy

Item = dict[str, Any]
Key = tuple[str, str]
T = TypeVar("T")

TRIES = 6
EMPTY: tuple[Any, ...] = (None, "", b"", (), [])
FIRST_WAIT = 0.02  # seconds; doubles with each try, with full jitter
PASSING = {  # error codes that another try may not meet
    "ThrottlingException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "TransactionConflictException",
    "TransactionInProgressException",
    "InternalServerError",
}
PASSING_IN_TRANSACTION = {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}

_pack = TypeSerializer().serialize
_unpack = TypeDeserializer().deserialize


class ConditionFailed(Exception):
    """A condition did not hold. `items` are the items that beat it, None where it passed."""

    def __init__(self, items: Sequence[Item | None]) -> None:
        super().__init__("a condition did not hold")
        self.items = list(items)


def pack(item: Mapping[str, Any]) -> Item:
    """Return the item in DynamoDB's form, without its empty values: absent says the same."""
    return {name: _pack(value) for name, value in item.items() if value not in EMPTY}


def unpack(item: Mapping[str, Any]) -> Item:
    return {name: _unpack(value) for name, value in item.items()}


class Table:
    """`client` is a low-level boto3 DynamoDB client; its methods are safe in several threads."""

    def __init__(self, client: Any, name: str) -> None:
        self._client = client
        self.name = name

    def get(self, key: Key) -> Item | None:
        answer = _patiently(
            lambda: self._client.get_item(TableName=self.name, Key=_key(key), ConsistentRead=True)
        )
        return unpack(answer["Item"]) if "Item" in answer else None

    def get_many(self, keys: Sequence[Key]) -> dict[Key, Item]:
        """Return the items that exist, strongly consistent; at most 100 keys a round trip."""
        found: dict[Key, Item] = {}
        waiting = [_key(key) for key in dict.fromkeys(keys)]
        while waiting:
            batch, waiting = waiting[:100], waiting[100:]
            ask = {self.name: {"Keys": batch, "ConsistentRead": True}}
            answer = _patiently(lambda ask=ask: self._client.batch_get_item(RequestItems=ask))  # type: ignore[misc]
            for raw in answer["Responses"].get(self.name, ()):
                item = unpack(raw)
                found[item["pk"], item["sk"]] = item
            waiting += answer["UnprocessedKeys"].get(self.name, {}).get("Keys", [])
        return found

    def query(self, **ask: Any) -> Iterator[tuple[list[Item], Item | None]]:
        """Yield pages of a query: items, and the key the next page starts behind (None: last)."""
        ask["ExpressionAttributeValues"] = pack(ask["ExpressionAttributeValues"])
        while True:
            answer = _patiently(lambda: self._client.query(TableName=self.name, **ask))
            last = answer.get("LastEvaluatedKey")
            yield [unpack(item) for item in answer["Items"]], last and unpack(last)
            if last is None:
                return
            ask["ExclusiveStartKey"] = last

    def scan(self, after: Item | None, **ask: Any) -> tuple[list[Item], Item | None]:
        """Return one page of the whole table behind `after`, and where the next one starts."""
        if after:
            ask["ExclusiveStartKey"] = pack(after)
        if values := ask.get("ExpressionAttributeValues"):
            ask["ExpressionAttributeValues"] = pack(values)
        answer = _patiently(lambda: self._client.scan(TableName=self.name, **ask))
        last = answer.get("LastEvaluatedKey")
        return [unpack(item) for item in answer["Items"]], last and unpack(last)

    def put(self, item: Mapping[str, Any], condition: Mapping[str, Any] | None = None) -> None:
        """Write one item. Raises ConditionFailed."""
        ask = {"TableName": self.name, "Item": pack(item), **_condition(condition)}
        _patiently(lambda: self._client.put_item(**ask))

    def update(self, key: Key, expression: str, **said: Any) -> Item:
        """Change one item and return it as it is then. Raises ConditionFailed.

        `said`: values (by placeholder), names, condition.
        """
        ask = {**self._change(key, expression, said), "ReturnValues": "ALL_NEW"}
        return unpack(_patiently(lambda: self._client.update_item(**ask))["Attributes"])

    def transact(self, *actions: Mapping[str, Any]) -> None:
        """Carry out all actions of this table or none. Raises ConditionFailed.

        All tries carry one token: one whose answer was lost is not refused by its own effect.
        """
        ask = {"TransactItems": list(actions), "ClientRequestToken": uuid4().hex}
        _patiently(lambda: self._client.transact_write_items(**ask))

    def putting(self, item: Mapping[str, Any], condition: Mapping[str, Any] | None = None) -> Item:
        """Return the action of a transaction that puts one item."""
        return {"Put": {"TableName": self.name, "Item": pack(item), **_condition(condition)}}

    def updating(self, key: Key, expression: str, **said: Any) -> Item:
        """Return the action of a transaction that changes one item; arguments as `update`."""
        return {"Update": self._change(key, expression, said)}

    def checking(self, key: Key, condition: Mapping[str, Any]) -> Item:
        """Return the action of a transaction that only demands a condition of an item."""
        return {
            "ConditionCheck": {
                "TableName": self.name,
                "Key": _key(key),
                **_condition(condition),
            }
        }

    def _change(self, key: Key, expression: str, said: Mapping[str, Any]) -> Item:
        return {
            "TableName": self.name,
            "Key": _key(key),
            "UpdateExpression": expression,
            **_condition(said),
        }


def _key(key: Key) -> Item:
    return {"pk": {"S": key[0]}, "sk": {"S": key[1]}}


def _condition(said: Mapping[str, Any] | None) -> Item:
    """Return condition, values and names as the API calls them; the loser is told who won."""
    if not said:
        return {}
    ask: Item = {}
    if condition := said.get("condition"):
        ask["ConditionExpression"] = condition
        ask["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    if values := said.get("values"):
        ask["ExpressionAttributeValues"] = {name: _pack(v) for name, v in values.items()}
    if names := said.get("names"):
        ask["ExpressionAttributeNames"] = names
    return ask


def _patiently(call: Callable[[], T]) -> T:
    for attempt in range(TRIES):
        try:
            return call()
        except ClientError as error:
            _unless_passing(error)
        time.sleep(random.uniform(0, FIRST_WAIT * 2**attempt))
    raise Busy("the table is busy; nothing was written", retry_after=1)


def _unless_passing(error: ClientError) -> None:
    """Return if the call may be tried again; otherwise raise what the error means."""
    code = error.response["Error"]["Code"]
    if code == "ConditionalCheckFailedException":
        old = error.response.get("Item")
        raise ConditionFailed([unpack(old) if old else None]) from error
    if code == "TransactionCanceledException":
        reasons = error.response["CancellationReasons"]
        codes = {reason["Code"] for reason in reasons} - {"None"}
        if "ConditionalCheckFailed" in codes:
            raise ConditionFailed(
                [unpack(r.get("Item", {})) if _failed(r) else None for r in reasons]
            ) from error
        if codes <= PASSING_IN_TRANSACTION:
            return
        raise error
    if code not in PASSING:
        raise error


def _failed(reason: Mapping[str, Any]) -> bool:
    return bool(reason["Code"] == "ConditionalCheckFailed")
