"""What a search index holds, is asked and answers. An index proposes; the table decides.

Entry --write--> index --propose(Scope, Question)--> Proposal: four lists --fuse--> ids
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from muniment.domain.fact import GONE, Head, State
from muniment.domain.place import Cell

LISTS = ("words", "idents", "e5", "use")
DEPTH = 100  # hits a list: at 10 a large tenant's vector recall falls to .87, at 100 it is .997


@dataclass(frozen=True, slots=True)
class Vectors:
    """Two embeddings of one text and the models that made them; vectors of length 1.

    `identity` names model, version and dimensions: vectors of two identities are never compared.
    """

    identity: str
    e5: Sequence[float]
    use: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What the index holds of one head. `gone` keeps only identity and revision: a tombstone.

    `past`: it left results, but its history may be asked for; a separate word selects it.

    `text` is name + description + statement. `trust` is the rank (5 strongest … 0 weakest).
    `expires_at` is Unix milliseconds.
    """

    fact_id: str
    revision: int
    cell: Cell
    gone: bool = False
    past: bool = False
    text: str = ""
    kind: str = ""
    state: str = ""
    trust: int = 0
    subject_id: str | None = None
    scope: str | None = None
    expires_at: int | None = None

    @property
    def token(self) -> str:
        """The word that selects this entry: its cell's, or its cell's past."""
        return self.cell.past_token if self.past else self.cell.token


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`now` (Unix milliseconds) hides what has expired; the other filters are exact matches.

    `min_trust` is a rank: entries of that rank and stronger answer.
    """

    text: str
    now: int
    kind: str | None = None
    min_trust: int = 0
    subject_id: str | None = None
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """`score` is the engine's own, comparable within its list only; higher is better."""

    fact_id: str
    revision: int
    score: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """Best first, at most DEPTH hits a list. `degraded` names lists that failed."""

    lists: Mapping[str, Sequence[Hit]]
    degraded: tuple[str, ...] = ()


def entry_of(head: Head) -> Entry:
    """Return what the index holds of a head; a forgotten fact is a tombstone."""
    newest, content = head.newest, head.newest.content
    if newest.state is State.FORGOTTEN:
        return Entry(fact_id=head.fact_id, revision=newest.number, cell=head.cell, gone=True)
    return Entry(
        fact_id=head.fact_id,
        revision=newest.number,
        cell=head.cell,
        past=newest.state in GONE,
        text=content.text,
        kind=content.kind,
        state=newest.state,
        trust=newest.trust.rank,
        subject_id=content.subject.id if content.subject else None,
        scope=content.scope,
        expires_at=content.expires_at,
    )
