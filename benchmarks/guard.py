"""What the guard catches, what it lets pass, and how long it takes: `python -m benchmarks.guard`.

    secrets    every type × everything that may stand around it; disguises; every field of a fact;
               benign texts; milliseconds a text
    injection  benchmarks/guard_injection.py

All texts are drawn from a seed. `--data FOLDER` reads further benign texts: the field `text` of
every line of its *.jsonl files. Exit code 1 when a gate is missed; `--json FILE` keeps the numbers.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import guard_injection
from benchmarks.timings import p95, quickest
from muniment.domain.guard.screen import SecretPolicy, screen
from muniment.domain.guard.secrets import find_secrets
from tests.guard.benign_texts import benign, long_texts, slow_texts
from tests.guard.fact_fields import bodies, texts
from tests.guard.secret_samples import TYPES, Sample, disguised, samples, smallest, spoken

SEED = 20_261_201
BENIGN = 6_000  # texts
LONG = 60  # texts of 8,000 characters
SHOWN = 12  # misses and mistakes that are printed

TIMED_IMPORT = """import dataclasses, time
import muniment.domain
began = time.perf_counter()
import muniment.domain.guard.secrets
print(time.perf_counter() - began)"""

# at least, or at most
GATES_LEAST = {
    "types": 80,
    "recall": 0.99,
    "recall_disguised": 0.99,
    "recall_fields": 0.99,
    "recall_spoken": 0.9,
}
GATES_MOST = {
    "false_positives": 0.002,
    "p95_ms": 2.0,
    "long_p95_ms": 4.0,
    "slowest_ms": 60.0,
    "import_ms": 5.0,
}


def is_covered(sample: Sample) -> bool:
    """Tell whether nothing of the secret would be kept."""
    start = sample.text.index(sample.secret)
    end = start + len(sample.secret)
    return any(s.start <= start and end <= s.end for s in find_secrets(sample.text))


def recall(drawn: Iterable[Sample], missed: list[str]) -> tuple[float, int]:
    """Return the share of secrets covered and their number; note those that were not."""
    total, misses = 0, Counter[str]()
    for sample in drawn:
        total += 1
        if not is_covered(sample):
            misses[f"{sample.type} ({sample.around})"] += 1
    missed += [f"{name} × {count}" for name, count in misses.most_common()]
    return 1 - sum(misses.values()) / total, total


def recall_in_fields(chance: random.Random, missed: list[str]) -> tuple[float, int]:
    """Return the share of (type, field) that leave nothing behind where placeholders are stored."""
    total, left = 0, Counter[str]()
    for sample in smallest(chance):
        for field, body in bodies(sample.text):
            clean, redactions = screen(body, "fact", SecretPolicy.REDACT)
            total += 1
            if not redactions or any(sample.secret in text for text in texts(clean)):
                left[f"{sample.type} in {field}"] += 1
    missed += list(left)
    return 1 - sum(left.values()) / total, total


def texts_of(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            said = json.loads(line).get("text")
            if isinstance(said, str):
                yield said


def import_once() -> float:
    """Return the milliseconds that importing the guard adds to a process that has dataclasses."""
    done = subprocess.run(
        [sys.executable, "-c", TIMED_IMPORT], check=True, capture_output=True, text=True
    )
    return float(done.stdout) * 1000


def measure_recall(chance: random.Random, each: int) -> dict[str, Any]:
    missed: list[str] = []
    plain, samples_seen = recall(samples(chance, each), missed)
    hidden, disguises_seen = recall(disguised(chance), missed)
    told, told_seen = recall(spoken(chance, each), missed)
    fields, fields_seen = recall_in_fields(chance, missed)
    return {
        "types": len(set(TYPES)),
        "recall": round(plain, 5),
        "samples": samples_seen,
        "recall_disguised": round(hidden, 5),
        "disguises": disguises_seen,
        "recall_spoken": round(told, 5),
        "spoken": told_seen,
        "recall_fields": round(fields, 5),
        "fields": fields_seen,
        "missed": missed[:SHOWN],
    }


def measure_mistakes(chance: random.Random, data: Path | None) -> dict[str, Any]:
    texts = [*benign(chance, BENIGN), *(texts_of(data) if data else ())]
    wrong = [text for text in texts if find_secrets(text)]
    return {
        "benign_texts": len(texts),
        "false_positives": round(len(wrong) / len(texts), 5),
        "mistaken": [text[:120] for text in wrong[:SHOWN]],
        "p95_ms": p95([quickest(find_secrets, text) for text in texts[:BENIGN]]),
    }


def measure_long(chance: random.Random) -> dict[str, Any]:
    long = [quickest(find_secrets, text) for text in long_texts(chance, LONG)]
    slow = {name: quickest(find_secrets, text) for name, text in slow_texts(chance)}
    slowest = max(slow, key=lambda name: slow[name])
    return {
        "long_p50_ms": round(statistics.median(long), 3),
        "long_p95_ms": p95(long),
        "made_slow_p50_ms": round(statistics.median(slow.values()), 3),
        "made_slow_p95_ms": p95(list(slow.values())),
        "slowest_ms": round(slow[slowest], 3),
        "slowest": slowest,
        "import_ms": round(min(import_once() for _ in range(9)), 1),
    }


def measure(each: int, data: Path | None) -> dict[str, Any]:
    """Return every number of the secrets part, and which gates were missed."""
    chance = random.Random(SEED)
    found = {
        **measure_recall(chance, each),
        **measure_mistakes(chance, data),
        **measure_long(chance),
    }
    least = [name for name, gate in GATES_LEAST.items() if found[name] < gate]
    most = [name for name, gate in GATES_MOST.items() if found[name] > gate]
    return {**found, "gates_missed": [*least, *most]}


def show(part: str, numbers: dict[str, Any]) -> None:
    print(f"\n{part}\n{'-' * len(part)}")
    for name, value in numbers.items():
        gate = GATES_LEAST.get(name, GATES_MOST.get(name)) if part == "secrets" else None
        told = "" if gate is None else f"  ({'≥' if name in GATES_LEAST else '≤'} {gate})"
        print(f"{name:24} {value}{told}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.guard")
    parser.add_argument("--each", type=int, default=3, help="samples of a type and surrounding")
    parser.add_argument("--data", type=Path, help="a folder of *.jsonl with a field `text`")
    parser.add_argument("--json", type=Path, help="where to keep the numbers")
    asked = parser.parse_args(arguments)
    parts = {
        "secrets": measure(asked.each, asked.data),
        "injection": guard_injection.measure(asked.data),
    }
    for part, numbers in parts.items():
        show(part, numbers)
    told = json.dumps(parts, ensure_ascii=False, indent=1)
    print(f"\n{told}")
    if asked.json:
        asked.json.write_text(told, "utf-8")
    return int(any(numbers.get("gates_missed") for numbers in parts.values()))


if __name__ == "__main__":
    sys.exit(main())
