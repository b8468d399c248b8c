"""What the verbs need from the outside, and no more. Adapters fulfil it; tests fake it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from muniment.domain.budget import Admission, Spending
from muniment.domain.caller import Asked
from muniment.domain.change import Change
from muniment.domain.context import Served
from muniment.domain.contradiction import Members
from muniment.domain.fact import Head, Kind, Revision
from muniment.domain.intake import (
    Answer,
    Found,
    Grave,
    Idempotency,
    Intake,
    Settings,
    Situation,
    Twin,
)
from muniment.domain.listing import About, EventPage, Filters, History, IdPage, MembersPage, Page
from muniment.domain.place import Cell, Place, Scope
from muniment.domain.recount import Counted, Tally
from muniment.domain.search import Entry, Proposal, Question, Vectors


class Facts(Protocol):
    """The table of facts: the only truth. All reads but `page` and `fresh` are strongly consistent.

    Every method raises Busy when DynamoDB throttles or collides beyond its retries.
    """

    def find(self, intake: Intake) -> Found:
        """Return what the table knows about this write, in one BatchGet."""

    def situation(
        self, tenant: str, project: str, fact_id: str, request: Idempotency | None, now: int
    ) -> Situation:
        """Return head, settings and the answer to the same request, in one BatchGet."""

    def members(self, place: Place, fact_key: str) -> Members:
        """Return the live facts of a key."""

    def members_of(self, keys: Sequence[tuple[Place, str]]) -> list[Members]:
        """Return the live facts of several keys, in one BatchGet."""

    def standing_in_the_way(self, head: Head) -> tuple[Twin | None, Grave | None]:
        """Return the twin and the grave of what `head` says, in one BatchGet."""

    def add(self, intake: Intake, twin: Twin | None, change: Change) -> None:
        """Write the new fact with revision 1, its hash and links, and `change`. Raises Raced.

        Afterwards the budget gets the room of the facts that `change` ended.
        """

    def carry_out(self, change: Change, twin: Twin | None = None) -> None:
        """Write all of `change` or nothing. Raises Raced if a head, key or claim moved on.

        Afterwards the budget gets the room of the facts that it ended.

        `twin` is what held the statement of `change.twin_of` when it was read.
        """

    def answer(self, place: Place, request: Idempotency, answer: Answer, now: int) -> None:
        """Keep what was answered to a request that changed nothing. Raises Raced."""

    def head(self, tenant: str, fact_id: str) -> Head | None:
        """Return the head, or None."""

    def heads(self, tenant: str, fact_ids: Sequence[str]) -> Mapping[str, Head]:
        """Return the heads that exist, by fact id, at most 100, in one BatchGet."""

    def then_and_now(self, tenant: str, fact_id: str, number: int) -> tuple[Head, Head]:
        """Return the head as revision `number` left it, and as it is. Raises NotFound."""

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

    def of_source(self, tenant: str, project: str, source_id: str) -> list[str]:
        """Return ids of the live facts of a source, oldest first. Eventually consistent."""

    def queue(self, tenant: str, project: str, after: str | None, size: int) -> IdPage:
        """Return ids of facts that wait for a reviewer, oldest first."""

    def conflicts(self, tenant: str, project: str, after: str | None, size: int) -> MembersPage:
        """Return the keys of a project whose live public facts say different things."""

    def timeline(self, about: About, after: str | None, size: int) -> EventPage:
        """Return revisions of all public or own facts about a subject, in order of time."""

    def due(self, hour: str, shard: int, now: int) -> list[Head]:
        """Return heads that were to expire in that hour and shard before `now`."""

    def fresh(self, tenant: str, project: str, now: int) -> list[str]:
        """Return ids of facts written in the last limits.FRESH_SECONDS, newest first."""

    def all_heads(self, after: str | None, size: int) -> tuple[list[Head], str | None]:
        """Return about `size` heads of all tenants, and where the next page starts (None: done)."""


class Budgets(Protocol):
    """What projects used. No writing waits for another; a nightly recount heals what a crash left.

    Every method but `give_back` raises Busy when DynamoDB throttles beyond its retries.
    """

    def reserve(
        self, tenant: str, project: str, kind: Kind, settings: Settings, now: int
    ) -> Admission:
        """Count one more fact of the project. Raises HardLimit at the ceiling."""

    def give_back(self, tenant: str, project: str, count: int, now: int) -> None:
        """Count so many facts less, never below 0. Never raises: the recount finds what is left."""

    def spending(self, tenant: str, project: str) -> Spending | None:
        """Return what the project used and may use, in one BatchGet; None for no such project."""

    def pay_embedding(
        self, tenant: str, project: str, units: int, fingerprint: str, now: int
    ) -> bool:
        """Pay for a group once, whole or not at all. False: it does not fit into what is left."""


class Recount(Protocol):
    """The one pass that sets budgets to what is there."""

    def tallies(self, began: int) -> list[Tally]:
        """Return an empty tally of every project, with its budget as it stands."""

    def counted(self, after: str | None) -> tuple[list[Counted], str | None]:
        """Return one page of all facts of all tenants, and where the next starts (None: done)."""

    def correct(self, tally: Tally, now: int) -> bool:
        """Set the budget to the facts counted; False if it moved since the count began."""


class Erasure(Facts, Protocol):
    """The facts, for the one verb that may empty a revision."""

    def erase_quotes(self, history: History, derived: Sequence[str]) -> tuple[int, int]:
        """Take quotes of what `history` said out of the facts derived from it.

        Returns how many revisions quoted it, and how many facts a legal hold kept as they are.
        """

    def erase_revisions(self, history: History, *, keep_graves: bool, now: int) -> tuple[int, int]:
        """Empty every revision of an erased fact, and let go of the hashes of its values.

        Returns how many revisions still held content, and how many hashes were found.
        """


class Reviews(Protocol):
    """Claims on facts. Each method raises ClaimLost with the head that stood in the way."""

    def claim(self, asked: Asked, fact_id: str, *, until: int) -> Head:
        """Claim a waiting fact that nobody holds; counts the generation up."""

    def prolong(self, asked: Asked, fact_id: str, generation: int, *, until: int) -> Head:
        """Move the end of the caller's live claim of that generation."""

    def release(self, asked: Asked, fact_id: str, generation: int) -> Head:
        """End the caller's live claim of that generation."""


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
