"""Secrets in a text: tokens, keys, passwords, credentials in URLs and lines (rows M-105, W-43).

Two judgements hold in every table: entropy never decides alone, and what is marked as a
placeholder passes. A checksum that holds proves a token; one that does not hold leaves it
suspect, for a mistyped token tells nearly as much as the right one.

The search (scan.py) and its tables are loaded with the first text: who imports this module and
never screens pays for one small module.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from muniment.domain.guard.scan import Find


@dataclass(frozen=True, slots=True)
class Secret:
    """`start`, `end`: the half-open span in the original text, in characters."""

    detector: str
    start: int
    end: int


def find_secrets(text: str, name: str = "") -> list[Secret]:
    """Return the secrets of a text in order, not overlapping.

    `name`: what the text is the value of, such as an attribute's name. It counts as if it stood
    before the text; spans are of the text alone.
    """
    if name:
        head = f"{name}: "
        found = find_secrets(head + text)
        spans = ((s.detector, max(0, s.start - len(head)), s.end - len(head)) for s in found)
        return [Secret(*span) for span in spans if span[2] > 0]
    from muniment.domain.guard.scan import finds

    return _merged(list(finds(text)))


def redact(text: str, name: str = "") -> tuple[str, tuple[str, ...]]:
    """Return the text with `[redacted:<detector>]` for each secret, and the detectors in order."""
    found = find_secrets(text, name)
    pieces: list[str] = []
    last = 0
    for secret in found:
        pieces += (text[last : secret.start], f"[redacted:{secret.detector}]")
        last = secret.end
    return "".join((*pieces, text[last:])), tuple(secret.detector for secret in found)


def _merged(finds: list[Find]) -> list[Secret]:
    """Return spans in order; those that overlap become one, named by the surest of them."""
    merged: list[Find] = []
    for find in sorted(finds, key=lambda f: (f.start, f.rank, -f.end)):
        if merged and find.start < merged[-1].end:
            last = merged[-1]
            surest = min(last, find, key=lambda f: f.rank)
            merged[-1] = surest._replace(start=last.start, end=max(last.end, find.end))
        else:
            merged.append(find)
    return [Secret(find.detector, find.start, find.end) for find in merged]
