"""Sixteen writers at once on a local cloud of their own: no fact is lost, in table or index."""

import tempfile
from pathlib import Path

from muniment.adapters.sqlite_index import SqliteIndex
from tests.e2e.conftest import LocalRun, cloud_of, free_ports
from tests.e2e.writers import write_and_find

WRITERS = 16
SAMPLE = 100  # facts that are searched by their own words


def record_together(facts: int) -> None:
    """Let the writers record about so many facts in all. Raises AssertionError."""
    with tempfile.TemporaryDirectory() as folder:
        run = LocalRun(Path(folder) / "data", free_ports()).start()
        index = SqliteIndex(run.data / "search")
        each = max(1, facts // WRITERS)
        try:
            write_and_find(cloud_of(run), index, WRITERS, each, sample=min(SAMPLE, WRITERS * each))
        finally:
            index.close()
            run.stop()
