"""What every write answers: the fact as the write left it, and what the writer should know."""

from __future__ import annotations

from collections.abc import Sequence

from aws_lambda_powertools.event_handler import Response

from muniment.api.views import FactView, View
from muniment.domain.advice import advice
from muniment.domain.budget import Admission
from muniment.domain.consistency import token_of
from muniment.domain.fact import Head
from muniment.domain.intake import Written
from muniment.domain.resemblance import Near


class AdmissionView(View):
    degraded: bool
    reason: str | None

    @classmethod
    def of(cls, admission: Admission) -> AdmissionView:
        return cls(degraded=admission.degraded, reason=admission.reason)


class NearView(View):
    """`similarity` is the share of common words, 0.85 to 1."""

    fact_id: str
    similarity: float


class WarningView(View):
    code: str
    detail: str


class WrittenView(View):
    """Answer of every write. `repeat`: this very statement was there already.

    `near_duplicates` are facts that say nearly the same; absent while the index is away.
    `warnings` say what does not belong into long-lived memory; absent where there are none.
    """

    fact: FactView
    revision: int
    repeat: bool
    admission: AdmissionView
    near_duplicates: list[NearView] | None
    warnings: list[WarningView] | None = None
    consistency_token: str


WrittenAnswer = Response[WrittenView]


def changed(outcome: Written, secret: str, *, worded: bool = False) -> WrittenAnswer:
    """Return 200 for a fact that was there and moved on, in the same form as a new one.

    `worded`: the caller gave it new words, so they get the warnings that a new fact gets.
    """
    answer = written(outcome, secret, worded=worded)
    answer.status_code = 200
    return answer


def _near(near: Sequence[Near] | None) -> list[NearView] | None:
    if near is None:
        return None
    return [NearView(fact_id=n.fact_id, similarity=n.similarity / 100) for n in near]


def _warnings(head: Head) -> list[WarningView] | None:
    found = advice(head.newest.content, head.cell.layer)
    return [WarningView(code=one.code, detail=one.detail) for one in found] or None


def written(outcome: Written, secret: str, *, worded: bool = True) -> WrittenAnswer:
    """Return 201 for a new fact, 200 for one that was there (rows M-73c, W-45b, case D23)."""
    view = WrittenView(
        fact=FactView.of(outcome.head),
        revision=outcome.head.newest.number,
        repeat=outcome.repeat,
        admission=AdmissionView.of(outcome.admission),
        near_duplicates=_near(outcome.near),
        warnings=_warnings(outcome.head) if worded else None,
        consistency_token=token_of(secret, outcome.head),
    )
    headers: dict[str, str | list[str]] = {}
    if outcome.replayed:
        headers["X-Idempotent-Replayed"] = "true"
    if outcome.admission.degraded:
        headers["X-Project-Memory-Budget"] = "degraded"
    status = 200 if outcome.repeat else 201
    return Response(status, content_type="application/json", body=view, headers=headers)
