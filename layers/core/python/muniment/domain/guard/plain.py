"""Other readings of a text in which an order may hide: what a reader would see or decode.

text ─► folded (NFKC, no invisible characters, no accents, one blank, no emphasis)
     ─► look-alikes as Latin, as Cyrillic; digits as letters; letters joined
     ─► base64, hex, percent, \\u, HTML entities, ROT13, reversed
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

_INVISIBLE = re.compile("[\u00ad\u034f\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]")
_EMPHASIS = re.compile(r"(?<=\w)[*_~`]+(?=\w)|[*~`]+")
_APART = re.compile(r"\b(?:\w[ .\-_*·]{1,2}){5,}\w\b")
_SPACED = re.compile(r"(?:(?<!\w)\w[ \t]){5}\w(?!\w)")
_INNER_BLANK = re.compile(r"(?<=(?<!\S)\S)[ \t](?=\S(?!\S))")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[\s:]?){16,}")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_LATIN = "aeopcxyktmbhi"
_CYRILLIC = "аеорсхуктмвні"
TO_LATIN = str.maketrans(_CYRILLIC + "ѕјԁɡ", _LATIN + "sjdg")
TO_CYRILLIC = str.maketrans("aeopcxyktmbh3", "аеорсхуктмвнз")
_LEET = str.maketrans("013457@$!|", "oieastasil")
_BOTH_SCRIPTS = re.compile(r"[a-z][а-яёіѕј]|[а-яёіѕј][a-z]")
_LATIN_ALONE = re.compile(r"[dfgjlnqrsuvwz]")  # no Cyrillic letter looks like these
_WORD = re.compile(r"\w+")
_LEETED = re.compile(r"[a-zа-яё][013457@$!|][a-zа-яё]")


def folded(text: str) -> str:
    """Return the text in lower case, as it looks: one blank between words, no marks inside them."""
    seen = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()
    if not seen.isascii():
        apart = unicodedata.normalize("NFD", seen)
        kept = "".join(c for c in apart if not unicodedata.combining(c) or c == "\u0306")
        seen = unicodedata.normalize("NFC", kept).replace("ё", "е")
    return " ".join(_EMPHASIS.sub("", seen).split())


def as_seen(text: str) -> Iterator[str]:
    """Yield the text without what is invisible, and what is encoded in it, marks and case kept."""
    yield text
    seen = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    if seen != text:
        yield seen
    yield from _decoded(text)


def readings(text: str, whole: str) -> Iterator[str]:
    """Yield the folded text, then the other readings that something in it hints at.

    What is decoded comes out of `whole`, of which `text` may be a part.
    """
    plain = folded(text)
    yield from _disguises(plain)
    if _SPACED.search(text):  # folding would make the blanks between words as narrow as the others
        yield from _disguises(folded(_INNER_BLANK.sub("", text)))
    for hidden in _decoded(whole):
        yield from _disguises(folded(hidden))
    yield codecs.decode(plain, "rot13")
    yield plain[::-1]


def _disguises(plain: str) -> Iterator[str]:
    yield plain
    if _BOTH_SCRIPTS.search(plain):
        yield plain.translate(TO_LATIN)
        yield plain.translate(TO_CYRILLIC)
        yield _WORD.sub(lambda found: _one_script(found[0]), plain)
    if _LEETED.search(plain):
        yield plain.translate(_LEET)
    if _APART.search(plain):
        yield _APART.sub(lambda run: re.sub(r"[ .\-_*·]", "", run[0]), _words_apart(plain))


def _one_script(word: str) -> str:
    """Return a word of both scripts in the one that it has letters of its own from."""
    if not _BOTH_SCRIPTS.search(word):
        return word
    return word.translate(TO_LATIN if _LATIN_ALONE.search(word) else TO_CYRILLIC)


def _words_apart(plain: str) -> str:
    """Keep words apart where letters stand apart: two blanks were folded to one, marks were not."""
    return re.sub(r"(?<=\S)[.\-_*·](?=\S)", "", plain)


def _decoded(text: str) -> Iterator[str]:
    if "&" in text:
        yield html.unescape(text)
    if "%" in text:
        yield unquote(text, errors="ignore")
    if "\\" in text:
        yield _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), text)
    for found in _BASE64.finditer(text):
        yield from _readable(_unbase64(found[0]))
    for found in _HEX.finditer(text):
        yield from _readable(bytes.fromhex(re.sub(r"[\s:]", "", found[0])))


def _unbase64(coded: str) -> bytes:
    standard = coded.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(standard + "=" * (-len(standard) % 4))
    except (binascii.Error, ValueError):
        return b""


def _readable(raw: bytes) -> Iterator[str]:
    text = raw.decode("utf-8", "ignore")
    letters = sum(c.isalpha() or c.isspace() for c in text)
    if text.isprintable() and letters > 0.5 * len(text) and len(text.encode()) == len(raw):
        yield text
