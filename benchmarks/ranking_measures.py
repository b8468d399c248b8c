"""Measures of one ranking against the set of relevant ids, each 0..1, higher is better."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean

DEPTH = 10
MEASURES = ("nDCG@10", "R@10", "R@1", "MRR")


def measure(ranked: Sequence[str], relevant: set[str]) -> dict[str, float]:
    hits = [fact_id in relevant for fact_id in ranked[:DEPTH]]
    first = next((at for at, hit in enumerate(hits) if hit), None)
    gain = sum(hit / math.log2(at + 2) for at, hit in enumerate(hits))
    best = sum(1 / math.log2(at + 2) for at in range(min(DEPTH, len(relevant))))
    return {
        "nDCG@10": gain / best,
        "R@10": sum(hits) / len(relevant),
        "R@1": sum(hits[:1]) / len(relevant),
        "MRR": 0.0 if first is None else 1 / (first + 1),
    }


def mean(answers: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: round(fmean(answer[name] for answer in answers), 4) for name in MEASURES}
