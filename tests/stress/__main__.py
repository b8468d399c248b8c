"""The long runs: every property with many more steps than the suite takes.

    make stress                         all of them, most of an hour
    make stress ARGS="races --share 0.1"    some of them, a tenth as long

Progress goes to stderr; one summary line a property goes to stdout. Exit code 1 at any violation.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "eu-central-1",
    "MUNIMENT_KEY": "mun_test",
}
EVERY = 5.0  # seconds between two lines of progress

Round = tuple[int, str | None]  # how many steps it took, and what was violated


@dataclass
class Tally:
    name: str
    wanted: int
    done: int = 0
    violations: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)
    told: float = 0.0
    seconds: float = 0.0

    def add(self, round_: Round) -> None:
        steps, violation = round_
        self.done += steps
        if violation:
            self.violations.append(violation)
            print(violation, file=sys.stderr)
        now = time.monotonic()
        self.seconds = now - self.began
        if now - self.told > EVERY:
            self.told = now
            print(f"  {self.line()}", file=sys.stderr, flush=True)

    def line(self) -> str:
        faults, progress = len(self.violations), f"{self.done:>9,} of {self.wanted:,}"
        return f"{self.name:<15} {progress:<22} {self.seconds:>7.0f} s   violations: {faults}"


def attempt(steps: int, work: Callable[[], object]) -> Round:
    """Do one round; what it raises is its violation."""
    try:
        done = work()
    except Exception:
        return steps, traceback.format_exc(limit=-4)
    return done if isinstance(done, int) and steps == 0 else steps, None


def state_machine(wanted: int) -> Iterator[Round]:
    from tests.property.service import service
    from tests.property.test_state_machine import run

    done, chance = 0, 1
    with service() as it:
        while done < wanted:
            round_ = attempt(0, lambda chance=chance: run(it, 1_000, chance))
            done, chance = done + max(round_[0], 1), chance + 1
            yield round_
            if round_[1]:
                return


def histories(wanted: int) -> Iterator[Round]:
    from tests.property.histories import run_history
    from tests.property.service import service

    with service() as it:
        for chance in range(10_000, 10_000 + wanted):
            yield attempt(1, lambda chance=chance: run_history(it, chance))


def meetings(wanted: int) -> Iterator[Round]:
    from tests.property.meetings import run_meeting
    from tests.property.service import service

    with service() as it:
        for chance in range(10_000, 10_000 + wanted):
            yield attempt(1, lambda chance=chance: run_meeting(it, chance))


def oblivion(wanted: int) -> Iterator[Round]:
    from tests.property.oblivion import cases, run_case
    from tests.property.service import service

    with service() as it:
        for case in cases(-(-wanted // len(cases(1)))):
            yield attempt(1, lambda case=case: run_case(it, case))


def tenancy(wanted: int) -> Iterator[Round]:
    from tests.property.service import service
    from tests.property.tenancy import run_walk

    with service() as it:
        for chance in range(10_000, 10_000 + -(-wanted // 100)):
            yield attempt(0, lambda chance=chance: run_walk(it, chance, 100))


def isolation(wanted: int) -> Iterator[Round]:
    from tests.isolation.probing import Prober
    from tests.isolation.world import a_world
    from tests.property.service import service

    with service() as it:
        prober = Prober(a_world(it), chance=1)
        for _ in range(wanted):
            yield attempt(1, prober.probe)
    yield from ((0, violation) for violation in prober.found.violations)
    print("time of what exists elsewhere / of what never was, medians:")
    for route, ratio in prober.found.ratios().items():
        print(f"  {ratio:5.2f}  {route}")


def races(wanted: int) -> Iterator[Round]:
    from tests.stress.racing import rounds

    yield from (attempt(1, shot) for shot in rounds(wanted))


def schemas(wanted: int) -> Iterator[Round]:
    from tests.stress.schemas import rounds

    yield from rounds(wanted)


def budget(wanted: int) -> Iterator[Round]:
    from tests.stress.ceilings import rounds

    yield from (attempt(1, shot) for shot in rounds(wanted))


def writers(wanted: int) -> Iterator[Round]:
    from tests.stress.many_writers import record_together

    yield attempt(wanted, lambda: record_together(wanted))


PROPERTIES = {
    "state-machine": (state_machine, 200_000),
    "histories": (histories, 1_000),
    "meetings": (meetings, 5_000),
    "oblivion": (oblivion, 10_176),
    "tenancy": (tenancy, 20_000),
    "isolation": (isolation, 100_000),
    "races": (races, 1_000),
    "budget": (budget, 50),
    "schemas": (schemas, 20_000),
    "writers": (writers, 800),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="make stress", description=__doc__.partition("\n")[0])
    parser.add_argument("name", nargs="*", choices=[*PROPERTIES, []], help="default: all")
    parser.add_argument("--share", type=float, default=1.0, help="of the full length")
    asked = parser.parse_args()
    os.environ.update(CREDENTIALS)
    tallies = []
    for name in asked.name or PROPERTIES:
        rounds, whole = PROPERTIES[name]
        tally = Tally(name, max(1, round(whole * asked.share)))
        for round_ in rounds(tally.wanted):
            tally.add(round_)
        tallies.append(tally)
    for tally in tallies:
        print(tally.line())
    return 1 if any(tally.violations for tally in tallies) else 0


if __name__ == "__main__":
    sys.exit(main())
