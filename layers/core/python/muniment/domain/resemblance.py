"""Facts that say nearly the same as a new one: reported, never skipped silently (row D-19)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from muniment.domain.fact import Head
from muniment.domain.forms import NEAR, similarity


@dataclass(frozen=True, slots=True)
class Near:
    """`similarity` is the Jaccard index of `subject|statement`, in hundredths (85 to 100)."""

    fact_id: str
    similarity: int


def near_duplicates(head: Head, candidates: Iterable[Head], now: int) -> tuple[Near, ...]:
    """Return the live candidates that resemble `head`, closest first."""
    mine = _said(head)
    found = [
        Near(other.fact_id, round(100 * likeness))
        for other in candidates
        if other.fact_id != head.fact_id and other.is_live(now)
        if (likeness := similarity(mine, _said(other))) >= NEAR
    ]
    return tuple(sorted(found, key=lambda near: (-near.similarity, near.fact_id)))


def _said(head: Head) -> str:
    content = head.newest.content
    return f"{content.subject.id if content.subject else ''}|{content.statement}"
