"""Running clouds for the end-to-end tests.

`cloud` is the whole product on free ports with its own data folder, one for the session. The same
tests run against another place, a deployed stage for instance:

    MUNIMENT_URL=https://….amazonaws.com/live MEMORY_TABLE=… AWS_PROFILE=… pytest tests/e2e

`start_local` starts a local cloud of any app and stops it after the test.
"""

import http.client
import json
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLE_APP = Path(__file__).parent / "sample_app"
BASE_PATH = "/api/v1/project-memory"
START_SECONDS = 180  # the first start embeds the example notes


@dataclass(frozen=True)
class Reply:
    """One HTTP answer; header names in lower case, the last of repeated ones."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the parsed body."""
        return json.loads(self.body)


def send(
    url: str, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
) -> Reply:
    """Send one request; a body that is no text or bytes goes as JSON."""
    place = urlsplit(url)
    secure = place.scheme == "https"
    connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection = connect(place.netloc, timeout=60)
    raw = body if body is None or isinstance(body, str | bytes) else json.dumps(body)
    payload = raw.encode() if isinstance(raw, str) else raw
    try:
        connection.request(method, place.path + path, payload, headers or {})
        answer = connection.getresponse()
        names = {name.lower(): value for name, value in answer.getheaders()}
        return Reply(answer.status, names, answer.read())
    finally:
        connection.close()


@dataclass
class LocalRun:
    """One `python -m local.up` process."""

    data: Path
    port: int
    app: Path = ROOT
    arguments: tuple[str, ...] = ("--no-demo",)
    rate_limits: bool = False  # races and crowds send more than any plan allows
    process: subprocess.Popen[str] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def emulator_url(self) -> str:
        return f"http://127.0.0.1:{self.port + 1}"

    def command(self, *more: str) -> list[str]:
        """Return the command line of this run, with more arguments."""
        place = ["--port", str(self.port), "--data", str(self.data), "--app", str(self.app)]
        return [sys.executable, "-m", "local.up", *place, *self.arguments, *more]

    def start(self) -> "LocalRun":
        """Start and wait until it says that it is ready."""
        log = self._log
        with log.open("w") as out:
            self.process = subprocess.Popen(
                self.command(), cwd=ROOT, env=self._caller(), text=True, stdout=out, stderr=out
            )
        end = time.monotonic() + START_SECONDS
        while "ready:" not in log.read_text():
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"not started:\n{log.read_text()}")
            time.sleep(0.05)
        return self

    def _caller(self) -> dict[str, str]:
        return caller() | {"RATE_LIMITS": "on" if self.rate_limits else "off"}

    def said(self) -> str:
        """Return what the last start printed so far."""
        return self._log.read_text()

    @property
    def _log(self) -> Path:
        return self.data.parent / f"{self.data.name}.up.log"

    def run(self, *more: str) -> subprocess.CompletedProcess[str]:
        """Run the command to its end (`--down`, or one that must fail)."""
        return subprocess.run(
            self.command(*more), cwd=ROOT, env=caller(), text=True, capture_output=True, timeout=60
        )

    def announced(self) -> dict[str, Any]:
        """Return what running.json says."""
        facts: dict[str, Any] = json.loads((self.data / "running.json").read_text())
        return facts

    def processes(self) -> list[int]:
        """Return the ids of the process and all its descendants."""
        assert self.process is not None
        return [self.process.pid, *descendants(self.process.pid)]

    def stop(self) -> None:
        """End it as Ctrl-C would; a background job of a shell is deaf to that."""
        if self.process and self.process.poll() is None:
            deaf = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            self.process.send_signal(signal.SIGTERM if deaf else signal.SIGINT)
            self.process.wait(30)

    def kill(self) -> None:
        """End every process of it with kill -9, the parent first."""
        assert self.process is not None
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)
        self.process.wait(30)


@dataclass(frozen=True)
class Cloud:
    """A place where the product runs: `url` holds the API, `environment` reaches its table.

    `environment` is whole, taken before the tests put their own credentials into ours.
    """

    url: str
    environment: dict[str, str]
    local: LocalRun | None = None

    def send(
        self, method: str, path: str, body: Any = None, *, key: str = "", **headers: str
    ) -> Reply:
        """Send a request below the base path; `key` is the API key to send, if any."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        bearer = {"Authorization": f"Bearer {key}"} if key else {}
        content = {"Content-Type": "application/json"} if body is not None else {}
        return send(self.url, method, BASE_PATH + path, body, content | bearer | given)

    def operator(self, *arguments: str) -> Any:
        """Run the operator's command `muniment … --json`; return its parsed answer."""
        done = subprocess.run(
            [sys.executable, "-m", "muniment.cli", *arguments, "--json"],
            env=self.environment,
            text=True,
            capture_output=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def tenant(self, *projects: str) -> dict[str, Any]:
        """Create a tenant with a name of its own; return its names and the owner's `key`."""
        name = f"t-{secrets.token_hex(6)}"
        options = [part for project in projects or ("backend",) for part in ("--project", project)]
        created: dict[str, Any] = self.operator("tenant", "create", name, *options)
        return created


def caller() -> dict[str, str]:
    """Return our variables without those that would redirect a local cloud."""
    redirecting = ("PORT", "DATA", "SEARCH", "MAKEFLAGS")
    return {k: v for k, v in os.environ.items() if k not in redirecting}


def descendants(pid: int) -> list[int]:
    """Return the ids of all living processes below one."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], text=True, capture_output=True).stdout
    parents = {int(line.split()[0]): int(line.split()[1]) for line in listed.splitlines()}
    children = [child for child, parent in parents.items() if parent == pid]
    return children + [below for child in children for below in descendants(child)]


def free_ports() -> int:
    """Return a port that is free together with the next one."""
    while True:
        port = random.randrange(10000, 30000, 2)
        try:
            for each in (port, port + 1):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", each))
        except OSError:
            continue
        return port


@pytest.fixture
def start_local(tmp_path: Path) -> Iterator[Callable[..., LocalRun]]:
    """Return a function that starts a local cloud, of the sample app unless told otherwise."""
    runs: list[LocalRun] = []

    def start(**options: Any) -> LocalRun:
        given = {"data": tmp_path / "data", "port": free_ports(), "app": SAMPLE_APP} | options
        runs.append(LocalRun(**given))
        return runs[-1].start()

    yield start
    for run in runs:
        run.stop()


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalRun]:
    """Yield a running sample app; no test may leave it broken."""
    run = LocalRun(tmp_path_factory.mktemp("sample") / "data", free_ports(), SAMPLE_APP).start()
    yield run
    run.stop()


@pytest.fixture(scope="session")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    """Yield the product: at MUNIMENT_URL if set, else a local cloud of its own."""
    if url := os.environ.get("MUNIMENT_URL"):
        yield Cloud(url, caller())
        return
    run = LocalRun(tmp_path_factory.mktemp("cloud") / "data", free_ports()).start()
    yield cloud_of(run)
    run.stop()


def cloud_of(run: LocalRun) -> Cloud:
    """Return a running local cloud of the product as a place to test."""
    signing = {"SIGNING_KEY": (run.data / "signing_key").read_text().strip()}
    return Cloud(run.url, caller() | run.announced()["environment"] | signing, run)
