"""The races of tests/e2e on a local cloud of their own, a thousand rounds."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.e2e import races
from tests.e2e.conftest import LocalRun, cloud_of, free_ports

REVISERS, FEW = 200, 20  # of one revision; the whole crowd once in a hundred rounds
WRITERS, FACTS = 20, 50  # case D25


def rounds(wanted: int) -> Iterator[Callable[[], object]]:
    """Yield what each round does; the cloud lives as long as they are drawn."""
    with tempfile.TemporaryDirectory() as folder:
        run = LocalRun(Path(folder) / "data", free_ports()).start()
        try:
            team = races.Team.of(cloud_of(run))
            yield from (_round(team, number) for number in range(wanted))
        finally:
            run.stop()


def _round(team: races.Team, number: int) -> Callable[[], object]:
    if number == 0:
        return lambda: races.record_race(team, f"w{number}", WRITERS, FACTS)
    if number % 100 == 1:
        return lambda: races.revise_race(team, REVISERS)
    if number % 10 == 2:
        return lambda: races.revise_race(team, FEW)
    plain = (races.finalize_race, races.takeover_race, races.dispute_race)
    return lambda: plain[number % len(plain)](team)
