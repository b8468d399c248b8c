"""What a rule is. The tables rules_*.py hold them, one family a file.

    Token   a prefix that nobody types by chance, then a fixed shape       ghp_…
    Named   a shape that says nothing alone: a service and a word such as  DD_API_KEY=…
            key, token or password must stand before it
    Shape   anything else, found by a word that must occur                 postgres://u:…@h

Patterns are text: they are compiled when their prefix or word first occurs.
"""

from __future__ import annotations

from typing import NamedTuple

from muniment.domain.guard.checksums import Check


class Token(NamedTuple):
    """`prefixes` and `names` below are separated by blanks. `rest` follows the prefix.

    `proof` holding, the token is a secret whatever it looks like; otherwise a value that looks
    like a placeholder passes. `must` is needed in any case.
    """

    detector: str
    source: str
    prefixes: str
    rest: str
    proof: Check | None = None
    must: Check | None = None


class Named(NamedTuple):
    """`names`: lower case, `_` for every blank and hyphen; one must stand near the value."""

    detector: str
    source: str
    names: str
    value: str


class Shape(NamedTuple):
    """Found where one of `words` stands: lower case, `_` for every blank and hyphen.

    The pattern begins `back` characters before, one of these numbers. Its group `s`, or all of
    it, is the secret.
    """

    detector: str
    source: str
    words: str
    pattern: str
    back: tuple[int, ...] = (0,)
    must: Check | None = None
    placeholders_pass: bool = True
