"""Orders to whoever reads the memory, in Russian and English, plain or in disguise (row W-44).

    text ─► markup of roles, tools and fences, hidden characters     (as it looks)
         ─► without what it only reports about attacks (reported.py)
         ─► each reading of it (plain.py) ─► words that hint? ─► patterns of its language

What a project asks of its people is no such order: a rule in the imperative passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

SENTENCE = re.compile(r"(?<=[.!?;])\s+")
MARKS = re.compile("[<\\[{#=-]|\u200b|\u200c|\u200d|\u2060|\ufeff|: ")  # no markup without one
PIECE = 24  # words; no pattern reaches over more than two pieces
CYRILLIC = re.compile("[а-я]")


def find_injection(text: str) -> str | None:
    """Return the name of the detector that fired, or None. See the drawing above."""
    from muniment.domain.guard.plain import as_seen, readings
    from muniment.domain.guard.reported import unreported

    for seen in as_seen(text):
        if found := is_markup(seen):
            return found
    for reading in readings(unreported(text), text):
        if found := _order(reading):
            return found
    return None


def is_markup(text: str) -> str | None:
    """Return the name of the markup that stands in the text as it is, or None."""
    from muniment.domain.guard.injection_markup import MARKUP

    if not MARKS.search(text):
        return None
    return next((name for name, forms in MARKUP.items() if _matches(forms, text)), None)


def _order(reading: str) -> str | None:
    """Ask the patterns about the pieces that hold what they need, each with the next one."""
    from muniment.domain.guard.injection_broad import BROAD, BROAD_ENGLISH
    from muniment.domain.guard.injection_english import ENGLISH
    from muniment.domain.guard.injection_hints import mask_of, worth
    from muniment.domain.guard.injection_russian import RUSSIAN

    if not worth(mask_of(reading)):
        return None
    pieces = list(_pieces(reading))
    masks = [mask_of(piece) for piece in pieces]
    masks.append(0)
    wanted: dict[str, list[int]] = {}
    for at in range(len(pieces)):
        for name in worth(masks[at] | masks[at + 1]):
            wanted.setdefault(name, []).append(at)
    for name, places in wanted.items():
        for run in _runs(places, pieces):
            tables = (RUSSIAN, ENGLISH, BROAD) if CYRILLIC.search(run) else (ENGLISH, BROAD_ENGLISH)
            if any(_matches(table.get(name, ()), run) for table in tables):
                return name
    return None


def _runs(places: Sequence[int], pieces: Sequence[str]) -> Iterator[str]:
    """Yield each piece of these places with the next one; neighbours together, looked at once."""
    start = places[0]
    for place, following in zip(places, [*places[1:], len(pieces) + 1], strict=True):
        if following != place + 1:
            yield " ".join(pieces[start : place + 2])
            start = following


def _pieces(reading: str) -> Iterator[str]:
    """Yield sentences; a long one, as lists and logs make them, in pieces of PIECE words."""
    for sentence in SENTENCE.split(reading):
        words = sentence.split(" ")
        for at in range(0, len(words), PIECE):
            yield " ".join(words[at : at + PIECE])


def _matches(forms: Sequence[str], text: str) -> bool:
    return any(_known(form).search(text) for form in forms)


@cache
def _known(form: str) -> re.Pattern[str]:
    return re.compile(form)
