"""A pool of worker processes, each a `runtime`: one event at a time, as in Lambda.

The resolver of Powertools keeps the current event on its class, so an event never shares a process.
A worker that overruns its time is killed, one that dies is forgotten; both are replaced at once.
Functions without a route (stream, maintenance) always run on worker 0: a long reindex then
leaves the others free for requests.
"""

import json
import subprocess
import sys
import threading
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing import Pipe
from pathlib import Path
from typing import IO, Any

from local.template import Function

ROOT = Path(__file__).resolve().parent.parent
LOAD_SECONDS = 60  # an import, apart from the function's own time-out, as Lambda's init phase
BACKGROUND = 0
ARN = "arn:aws:lambda:us-east-1:000000000000:function:"


@dataclass(frozen=True)
class Outcome:
    """How an invocation ended: `value`, or the type of the `error` and its message."""

    value: Any = None
    error: str | None = None
    message: str = ""


@dataclass(frozen=True)
class Setup:
    """What every worker gets: folders for sys.path, environments by function name."""

    functions: Mapping[str, Function]
    paths: tuple[Path, ...]
    environment: Mapping[str, str]
    own_environment: Mapping[str, Mapping[str, str]]

    def as_json(self) -> bytes:
        """Return the message that `runtime` starts with."""
        functions = {
            name: {
                "handler": function.handler,
                "timeout": function.timeout,
                "memory": function.memory,
                "environment": dict(self.own_environment[name]),
            }
            for name, function in self.functions.items()
        }
        paths = [str(path) for path in self.paths]
        setup = {"functions": functions, "paths": paths, "environment": dict(self.environment)}
        return json.dumps(setup).encode()


class TimedOut(Exception):
    """The worker did not answer in time."""


class Worker:
    """One process. After `run` raised it must be stopped and replaced."""

    def __init__(self, setup: bytes, environment: Mapping[str, str], log: IO[bytes]) -> None:
        ours, theirs = Pipe()
        self._pipe = ours
        # Not multiprocessing.Process: no fork of a threaded parent, no second import of `up`.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "local.runtime", str(theirs.fileno())],
            cwd=ROOT,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()
        self._pipe.send_bytes(setup)

    @property
    def pid(self) -> int:
        return self._process.pid

    def run(self, call: bytes, timeout: float) -> dict[str, Any]:
        """Return the outcome as sent. Raises TimedOut; EOFError or OSError when it died."""
        self._pipe.send_bytes(call)
        answer = self._receive(LOAD_SECONDS)
        return self._receive(timeout) if "loaded" in answer else answer

    def _receive(self, timeout: float) -> dict[str, Any]:
        if not self._pipe.poll(timeout):
            raise TimedOut
        answer: dict[str, Any] = json.loads(self._pipe.recv_bytes())
        return answer

    def stop(self) -> None:
        """End the process now: it holds nothing that must be saved."""
        self._process.kill()
        self._process.wait()
        self._pipe.close()
        if self._process.stdin:
            self._process.stdin.close()


class Pool:
    """`count` workers. `invoke` may be called from many threads; calls beyond `count` wait."""

    def __init__(self, setup: Setup, count: int, log: IO[bytes]) -> None:
        self._setup, self._message, self._log = setup, setup.as_json(), log
        self._workers = [self._start() for _ in range(count)]
        self._idle = set(range(count))
        self._changed = threading.Condition()
        self._closed = False

    def invoke(
        self, name: str, event: Any, *, arn: str | None = None, request_id: str | None = None
    ) -> Outcome:
        """Run one event on a free worker. Raises KeyError for a function we do not have."""
        function = self._setup.functions[name]
        call = {
            "function": name,
            "event": event,
            "request_id": request_id or str(uuid.uuid4()),
            "arn": arn or ARN + name,
        }
        slot = self._take(function.background)
        try:
            return self._run(slot, name, json.dumps(call).encode(), function.timeout)
        finally:
            self._give_back(slot)

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        return [worker.pid for worker in self._workers]

    def close(self) -> None:
        """Stop every worker, busy ones too."""
        with self._changed:
            self._closed = True
        for worker in self._workers:
            worker.stop()

    def _start(self) -> Worker:
        return Worker(self._message, self._setup.environment, self._log)

    def _take(self, background: bool) -> int:
        with self._changed:
            while (slot := self._free(background)) is None:
                self._changed.wait()
            self._idle.discard(slot)
            return slot

    def _free(self, background: bool) -> int | None:
        if background:
            return BACKGROUND if BACKGROUND in self._idle else None
        return max(self._idle, default=None)

    def _give_back(self, slot: int) -> None:
        with self._changed:
            self._idle.add(slot)
            self._changed.notify_all()

    def _run(self, slot: int, name: str, call: bytes, timeout: int) -> Outcome:
        try:
            return Outcome(**self._workers[slot].run(call, timeout))
        except TimedOut:
            ended = Outcome(None, "Sandbox.Timedout", f"Task timed out after {timeout}.00 seconds")
        except (EOFError, OSError):
            ended = Outcome(None, "Runtime.ExitError", "The function's process ended")
        self._replace(slot)
        self._log.write(f"[{name}] {ended.message}\n".encode())
        self._log.flush()
        return ended

    def _replace(self, slot: int) -> None:
        with self._changed:
            if self._closed:
                return
        self._workers[slot].stop()
        self._workers[slot] = self._start()
