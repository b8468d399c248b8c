"""What each verb answers, made of views."""

from __future__ import annotations

from aws_lambda_powertools.event_handler import Response
from pydantic import BaseModel

from muniment.api.views import (
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
from muniment.domain.budget import Admission
from muniment.domain.consistency import token_of
from muniment.domain.context import Context
from muniment.domain.fact import Content, Head
from muniment.domain.intake import Written
from muniment.domain.labels import labels
from muniment.domain.listing import History, Line, LinkRow, Page
from muniment.domain.moments import rfc3339


class AdmissionView(View):
    degraded: bool
    reason: str | None

    @classmethod
    def of(cls, admission: Admission) -> AdmissionView:
        return cls(degraded=admission.degraded, reason=admission.reason)


class WrittenView(View):
    """Answer of every write. `repeat`: this very statement was there already."""

    fact: FactView
    revision: int
    repeat: bool
    admission: AdmissionView
    consistency_token: str


WrittenAnswer = Response[WrittenView]


def written(outcome: Written, secret: str) -> WrittenAnswer:
    """Return 201 for a new fact, 200 for one that was there (rows M-73c, W-45b, case D23)."""
    view = WrittenView(
        fact=FactView.of(outcome.head),
        revision=outcome.head.newest.number,
        repeat=outcome.repeat,
        admission=AdmissionView.of(outcome.admission),
        consistency_token=token_of(secret, outcome.head),
    )
    headers: dict[str, str | list[str]] = {}
    if outcome.replayed:
        headers["X-Idempotent-Replayed"] = "true"
    if outcome.admission.degraded:
        headers["X-Project-Memory-Budget"] = "degraded"
    status = 200 if outcome.repeat else 201
    return Response(status, content_type="application/json", body=view, headers=headers)


class HistoryView(View):
    """A fact whole: newest state, every revision in order, the links around it."""

    fact: FactView
    labels: list[str]
    revisions: list[RevisionView]
    links: list[LinkView]

    @classmethod
    def of(cls, history: History, now: int) -> HistoryView:
        return cls(
            fact=FactView.of(history.head),
            labels=labels(history.head, now),
            revisions=[RevisionView.of(revision) for revision in history.revisions],
            links=_around(history.head.newest.content, history.links),
        )


def _around(content: Content, rows: tuple[LinkRow, ...]) -> list[LinkView]:
    own = [LinkView(type=link.type, target=link.target) for link in content.links]
    own += [LinkView(type="derived_from", target=source) for source in content.derived_from]
    return own + [LinkView(type=row.type, target=row.other) for row in rows]


class ItemView(View):
    fact: FactView
    score: float
    labels: list[str]


class ItemsView(View):
    """Answer of search, best first. `degraded` names what was missing on the way."""

    items: list[ItemView]
    degraded: list[str]

    @classmethod
    def of(
        cls, heads: tuple[tuple[Head, float], ...], degraded: tuple[str, ...], now: int
    ) -> ItemsView:
        items = [
            ItemView(fact=FactView.of(head), score=round(score, 4), labels=labels(head, now))
            for head, score in heads
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

    @classmethod
    def of(cls, line: Line) -> LineView:
        subject = line.subject
        return cls(
            fact_id=line.fact_id,
            revision=line.revision,
            name=line.name,
            description=line.description,
            kind=line.kind,
            category=line.category,
            subject=SubjectView(type=subject.type, id=subject.id) if subject else None,
            layer=line.layer,
            valid_at=ValidAtView.of(line.valid_at),
            trust=line.trust,
            state=line.state,
            status=UNVERIFIED,
            author=AuthorView.of(line.author),
            recorded_at=rfc3339(line.recorded_at),
            expires_at=moment(line.expires_at),
        )


class PageView(BaseModel):
    """`next_cursor` is null at the end, and then only."""

    items: list[LineView]
    next_cursor: str | None

    @classmethod
    def of(cls, page: Page) -> PageView:
        return cls(items=[LineView.of(line) for line in page.lines], next_cursor=page.next)


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
                ShownView(fact_id=shown.fact_id, revision=shown.revision.number)
                for shown in context.shown
            ],
            overflow=context.overflow,
            dropped=list(context.dropped),
            degraded=list(degraded),
        )
