"""How long a call takes, and how long an import takes: medians, 95th percentiles, ratios."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from local.workers import ROOT

TIMED_IMPORT = """import time
began = time.perf_counter()
import {module}
print(time.perf_counter() - began)"""


def milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def summary(times: Sequence[float], unit: float | None = None) -> dict[str, float]:
    """Return p50 and p95 of milliseconds, and as multiples of `unit` milliseconds."""
    cuts = statistics.quantiles(times, n=20, method="inclusive")
    found = {"p50_ms": round(statistics.median(times), 3), "p95_ms": round(cuts[-1], 3)}
    if unit is None:
        return found
    ratios = {f"{p}_ratio": round(found[f"{p}_ms"] / unit, 1) for p in ("p50", "p95")}
    return found | ratios


def import_times(module: str, unit: str, times: int) -> tuple[float, float]:
    """Return the median milliseconds of importing `module`, and `unit` in turn with it.

    Each import has a process of its own, whose start is not counted.
    """
    _import_once(module)  # compiles what is not compiled yet
    pairs = [(_import_once(module), _import_once(unit)) for _ in range(times)]
    ours, theirs = (round(statistics.median(column), 1) for column in zip(*pairs, strict=True))
    return ours, theirs


def _import_once(module: str) -> float:
    folders = [ROOT / "functions", ROOT / "layers" / "core" / "python"]
    paths = os.pathsep.join(map(str, folders))
    done = subprocess.run(
        [sys.executable, "-c", TIMED_IMPORT.format(module=module)],
        env=os.environ | {"PYTHONPATH": paths},
        check=True,
        stdout=subprocess.PIPE,
    )
    return float(done.stdout) * 1000


def quickest(work: Callable[[str], object], text: str, times: int = 3) -> float:
    """Return the least milliseconds of a few tries: other processes only ever add."""
    return min(milliseconds(lambda: work(text)) for _ in range(times))


def p95(times: Sequence[float]) -> float:
    return round(statistics.quantiles(times, n=20, method="inclusive")[-1], 3)
