"""Use case: what an agent is given before it acts, and the record of what it was given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from muniment.domain import limits
from muniment.domain.caller import Asked
from muniment.domain.context import Context, Served, ServedFact, Shown, render
from muniment.verbs.fields import Count, Flag
from muniment.verbs.ports import Contexts
from muniment.verbs.search_facts import FoundFacts, Search, Searching, scope_of, search_facts

OFFERED = 30  # facts that a context is packed from


class ReadContext(Searching):
    """Body of POST /context. `budget_tokens` bounds the whole answer (domain.tokens)."""

    mode: Literal["search"] = "search"
    budget_tokens: Annotated[
        Count, Field(ge=limits.CONTEXT_TOKENS_LEAST, le=limits.CONTEXT_TOKENS)
    ] = limits.CONTEXT_TOKENS_DEFAULT
    ignore_memory: Flag = False


@dataclass(frozen=True, slots=True)
class Draw:
    """What chance gives a context: a ULID and the boundary of its envelope, 16 random bytes."""

    context_id: str
    boundary: str


@dataclass(frozen=True, slots=True)
class GivenContext:
    context_id: str
    context: Context
    degraded: tuple[str, ...]


def read_context(
    search: Search, contexts: Contexts, asked: Asked, ask: ReadContext, draw: Draw
) -> GivenContext:
    """Return the context for a question, and keep which facts it showed (rows M-18, M-100).

    With `ignore_memory` nothing is read, for this request only; that is kept too (row C-73).
    """
    scope = scope_of(asked, ask)
    found = FoundFacts((), ())
    if not ask.ignore_memory:
        found = search_facts(search, asked, ask, OFFERED)
    offered = [Shown.of(judged, asked.now) for judged, _ in found.items]
    context = render(offered, draw.boundary, ask.budget_tokens)
    contexts.keep(
        Served(
            context_id=draw.context_id,
            tenant=scope.tenant,
            project=scope.project,
            principal=asked.caller.principal,
            owners=scope.owners,
            coordinates=scope.coordinates,
            budget=ask.budget_tokens,
            boundary=draw.boundary,
            now=asked.now,
            shown=tuple(_served(shown) for shown in context.shown),
            overflow=context.overflow,
            dropped=context.dropped,
            ignored=ask.ignore_memory,
            degraded=found.degraded,
        )
    )
    return GivenContext(draw.context_id, context, found.degraded)


def _served(shown: Shown) -> ServedFact:
    opposed = tuple(_served(other) for other in shown.opposed)
    return ServedFact(
        shown.fact_id, shown.revision.number, shown.layer, shown.labels, shown.cut, opposed
    )
