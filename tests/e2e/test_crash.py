"""The product killed while it writes: what was acknowledged is there and is found."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.adapters.sqlite_index import SqliteIndex
from tests.e2e.conftest import ROOT, Cloud, LocalRun, cloud_of
from tests.e2e.writers import Writer, heads_of, not_first, not_indexed

ROUNDS = 5
WRITERS = 3
LEAST = 2  # facts that each writer has got acknowledged before the blow; more in later rounds
ENOUGH = 30  # seconds in which they must have got there


@pytest.mark.slow
def test_given_writers_when_every_process_is_killed_then_each_acknowledged_fact_is_found(
    start_local: Callable[..., LocalRun],
) -> None:
    run = start_local(app=ROOT)
    tenant = cloud_of(run).tenant()
    kept: dict[str, str] = {}
    for number in range(ROUNDS):
        written = _write_until_killed(cloud_of(run), tenant["key"], number)
        kept |= written
        run = start_local(app=ROOT, data=run.data, port=run.port)
        cloud = cloud_of(run)

        assert _lost(cloud, tenant["key"], written) == []
        assert _not_in_the_index(cloud, tenant["tenant"], kept) == set()
    assert _lost(cloud, tenant["key"], kept) == []
    assert not_first(cloud, tenant["key"], kept) == set()
    assert len(kept) >= ROUNDS * WRITERS * LEAST


def _write_until_killed(cloud: Cloud, key: str, number: int) -> dict[str, str]:
    """Let writers write, kill every process in the middle; return what was acknowledged."""
    assert cloud.local is not None
    writers = [Writer(cloud, key, f"round {number} writer {n}") for n in range(WRITERS)]
    for writer in writers:
        writer.start()
    end = time.monotonic() + ENOUGH
    while any(len(writer.acknowledged) < LEAST + number for writer in writers):
        assert time.monotonic() < end, [len(writer.acknowledged) for writer in writers]
        time.sleep(0.01)
    cloud.local.kill()
    for writer in writers:
        writer.join()
    return {k: v for writer in writers for k, v in writer.acknowledged.items()}


def _lost(cloud: Cloud, key: str, written: dict[str, str]) -> list[str]:
    """Return the ids of facts that are not there with the very statement that was sent."""

    def said(fact_id: str) -> str | None:
        answer = cloud.send("GET", f"/facts/{fact_id}", key=key)
        return answer.json()["fact"]["statement"] if answer.status == 200 else None

    return [fact_id for fact_id, text in written.items() if said(fact_id) != text]


def _not_in_the_index(cloud: Cloud, tenant: str, kept: dict[str, str]) -> set[str]:
    """Return the ids that only the fresh tail of the table would find."""
    index = SqliteIndex(Path(cloud.environment["SEARCH_FOLDER"]))
    try:
        heads = heads_of(cloud, tenant)
        assert {head.fact_id for head in heads} >= set(kept)
        return not_indexed(index, heads)
    finally:
        index.close()
