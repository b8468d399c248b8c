"""The table of the property tests answers as moto does: the same random calls on both."""

import random

import boto3
import pytest
from moto import mock_aws

from muniment.adapters.dynamo_table import ConditionFailed, Table
from tests.property.memory_dynamo import MemoryDynamo
from tests.property.memory_expressions import Given, holds
from tests.template import create_table_request

KEYS = [(f"p{part}", f"s{row}") for part in range(3) for row in range(4)]
CALLS = 300
CONDITIONS = (
    *[None] * 6,
    {"condition": "attribute_not_exists(pk)"},
    {"condition": "attribute_exists(pk)"},
    {"condition": "#n = :v", "names": {"#n": "amount"}, "values": {":v": 2}},
    {"condition": "attribute_not_exists(pk) OR #n <= :v", "names": {"#n": "amount"}},
    {"condition": "(attribute_not_exists(claim) OR claim.ends <= :v) AND #s IN (:a, :b)"},
    {"condition": "amount = :v AND claim.who = :a AND claim.ends > :v"},
    {"condition": "NOT amount BETWEEN :v AND :w AND begins_with(word, :a)"},
)
UPDATES = (
    ("SET claim = :map, generation = if_not_exists(generation, :v) + :w", {":map", ":v", ":w"}),
    ("SET claim.ends = :w", {":w"}),
    ("SET #n = :v, word = :a REMOVE claim, cell", {":v", ":a"}),
    ("REMOVE claim", set()),
    ("ADD amount :w", {":w"}),
    ("SET cell = :a, fact_id = :b, word = :a, secret = :b", {":a", ":b"}),
)


class Chance:
    """Random arguments of one call."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def key(self):
        return self.random.choice(KEYS)

    def item(self):
        pk, sk = self.key()
        word = self.random.choice("ab")
        more = {
            "amount": self.random.randrange(4),
            "word": word,
            "claim": {"who": word, "ends": self.random.randrange(4)},
            "cell": self.random.choice("ab"),
            "fact_id": f"f{pk}{sk}",
            "state": word,
            "secret": "not projected",
            "empty": "",
            "bytes": b"\x00\x01",
            "list": [1, "a", True],
        }
        return {"pk": pk, "sk": sk} | {n: v for n, v in more.items() if self.random.random() < 0.7}

    def said(self, needed=frozenset()):
        """Return a condition with exactly the values and names it uses, and those an update needs.

        DynamoDB refuses a value or a name that no expression uses.
        """
        chosen = self.random.choice(CONDITIONS) or {}
        text = chosen.get("condition", "")
        words = {":a": self.random.choice("ab"), ":b": self.random.choice("ab")}
        values = {
            **words,
            ":v": self.random.randrange(4),
            ":w": self.random.randrange(1, 4),
            ":map": {"who": self.random.choice("ab"), "ends": self.random.randrange(4)},
        }
        used = {name: v for name, v in values.items() if name in needed or name in text}
        names = {n: v for n, v in (("#n", "amount"), ("#s", "state")) if n in text}
        return {
            **({"condition": text} if text else {}),
            **({"values": used} if used else {}),
            **({"names": names} if names else {}),
        }

    def update(self, chosen=None):
        expression, needed = chosen or self.random.choice(UPDATES)
        said = self.said(needed)
        if "#n" in expression:
            said["names"] = {**said.get("names", {}), "#n": "amount"}
        return self.key(), expression, said


def call(table: Table, kind: str, seed: int):
    """Do one random call and return what can be seen of it."""
    chance = Chance(seed)
    try:
        if kind == "get":
            return table.get_many(chance.random.sample(KEYS, 3)), table.get(chance.key())
        if kind == "put":
            return table.put(chance.item(), chance.said() or None)
        if kind == "update":
            key, expression, said = chance.update()
            return table.update(key, expression, **said)
        if kind == "transact":
            return table.transact(*_actions(table, chance))
        return _queried(table, chance)
    except ConditionFailed as failed:
        return "refused", failed.items
    except Exception as error:
        code = getattr(error, "response", {}).get("Error", {}).get("Code")
        return "invalid", code in ("ValidationException", None)


def _actions(table: Table, chance: Chance):
    """Return two or three actions on different items."""
    actions, taken = [], set()
    for _ in range(chance.random.randrange(2, 4)):
        if chance.random.random() < 0.5:
            item = chance.item()
            key, action = (item["pk"], item["sk"]), table.putting(item, chance.said() or None)
        else:
            key, expression, said = chance.update(chance.random.choice(UPDATES[2:]))
            action = table.updating(key, expression, **said)
        if key not in taken:
            actions.append(action)
        taken.add(key)
    return actions


def _queried(table: Table, chance: Chance):
    pick = chance.random.choice
    more = pick([{}, {"Limit": 1}, {"Limit": 2}, {"FilterExpression": "word = :a"}])
    values = {":a": "a"} if "FilterExpression" in more else {}
    if pick([True, False]):
        ask = {"KeyConditionExpression": "pk = :pk AND sk BETWEEN :low AND :high"}
        values |= {":pk": pick(KEYS)[0], ":low": "s1", ":high": "s2"}
    else:
        ask = {"IndexName": "by_cell", "KeyConditionExpression": "cell = :cell AND fact_id > :low"}
        values |= {":cell": pick("ab"), ":low": "fp0s1"}
    pages = table.query(**ask, **more, ExpressionAttributeValues=values)
    return [item for page, _ in pages for item in page]


@pytest.fixture
def both():
    request = create_table_request("Memory")
    with mock_aws():
        client = boto3.client("dynamodb")
        client.create_table(**request)
        yield Table(MemoryDynamo(request), "Memory"), Table(client, "Memory")


def test_given_the_same_random_calls_when_made_on_memory_and_moto_then_all_answers_agree(both):
    mine, moto = both
    kinds, seen = random.Random(7), {}
    for seed in range(CALLS):
        kind = kinds.choice(("get", "put", "put", "update", "update", "transact", "query"))
        ours, theirs = call(mine, kind, seed), call(moto, kind, seed)
        assert ours == theirs, (seed, kind)
        outcome = ours[0] if isinstance(ours, tuple) and ours[0] in ("refused", "invalid") else "ok"
        seen[kind, outcome] = seen.get((kind, outcome), 0) + 1
    everything = [list(_all(table)) for table in both]
    assert everything[0] == everything[1]
    for kind in ("get", "put", "update", "transact", "query"):
        assert seen[kind, "ok"] > 3, seen
    for kind in ("put", "update", "transact"):
        assert seen[kind, "refused"] > 3, seen


def _all(table: Table):
    items, last = table.scan(None, Limit=5)
    found = list(items)
    while last:
        items, last = table.scan({"pk": last["pk"], "sk": last["sk"]}, Limit=5)
        found += items
    return sorted(found, key=lambda item: (item["pk"], item["sk"]))


def test_given_a_transaction_that_touches_an_item_twice_when_sent_then_it_is_invalid(both):
    for table in both:
        twice = [table.putting({"pk": "p0", "sk": "s0", "amount": n}) for n in (1, 2)]
        with pytest.raises(Exception, match=r"ValidationException|multiple operations"):
            table.transact(*twice)
        assert table.get(("p0", "s0")) is None


def test_given_an_expression_outside_the_list_when_evaluated_then_it_is_refused():
    for unknown in ("size(a) > :v", "contains(a, :v)", "a = :v XOR b = :v", "a ~ :v"):
        with pytest.raises(SyntaxError):
            holds(unknown, Given({"a": {"S": "x"}}, {":v": {"S": "x"}}, {}))
