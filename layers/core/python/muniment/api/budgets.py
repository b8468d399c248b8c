"""What GET /budget answers: the spend bar. Names in camelCase are those of the requirements."""

from __future__ import annotations

from muniment.api.views import View
from muniment.domain.budget import Band, Spending

MEANING = {
    Band.OK: "every kind is stored",
    Band.DEGRADED: "from 95 % of the ceiling on: a write is still stored and told so (header "
    "X-Project-Memory-Budget: degraded); write less and shorter, do not repeat the write",
    Band.FULL: "at the ceiling: claims and observations are refused with hard_limit; decisions, "
    "verdicts, deployments and incidents are still stored; reading goes on",
}


class FactsView(View):
    """`ratio` is used / ceiling; above 1 by protected kinds only. `remaining` is never below 0."""

    used: int
    ceiling: int
    ratio: float
    remaining: int
    band: str
    meaning: str


class BudgetView(View):
    """Answer of GET /budget.

    One unit is 16 characters, started ones counted. `usedSummaryUnits` is the same number as
    `summaryUnitsUsed`. `bands` says what each band means for a writer.
    """

    project: str
    profile: str
    facts: FactsView
    summaryUnitsUsed: int
    usedSummaryUnits: int
    maxSummaryUnits: int
    remainingSummaryUnits: int
    embeddingUnitsUsed: int
    maxEmbeddingUnits: int
    remainingEmbeddingUnits: int
    bands: dict[str, str]

    @classmethod
    def of(cls, project: str, spending: Spending) -> BudgetView:
        most = spending.allowance
        return cls(
            project=project,
            profile=spending.profile,
            facts=_facts(spending),
            summaryUnitsUsed=spending.summary_units,
            usedSummaryUnits=spending.summary_units,
            maxSummaryUnits=most.summary_units,
            remainingSummaryUnits=_left(spending.summary_units, most.summary_units),
            embeddingUnitsUsed=spending.embedding_units,
            maxEmbeddingUnits=most.embedding_units,
            remainingEmbeddingUnits=_left(spending.embedding_units, most.embedding_units),
            bands={str(band): meaning for band, meaning in MEANING.items()},
        )


def _facts(spending: Spending) -> FactsView:
    used, ceiling = spending.facts, spending.allowance.facts
    return FactsView(
        used=used,
        ceiling=ceiling,
        ratio=round(used / ceiling, 4),
        remaining=_left(used, ceiling),
        band=spending.band,
        meaning=MEANING[spending.band],
    )


def _left(used: int, most: int) -> int:
    return max(0, most - used)
