"""Round trips and request units of each verb on the emulator, against the design's table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.local_table import bind, call
from benchmarks.made_up_facts import Facts
from muniment.verbs.ports import SearchIndex
from tests.capacity import CountingClient

OTHER = {"principal": "boris", "kind": "human", "actions": "own,read,review,write"}
AGENT = {"principal": "coder", "kind": "agent", "operator": "olga", "actions": "read,write"}
REASON = {"reason": "measured"}


@dataclass(frozen=True)
class Allowed:
    """What the design grants a verb: DynamoDB round trips, write units, read units."""

    trips: int
    writes: int
    reads: int


WRITING, CHANGING, CLAIMING = Allowed(3, 14, 8), Allowed(2, 10, 3), Allowed(1, 2, 0)
ENDING = Allowed(3, 11, 3)  # and one update for the room that is free again
FINALIZING, LISTING = Allowed(2, 12, 2), Allowed(1, 0, 20)
SEARCHING, CONTEXT = Allowed(2, 0, 16), Allowed(3, 2, 40)
"""Search and context: one trip more than the design's line, for the fresh tail, which is read
while the index searches."""

Step = tuple[str, Allowed, Callable[[], Any]]


def verb_costs(client: Any, index: SearchIndex, facts: Facts) -> list[dict[str, Any]]:
    """Return one row a verb. The index holds what the searches are to find."""
    counting = CountingClient(client)
    bind(counting, index)
    rows = []
    for verb, allowed, act in _steps(facts):
        counting.clear()
        act()
        trips, writes = len(counting.trips), counting.writes + counting.index_writes
        rows.append(
            {
                "verb": verb,
                "round_trips": trips,
                "write_units": writes,
                "read_units": counting.reads,
                "allowed": [allowed.trips, allowed.writes, allowed.reads],
                "within": trips <= allowed.trips
                and writes <= allowed.writes
                and counting.reads <= allowed.reads,
            }
        )
    return rows


def _steps(facts: Facts) -> Iterator[Step]:
    """Yield the verbs in an order in which each finds what it needs."""
    question = {"query": facts.statement(4)}
    yield "search", SEARCHING, lambda: call("search_facts", "POST", "/search", question)
    yield "context", CONTEXT, lambda: call("read_context", "POST", "/context", question)
    yield "list", LISTING, lambda: call("list_facts", "GET", "/facts", query={"limit": "50"})
    yield "remember", WRITING, lambda: _remember(facts)
    record = {"layer": "task", "task": "t", "statement": facts.statement()}
    headers = {"X-Idempotency-Key": "k"}
    yield "record", WRITING, lambda: call("record_fact", "POST", "/facts", record, headers=headers)
    yield from _changes(facts)


def _changes(facts: Facts) -> Iterator[Step]:
    for verb, action, allowed in (
        ("publish", "publish", CHANGING),
        ("retract", "retract", ENDING),
        ("hold", "hold", CHANGING),
    ):
        path = f"/facts/{_remember(facts)}/{action}"
        yield verb, allowed, _posting(f"{verb}_fact", path, REASON)
    about, reading = _remember(facts, subject={"type": "service", "id": "x"}), Allowed(1, 0, 20)
    yield "get", reading, lambda: call("get_fact", "GET", f"/facts/{about}")
    subject = {"subject_type": "service", "subject_id": "x"}
    yield "timeline", LISTING, lambda: call("read_timeline", "GET", "/timeline", query=subject)
    forgotten = {"fact_id": _remember(facts)}
    yield "forget", ENDING, _posting("forget_facts", "/forget", forgotten)
    yield from _review(f"/facts/{_remember(facts)}/review")
    yield from _revision(facts)


def _review(path: str) -> Iterator[Step]:
    held = {"generation": 1}
    yield "claim", CLAIMING, _posting("claim_review", f"{path}/claim", None)
    yield "heartbeat", CLAIMING, _posting("heartbeat_review", f"{path}/heartbeat", held)
    yield "release", CLAIMING, _posting("release_review", f"{path}/release", held)
    call("claim_review", "POST", f"{path}/claim", caller=OTHER)
    verdict = {**REASON, "decision": "publish", "generation": 2, "revision": 1}
    yield "finalize", FINALIZING, _posting("finalize_review", f"{path}/finalize", verdict)


def _revision(facts: Facts) -> Iterator[Step]:
    path = f"/facts/{_remember(facts, layer='task', task='t')}/revisions"
    description = {**REASON, "expected_revision": 1, "description": "Another description"}
    yield "revise", CHANGING, _posting("revise_fact", path, description)
    statement = {**REASON, "expected_revision": 2, "statement": facts.statement()}
    # One trip more than the design: another fact may say the new statement already.
    yield "revise the statement", CHANGING, _posting("revise_fact", path, statement)


def _posting(function: str, path: str, body: Any) -> Callable[[], Any]:
    return lambda: call(function, "POST", path, body, caller=OTHER)


def _remember(facts: Facts, **more: Any) -> str:
    body = {"content": facts.statement(), **more}
    written = call("remember", "POST", "/remember", body, caller=AGENT)
    return str(written["fact"]["fact_id"])
