"""One ranking out of four lists whose scores cannot be compared.

Each list's scores become z-scores; what is below the list's mean still counts a little,
what the list lacks counts nothing. Weights and edge values were measured (design, search.md):
reciprocal rank fusion loses .09 nDCG on project facts against this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, pstdev

from muniment.domain.search import Hit

WEIGHTS = {"words": 0.30, "idents": 0.15, "e5": 0.35, "use": 0.20}
LONE = 2.0  # z of a hit that has nothing to be compared with
FLOOR = 0.001  # a hit below its list's mean is still a hit
NO_SPREAD = 1e-9


def normal(scores: Sequence[float]) -> list[float]:
    """Return the z-score of each score, never below FLOOR; LONE where there is no spread."""
    spread = pstdev(scores) if len(scores) > 1 else 0.0
    if spread < NO_SPREAD:
        return [LONE] * len(scores)
    mean = fmean(scores)
    return [max((score - mean) / spread, FLOOR) for score in scores]


def fuse(lists: Mapping[str, Sequence[Hit]]) -> dict[str, float]:
    """Return fact id -> fused score, best first; equal scores in order of id."""
    fused: dict[str, float] = {}
    for name, hits in lists.items():
        for hit, z in zip(hits, normal([hit.score for hit in hits]), strict=True):
            fused[hit.fact_id] = fused.get(hit.fact_id, 0.0) + WEIGHTS[name] * z
    return dict(sorted(fused.items(), key=lambda item: (-item[1], item[0])))
