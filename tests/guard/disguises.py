"""Ways to hide an order from a filter that a reader still makes out, or is told to decode."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Callable
from urllib.parse import quote

CYRILLIC = str.maketrans("aeopcxy", "аеорсху")


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


DISGUISES: dict[str, Callable[[str], str]] = {
    "upper case": str.upper,
    "full width": lambda t: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in t),
    "zero width": lambda t: "\u200b".join(t),
    "look-alikes": lambda t: t.translate(CYRILLIC),
    "accents": lambda t: "".join(c + "\u0301" if c in "aeo" else c for c in t),
    "leet": lambda t: t.translate(str.maketrans("oie", "013")),
    "dotted": lambda t: " ".join(".".join(word) for word in t.split()),
    "emphasis": lambda t: t.replace("e", "**e**"),
    "blanks": lambda t: t.replace(" ", " \n\t "),
    "base64": _base64,
    "hexadecimal": lambda t: t.encode().hex(),
    "percent": lambda t: quote(t, safe=""),
    "entities": lambda t: "".join(f"&#{ord(c)};" for c in t),
    "escapes": lambda t: "".join(f"\\u{ord(c):04x}" for c in t),
    "rot13": lambda t: codecs.encode(t, "rot13"),
    "reversed": lambda t: t[::-1],
}
# What is still markup when it is hidden so: a tag in other letters tags nothing.
KEEP_MARKUP = {"upper case", "full width", "zero width", "base64", "hexadecimal", "percent"}
KEEP_MARKUP |= {"entities", "escapes"}
