"""Facts over HTTP on a running cloud: written at once by many, twice by one, and read at once."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from muniment.adapters.sqlite_index import SqliteIndex
from muniment.domain import limits
from tests.e2e.conftest import Cloud, Reply
from tests.e2e.writers import (
    found,
    heads_of,
    statement,
    wait_until_indexed,
    write_and_find,
)

WRITERS, FACTS = 8, 10  # all of the 16 x 50 run under `make stress`
SAMPLE = 20
TWINS = 10  # the same request at the same time
AT_ONCE = 50


@pytest.fixture
def index(cloud: Cloud) -> Iterator[SqliteIndex]:
    if cloud.local is None:
        pytest.skip("the index of a deployed stage is not read from here")
    index = SqliteIndex(Path(cloud.environment["SEARCH_FOLDER"]))
    yield index
    index.close()


@pytest.mark.slow
def test_given_writers_at_once_when_all_is_quiet_then_the_index_lacks_no_fact(
    cloud: Cloud, index: SqliteIndex
) -> None:
    write_and_find(cloud, index, WRITERS, FACTS, sample=SAMPLE)


def _listed(cloud: Cloud, key: str) -> list[str]:
    answer = cloud.send("GET", "/facts?limit=100", key=key).json()
    assert answer["next_cursor"] is None
    return [item["fact_id"] for item in answer["items"]]


def test_given_one_request_ten_times_at_once_when_answered_then_one_fact_and_ten_equal_bodies(
    cloud: Cloud,
) -> None:
    key, same = cloud.tenant()["key"], {"X_Idempotency_Key": "deploy-41"}
    note: dict[str, Any] = {"content": "The ledger closes at noon."}

    def send(_: int) -> Reply:
        return cloud.send("POST", "/remember", note, key=key, **same)

    with ThreadPoolExecutor(TWINS) as pool:
        replies = list(pool.map(send, range(TWINS)))

    assert {(reply.status, reply.body) for reply in replies} == {(201, replies[0].body)}
    replayed = [reply for reply in replies if "x-idempotent-replayed" in reply.headers]
    assert len(replayed) == TWINS - 1
    assert _listed(cloud, key) == [replies[0].json()["fact"]["fact_id"]]

    other = cloud.send("POST", "/remember", {"content": "It closes at one."}, key=key, **same)
    assert (other.status, other.json()["code"]) == (409, "idempotency_mismatch")
    assert len(_listed(cloud, key)) == 1


@pytest.fixture
def lagging(cloud: Cloud) -> Iterator[Cloud]:
    """Yield the cloud while its index writer stands still."""
    if cloud.local is None:
        pytest.skip("only a local cloud's index writer can be stopped from here")
    _, writer, *_ = cloud.local.announced()["processes"]  # the emulator, then the workers
    os.kill(writer, signal.SIGSTOP)
    try:
        yield cloud
    finally:
        os.kill(writer, signal.SIGCONT)


@pytest.mark.slow
def test_given_an_index_that_lags_when_a_write_is_searched_at_once_then_it_is_found(
    lagging: Cloud, index: SqliteIndex
) -> None:
    tenant = lagging.tenant()
    key, missed = tenant["key"], list[str]()
    for number in range(AT_ONCE):
        text = statement(f"at-once-{number}")
        written = lagging.send("POST", "/remember", {"content": text}, key=key).json()
        token = written["consistency_token"] if number % 2 else ""
        if found(lagging, key, text, 1, token) != [written["fact"]["fact_id"]]:
            missed.append(text)

    assert missed == []
    heads = heads_of(lagging, tenant["tenant"])
    assert len(heads) == AT_ONCE
    assert wait_until_indexed(index, heads, 0) == {head.fact_id for head in heads}


@pytest.mark.slow
def test_given_more_fresh_facts_than_are_merged_when_a_token_is_sent_then_its_fact_is_found(
    lagging: Cloud,
) -> None:
    key = lagging.tenant()["key"]
    first = lagging.send("POST", "/remember", {"content": statement("the first")}, key=key).json()
    for number in range(limits.FRESH_FACTS):
        lagging.send("POST", "/remember", {"content": statement(f"later-{number}")}, key=key)

    token = first["consistency_token"]
    assert found(lagging, key, statement("the first"), 1) != [first["fact"]["fact_id"]]
    assert found(lagging, key, statement("the first"), 1, token) == [first["fact"]["fact_id"]]
