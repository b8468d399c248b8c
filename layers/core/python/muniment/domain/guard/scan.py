"""The search itself: every rule against every reading of a text.

text ─► folded ──────────┬─► tokens  by prefix             (rules_*.py: TOKENS)
          ├─► pieces ────┤   shapes  by word, then pattern (rules_*.py: SHAPES)
          ├─► unescaped ─┘   named   by word and value     (assignments.py)
          ├─► joined lines ─► tokens and shapes of tokens
          └─► unwrapped ────► tokens and shapes
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from muniment.domain.guard import (
    rules_cloud,
    rules_code,
    rules_keys,
    rules_lines,
    rules_models,
    rules_money,
    rules_services,
    rules_spoken,
    rules_talk,
    rules_watch,
)
from muniment.domain.guard.assignments import find_assigned
from muniment.domain.guard.disguises import (
    SHORTEST,
    Reading,
    Span,
    folded,
    joined,
    long_words,
    readings,
    unwrapped,
)
from muniment.domain.guard.lazy import pattern
from muniment.domain.guard.placeholders import is_blanked, is_empty_word, is_reference
from muniment.domain.guard.rules_form import Shape, Token

Entry = tuple[str, str, Shape]  # a sign that must occur, the word it is in, the shape
SIGNS = ("|", "~", "+", "=", "__", "_us", "az", '"', "://", ":")


def by_word(*tables: tuple[Shape, ...]) -> tuple[Entry, ...]:
    """Return the shapes by their words, each with a sign that is quicker to look for."""
    words = ((word, rule) for table in tables for rule in table for word in rule.words.split())
    return tuple((next((s for s in SIGNS if s in word), word), word, rule) for word, rule in words)


TOKENS: tuple[Token, ...] = (
    *rules_keys.TOKENS,
    *rules_cloud.TOKENS,
    *rules_code.TOKENS,
    *rules_money.TOKENS,
    *rules_models.TOKENS,
    *rules_talk.TOKENS,
    *rules_watch.TOKENS,
    *rules_services.TOKENS,
)
TOKEN_SHAPES = by_word(
    rules_cloud.SHAPES, rules_talk.SHAPES, rules_watch.SHAPES, rules_services.SHAPES
)
SHAPES = TOKEN_SHAPES + by_word(rules_keys.SHAPES, rules_code.SHAPES, rules_lines.SHAPES)
SPOKEN = by_word(rules_spoken.SHAPES)
START = r"(?<![A-Za-z0-9])[A-Za-z0-9](?=[^\s\"'<>]{15})"


class Find(NamedTuple):
    rank: int  # 0 tokens, 1 shapes, 2 named, 3 spoken: of two that overlap the lower gives the name
    detector: str
    start: int
    end: int


def finds(text: str) -> Iterator[Find]:
    plain = folded(text)
    words = long_words(plain.text, SHORTEST)
    for reading in (plain, *readings(plain)):
        letters, low = _ascii(reading.text), _low(reading.text)
        yield from _in_place(reading, _tokens(letters, words if reading is plain else None))
        yield from _in_place(reading, _shapes(reading.text, low, SHAPES))
        yield from _in_place(reading, (Find(2, *f) for f in find_assigned(reading.text, low)))
        spoken = _shapes(reading.text, low, SPOKEN)
        yield from _in_place(reading, (found._replace(rank=3) for found in spoken))
    for reading in joined(plain):
        letters = _ascii(reading.text)
        yield from _in_place(reading, _tokens(letters))
        yield from _in_place(reading, _shapes(letters, _low(letters), TOKEN_SHAPES))
    yield from _wrapped(plain, words)


def _in_place(reading: Reading, finds: Iterator[Find]) -> Iterator[Find]:
    for find in finds:
        start, end = reading.span(find.start, find.end)
        yield find._replace(start=start, end=end)


def _ascii(text: str) -> str:
    """Return the text with ? for whatever is not ASCII: tokens are, and look-up is quicker."""
    return text if text.isascii() else text.encode("ascii", "replace").decode("ascii")


def _low(text: str) -> str:
    """Return the text, as long as it was, in lower case and with _ for blanks and hyphens."""
    low = text.lower()
    if len(low) != len(text):  # there are capitals whose small letter is two characters
        low = "".join(c if len(c.lower()) > 1 else c.lower() for c in text)
    return low.replace("-", "_").replace(" ", "_")


@cache
def _starts() -> dict[str, list[tuple[str, Token]]]:
    """Return the prefixes, by their first two characters."""
    starts: dict[str, list[tuple[str, Token]]] = {}
    for rule in TOKENS:
        for prefix in rule.prefixes.split():
            starts.setdefault(prefix[:2], []).append((prefix, rule))
    return starts


def _tokens(text: str, words: list[Span] | None = None) -> Iterator[Find]:
    starts, least = _starts(), 0
    for at in _places(text, long_words(text, SHORTEST) if words is None else words):
        for prefix, rule in starts.get(text[at : at + 2], ()) if at >= least else ():
            if text.startswith(prefix, at):
                rest = _rest(rule.rest).match(text, at + len(prefix))
                if rest and _is_token(rule, text[at : rest.end()], rest[0]):
                    yield Find(0, rule.detector, at, rest.end())
                    least = rest.end()
                    break


def _places(text: str, words: list[Span]) -> Iterator[int]:
    """Yield where a token could begin: no letter or digit before, enough characters after."""
    for start, end in words:
        for found in pattern(START).finditer(text, start, end):
            yield found.start()


@cache
def _rest(shape: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{shape})(?![A-Za-z0-9])")


def _is_token(rule: Token, token: str, body: str) -> bool:
    if rule.must is not None and not rule.must(token):
        return False
    return not is_blanked(body) or (rule.proof is not None and rule.proof(token))


def _shapes(text: str, low: str, shapes: tuple[Entry, ...]) -> Iterator[Find]:
    signs = {sign for sign in SIGNS if sign in low}
    for sign, word, rule in shapes:
        at = low.find(word) if sign in signs or sign == word else -1
        least = 0
        while at >= 0:
            if found := _shape_at(rule, text, at, least):
                group = "s" if "s" in found.re.groupindex else 0
                if _is_secret(rule, found[group]):
                    yield Find(1, rule.detector, *found.span(group))
                least = found.end()
            at = low.find(word, at + len(word))


def _shape_at(rule: Shape, text: str, at: int, least: int) -> re.Match[str] | None:
    """Return the shape around a word at `at`, beginning at `least` or later."""
    shape = pattern(rule.pattern)
    for back in rule.back:
        if at - back >= least and (found := shape.match(text, at - back)):
            return found
    return None


def _is_secret(rule: Shape, value: str) -> bool:
    if rule.must is not None and not rule.must(value):
        return False
    if not rule.placeholders_pass:
        return True
    return not (is_blanked(value) or is_empty_word(value) or is_reference(value))


def _wrapped(plain: Reading, words: list[Span]) -> Iterator[Find]:
    """Yield runs of base64 that say a token, a private key or a URL's password, each as a whole."""
    for said, start, end in unwrapped(plain.text, words):
        for found in (*_tokens(said), *_shapes(said, _low(said), SHAPES)):
            yield Find(1, found.detector, *plain.span(start, end))
            break
