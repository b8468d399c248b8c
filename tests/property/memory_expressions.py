"""DynamoDB's expressions, as much of them as Muniment writes, evaluated on typed values.

    condition  a = :v   a <= :v   a BETWEEN :v AND :w   a IN (:v, :w)   NOT, AND, OR, ( )
               attribute_exists(a)   attribute_not_exists(a)   begins_with(a, :v)
    update     SET a.b = :v, a = if_not_exists(a, :v) + :w   REMOVE a, b   ADD a :v

Every expression becomes a closure once. What is not in this list raises SyntaxError: a test
must not pass because an expression was misread.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

Typed = dict[str, Any]  # {"S": "text"}
Item = dict[str, Typed]
TOKEN = re.compile(r"\s*(<=|>=|<>|[=<>(),+-]|[:#]?[A-Za-z0-9_]+(?:\.[#A-Za-z0-9_]+)*)")
COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
CLAUSES = ("SET", "REMOVE", "ADD")


@dataclass(frozen=True)
class Given:
    """What an expression is evaluated on: the item, and what stands for its placeholders."""

    item: Mapping[str, Typed]
    values: Mapping[str, Typed]
    names: Mapping[str, str]

    def path(self, path: str) -> list[str]:
        return [self.names[part] if part[0] == "#" else part for part in path.split(".")]

    def value(self, operand: str) -> Typed | None:
        """Return a placeholder's value or an attribute's; None where there is none."""
        if operand[0] == ":":
            return self.values[operand]
        found: Typed | None = {"M": self.item}
        for name in self.path(operand):
            found = found["M"].get(name) if found and "M" in found else None
        return found


Test = Callable[[Given], bool]


def holds(expression: str | None, given: Given) -> bool:
    """Tell whether a condition holds; none always does."""
    return expression is None or _condition(expression)(given)


@lru_cache(maxsize=None)
def _condition(expression: str) -> Test:
    words = _Words(expression)
    test = words.any_of()
    if words.rest:
        raise SyntaxError(f"not understood: {expression}")
    return test


def _tokens(expression: str) -> list[str]:
    found, at = [], 0
    while at < len(expression.rstrip()):
        match = TOKEN.match(expression, at)
        if match is None:
            raise SyntaxError(f"not understood at {at}: {expression}")
        found.append(match[1])
        at = match.end()
    return found


class _Words:
    """A recursive descent over the words of one condition."""

    def __init__(self, expression: str) -> None:
        self.rest = _tokens(expression)

    def take(self, *expected: str) -> str:
        word = self.rest.pop(0)
        if expected and word not in expected:
            raise SyntaxError(f"{word} instead of {expected}")
        return word

    def took(self, word: str) -> bool:
        if self.rest and self.rest[0] == word:
            self.rest.pop(0)
            return True
        return False

    def any_of(self) -> Test:
        tests = [self.all_of()]
        while self.took("OR"):
            tests.append(self.all_of())
        return lambda given: any(test(given) for test in tests)

    def all_of(self) -> Test:
        tests = [self.one()]
        while self.took("AND"):
            tests.append(self.one())
        return lambda given: all(test(given) for test in tests)

    def one(self) -> Test:
        if self.took("NOT"):
            test = self.one()
            return lambda given: not test(given)
        if self.took("("):
            test = self.any_of()
            self.take(")")
            return test
        word = self.take()
        return self.called(word) if self.took("(") else self.compared(word)

    def called(self, function: str) -> Test:
        operands = self.operands()
        first = operands[0]
        if function == "attribute_exists":
            return lambda given: given.value(first) is not None
        if function == "attribute_not_exists":
            return lambda given: given.value(first) is None
        if function == "begins_with":
            return lambda given: _begins(given.value(first), given.value(operands[1]))
        raise SyntaxError(f"no function {function}")

    def operands(self) -> list[str]:
        found = [self.take()]
        while self.took(","):
            found.append(self.take())
        self.take(")")
        return found

    def compared(self, left: str) -> Test:
        word = self.take("=", "<>", *COMPARE, "BETWEEN", "IN")
        if word == "BETWEEN":
            low, _, high = self.take(), self.take("AND"), self.take()
            return lambda given: (
                _ordered(">=", given.value(left), given.value(low))
                and _ordered("<=", given.value(left), given.value(high))
            )
        if word == "IN":
            self.take("(")
            wanted = self.operands()
            return lambda given: any(_equal(given.value(left), given.value(w)) for w in wanted)
        right = self.take()
        if word in ("=", "<>"):
            same = word == "="
            return lambda given: _equal(given.value(left), given.value(right)) is same
        return lambda given: _ordered(word, given.value(left), given.value(right))


def _equal(one: Typed | None, other: Typed | None) -> bool:
    if one is None or other is None:
        return False
    if "N" in one and "N" in other:
        return Decimal(one["N"]) == Decimal(other["N"])
    return one == other


def _ordered(word: str, one: Typed | None, other: Typed | None) -> bool:
    """Compare two of one type; anything else is false, as in DynamoDB."""
    if one is None or other is None or one.keys() != other.keys():
        return False
    return bool(COMPARE[word](sortable(one), sortable(other)))


def sortable(value: Typed) -> Any:
    """Return numbers as numbers and strings as their UTF-8 bytes, as DynamoDB orders them."""
    ((kind, held),) = value.items()
    if kind == "N":
        return Decimal(held)
    return held.encode() if kind == "S" else held


def _begins(one: Typed | None, other: Typed | None) -> bool:
    return bool(one and other and "S" in one and one["S"].startswith(other["S"]))


def updated(expression: str, given: Given) -> Item:
    """Return a copy of the item with the update applied; values are read from the old item."""
    item = dict(given.item)
    for clause, actions in _clauses(expression):
        for action in actions:
            _APPLY[clause](item, action, given)
    return item


@lru_cache(maxsize=None)
def _clauses(expression: str) -> list[tuple[str, list[list[str]]]]:
    """Return each clause with its actions, an action as its words."""
    clauses: list[tuple[str, list[list[str]]]] = []
    depth = 0
    for word in _tokens(expression):
        depth += (word == "(") - (word == ")")
        if word in CLAUSES:
            clauses.append((word, [[]]))
        elif word == "," and not depth:
            clauses[-1][1].append([])
        else:
            clauses[-1][1][-1].append(word)
    return clauses


def _set(item: Item, action: list[str], given: Given) -> None:
    path, equals, *words = action
    if equals != "=":
        raise SyntaxError(f"not understood: {action}")
    _put(item, given.path(path), _computed(words, given))


def _computed(words: list[str], given: Given) -> Typed:
    """Return `operand` or `operand + operand`; an operand may be if_not_exists(path, value)."""
    first, rest = _operand(words, given)
    if not rest:
        return first
    second, rest = _operand(rest[1:], given)
    if rest:
        raise SyntaxError(f"not understood: {words}")
    return {"N": str(Decimal(first["N"]) + Decimal(second["N"]))}


def _operand(words: list[str], given: Given) -> tuple[Typed, list[str]]:
    if words[0] == "if_not_exists":
        _, _, path, _, other, _, *rest = words
        found = given.value(path)
        return (given.values[other] if found is None else found), rest
    found = given.value(words[0])
    if found is None:
        raise ValueError(f"the update reads {words[0]}, which does not exist")
    return found, words[1:]


def _put(item: Item, path: list[str], value: Typed) -> None:
    name, *deeper = path
    if not deeper:
        item[name] = value
        return
    if name not in item or "M" not in item[name]:
        raise ValueError(f"the document path is invalid: {name}")
    inner = dict(item[name]["M"])
    _put(inner, deeper, value)
    item[name] = {"M": inner}


def _remove(item: Item, action: list[str], given: Given) -> None:
    (path,) = action
    (name,) = given.path(path)
    item.pop(name, None)


def _add(item: Item, action: list[str], given: Given) -> None:
    path, value = action
    (name,) = given.path(path)
    before = Decimal(item[name]["N"]) if name in item else Decimal(0)
    item[name] = {"N": str(before + Decimal(given.values[value]["N"]))}


_APPLY: dict[str, Callable[[Item, list[str], Given], None]] = {
    "SET": _set,
    "REMOVE": _remove,
    "ADD": _add,
}
