"""How well the search finds what was asked for, on both engines, through the product's adapters.

    python -m benchmarks.quality [--data DIR] [--engine sqlite|opensearch|both] [--split dev]
                                 [--sets projectfacts,xquad_ru_ru] [--json FILE]

Each set is a project (each of its groups one of its own) in a fresh index. OpenSearch is the one
at OPENSEARCH_ENDPOINT, otherwise a node started for this run. Embeddings are kept in
benchmarks/results, so only the first run takes minutes. Sets that are absent are named; the exit
code is 1 if a gate is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.cached_embedder import CachedEmbedder
from benchmarks.engines import Engine, opensearch_engine, sqlite_engine
from benchmarks.ranking_measures import MEASURES, mean, measure
from muniment.domain.fusion import fuse
from muniment.domain.place import EVERYWHERE, PUBLIC, Cell, Layer, Place, Scope
from muniment.domain.search import Entry, Question

RESULTS = Path(__file__).with_name("results")
FAST = ("projectfacts", "projectfacts_haystack", "xquad_ru_ru", "xquad_en_en")
CROSS = ("xquad_ru_en", "xquad_en_ru")
SETS = (*FAST, *CROSS, "locomo_turns", "locomo_observations")
GATES = {"nDCG@10": 0.72, "R@10": 0.83}  # of projectfacts
IDENTIFIER_GATE = 0.95  # R@1 of projectfacts' questions by identifier
ENGINES_DIFFER = 0.01  # nDCG@10 at most, on every set
BATCH = 200


@dataclass(frozen=True)
class Group:
    """Facts that are searched together, and the questions put to them."""

    scope: Scope
    facts: list[dict[str, Any]]
    questions: list[dict[str, Any]]


def groups(file: Path, split: str) -> list[Group]:
    found: dict[str, Group] = {}
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        scope = Scope(file.stem, f"group-{row['group']}", "default", (PUBLIC,))
        group = found.setdefault(row["group"], Group(scope, [], []))
        if row["type"] == "fact":
            group.facts.append(row)
        elif row["split"] == split:
            group.questions.append(row)
    return list(found.values())


def fill(engine: Engine, embedder: CachedEmbedder, group: Group) -> None:
    scope = group.scope
    place = Place(scope.tenant, scope.project, scope.workspace, PUBLIC, EVERYWHERE)
    cell = Cell(place, Layer.REPO)
    for start in range(0, len(group.facts), BATCH):
        facts = group.facts[start : start + BATCH]
        entries = [
            Entry(fact_id=fact["id"], revision=1, cell=cell, text=fact["text"]) for fact in facts
        ]
        vectors = embedder.passages([fact["text"] for fact in facts])
        engine.index.write(list(zip(entries, vectors, strict=True)))
    engine.settle()


def ask(engine: Engine, embedder: CachedEmbedder, group: Group) -> Iterator[dict[str, Any]]:
    """Yield for each question its measures, its kind and how long the index took (ms)."""
    for question in group.questions:
        vectors = embedder.query(question["text"])
        began = time.perf_counter()
        proposal = engine.index.propose(
            group.scope, Question(text=question["text"], now=0), vectors
        )
        ranked = list(fuse(proposal.lists))
        took = (time.perf_counter() - began) * 1000
        if proposal.degraded:
            raise SystemExit(f"{engine.name}: lists failed: {proposal.degraded}")
        yield {
            "kind": question["kind"],
            "ms": took,
            **measure(ranked, set(question["relevant"])),
        }


def judge(engine: Engine, embedder: CachedEmbedder, found: Sequence[Group]) -> dict[str, Any]:
    answers: list[dict[str, Any]] = []
    for group in found:
        fill(engine, embedder, group)
        answers += ask(engine, embedder, group)
    taken = sorted(answer["ms"] for answer in answers)
    by_kind = {
        kind: mean([answer for answer in answers if answer["kind"] == kind])
        for kind in sorted({answer["kind"] for answer in answers})
    }
    return {
        "facts": sum(len(group.facts) for group in found),
        "questions": len(answers),
        **mean(answers),
        "p50_ms": round(taken[len(taken) // 2], 1),
        "p95_ms": round(taken[int(len(taken) * 0.95)], 1),
        "kinds": by_kind,
    }


def gates(results: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return each gate that these results can be held against: name, limit, actual, passed."""
    held: list[dict[str, Any]] = []

    def hold(name: str, actual: float, limit: float, passed: bool) -> None:
        held.append({"gate": name, "limit": limit, "actual": round(actual, 4), "passed": passed})

    for engine, found in (results.get("projectfacts") or {}).items():
        for name, limit in GATES.items():
            hold(f"projectfacts {engine} {name} >=", found[name], limit, found[name] >= limit)
        actual = found["kinds"]["ident"]["R@1"]
        hold(
            f"projectfacts {engine} identifiers R@1 >=",
            actual,
            IDENTIFIER_GATE,
            actual >= IDENTIFIER_GATE,
        )
    for name, engines in results.items():
        if len(engines) > 1:
            scores = [found["nDCG@10"] for found in engines.values()]
            apart = max(scores) - min(scores)
            hold(f"{name} engines differ <=", apart, ENGINES_DIFFER, apart <= ENGINES_DIFFER)
    return held


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    results: dict[str, dict[str, Any]] = {}
    absent: list[str] = []
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        embedder = CachedEmbedder(RESULTS / "embeddings.sqlite")
        stack.callback(embedder.close)
        engines: list[Engine] = []
        if arguments.engine != "opensearch":
            engines.append(stack.enter_context(sqlite_engine(scratch)))
        if arguments.engine != "sqlite":
            engines.append(stack.enter_context(opensearch_engine()))
        for name in arguments.sets.split(","):
            file = arguments.data / f"{name}.jsonl"
            if not file.exists():
                absent.append(name)
                continue
            found = groups(file, arguments.split)
            results[name] = {}
            for engine in engines:
                engine.clear()
                results[name][engine.name] = judge(engine, embedder, found)
                show(name, engine.name, results[name][engine.name])
    return {
        "split": arguments.split,
        "identity": embedder.identity,
        "sets": results,
        "absent": absent,
        "gates": gates(results),
    }


def show(name: str, engine: str, found: Mapping[str, Any]) -> None:
    figures = "  ".join(f"{measure} {found[measure]:.3f}" for measure in MEASURES)
    print(f"{name:22} {engine:10} {figures}  p50 {found['p50_ms']} p95 {found['p95_ms']} ms")
    for kind, some in found["kinds"].items():
        if kind == "ident":
            print(f"{'  by identifier':22} {engine:10} R@1 {some['R@1']:.3f}")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--engine", choices=("sqlite", "opensearch", "both"), default="both")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--sets", default=",".join((*FAST, *CROSS)), help=f"of {', '.join(SETS)}")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    found = run(arguments)
    print("absent:", ", ".join(found["absent"]) or "none")
    for gate in found["gates"]:
        passed = "passed" if gate["passed"] else "MISSED"
        print(f"{passed}: {gate['gate']} {gate['limit']} (is {gate['actual']})")
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(found, indent=1, ensure_ascii=False))
    return 0 if all(gate["passed"] for gate in found["gates"]) else 1


if __name__ == "__main__":
    raise SystemExit(main())
