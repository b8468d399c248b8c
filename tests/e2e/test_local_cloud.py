"""The life of a local cloud: start, stop, crash, and what must survive it."""

import http.client
import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.conftest import SAMPLE_APP, LocalRun, free_ports

GOOD = {"Authorization": "Bearer good"}
ROUNDS = 2  # of items; five of facts are in test_crash.py
WRITERS = 3


def living(pids: list[int]) -> list[int]:
    """Return those that run; a zombie that nobody reaps does not."""
    states = subprocess.run(
        ["ps", "-o", "pid=,stat=", "-p", ",".join(map(str, pids))], text=True, capture_output=True
    ).stdout
    found = [line.split() for line in states.splitlines()]
    return [int(pid) for pid, state in found if not state.startswith("Z")]


def wait_until_gone(pids: list[int]) -> None:
    end = time.monotonic() + 5
    while (left := living(pids)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not left


def call(run: LocalRun, method: str, path: str, body: str | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", run.port, timeout=10)
    try:
        connection.request(method, path, body, GOOD)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def stored(run: LocalRun) -> set[str]:
    status, body = call(run, "GET", "/items")
    assert status == 200
    return set(json.loads(body))


class Writer(threading.Thread):
    """Writes items until the cloud is gone; keeps the ids that were acknowledged."""

    def __init__(self, run: LocalRun, name: str) -> None:
        super().__init__()
        self.run_on, self.prefix, self.acknowledged = run, name, set[str]()

    def run(self) -> None:
        number = 0
        while True:
            item = f"{self.prefix}-{number}"
            try:
                status, _ = call(self.run_on, "PUT", f"/items/{item}", "x" * 300)
            except (OSError, http.client.HTTPException):
                return
            if status == 201:
                self.acknowledged.add(item)
            number += 1


def test_given_items_when_stopped_and_started_again_then_they_are_there(
    start_local: Callable[..., LocalRun],
) -> None:
    first = start_local()
    assert call(first, "PUT", "/items/kept", "1")[0] == 201
    pids = first.processes()
    first.stop()
    wait_until_gone(pids)

    second = start_local(data=first.data, port=first.port)

    assert stored(second) == {"kept"}
    assert first.process.returncode == 0


def test_given_writers_when_every_process_is_killed_then_no_acknowledged_item_is_lost(
    start_local: Callable[..., LocalRun],
) -> None:
    run = start_local()
    acknowledged: set[str] = set()
    for round_number in range(ROUNDS):
        writers = [Writer(run, f"r{round_number}w{number}") for number in range(WRITERS)]
        for writer in writers:
            writer.start()
        while not all(len(writer.acknowledged) > 10 * round_number for writer in writers):
            time.sleep(0.01)
        run.kill()
        for writer in writers:
            writer.join()
            acknowledged |= writer.acknowledged
        run = start_local(data=run.data, port=run.port)
        assert acknowledged <= stored(run)


def test_given_the_parent_killed_when_started_again_then_no_orphan_holds_its_ports(
    start_local: Callable[..., LocalRun],
) -> None:
    run = start_local()
    children = run.processes()[1:]
    assert len(children) >= 3
    os.kill(run.process.pid, signal.SIGKILL)
    run.process.wait()
    wait_until_gone(children)

    again = start_local(data=run.data, port=run.port)

    assert call(again, "GET", "/health")[0] == 200


def test_given_a_busy_function_when_the_parent_is_killed_then_its_worker_ends_too(
    start_local: Callable[..., LocalRun],
) -> None:
    run = start_local()
    hanging = threading.Thread(target=lambda: _ignore_errors(run), daemon=True)
    hanging.start()
    time.sleep(0.5)
    children = run.processes()[1:]
    os.kill(run.process.pid, signal.SIGKILL)
    run.process.wait()
    wait_until_gone(children)
    hanging.join()


def _ignore_errors(run: LocalRun) -> None:
    try:
        call(run, "POST", "/misbehave", "hang")
    except (OSError, http.client.HTTPException):
        pass


def test_given_a_running_cloud_when_started_twice_then_the_second_says_so(
    sample: LocalRun,
) -> None:
    second = sample.run()

    assert sample.process is not None
    assert second.returncode == 1
    assert f"already running on {sample.data}: process {sample.process.pid}" in second.stderr
    assert "make down" in second.stderr
    assert call(sample, "GET", "/health")[0] == 200


@pytest.mark.parametrize("below", [0, 1], ids=["front door", "emulator"])
def test_given_a_taken_port_when_started_then_the_message_names_it_and_the_way_out(
    tmp_path: Path, below: int
) -> None:
    port = free_ports()
    attempt = LocalRun(tmp_path / "data", port, SAMPLE_APP)
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", port + below))
        holder.listen()

        done = attempt.run()

    assert done.returncode == 1
    assert f"port {port + below} is taken" in done.stderr
    assert f"PORT={port + 100} make up" in done.stderr


def test_given_a_running_cloud_when_down_then_all_its_processes_end(
    start_local: Callable[..., LocalRun],
) -> None:
    run = start_local()
    pids = run.processes()

    done = run.run("--down")
    run.process.wait(10)

    assert done.stdout == f"stopped process {run.process.pid}\n"
    wait_until_gone(pids)
    assert run.run("--down").stdout == f"nothing runs on {run.data}\n"


def test_given_a_running_cloud_when_reset_then_it_stops_and_the_named_folder_is_gone(
    start_local: Callable[..., LocalRun],
) -> None:
    run = start_local()

    done = run.run("--reset")

    assert done.returncode == 0
    assert f"deleting {run.data}" in done.stdout
    assert not run.data.exists()


def test_given_a_folder_that_is_not_ours_when_reset_or_started_then_it_is_kept(
    tmp_path: Path,
) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"1")
    attempt = LocalRun(tmp_path, free_ports(), SAMPLE_APP)

    reset, started = attempt.run("--reset"), attempt.run()

    assert (reset.returncode, started.returncode) == (1, 1)
    assert "kept" in reset.stderr and "holds other files" in started.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["photo.jpg"]


def test_given_the_emulators_environment_missing_when_started_then_the_error_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_VENV", str(tmp_path / "nowhere"))

    done = LocalRun(tmp_path / "data", free_ports(), SAMPLE_APP).run()

    assert done.returncode == 1
    assert "the emulator's environment is missing" in done.stderr
