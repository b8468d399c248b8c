"""What each verb answers, made of views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from muniment.api.views import (
    CONFLICT,
    UNVERIFIED,
    AuthorView,
    FactView,
    LinkView,
    RevisionView,
    SubjectView,
    ValidAtView,
    View,
    moment,
)
from muniment.domain.context import Context
from muniment.domain.judgement import Judged
from muniment.domain.listing import History, Line, Listed
from muniment.domain.moments import rfc3339


class OpposedView(View):
    fact: FactView
    labels: list[str]


def opposed_of(judged: Judged, now: int) -> list[OpposedView]:
    """Return the other sides of a contradiction, each with its own labels."""
    return [
        OpposedView(fact=FactView.of(other, judged.status), labels=judged.turned(other).labels(now))
        for other in judged.opposed
    ]


class HistoryView(View):
    """A fact whole: newest state, every revision in order, the links around it."""

    fact: FactView
    labels: list[str]
    revisions: list[RevisionView]
    links: list[LinkView]
    contradictions: list[OpposedView]

    @classmethod
    def of(cls, history: History, judged: Judged, now: int) -> HistoryView:
        return cls(
            fact=FactView.of(judged.head, judged.status),
            labels=judged.labels(now),
            revisions=[RevisionView.of(revision) for revision in history.revisions],
            links=_around(history),
            contradictions=opposed_of(judged, now),
        )


def _around(history: History) -> list[LinkView]:
    newest = history.head.newest
    found = [LinkView(type=link.type, target=link.target) for link in newest.content.links]
    found += [LinkView(type="derived_from", target=source) for source in history.sources]
    if newest.content.supersedes:
        found.append(LinkView(type="supersedes", target=newest.content.supersedes))
    if newest.superseded_by:
        found.append(LinkView(type="superseded_by", target=newest.superseded_by))
    return found + [LinkView(type=row.type, target=row.other) for row in history.links]


class ItemView(View):
    fact: FactView
    score: float
    labels: list[str]
    conflicts_with: list[OpposedView]


class ItemsView(View):
    """Answer of search, best first. `degraded` names what was missing on the way."""

    items: list[ItemView]
    degraded: list[str]

    @classmethod
    def of(
        cls, found: tuple[tuple[Judged, float], ...], degraded: tuple[str, ...], now: int
    ) -> ItemsView:
        items = [
            ItemView(
                fact=FactView.of(judged.head, judged.status),
                score=round(score, 4),
                labels=judged.labels(now),
                conflicts_with=opposed_of(judged, now),
            )
            for judged, score in found
        ]
        return cls(items=items, degraded=list(degraded))


class LineView(View):
    """One line of a list: enough to choose the fact, not its statement."""

    fact_id: str
    revision: int
    name: str
    description: str
    kind: str
    category: str | None
    subject: SubjectView | None
    layer: str
    valid_at: ValidAtView | None
    trust: str
    state: str
    status: str
    author: AuthorView
    recorded_at: str
    expires_at: str | None


def line_fields(line: Line, status: str) -> dict[str, Any]:
    """Return the fields of a LineView."""
    subject = line.subject
    return {
        "fact_id": line.fact_id,
        "revision": line.revision,
        "name": line.name,
        "description": line.description,
        "kind": line.kind,
        "category": line.category,
        "subject": SubjectView(type=subject.type, id=subject.id) if subject else None,
        "layer": line.layer,
        "valid_at": ValidAtView.of(line.valid_at),
        "trust": line.trust,
        "state": line.state,
        "status": status,
        "author": AuthorView.of(line.author),
        "recorded_at": rfc3339(line.recorded_at),
        "expires_at": moment(line.expires_at),
    }


class LineItemView(LineView):
    """A line of a list with the lines that contradict it."""

    conflicts_with: list[LineView]


class PageView(BaseModel):
    """`next_cursor` is null at the end, and then only."""

    items: list[LineItemView]
    next_cursor: str | None

    @classmethod
    def of(cls, listed: Listed) -> PageView:
        items = [_item(item.line, item.opposed) for item in listed.items]
        return cls(items=items, next_cursor=listed.next)


def _item(line: Line, opposed: Sequence[Line]) -> LineItemView:
    status = CONFLICT if opposed else UNVERIFIED
    others = [LineView(**line_fields(other, CONFLICT)) for other in opposed]
    return LineItemView(**line_fields(line, status), conflicts_with=others)


class ShownView(View):
    fact_id: str
    revision: int


class ContextView(View):
    """What an agent reads. `tokens` is the estimate of the whole answer (domain.tokens)."""

    context_id: str
    text: str
    tokens: int
    items: list[ShownView]
    overflow: bool
    dropped: list[str]
    degraded: list[str]

    @classmethod
    def of(cls, context_id: str, context: Context, degraded: tuple[str, ...]) -> ContextView:
        return cls(
            context_id=context_id,
            text=context.text,
            tokens=context.tokens,
            items=[
                ShownView(fact_id=side.fact_id, revision=side.revision.number)
                for shown in context.shown
                for side in shown.sides()
            ],
            overflow=context.overflow,
            dropped=list(context.dropped),
            degraded=list(degraded),
        )
