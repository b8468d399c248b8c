"""Ways to hide an order from a filter that a reader still makes out, or is told to decode."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Callable
from urllib.parse import quote

CYRILLIC = str.maketrans("aeopcxy", "аеорсху")


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _bold(letter: str) -> str:
    if "a" <= letter <= "z":
        return chr(0x1D41A + ord(letter) - ord("a"))
    return chr(0x1D400 + ord(letter) - ord("A")) if "A" <= letter <= "Z" else letter


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
    "soft hyphens": lambda t: "\u00ad".join(t),
    "spaced letters": lambda t: "   ".join(" ".join(word) for word in t.split()),
    "hyphens": lambda t: " ".join("-".join(word) for word in t.split()),
    "lines": lambda t: t.replace(" ", "\n"),
    "base64 for URLs": lambda t: base64.urlsafe_b64encode(t.encode()).decode().rstrip("="),
    "hexadecimal entities": lambda t: "".join(f"&#x{ord(c):x};" for c in t),
    "mathematical": lambda t: "".join(_bold(c) for c in t),
}
# What is still markup when it is hidden so: a tag in other letters tags nothing.
KEEP_MARKUP = {"upper case", "full width", "zero width", "base64", "hexadecimal", "percent"}
KEEP_MARKUP |= {"entities", "escapes", "soft hyphens", "base64 for URLs", "hexadecimal entities"}
