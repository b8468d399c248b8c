"""Other readings of a text in which a secret may hide, each with the way back to the original.

    folded    full width, hard blanks, look-alike letters made plain; invisible ones taken out
    joined    lines and "quoted" + "pieces" put together
    unescaped what is written as %5F or \\u005f, \\x5f, &#95;, \\n
    unwrapped what base64 of 28 characters or more says

The first is cheap and always made; the others only if the text holds what they undo.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from muniment.domain.guard.checksums import decoded
from muniment.domain.guard.lazy import pattern

# Cyrillic and other letters that look Latin; Russian patterns are folded in the same way.
LOOK_ALIKES = {
    **dict(zip("авекмнорстухіјѕԁԛԝһӏ", "abekmhopctyxijsdqwhl", strict=True)),
    **dict(zip("АВЕКМНОРСТУХІЈЅԚԜҺӀ", "ABEKMHOPCTYXIJSQWHI", strict=True)),
    **dict(zip("αορνικτ‐‑‒−", "aopvikt----", strict=True)),
}
FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # letters and marks that show nothing
CONTROLS = "[\x00-\x08\x0e-\x1f\x7f]"
FEW = 64  # replacements of one letter are quicker than one pass, up to about here
GLUE = (  # "ghp_" + "…", 'a' 'b', "a" . "b"
    r"[\"'`](?<=[\w+/=.-].)\s{0,40}+(?:[+.&\\]|\|\|)?\s{0,40}+[\"'`](?=[\w+/=.-])"
)
BREAK = r"\n(?<=[\w+/=\\\r-]\n)[ \t]{0,99}+(?=[\w+/=-])"  # between pieces of a word
ESCAPE = (
    r"%[2-7][0-9A-Fa-f]|\\(?:u00[2-7][0-9A-Fa-f]|x[2-7][0-9A-Fa-f]|[nrt\"'/])"
    r"|&#(?:x[2-7][0-9a-fA-F]|\d{2,3});"
)
AROUND = 120  # characters before and after what was undone that are read again with it
WRAPPED = r"[A-Za-z0-9+/_-]{28,}+={0,2}"
SHORTEST = 16  # characters of a token
SURELY = 32  # characters, of which a token has a digit or is one of letters only
DIGIT = r"\d"


Span = tuple[int, int]  # half-open
Edit = tuple[int, int, str]  # start, end, at most one character instead


class Reading(NamedTuple):
    """`begins[i]`, `ends[i]`: where character i stands in the original; None: at i."""

    text: str
    begins: list[int] | None = None
    ends: list[int] | None = None

    def span(self, start: int, end: int) -> Span:
        """Return the half-open span of the original that [start, end) was read from."""
        if self.begins is None or self.ends is None:
            return start, end
        return self.begins[start], self.ends[end - 1]


@cache
def plain_letter(character: str) -> str:
    """Return the ASCII character it looks like, "" if nobody sees it, or itself."""
    if character in LOOK_ALIKES:
        return LOOK_ALIKES[character]
    if character in "\t\n\r":
        return character
    kind = unicodedata.category(character)
    if kind == "Zs":
        return " "
    if kind in ("Cf", "Cc") or character in FILLERS or "\ufe00" <= character <= "\ufe0f":
        return ""
    narrow = unicodedata.normalize("NFKC", character)
    return narrow if len(narrow) == 1 and narrow.isascii() else character


def fold(text: str) -> str:
    """Return the text, as long as it was, with plain letters for all that look like them."""
    return text if text.isascii() else _replaced(text, _to_replace(text))


def folded(text: str) -> Reading:
    if text.isascii() and pattern(CONTROLS).search(text) is None:
        return Reading(text)
    plain = _to_replace(text)
    clean = _replaced(text, plain)
    if all(plain.values()):
        return Reading(clean)
    unseen = "".join(c for c, letter in plain.items() if not letter)
    gaps = [(*found.span(), "") for found in re.finditer(f"[{re.escape(unseen)}]+", clean)]
    return _pieces(Reading(clean), 0, len(clean), gaps)


def _to_replace(text: str) -> dict[str, str]:
    return {c: plain for c in set(text) if (plain := plain_letter(c)) != c}


def _replaced(text: str, plain: dict[str, str]) -> str:
    """Return the text with its letters replaced; invisible ones stay."""
    if len(plain) > FEW:
        return text.translate({ord(c): letter for c, letter in plain.items() if letter})
    for character, letter in plain.items():
        text = text.replace(character, letter or character)
    return text


def readings(reading: Reading) -> Iterator[Reading]:
    """Yield what else the text says with pieces put together, and with escapes undone."""
    text = reading.text
    if any(quote in text for quote in "\"'`"):
        glue = [(*found.span(), "") for found in pattern(GLUE).finditer(text)]
        yield from _edited(reading, glue)
    if "%" in text or "\\" in text or "&#" in text:
        escapes = pattern(ESCAPE).finditer(text)
        yield from _edited(reading, [(*found.span(), _character(found[0])) for found in escapes])


def joined(reading: Reading) -> Iterator[Reading]:
    """Yield words that line breaks may have cut, put together: a token may be wrapped."""
    text = reading.text
    for start, end, gaps in _cut_words(text) if "\n" in text else ():
        length = end - start - sum(last - first for first, last, _ in gaps)
        if length >= SURELY or (length >= SHORTEST and pattern(DIGIT).search(text, start, end)):
            yield _pieces(reading, start, end, gaps)


def _cut_words(text: str) -> Iterator[tuple[int, int, list[Edit]]]:
    """Yield start, end and line breaks of runs of words that only line breaks part."""
    gaps: list[Edit] = []
    start = end = 0
    for found in pattern(BREAK).finditer(text):
        goes_on = text[found.start() - 1] in "\\\r"  # that character is no part of the word
        gap = (found.start() - goes_on, found.end(), "")
        if gaps and found.start() != end:
            yield start, end, gaps
            gaps = []
        if not gaps:
            start = max(text.rfind(blank, 0, found.start()) for blank in " \n\t") + 1
        gaps.append(gap)
        word = pattern(r"\S+").match(text, found.end())
        end = word.end() if word else found.end()
    if gaps:
        yield start, end, gaps


def long_words(text: str, least: int) -> list[Span]:
    """Return the spans of words of `least` characters or more."""
    spans, at = list[Span](), 0
    for word in [word for word in text.split() if len(word) >= least]:
        at = text.index(word, at)
        spans.append((at, at + len(word)))
        at += len(word)
    return spans


def unwrapped(text: str, words: list[Span]) -> Iterator[tuple[str, int, int]]:
    """Yield what each run of base64 in a word says, and its span; only what is printable."""
    for start, end in words:
        for found in pattern(WRAPPED).finditer(text, start, end):
            said = decoded(found[0])
            if said is not None:
                yield said, found.start(), found.end()


def _edited(reading: Reading, edits: list[Edit]) -> Iterator[Reading]:
    """Yield the text around edits; those near each other, or in one word, in one piece."""
    group: list[Edit] = []
    for edit in edits:
        if group and _are_apart(reading.text, group[-1][1], edit[0]):
            yield _around(reading, group)
            group = []
        group.append(edit)
    if group:
        yield _around(reading, group)


def _are_apart(text: str, end: int, start: int) -> bool:
    return start - end > AROUND and len(text[end:start].split()) > 1


def _around(reading: Reading, edits: list[Edit]) -> Reading:
    text, start, end = reading.text, edits[0][0] - AROUND, edits[-1][1] + AROUND
    start = max(text.rfind(" ", 0, max(0, start)), text.rfind("\n", 0, max(0, start))) + 1
    rest = pattern(r"\S*").match(text, end)
    return _pieces(reading, start, rest.end() if rest else end, edits)


def _pieces(reading: Reading, start: int, end: int, edits: list[Edit]) -> Reading:
    """Return [start, end) of the text with every (start, end, replacement) carried out."""
    begins, ends, written, at = list[int](), list[int](), list[str](), start
    for first, last, letter in (*edits, (end, end, "")):
        written += (reading.text[at:first], letter)
        begins.extend(range(at, first))
        ends.extend(range(at + 1, first + 1))
        if letter:
            begins.append(first)
            ends.append(last)
        at = last
    if reading.begins is not None and reading.ends is not None:
        begins = [reading.begins[place] for place in begins]
        ends = [reading.ends[place - 1] for place in ends]
    return Reading("".join(written), begins, ends)


def _character(escape: str) -> str:
    if len(escape) == 2:
        return "\n" if escape[1] in "nrt" else escape[1]
    digits = escape.lstrip("%\\u&#x").rstrip(";")
    decimal = escape.startswith("&#") and "x" not in escape
    code = int(digits or "0", 10 if decimal else 16)
    return chr(code) if 32 <= code < 127 else "?"
