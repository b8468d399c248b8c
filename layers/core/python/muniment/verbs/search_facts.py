"""Use case: find facts by meaning and by words. The index proposes, the table decides.

    index.propose ─┐
    facts.fresh ───┴─► fuse ─► heads re-read from the table ─► drop what may not be shown

A lost or slow index is a degraded answer, never an error and never silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Literal

from pydantic import Field

from muniment.domain import limits
from muniment.domain.caller import Asked
from muniment.domain.consistency import fact_ids
from muniment.domain.errors import IndexUnavailable
from muniment.domain.fact import Head, Kind, Trust
from muniment.domain.fusion import LONE, fuse
from muniment.domain.judgement import Judged
from muniment.domain.listing import Filters
from muniment.domain.place import PUBLIC, Coordinates, Scope
from muniment.domain.search import Proposal, Question
from muniment.verbs.fields import (
    Ask,
    Count,
    Flag,
    Label,
    Moment,
    PlaceName,
    Query,
    SourceHash,
    SourceId,
    Thread,
)
from muniment.verbs.judging import grouped, judge
from muniment.verbs.ports import Embedder, Facts, Lexicon, SearchIndex
from muniment.verbs.screened import Screened

FALLBACK = 200  # lines of the table that are searched by words when the index is away
INDEX = "search_index"  # what `degraded` says when the index did not answer
BATCH = 50  # heads read at once when more are needed
SPARE = 4  # heads read beside the wanted ones, since some will not be shown


class AskedCoordinates(Screened):
    """What a reader knows of itself; the context log keeps it, so it is screened."""

    FIELD = "body.coordinates"

    workplace: PlaceName | None = None
    machine: PlaceName | None = None
    session: Thread | None = None
    task: Thread | None = None

    def known(self) -> Coordinates:
        return Coordinates(self.workplace, self.machine, self.session, self.task)


class Searching(Ask):
    """What search and context have in common: the question and the filters."""

    query: Query
    kind: Kind | None = None
    min_trust: Trust | None = None
    subject_id: Label | None = None
    scope: Label | None = None
    audience: Literal["public", "private", "all"] = "public"
    current_source_hash: Annotated[
        dict[SourceId, SourceHash], Field(max_length=limits.SOURCE_HASHES)
    ] = Field(default_factory=dict)
    exclude_stale: Flag = False
    coordinates: AskedCoordinates = AskedCoordinates()
    consistency_token: Annotated[str, Field(max_length=1_000)] | None = None


class SearchFacts(Searching):
    """Body of POST /search."""

    limit: Annotated[Count, Field(ge=1, le=limits.SEARCH)] = limits.SEARCH_DEFAULT
    as_of: Moment | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """What search needs from outside. `secret` opens consistency tokens."""

    facts: Facts
    index: SearchIndex
    embedder: Embedder
    lexicon: Lexicon
    secret: str


@dataclass(frozen=True, slots=True)
class FoundFacts:
    """Facts with their scores, best first; a conflict is one item with both sides in it.

    `degraded` names what was missing on the way.
    """

    items: tuple[tuple[Judged, float], ...]
    degraded: tuple[str, ...]


class ScopeLeak(Exception):
    """The index answered a fact outside the scope: our fault, never shown, always an alarm."""


def scope_of(asked: Asked, ask: Searching) -> Scope:
    """Return what this request may read. Raises NotAllowed for private facts of nobody."""
    owners: tuple[str, ...] = (PUBLIC,)
    if ask.audience != "public":
        person = asked.caller.owner("body.audience")
        owners = (person,) if ask.audience == "private" else (PUBLIC, person)
    known = ask.coordinates.known()
    return Scope(asked.caller.tenant, asked.project, asked.workspace, owners, known)


def search_facts(search: Search, asked: Asked, ask: Searching, limit: int) -> FoundFacts:
    """Return up to `limit` live facts for the question (rows W-11, W-50, M-47)."""
    scope, filters = scope_of(asked, ask), filters_of(ask, asked.now)
    tenant, project = scope.tenant, scope.project
    promised = fact_ids(search.secret, tenant, project, ask.consistency_token)
    with ThreadPoolExecutor(1) as beside:  # the newest writes are read while the index searches
        tail = beside.submit(search.facts.fresh, tenant, project, asked.now)
        proposal = propose(search, scope, question_of(ask, filters))
        fresh = [*promised, *tail.result()]
    scores = fuse(proposal.lists)
    if INDEX in proposal.degraded:
        scores = _by_table(search, scope, ask.query, filters)
    unknown = [i for i in dict.fromkeys(fresh) if i not in scores][: limits.FRESH_FACTS]
    heads = dict(search.facts.heads(tenant, [*unknown, *list(scores)[: limit + SPARE]]))
    new = {i: heads[i].newest.content.text for i in unknown if i in heads}
    proposed = frozenset(scores)
    scores |= _by_words(search.lexicon, ask.query, new)
    shown = _shown(search.facts, scope, filters, _best_first(scores), heads, proposed)
    return FoundFacts(
        tuple(_items(search.facts, scope, ask, shown, limit, asked.now)), proposal.degraded
    )


def _items(
    facts: Facts,
    scope: Scope,
    ask: Searching,
    shown: Iterator[tuple[Head, float]],
    limit: int,
    now: int,
) -> list[tuple[Judged, float]]:
    """Return up to `limit` items. A conflict takes one place, so more heads may be needed."""
    items: list[tuple[Judged, float]] = []
    covered: set[str] = set()
    while len(items) < limit and (batch := list(islice(shown, limit - len(items)))):
        scores = {head.fact_id: score for head, score in batch}
        heads = [head for head, _ in batch if head.fact_id not in covered]
        for one in grouped(judge(facts, heads, scope.reaches, now, ask.current_source_hash)):
            sides = {side.fact_id for side in one.sides()}
            if not sides & covered and not (one.all_stale and ask.exclude_stale):
                best = max(scores[fact_id] for fact_id in sides if fact_id in scores)
                items.append((one, best))
            covered |= sides
    return items


def question_of(ask: Searching, filters: Filters) -> Question:
    return Question(
        text=ask.query,
        now=filters.now,
        kind=filters.kind,
        min_trust=filters.min_trust.rank if filters.min_trust else 0,
        subject_id=filters.subject_id,
        scope=filters.scope,
    )


def filters_of(ask: Searching, now: int) -> Filters:
    return Filters(
        now=now,
        kind=ask.kind,
        min_trust=ask.min_trust,
        subject_id=ask.subject_id,
        scope=ask.scope,
    )


def propose(search: Search, scope: Scope, question: Question) -> Proposal:
    try:
        return search.index.propose(scope, question, search.embedder.query(question.text))
    except IndexUnavailable:
        return Proposal({}, (INDEX,))


def _by_table(search: Search, scope: Scope, query: str, filters: Filters) -> dict[str, float]:
    """Search the first lines of the table by words: all there is while the index is away."""
    page = search.facts.page(scope.cells(), filters, None, FALLBACK)
    texts = {line.fact_id: f"{line.name}\n{line.description}" for line in page.lines}
    return _by_words(search.lexicon, query, texts)


def _by_words(lexicon: Lexicon, query: str, texts: Mapping[str, str]) -> dict[str, float]:
    """Score texts by how much of the question they cover: all of it counts as much as a lone hit.

    They are in no vector list yet, so what they lack there is not held against them.
    """
    shares = lexicon.coverage(query, list(texts.values()))
    scored = {i: LONE * max(share) for i, share in zip(texts, shares, strict=True)}
    return {fact_id: score for fact_id, score in scored.items() if score > 0}


def _best_first(scores: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def _shown(
    facts: Facts,
    scope: Scope,
    filters: Filters,
    ranked: Sequence[tuple[str, float]],
    heads: dict[str, Head],
    proposed: frozenset[str],
) -> Iterator[tuple[Head, float]]:
    """Yield what may be shown, best first, reading heads from the table as they are needed."""
    read = set(heads)
    for at, (fact_id, score) in enumerate(ranked):
        if fact_id not in read:
            ahead = [i for i, _ in ranked[at : at + BATCH] if i not in read]
            heads |= facts.heads(scope.tenant, ahead)
            read |= set(ahead)
        head = heads.get(fact_id)
        if head is None:
            continue
        if not scope.holds(head.cell):
            if fact_id in proposed:
                raise ScopeLeak(fact_id)
            continue
        if filters.admit(head):
            yield head, score
