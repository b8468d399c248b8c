"""The emulator behind the front door: who may reach it, its own gateway, its streams."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import LocalRun, send

GOOD = {"Authorization": "Bearer good"}


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil:80"])
def test_given_a_foreign_host_when_sent_then_front_door_and_emulator_refuse(
    sample: LocalRun, host: str
) -> None:
    foreign = {"Host": host}

    assert send(sample.url, "GET", "/health", None, foreign).status == 403
    assert send(sample.emulator_url, "GET", "/_ministack/health", None, foreign).status == 403


@pytest.mark.parametrize("header", [("Origin", "http://a.example"), ("Sec-Fetch-Site", "none")])
def test_given_a_browser_when_it_reaches_for_the_emulator_then_it_is_refused(
    sample: LocalRun, header: tuple[str, str]
) -> None:
    request = ("POST", "/", {"TableName": "Memory"})

    assert send(sample.emulator_url, *request, dict([header])).status == 403
    assert send(sample.emulator_url, "GET", "/_ministack/health").status == 200


def test_given_the_emulators_own_gateway_when_called_then_it_answers_like_the_front_door(
    sample: LocalRun,
) -> None:
    facts = sample.announced()
    gateway = f"{facts['emulator_url']}/_aws/execute-api/{facts['api_id']}/{facts['stage']}"

    assert send(gateway, "GET", "/health").status == 200
    assert send(gateway, "POST", "/echo/a", "x", GOOD).json()["event"]["body"] == "x"
    assert send(gateway, "POST", "/echo/a", "x").status == 401


def test_given_a_written_item_when_streamed_then_its_function_runs_soon(sample: LocalRun) -> None:
    log = sample.data / "search" / "stream.jsonl"
    send(sample.url, "PUT", "/items/warm", "1", GOOD)
    _await(log, "warm")
    delays = []
    for number in range(10):
        written = time.time()
        send(sample.url, "PUT", f"/items/s{number}", "1", GOOD)
        delays.append(_await(log, f"s{number}") - written)

    assert sorted(delays)[5] < 0.5


def test_given_a_stream_function_that_fails_once_when_retried_then_its_item_arrives(
    sample: LocalRun,
) -> None:
    log = sample.data / "search" / "stream.jsonl"

    send(sample.url, "PUT", "/items/once", "1", GOOD)
    _await(log, "once", times=2)
    send(sample.url, "PUT", "/items/after", "1", GOOD)

    assert _await(log, "after")


def _await(log: Path, item: str, times: int = 1) -> float:
    """Return when the stream function last saw an item; fail after five seconds."""
    end = time.monotonic() + 5
    while time.monotonic() < end:
        seen: list[dict[str, Any]] = []
        if log.exists():
            seen = [json.loads(line) for line in log.read_text().splitlines()]
        arrivals = [entry["at"] for entry in seen if item in entry["ids"]]
        if len(arrivals) >= times:
            return float(arrivals[-1])
        time.sleep(0.01)
    raise AssertionError(f"{item} did not arrive {times} times")
