"""The race at the ceiling of tests/e2e on a local cloud of its own, fifty rounds."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.e2e.budgets import ceiling_race
from tests.e2e.conftest import LocalRun, cloud_of, free_ports
from tests.e2e.races import Team

WRITERS, CLAIMS, CEILING = 16, 6, 40


def rounds(wanted: int) -> Iterator[Callable[[], object]]:
    """Yield what each round does; every round is a project of its own."""
    with tempfile.TemporaryDirectory() as folder:
        run = LocalRun(Path(folder) / "data", free_ports()).start()
        try:
            yield from (_round(run, number) for number in range(wanted))
        finally:
            run.stop()


def _round(run: LocalRun, number: int) -> Callable[[], object]:
    def race() -> None:
        ceiling_race(Team.of(cloud_of(run)), f"w{number}", WRITERS, CLAIMS, CEILING)

    return race
