"""What the verbs of review, time and hygiene answer."""

from __future__ import annotations

from collections.abc import Sequence

from aws_lambda_powertools.event_handler import Response
from pydantic import BaseModel

from muniment.api.answers import OpposedView, opposed_of
from muniment.api.problems import status_of
from muniment.api.views import AuthorView, FactView, RevisionView, View
from muniment.domain.erasure import Certificate
from muniment.domain.errors import Refused
from muniment.domain.fact import Head
from muniment.domain.intake import Written
from muniment.domain.judgement import Judged
from muniment.domain.listing import EventPage
from muniment.domain.moments import rfc3339
from muniment.domain.reports import Conflicts, Forgotten, Queue, Validated


class ClaimView(View):
    """A reviewer's lease: finalize with this generation and this revision."""

    fact_id: str
    generation: int
    revision: int
    holder: str | None
    expires_at: str | None

    @classmethod
    def of(cls, head: Head) -> ClaimView:
        claim = head.claim
        return cls(
            fact_id=head.fact_id,
            generation=head.generation,
            revision=head.newest.number,
            holder=claim.holder if claim else None,
            expires_at=rfc3339(claim.expires_at) if claim else None,
        )


class WaitingView(View):
    """A fact in the queue; `why` says what a reviewer should know first."""

    fact: FactView
    labels: list[str]
    why: list[str]
    claim: ClaimView | None
    conflicts_with: list[OpposedView]


class QueueView(BaseModel):
    items: list[WaitingView]
    next_cursor: str | None

    @classmethod
    def of(cls, queue: Queue, now: int) -> QueueView:
        items = [
            WaitingView(
                fact=FactView.of(waiting.judged.head, waiting.judged.status),
                labels=waiting.judged.labels(now),
                why=list(waiting.why),
                claim=_live_claim(waiting.judged.head, now),
                conflicts_with=opposed_of(waiting.judged, now),
            )
            for waiting in queue.waiting
        ]
        return cls(items=items, next_cursor=queue.next)


def _live_claim(head: Head, now: int) -> ClaimView | None:
    return ClaimView.of(head) if head.claim and head.claim.expires_at > now else None


class OutcomeView(View):
    """What became of one decision: the fact, or why it was refused."""

    fact_id: str
    status: int
    fact: FactView | None
    code: str | None
    detail: str | None


class OutcomesView(BaseModel):
    items: list[OutcomeView]

    @classmethod
    def of(cls, outcomes: Sequence[tuple[str, Written | Refused]]) -> OutcomesView:
        return cls(items=[_outcome(fact_id, result) for fact_id, result in outcomes])


def _outcome(fact_id: str, result: Written | Refused) -> OutcomeView:
    if isinstance(result, Refused):
        status, said = int(status_of(result)), result.detail
        return OutcomeView(fact_id=fact_id, status=status, fact=None, code=result.code, detail=said)
    fact = FactView.of(result.head)
    return OutcomeView(fact_id=fact_id, status=200, fact=fact, code=None, detail=None)


class EventView(View):
    """One step of one fact: who, when, why, and the fact as it was then."""

    fact_id: str
    at: str
    state: str
    by: AuthorView
    reason: str
    revision: RevisionView


class TimelineView(BaseModel):
    items: list[EventView]
    next_cursor: str | None

    @classmethod
    def of(cls, page: EventPage) -> TimelineView:
        items = [
            EventView(
                fact_id=event.fact_id,
                at=rfc3339(event.revision.recorded_at),
                state=event.revision.state,
                by=AuthorView.of(event.revision.author),
                reason=event.revision.reason,
                revision=RevisionView.of(event.revision),
            )
            for event in page.events
        ]
        return cls(items=items, next_cursor=page.next)


class ValidatedView(BaseModel):
    """The report of row W-36: nothing of it is stored."""

    source_id: str
    current_source_hash: str
    checked: int
    stale_count: int
    stale_ids: list[str]
    conflict_count: int
    conflict_ids: list[str]

    @classmethod
    def of(cls, found: Validated, source_id: str, current_source_hash: str) -> ValidatedView:
        return cls(
            source_id=source_id,
            current_source_hash=current_source_hash,
            checked=len(found.judged),
            stale_count=len(found.stale),
            stale_ids=list(found.stale),
            conflict_count=len(found.conflicting),
            conflict_ids=list(found.conflicting),
        )


class ConflictView(View):
    fact: FactView
    labels: list[str]
    conflicts_with: list[OpposedView]

    @classmethod
    def of(cls, judged: Judged, now: int) -> ConflictView:
        return cls(
            fact=FactView.of(judged.head, judged.status),
            labels=judged.labels(now),
            conflicts_with=opposed_of(judged, now),
        )


class ConflictsView(BaseModel):
    items: list[ConflictView]
    next_cursor: str | None

    @classmethod
    def of(cls, found: Conflicts, now: int) -> ConflictsView:
        items = [ConflictView.of(judged, now) for judged in found.items]
        return cls(items=items, next_cursor=found.next)


class ForgottenView(BaseModel):
    """`held`: kept by a legal hold. `refused`: this key may not forget them."""

    forgotten: list[str]
    forgotten_count: int
    held: list[str]
    refused: list[str]

    @classmethod
    def of(cls, done: Forgotten) -> ForgottenView:
        return cls(
            forgotten=list(done.forgotten),
            forgotten_count=len(done.forgotten),
            held=list(done.held),
            refused=list(done.refused),
        )


ForgottenAnswer = Response[ForgottenView]


def forgotten(done: Forgotten) -> ForgottenAnswer:
    """Return 200, and the header of a request that was answered before (rule 20)."""
    headers: dict[str, str | list[str]] = {}
    if done.replayed:
        headers["X-Idempotent-Replayed"] = "true"
    return Response(
        200, content_type="application/json", body=ForgottenView.of(done), headers=headers
    )


class ErasedPlaceView(View):
    name: str
    found: int
    outcome: str


class CertificateView(View):
    """What was erased where, and what ages out by itself (rule 10)."""

    fact_id: str
    by: str
    at: str
    reason: str
    places: list[ErasedPlaceView]
    derived: list[str]

    @classmethod
    def of(cls, certificate: Certificate) -> CertificateView:
        return cls(
            fact_id=certificate.fact_id,
            by=certificate.by,
            at=rfc3339(certificate.at),
            reason=certificate.reason,
            places=[
                ErasedPlaceView(name=place.name, found=place.found, outcome=place.outcome)
                for place in certificate.places
            ],
            derived=list(certificate.derived),
        )
