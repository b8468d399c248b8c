"""What the injection detector sees and what it lets pass: `python -m benchmarks.guard_injection`.

    attacks      every attack, plain and in every disguise (markup only in those that keep it)
    legitimate   rules and facts of projects, plain
    benign       drawn texts of the secrets part, and `--data FOLDER`
    odd, fresh   odd and ordinary attacks never used to tune the patterns: reported, no gate

Exit code 1 when a gate is missed.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.timings import p95, quickest
from muniment.domain.guard.injection import find_injection, is_markup
from tests.guard.benign_texts import benign, long_texts, slow_texts
from tests.guard.corpora import attacks, corpus, legit
from tests.guard.disguises import DISGUISES, KEEP_MARKUP

SEED = 20_261_201
BENIGN = 6_000  # texts
LONG = 60  # texts of 8,000 characters
SHOWN = 12
GATES_LEAST = {"attacks": 300, "legitimate": 600, "found": 0.98, "found_disguised": 0.98}
GATES_MOST = {"false_legitimate": 0.002, "false_benign": 0.002, "p95_ms": 2.0, "slowest_ms": 300.0}


def measure(data: Path | None = None) -> dict[str, Any]:
    """Return every number, and which gates were missed."""
    chance = random.Random(SEED)
    found = {**_attacks(), **_mistakes(chance, data), **_times(chance), **_odd()}
    least = [name for name, gate in GATES_LEAST.items() if found[name] < gate]
    most = [name for name, gate in GATES_MOST.items() if found[name] > gate]
    return {**found, "gates_missed": [*least, *most]}


def _attacks() -> dict[str, Any]:
    plain = [text for text in attacks() if not find_injection(text)]
    missed, asked = Counter[str](), 0
    for text in attacks():
        for name, disguise in DISGUISES.items():
            if name in KEEP_MARKUP or not is_markup(text):
                asked += 1
                missed[name] += find_injection(disguise(text)) is None
    return {
        "attacks": len(attacks()),
        "found": round(1 - len(plain) / len(attacks()), 5),
        "disguises": len(DISGUISES),
        "attacks_in_disguise": asked,
        "found_disguised": round(1 - sum(missed.values()) / asked, 5),
        "missed": plain[:SHOWN] + [f"{name} × {count}" for name, count in missed.items() if count],
    }


def _mistakes(chance: random.Random, data: Path | None) -> dict[str, Any]:
    known, drawn = legit(), list(benign(chance, BENIGN))
    for path in sorted(data.glob("*.jsonl")) if data else ():
        lines = (json.loads(line).get("text") for line in path.read_text("utf-8").splitlines())
        drawn += [text for text in lines if isinstance(text, str) and len(text) <= 8_000]
    wrong = [text for text in known if find_injection(text)]
    others = [text for text in drawn if find_injection(text)]
    return {
        "legitimate": len(known),
        "false_legitimate": round(len(wrong) / len(known), 5),
        "benign": len(drawn),
        "false_benign": round(len(others) / len(drawn), 5),
        "mistaken": [text[:120] for text in (wrong + others)[:SHOWN]],
        "p95_ms": p95([quickest(find_injection, text) for text in known + drawn[:BENIGN]]),
    }


def _times(chance: random.Random) -> dict[str, Any]:
    long = [quickest(find_injection, text) for text in long_texts(chance, LONG)]
    slow = {name: quickest(find_injection, text) for name, text in slow_texts(chance)}
    slowest = max(slow, key=lambda name: slow[name])
    return {
        "long_p50_ms": round(statistics.median(long), 3),
        "long_p95_ms": p95(long),
        "slowest_ms": round(slow[slowest], 3),
        "slowest": slowest,
    }


def _odd() -> dict[str, Any]:
    seen = sum(find_injection(text) is not None for text in corpus("odd_attacks"))
    fresh = sum(find_injection(text) is not None for text in corpus("fresh_attacks"))
    wrong = sum(find_injection(text) is not None for text in corpus("odd_legit"))
    return {
        "odd_found": f"{seen} of {len(corpus('odd_attacks'))}",
        "fresh_found": f"{fresh} of {len(corpus('fresh_attacks'))}",
        "odd_mistaken": f"{wrong} of {len(corpus('odd_legit'))}",
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, prog="python -m benchmarks.guard_injection"
    )
    parser.add_argument("--data", type=Path, help="a folder of *.jsonl with a field `text`")
    asked = parser.parse_args(arguments)
    measured = measure(asked.data)
    print(json.dumps(measured, ensure_ascii=False, indent=1))
    return int(bool(measured["gates_missed"]))


if __name__ == "__main__":
    sys.exit(main())
