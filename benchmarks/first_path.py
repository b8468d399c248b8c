"""What the first path costs: record and search, on both engines, at several sizes.

    python -m benchmarks.first_path [--facts 1000 10000] [--engines sqlite opensearch]
                                    [--parts latency costs imports] [--calls 100] [--json FILE]

Handlers run in this process as Lambda would run them (without gateway and authorizer), on the
local emulator. Times are told as multiples of one bare, strongly consistent GetItem of the same
table, measured between the very same calls: the emulator's own speed falls out of them. A
search embeds its question with the real models; that part is told by itself too.

Progress goes to stderr, one JSON document to stdout or FILE. A part that was skipped is named.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks import made_up_facts
from benchmarks.engines import Engine, opensearch_engine, sqlite_engine
from benchmarks.local_table import NAME, bind, call, emulated, load_handlers, make_tenant
from benchmarks.timings import import_times, milliseconds, summary
from benchmarks.verb_costs import verb_costs
from local import opensearch
from local.opensearch_build import CannotRun
from muniment import bootstrap
from muniment.adapters.keyspace import head_key
from muniment.domain.fact import Head
from tests.template import TEMPLATE

PARTS, ENGINES = ("latency", "costs", "imports"), ("sqlite", "opensearch")
WARM_UP = 5  # calls of each kind that are not counted
QUERY = 4  # words of a question
IMPORTS = 3  # of each handler
COSTS_FACTS = 60  # so many are there when the verbs' costs are counted


def say(text: str) -> None:
    print(f"[{time.strftime('%X')}] {text}", file=sys.stderr, flush=True)


def main() -> int:
    asked = _arguments()
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # as on Lambda: both models are slower with more
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "ERROR")
    load_handlers()  # now: an edit during the run must not be measured
    skipped = {part: "not asked for" for part in PARTS if part not in asked.parts}
    result: dict[str, Any] = {"machine": _machine(), "skipped": skipped}
    parts = {
        "latency": lambda: list(_latencies(asked, skipped)),
        "costs": _costs,
        "imports": _imports,
    }
    for part, measure in parts.items():
        if part in asked.parts:
            result[part] = measure()
            _write(asked.json, result)  # each part as soon as it is there
    if asked.json is None:
        print(json.dumps(result, indent=1))
    for name, reason in skipped.items():
        say(f"skipped {name}: {reason}")
    return 0


def _write(file: Path | None, result: dict[str, Any]) -> None:
    if file:
        file.write_text(json.dumps(result, indent=1) + "\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="first_path", description=__doc__.partition("\n")[0])
    parser.add_argument("--facts", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=ENGINES)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--json", type=Path, help="write the result there, not to stdout")
    parser.add_argument("--calls", type=int, default=100, help="of each kind (default: 100)")
    return parser.parse_args()


def _machine() -> dict[str, Any]:
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {"python": platform.python_version(), "cpus": os.cpu_count(), "load": load}


def _latencies(asked: argparse.Namespace, skipped: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Yield a row for each engine and size."""
    with ExitStack() as whole:
        node = _node(whole, skipped) if "opensearch" in asked.engines else None
        for count in asked.facts:
            with ExitStack() as stack:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                engines = [node] if node else []
                if "sqlite" in asked.engines:
                    engines.insert(0, stack.enter_context(sqlite_engine(folder)))
                if engines:
                    client = stack.enter_context(emulated(folder))
                    yield from _at_size(count, engines, client, asked.calls)


def _node(stack: ExitStack, skipped: dict[str, str]) -> Engine | None:
    """Return the OpenSearch engine; None, and the reason in `skipped`, if none runs here."""
    if not os.environ.get("OPENSEARCH_ENDPOINT") and (reason := opensearch.available()):
        skipped["opensearch"] = reason
        return None
    say("starting OpenSearch (the first time builds it: minutes)")
    try:
        return stack.enter_context(opensearch_engine())
    except CannotRun as error:
        skipped["opensearch"] = str(error)
        return None


def _at_size(
    count: int, engines: list[Engine], client: Any, calls: int
) -> Iterator[dict[str, Any]]:
    """Yield a row for each engine, over one table of so many facts."""
    facts = made_up_facts.Facts(count)
    heads = list(facts.heads(count))
    say(f"filling the table with {count} facts")
    made_up_facts.fill(client, heads)
    make_tenant(bind(client, engines[0].index))
    for engine in engines:
        say(f"{engine.name}: filling the index with {count} facts")
        engine.clear()
        made_up_facts.fill_index(engine.index, heads)
        engine.settle()
        bind(client, engine.index)
        say(f"{engine.name}: measuring")
        row = {"engine": engine.name, "facts": count, **_measure(client, facts, heads[0], calls)}
        say(json.dumps(row))
        yield row


def _measure(client: Any, facts: made_up_facts.Facts, head: Head, calls: int) -> dict[str, Any]:
    """Return record, search and embedding as multiples of a bare read between them."""
    pk, sk = head_key(head.cell.place.tenant, head.fact_id)
    key = {"pk": {"S": pk}, "sk": {"S": sk}}
    times: dict[str, list[float]] = {"bare": [], "embed": [], "search": [], "record": []}

    def bare() -> None:
        assert "Item" in client.get_item(TableName=NAME, Key=key, ConsistentRead=True)

    def embed() -> object:
        return bootstrap.embedder().query(facts.statement(QUERY))

    def search() -> None:
        found = call("search_facts", "POST", "/search", {"query": facts.statement(QUERY)})
        assert found["items"] and not found["degraded"], "a search must find something"

    def record() -> object:
        return call("remember", "POST", "/remember", {"content": facts.statement()})

    for turn in ((bare, embed, search), (bare, record)):  # records make the fresh tail longer
        for number in range(WARM_UP + calls):
            taken = {work.__name__: milliseconds(work) for work in turn}
            for name, each in taken.items() if number >= WARM_UP else ():
                times[name].append(each)
    unit = statistics.median(times.pop("bare"))
    return {"get_item_p50_ms": round(unit, 3)} | {n: summary(t, unit) for n, t in times.items()}


def _costs() -> list[dict[str, Any]]:
    say("counting round trips and units of each verb")
    with tempfile.TemporaryDirectory() as name, emulated(Path(name)) as client:
        with sqlite_engine(Path(name)) as engine:
            facts = made_up_facts.Facts(7)
            heads = list(facts.heads(COSTS_FACTS))
            make_tenant(bind(client, engine.index))
            made_up_facts.fill(client, heads)
            made_up_facts.fill_index(engine.index, heads)
            return verb_costs(client, engine.index, facts)


def _imports() -> dict[str, Any]:
    """Return each handler's import time, and its ratio to `import boto3` measured beside it."""
    found = {}
    for function in TEMPLATE.functions.values():
        module = function.handler.removesuffix(".handler")
        ours, boto3 = import_times(module, "boto3", IMPORTS)
        found[module] = {"ms": ours, "boto3_ms": boto3, "ratio": round(ours / boto3, 2)}
        say(f"import {module}: {found[module]}")
    return found


if __name__ == "__main__":
    sys.exit(main())
