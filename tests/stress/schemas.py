"""Every route asked at random, all phases, until so many requests were made."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.e2e.asking_at_random import ask_at_random
from tests.e2e.conftest import LocalRun, cloud_of, free_ports

EXAMPLES = 60  # of one route and round
PHASES = "examples,coverage,fuzzing"


def rounds(wanted: int) -> Iterator[tuple[int, str | None]]:
    """Yield requests made and what was found, round by round."""
    with tempfile.TemporaryDirectory() as folder:
        run = LocalRun(Path(folder) / "data", free_ports()).start()
        try:
            done, seed = 0, 0
            while done < wanted:
                seed += 1
                for outcome in ask_at_random(
                    cloud_of(run), Path(folder), examples=EXAMPLES, phases=PHASES, seed=seed
                ):
                    done += outcome.cases
                    yield outcome.cases, outcome.complaint or None
        finally:
            run.stop()
