"""Start and stop the parts of the local cloud, in the order that loses nothing.

```
 1 emulator   2 stack deployed, saved items loaded   3 workers   4 front door serves
 5 reconcile: facts whose stream event was lost in a crash reach the index
```
"""

import os
import secrets
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from local import environment, opensearch, opensearch_build, stack
from local import template as templates
from local.folder import DataFolder
from local.front_door import Server, is_free
from local.gateway import Gateway
from local.rates import Rates, rates_of
from local.stack import Stack
from local.workers import ROOT, Pool, Setup

EMULATOR_SECONDS = 60
RECONCILE = "ReconcileIndex"


class CannotStart(Exception):
    """The message says what is wrong and what to do."""


@dataclass(frozen=True)
class Options:
    """How to start: `app` holds template.yaml; the emulator listens on `port` + 1."""

    app: Path
    port: int
    workers: int
    emulator_python: Path
    opensearch: bool
    rate_limits: bool


class LocalCloud:
    """One running local cloud. `start` may fail half way; `stop` ends what there is."""

    def __init__(self, options: Options, data: DataFolder, say: Callable[[str], None]) -> None:
        self._options, self._data, self._say = options, data, say
        self._template = templates.load(options.app / "template.yaml")
        self._logs: list[IO[bytes]] = []
        self._server: Server | None = None
        self._emulator: subprocess.Popen[bytes] | None = None
        self._node: subprocess.Popen[bytes] | None = None
        self._pool: Pool | None = None
        self._rates: Rates | None = None
        self.environment: dict[str, str] = {}

    @property
    def url(self) -> str:
        """The front door's address."""
        return f"http://127.0.0.1:{self._options.port}"

    @property
    def emulator_url(self) -> str:
        """What AWS_ENDPOINT_URL must be."""
        return f"http://127.0.0.1:{self._options.port + 1}"

    def start(self) -> None:
        """Start everything. Raises CannotStart, DeployFailed."""
        self._server = _bind(self._options.port)
        search_endpoint = self._start_opensearch()
        self._start_emulator()
        token = secrets.token_urlsafe(24)
        deployed = stack.deploy(self._template, self.emulator_url, f"{self.url}/_invoke/{token}")
        self._say(f"stack deployed, {deployed.items} items loaded")
        self.environment = environment.shared(
            self._data, self.emulator_url, deployed.ids, search_endpoint
        )
        self._pool = self._start_workers(deployed)
        if self._options.rate_limits:
            self._rates = Rates(rates_of(self._template), self._data / "usage.json")
        gateway = Gateway(self._template, self._pool.invoke, deployed.ids["Api"], self._rates)
        self._server.open(gateway, self._pool, token)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._data.announce(self._facts(deployed))
        self.reconcile()

    def wait(self) -> None:
        """Return only when the emulator ends by itself, which it should not."""
        assert self._emulator is not None
        self._emulator.wait()

    def stop(self) -> None:
        """End every process; items are on disk already."""
        if self._server:
            self._server.server_close()
        if self._rates:
            self._rates.save()
        if self._pool:
            self._pool.close()
        if self._emulator:
            _kill(self._emulator)
        if self._node:
            opensearch.stop(self._node)
        for log in self._logs:
            log.close()

    def reconcile(self) -> None:
        """Run ReconcileIndex until nothing is left; each answer is the next event."""
        if self._pool is None or RECONCILE not in self._template.functions:
            return
        page: dict[str, Any] = {"next": None}
        while True:
            outcome = self._pool.invoke(RECONCILE, page)
            if outcome.error:
                return self._say(f"index not reconciled: {outcome.error}: {outcome.message}")
            page = outcome.value
            if page["repaired"] or not page["next"]:
                self._say(f"index: {page['compared']} facts compared, {page['repaired']} added")
            if not page["next"]:
                return

    def _start_opensearch(self) -> str:
        if not self._options.opensearch:
            return os.environ.get("OPENSEARCH_ENDPOINT", "")
        port = self._options.port + 2
        self._say("OpenSearch: building the node (the first time takes minutes)")
        try:
            node = opensearch_build.build()
            self._node = opensearch.start(node, port, self._data / "opensearch")
        except opensearch_build.CannotRun as error:
            raise CannotStart(f"OpenSearch: {error}") from None
        self._say("OpenSearch started")
        return f"http://127.0.0.1:{port}"

    def _start_emulator(self) -> None:
        port = self._options.port + 1
        if not self._options.emulator_python.exists():
            raise CannotStart(
                f"no {self._options.emulator_python}: the emulator's environment is missing; "
                "`make up` makes it"
            )
        if not is_free(port):
            raise CannotStart(port_taken(port, self._options.port))
        log = self._log("emulator.log")
        self._emulator = subprocess.Popen(
            [self._options.emulator_python, "-m", "local.emulator"],
            cwd=ROOT,
            env=environment.emulator(self._data, port),
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C is for us; we stop it in order
        )
        stack.preload()
        self._await_emulator()
        self._say("emulator started")

    def _await_emulator(self) -> None:
        assert self._emulator is not None
        end = time.monotonic() + EMULATOR_SECONDS
        while time.monotonic() < end and self._emulator.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.emulator_url}/_ministack/health", timeout=2):
                    return
            except OSError:
                time.sleep(0.05)
        tail = (self._data / "emulator.log").read_text(errors="replace")[-800:]
        raise CannotStart(f"the emulator does not answer; {self._data / 'emulator.log'}:\n{tail}")

    def _start_workers(self, deployed: Stack) -> Pool:
        functions = self._template.functions
        layer = self._options.app / "layers" / "core" / "python"
        setup = Setup(
            functions=functions,
            paths=tuple(dict.fromkeys([*(f.code for f in functions.values()), layer])),
            environment=environment.workers(self.environment),
            own_environment={
                name: environment.of_function(name, self._template, deployed.ids, self.environment)
                for name in functions
            },
        )
        return Pool(setup, self._options.workers, self._log("functions.log"))

    def _facts(self, deployed: Stack) -> dict[str, Any]:
        assert self._emulator is not None and self._pool is not None
        return {
            "url": self.url,
            "emulator_url": self.emulator_url,
            "api_id": deployed.ids["Api"],
            "stage": self._template.stage,
            "environment": {k: v for k, v in self.environment.items() if k != "SIGNING_KEY"},
            "processes": [self._emulator.pid, *self._pool.pids()],
        }

    def _log(self, name: str) -> IO[bytes]:
        log = (self._data / name).open("ab")
        self._logs.append(log)
        return log


def port_taken(port: int, asked: int) -> str:
    """Return what to tell the user about a port that somebody else holds."""
    return (
        f"port {port} is taken by another program (the local cloud needs {asked} and {asked + 1}); "
        f"choose another: PORT={asked + 100} make up"
    )


def _bind(port: int) -> Server:
    try:
        return Server(port)
    except OSError:
        raise CannotStart(port_taken(port, port)) from None


def _kill(emulator: subprocess.Popen[bytes]) -> None:
    """End it at once: its items are on disk, and its orderly end takes two seconds."""
    emulator.kill()
    emulator.wait()
    if emulator.stdin:
        emulator.stdin.close()
