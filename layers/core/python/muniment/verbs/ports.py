"""What the verbs need from the outside, and no more. Adapters fulfil it; tests fake it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from muniment.domain.budget import Admission, Profile
from muniment.domain.context import Served
from muniment.domain.fact import Head, Kind, Revision
from muniment.domain.intake import Answer, Found, Intake
from muniment.domain.listing import Filters, History, Page
from muniment.domain.place import Cell, Scope
from muniment.domain.search import Entry, Proposal, Question, Vectors


class Facts(Protocol):
    """The table of facts: the only truth. All reads but `page` and `fresh` are strongly consistent.

    Every method raises Busy when DynamoDB throttles or collides beyond its retries.
    """

    def find(self, intake: Intake) -> Found:
        """Return what the table knows about this write, in one BatchGet."""

    def reserve(self, tenant: str, project: str, kind: Kind, profile: Profile) -> Admission:
        """Count one more fact of the project. Raises HardLimit at the ceiling."""

    def give_back(self, tenant: str, project: str) -> None:
        """Undo one reservation."""

    def add(self, intake: Intake, found: Found, admission: Admission) -> None:
        """Write fact, revision 1, hash, key, links and answer together. Raises Raced."""

    def answer(self, intake: Intake, answer: Answer) -> None:
        """Keep what was answered to the intake's idempotency key. Raises Raced."""

    def head(self, tenant: str, fact_id: str) -> Head | None:
        """Return the head, or None."""

    def heads(self, tenant: str, fact_ids: Sequence[str]) -> Mapping[str, Head]:
        """Return the heads that exist, by fact id, at most 100, in one BatchGet."""

    def as_of_revision(self, tenant: str, fact_id: str, number: int) -> Head:
        """Return the head as revision `number` left it. Raises NotFound."""

    def revisions(
        self, tenant: str, wanted: Sequence[tuple[str, int]]
    ) -> Mapping[tuple[str, int], Revision]:
        """Return revisions by fact id and number, at most 100, in one BatchGet."""

    def history(self, tenant: str, fact_id: str) -> History | None:
        """Return head, all revisions and the links around the fact, in one query."""

    def page(self, cells: Sequence[Cell], filters: Filters, after: str | None, size: int) -> Page:
        """Return up to `size` lines of these cells in order, behind `after` (from Page.next).

        Eventually consistent; filters run inside the query, so pages are full.
        """

    def fresh(self, tenant: str, project: str, now: int) -> list[str]:
        """Return ids of facts written in the last limits.FRESH_SECONDS, newest first."""

    def all_heads(self, after: str | None, size: int) -> tuple[list[Head], str | None]:
        """Return about `size` heads of all tenants, and where the next page starts (None: done)."""


class Contexts(Protocol):
    """What agents were shown: ids, revisions and labels, never text (row I-18)."""

    def keep(self, served: Served) -> None:
        """Store one answer for limits.CONTEXT_LOG_DAYS."""

    def kept(self, tenant: str, project: str, context_id: str) -> Served | None:
        """Return it, or None."""


class SearchIndex(Protocol):
    def write(self, entries: Sequence[tuple[Entry, Vectors | None]]) -> None:
        """Store each entry unless the index holds the same or a later revision of it.

        Late, repeated and after-tombstone writes are ignored entry by entry. An entry without
        vectors is found by its words only. Raises IndexUnavailable if any entry that should be
        stored could not be.
        """

    def propose(self, scope: Scope, question: Question, vectors: Vectors | None) -> Proposal:
        """Return the four lists for what `scope` shows; filters act before the cut at DEPTH.

        Without vectors, or with vectors of another identity than an entry's, the vector lists
        lack that entry. A list that failed is empty and named in `degraded`. Raises
        IndexUnavailable if nothing could be asked (gone, or slower than 1.5 s).
        """

    def revisions(self, tenant: str, project: str, fact_ids: Sequence[str]) -> Mapping[str, int]:
        """Return the stored revision of those ids, tombstones included; absent ids are left out."""


class Embedder(Protocol):
    identity: str

    def passages(self, texts: Sequence[str]) -> list[Vectors | None]:
        """Embed texts to be stored. None where a text has no usable vector."""

    def query(self, text: str) -> Vectors | None:
        """Embed a question. None where it has no usable vector."""


class Lexicon(Protocol):
    def coverage(self, query: str, texts: Sequence[str]) -> list[tuple[float, float]]:
        """Return for each text the share (0..1) of the query's word and identifier tokens in it."""
