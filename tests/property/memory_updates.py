"""DynamoDB's update expressions, as much of them as Muniment writes.

SET a.b = :v, a = if_not_exists(a, :v) + :w   REMOVE a, b   ADD a :v
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import cache

from tests.property.memory_expressions import Given, Item, Typed, words_of

CLAUSES = ("SET", "REMOVE", "ADD")


def updated(expression: str, given: Given) -> Item:
    """Return a copy of the item with the update applied; values are read from the old item."""
    item = dict(given.item)
    for clause, actions in _clauses(expression):
        for action in actions:
            _APPLY[clause](item, action, given)
    return item


@cache
def _clauses(expression: str) -> list[tuple[str, list[list[str]]]]:
    """Return each clause with its actions, an action as its words."""
    clauses: list[tuple[str, list[list[str]]]] = []
    depth = 0
    for word in words_of(expression):
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
