"""How long a new user waits: from `git clone` to the first cited answer of `make up`.

    python -m benchmarks.first_run [--timeout 900] [--json FILE]

Clones what is committed here into a temporary folder and runs `make up` there on free ports,
with its environments made anew (packages come from the cache of uv or pip if they are there).
The cloud is stopped and the folder deleted at the end. Progress goes to stderr.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.engines import free_port
from local.workers import ROOT

QUESTION = re.compile(r"^\s*\? (?P<text>\S.*)$")
ANSWER = re.compile(r"^\s*\[(?P<name>\S+) (?P<fact_id>[0-9A-HJKMNP-TV-Z]{26}): [^\]]+\]\s*$")
STEPS = {  # what `make up` says when a step is done
    "environments made": re.compile(r"^\[\.venv-emulator\] ready"),
    "emulator started": re.compile(r"\] emulator started"),
    "stack deployed": re.compile(r"\] stack deployed"),
    "notes imported": re.compile(r"\] notes: "),
    "ready": re.compile(r"\] ready: http://"),
}
FIRST_ANSWER = "first answer"
STOP_SECONDS = 30
TAIL = 20  # lines shown when it fails
OURS = ("PORT", "DATA", "SEARCH", "EMULATOR_VENV", "MAKEFLAGS", "MAKELEVEL", "VIRTUAL_ENV")


class NoAnswer(Exception):
    """`make up` ended or hung before it was ready; the message ends with what it printed last."""


class Output:
    """Reads what `make up` prints; tells each step once, in whatever order they come."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.answers: list[tuple[str, str]] = []  # question, name of the first note
        self._question: str | None = None

    def read(self, line: str) -> Iterator[str]:
        """Yield the steps that this line shows to be done."""
        if question := QUESTION.match(line):
            self._question = question["text"]
        elif self._question and (answer := ANSWER.match(line)):
            self.answers.append((self._question, answer["name"]))
            self._question = None
            yield from self._once(FIRST_ANSWER)
        for step, sign in STEPS.items():
            if sign.search(line):
                yield from self._once(step)

    def _once(self, step: str) -> Iterator[str]:
        if step not in self.seen:
            self.seen.add(step)
            yield step


def main() -> int:
    parser = argparse.ArgumentParser(prog="first_run", description=__doc__.partition("\n")[0])
    parser.add_argument("--timeout", type=float, default=900, help="seconds (default: 900)")
    parser.add_argument("--json", type=Path, help="write the seconds of each step there too")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="first-run-") as folder:
        try:
            steps, output = measure(Path(folder) / "muniment", asked.timeout)
        except NoAnswer as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    result = {"seconds": steps, "answers": dict(output.answers)}
    if asked.json:
        asked.json.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    print(f"from git clone to the first answer: {steps[FIRST_ANSWER]:.1f} s")
    for question, name in output.answers:
        print(f"  ? {question} -> {name}")
    return 0


def measure(clone: Path, timeout: float) -> tuple[dict[str, float], Output]:
    """Clone, start, stop; return the seconds of each step since the start. Raises NoAnswer."""
    began, steps, output = time.monotonic(), dict[str, float](), Output()

    def done(step: str) -> None:
        steps[step] = round(time.monotonic() - began, 1)
        print(f"[{steps[step]:6.1f} s] {step}", file=sys.stderr, flush=True)

    # --no-local: objects are copied as from a server, not linked
    subprocess.run(["git", "clone", "--quiet", "--no-local", str(ROOT), str(clone)], check=True)
    done("cloned")
    process = _make_up(clone)
    lines: list[str] = []
    try:
        for line in _lines(process, began + timeout):
            lines.append(line)
            for step in output.read(line):
                done(step)
            if "ready" in output.seen:
                break
    finally:
        _stop(process)
    if not {"ready", FIRST_ANSWER} <= output.seen:
        raise NoAnswer("`make up` gave no answer:\n" + "\n".join(lines[-TAIL:]))
    return steps, output


def _make_up(clone: Path) -> subprocess.Popen[str]:
    environment = {k: v for k, v in os.environ.items() if k not in OURS}
    return subprocess.Popen(
        ["make", "up"],
        cwd=clone,
        env=environment | {"PORT": str(_free_pair()), "PYTHONUNBUFFERED": "1"},
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,  # so that all of it can be stopped together
    )


def _lines(process: subprocess.Popen[str], end: float) -> Iterator[str]:
    """Yield lines until it ends; at `end` (monotonic seconds) it is stopped."""
    assert process.stdout is not None
    # What its group does not hold dies with it: the emulator reads our end of a pipe.
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(process.pid, signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, max(0.1, end - time.monotonic()))
    try:
        for line in process.stdout:
            yield line.rstrip("\n")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _stop(process: subprocess.Popen[str]) -> None:
    """End it as Ctrl-C would, then whatever is left of its group."""
    for sign in (signal.SIGINT, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(STOP_SECONDS)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
    if process.stdout:
        process.stdout.close()


def _free_pair() -> int:
    """Return a port that is free together with the next one."""
    while True:
        port = free_port()
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port + 1)):
                return port


if __name__ == "__main__":
    sys.exit(main())
