"""Values that have a name: password=…, "api_key": "…", «пароль от базы — …», --token …

names (rules_names.py) ─► value after each ─► can it be one? (plausible.py)
                                              └─► of which service? (rules_named.py)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from muniment.domain.guard.disguises import long_words
from muniment.domain.guard.lazy import pattern
from muniment.domain.guard.plausible import BARE, DIRECT, LEAST_PLAIN, TOLD, judge
from muniment.domain.guard.rules_names import (
    ACTIVE,
    AFTER_VALUE,
    BEFORE_KEY,
    BETWEEN,
    BOUNDED,
    FLAG,
    KEY,
    LETTERS,
    NO_SUBJECT,
    OF_NO_SECRET,
    OF_SOMETHING,
    PASSWORD_WORDS,
    REST_OF_VALUE,
    TOKEN_WORDS,
    VALUE,
    VALUE_AFTER_BLANK,
    VALUE_AT_ONCE,
    VERB,
)

Found = tuple[str, int, int]

WORDS = (
    *((word, True) for word in PASSWORD_WORDS),
    *((word, False) for word in TOKEN_WORDS),
    (KEY, False),
)
BEFORE = 40  # characters before a name in which a service may be named
AFTER = 40  # characters of the name that follow the word
REACH = 90  # characters from a name to the word or sign before its value
FAR = 220  # characters from a name to the first digit or sign of its value


class Page(NamedTuple):
    """`low`: `text` in lower case with _ for blanks and hyphens; `judged`: begins of values."""

    text: str
    low: str
    letters: list[int]  # where a value of nothing but letters could be
    judged: set[tuple[int, bool]]


def find_assigned(text: str, low: str) -> Iterator[Found]:
    """Yield detector, start and end of values. `low`: `text` in lower case, `_` for - and blank."""
    words = [(word, is_password) for word, is_password in WORDS if word in low]
    if words:
        long = long_words(text, LEAST_PLAIN)
        letters = [start for start, end in long if pattern(LETTERS).search(text, start, end)]
        page = Page(text, low, letters, set())
        for word, is_password in words:
            for start, end in _names(page, word):
                yield from _value_of(page, start, end, is_password)


def _names(page: Page, word: str) -> Iterator[tuple[int, int]]:
    """Yield where the word names a credential with something like a value not far behind."""
    at, active = page.low.find(word), -1
    while at >= 0:
        end = at + len(word)
        if active < end:
            found = pattern(ACTIVE).search(page.text, end)
            active = found.start() if found else len(page.text) + FAR
        near = active - end < FAR or any(0 <= run - end < FAR for run in page.letters)
        if near and _is_name(page, word, at, end):
            yield at, end
        at = page.low.find(word, end)


def _is_name(page: Page, word: str, start: int, end: int) -> bool:
    if word == KEY:
        return page.low.endswith(BEFORE_KEY, max(0, start - AFTER), start)
    return word not in BOUNDED or not _inside_word(page.text, start, end)


def _inside_word(text: str, start: int, end: int) -> bool:
    """Tell whether letters go on on either side: bypass, passport; camelCase is two words."""
    before, after = text[start - 1 : start], text[end : end + 1]
    first = text[start]
    joined = before.isalpha() and first.isalpha() and not (before.islower() and first.isupper())
    return joined or (after.isalpha() and not (text[end - 1].islower() and after.isupper()))


def _value_of(page: Page, start: int, end: int, is_password: bool) -> Iterator[Found]:
    for manner, found in _candidates(page.text, start, end):
        if manner is TOLD and page.low[start:end] in NO_SUBJECT:
            return
        quoted = found["quoted"] is not None
        begin = found.start("quoted" if quoted else "plain")
        value = found["quoted"] if quoted else found["plain"].rstrip(AFTER_VALUE)
        if (begin, is_password) in page.judged or _is_of_something(page, start, end):
            return
        page.judged.add((begin, is_password))
        context = page.low[max(0, start - BEFORE) : begin]
        if detector := judge(value, context, is_password, manner):
            yield detector, begin, _end(page.text, begin + len(value), found)
            return


def _candidates(text: str, start: int, end: int) -> Iterator[tuple[int, re.Match[str]]]:
    if found := pattern(VALUE_AT_ONCE).match(text, end):
        yield DIRECT, found
        return
    for verb in pattern(VERB).finditer(text, end, end + REACH):
        if not pattern(BETWEEN).fullmatch(text, end, verb.start()):
            break
        if found := pattern(VALUE).match(text, verb.end()):
            yield (TOLD if verb[0].strip() else BARE), found
    if found := pattern(VALUE_AFTER_BLANK).match(text, end):
        flagged = pattern(FLAG).search(text, max(0, start - BEFORE), start)
        yield DIRECT if flagged else BARE, found


def _end(text: str, end: int, found: re.Match[str]) -> int:
    """Return where the value ends; a long one goes on beyond what was matched of it."""
    if end < found.end():
        return end
    rest = pattern(REST_OF_VALUE).match(text, end)
    return rest.end() if rest else end


def _is_of_something(page: Page, start: int, end: int) -> bool:
    """Tell whether the name is of something else: token_type, password_hash, max_tokens."""
    after, before = page.text[end : end + AFTER], page.text[max(0, start - BEFORE) : start]
    return bool(pattern(OF_SOMETHING).match(after) or pattern(OF_NO_SECRET).search(before))
