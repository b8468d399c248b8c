"""One table in plain values: what is tried again, what is an answer, what is neither."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from botocore.exceptions import ClientError

from muniment.adapters import dynamo_table
from muniment.adapters.dynamo_table import TRIES, ConditionFailed, Table, pack, unpack
from muniment.domain.errors import Busy

OK: dict[str, Any] = {"Attributes": {}, "Items": []}


def error(code: str, **more: Any) -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": "…"}, **more}
    return ClientError(answer, "Any")


def cancelled(*codes: str, item: dict[str, Any] | None = None) -> ClientError:
    reasons = [{"Code": code} for code in codes]
    if item:
        reasons[-1]["Item"] = item  # type: ignore[assignment]
    return error("TransactionCanceledException", CancellationReasons=reasons)


class Client:
    """Answers every call with the next of `happenings`; `asked` is what it got."""

    def __init__(self, *happenings: Any) -> None:
        self.happenings = list(happenings)
        self.asked: list[dict[str, Any]] = []

    def __getattr__(self, name: str) -> Any:
        return self._answer

    def _answer(self, **ask: Any) -> Any:
        self.asked.append(ask)
        happening = self.happenings.pop(0) if self.happenings else OK
        if isinstance(happening, Exception):
            raise happening
        return happening


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waited: list[float] = []
    monkeypatch.setattr(dynamo_table.time, "sleep", waited.append)
    return waited


def test_given_values_when_packed_then_what_is_absent_or_empty_is_left_out():
    item = {"a": None, "b": "", "c": [], "d": (), "e": b"", "f": 0, "g": False, "h": {}}
    assert pack(item) == {"f": {"N": "0"}, "g": {"BOOL": False}, "h": {"M": {}}}


def test_given_values_when_packed_and_unpacked_then_they_are_the_same():
    item = {"s": "ключ", "n": 5, "d": Decimal("0.125"), "l": ["", {"a": ""}], "m": {"e": ""}}
    assert unpack(pack(item)) == item
    assert bytes(unpack(pack({"b": b"\x00\xff"}))["b"]) == b"\x00\xff"


@pytest.mark.parametrize(
    "passing",
    [
        error("ThrottlingException"),
        error("ProvisionedThroughputExceededException"),
        error("RequestLimitExceeded"),
        error("TransactionConflictException"),
        error("TransactionInProgressException"),
        error("InternalServerError"),
        cancelled("None", "TransactionConflict"),
        cancelled("ThrottlingError", "ProvisionedThroughputExceeded"),
    ],
)
def test_given_a_passing_trouble_when_met_then_it_is_tried_again_after_a_longer_wait(
    passing: ClientError, waits: list[float]
):
    client = Client(*[passing] * (TRIES - 1))
    Table(client, "Memory").transact({"Put": {}})
    assert len(client.asked) == TRIES
    assert len(waits) == TRIES - 1
    assert all(0 <= wait <= 0.02 * 2**number for number, wait in enumerate(waits))


def test_given_a_trouble_that_stays_when_met_then_it_is_busy_with_the_time_to_come_back():
    client = Client(*[error("ThrottlingException")] * 99)
    with pytest.raises(Busy) as busy:
        Table(client, "Memory").put({"pk": "p", "sk": "s"})
    assert len(client.asked) == TRIES
    assert busy.value.more["retry_after"] == 1


def test_given_a_transaction_tried_again_when_counted_then_all_tries_carry_one_token():
    client = Client(error("InternalServerError"), error("InternalServerError"))
    table = Table(client, "Memory")
    table.transact({"Put": {}})
    table.transact({"Put": {}})
    tokens = [ask["ClientRequestToken"] for ask in client.asked]
    assert tokens[0] == tokens[1] == tokens[2] != tokens[3]
    assert all(len(token) <= 36 for token in tokens)


def test_given_a_failed_condition_when_met_then_it_is_not_tried_again_and_tells_who_won():
    won = {"pk": {"S": "p"}, "version": {"N": "2"}}
    client = Client(error("ConditionalCheckFailedException", Item=won))
    with pytest.raises(ConditionFailed) as failed:
        Table(client, "Memory").put({"pk": "p"}, {"condition": "attribute_not_exists(pk)"})
    assert failed.value.items == [{"pk": "p", "version": 2}]
    assert len(client.asked) == 1
    assert client.asked[0]["ReturnValuesOnConditionCheckFailure"] == "ALL_OLD"


def test_given_one_failed_condition_among_conflicts_when_met_then_it_is_the_answer():
    client = Client(
        cancelled("None", "TransactionConflict", "ConditionalCheckFailed", item={"a": {"S": "b"}})
    )
    with pytest.raises(ConditionFailed) as failed:
        Table(client, "Memory").transact({"Put": {}}, {"Put": {}}, {"Put": {}})
    assert failed.value.items == [None, None, {"a": "b"}]


@pytest.mark.parametrize(
    "fatal",
    [
        error("ValidationException"),
        error("AccessDeniedException"),
        error("ResourceNotFoundException"),
        cancelled("ValidationError", "None"),
        cancelled("ItemCollectionSizeLimitExceeded", "TransactionConflict"),
    ],
)
def test_given_a_trouble_of_our_own_making_when_met_then_it_is_raised_at_once(fatal: ClientError):
    client = Client(fatal)
    with pytest.raises(ClientError):
        Table(client, "Memory").transact({"Put": {}})
    assert len(client.asked) == 1


def test_given_many_keys_when_read_then_100_a_trip_each_once_and_the_rest_again():
    keys = [(f"p{number}", "s") for number in range(150)] * 2
    left = {"Memory": {"Keys": [{"pk": {"S": "p0"}, "sk": {"S": "s"}}]}}
    item = {"pk": {"S": "p0"}, "sk": {"S": "s"}}
    client = Client(
        {"Responses": {"Memory": []}, "UnprocessedKeys": left},
        {"Responses": {}, "UnprocessedKeys": {}},
        {"Responses": {"Memory": [item]}, "UnprocessedKeys": {}},
    )
    found = Table(client, "Memory").get_many(keys)
    counts = [len(ask["RequestItems"]["Memory"]["Keys"]) for ask in client.asked]
    assert counts in ([100, 51], [100, 50, 1])
    assert all(ask["RequestItems"]["Memory"]["ConsistentRead"] for ask in client.asked)
    assert ("p0", "s") in found or counts == [100, 51]


def test_given_no_keys_when_read_then_no_trip_is_made():
    client = Client()
    assert Table(client, "Memory").get_many([]) == {}
    assert client.asked == []


def test_given_a_query_of_several_pages_when_read_then_it_goes_on_where_the_last_ended():
    last = {"pk": {"S": "p"}, "sk": {"S": "s1"}}
    client = Client({"Items": [last], "LastEvaluatedKey": last}, {"Items": []})
    values = {":pk": "p"}
    pages = list(Table(client, "Memory").query(ExpressionAttributeValues=values))
    assert pages == [([{"pk": "p", "sk": "s1"}], {"pk": "p", "sk": "s1"}), ([], None)]
    assert client.asked[1]["ExclusiveStartKey"] == last
    assert values == {":pk": "p"}


def test_given_one_item_when_read_then_it_is_strongly_consistent_and_none_if_absent():
    client = Client({"Item": {"n": {"N": "1"}}}, {})
    table = Table(client, "Memory")
    assert table.get(("p", "s")) == {"n": 1}
    assert table.get(("p", "s")) is None
    assert all(ask["ConsistentRead"] for ask in client.asked)
