"""DynamoDB's conditions, as much of them as Muniment writes, evaluated on typed values.

    a = :v   a <= :v   a BETWEEN :v AND :w   a IN (:v, :w)   NOT, AND, OR, ( )
    attribute_exists(a)   attribute_not_exists(a)   begins_with(a, :v)

Every expression becomes a closure once. What is not in this list raises SyntaxError: a test
must not pass because an expression was misread.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
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


@cache
def _condition(expression: str) -> Test:
    words = _Words(expression)
    test = words.any_of()
    if words.rest:
        raise SyntaxError(f"not understood: {expression}")
    return test


def words_of(expression: str) -> list[str]:
    """Return an expression as its words."""
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
        self.rest = words_of(expression)

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
