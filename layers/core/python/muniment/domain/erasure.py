"""Erasing what a fact said, for the law or a leaked secret, and telling what was done (rule 10).

Who, when and why stay; content and salt go. The chain of revisions holds salted digests, so it
still verifies, and without the salt nobody can guess from it what was there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from muniment.domain.fact import Author, Content, Head, Revision, State
from muniment.domain.forms import exact
from muniment.domain.history import link

BACKUP_DAYS = 35  # point-in-time recovery keeps the old bytes that long
STREAM_HOURS = 24  # and the stream its old images


@dataclass(frozen=True, slots=True)
class Place:
    """One place that was visited: how many things were found there, and what became of them."""

    name: str
    found: int
    outcome: str


@dataclass(frozen=True, slots=True)
class Certificate:
    fact_id: str
    by: str
    at: int
    reason: str
    places: tuple[Place, ...]
    derived: tuple[str, ...]


def emptied(content: Content) -> Content:
    """Return what is left of content: its kind, nothing that anybody said."""
    return Content(statement="", kind=content.kind, name="erased", description="")


def unquoted(revision: Revision, said: Sequence[str]) -> Revision:
    """Return the revision without quotes out of any of the erased statements `said`.

    The pointer stays: it says where to look, not what was there.
    """
    citations = tuple(
        replace(c, quote="") if _is_out_of(c.quote, said) else c for c in revision.content.citations
    )
    if citations == revision.content.citations:
        return revision
    return replace(revision, content=replace(revision.content, citations=citations), redacted=True)


def _is_out_of(quote: str, said: Sequence[str]) -> bool:
    form = exact(quote)
    return bool(form) and any(form in exact(statement) for statement in said)


def erased(head: Head, *, by: Author, reason: str, now: int, salt: bytes) -> Head:
    """Return the head after an erase. `salt` is used for one digest and kept nowhere."""
    newest = head.newest
    later = link(
        newest,
        emptied(newest.content),
        trust=newest.trust,
        state=State.FORGOTTEN,
        author=by,
        reason=reason,
        now=now,
        salt=salt,
    )
    return replace(
        head,
        newest=later,
        salt=b"",
        claim=None,
        queued_at=None,
        corroborations=(),
    )
