"""`muniment verify`: walk the chain of revisions of every fact and report the first broken link.

Reads with the operator's own AWS rights. A broken link means that somebody changed the table
beside the service.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from muniment import bootstrap
from muniment.domain.fact import Head
from muniment.domain.history import broken_link
from muniment.domain.listing import History

PAGE = 200  # heads read at once


def add_parser(commands: Any) -> None:
    """Add the command to argparse's subparsers."""
    parser = commands.add_parser("verify", help="check every fact's chain of revisions")
    parser.add_argument("--tenant", help="only this tenant")
    parser.add_argument("--project", help="only this project")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    parser.set_defaults(run=verify)


def verify(asked: argparse.Namespace) -> int:
    """Return 0 if every chain verifies, else 1."""
    report: dict[str, Any] = {"facts": 0, "broken": [], "erased": [], "redacted": []}
    for head in _heads(asked.tenant, asked.project):
        history = bootstrap.facts().history(head.cell.place.tenant, head.fact_id)
        if history:
            _note(report, history)
    if asked.json:
        print(json.dumps(report))
    else:
        for fault in report["broken"]:
            print(f"fact {fault['fact_id']}: revision {fault['revision']} does not verify")
        erased, redacted = len(report["erased"]), len(report["redacted"])
        print(
            f"{report['facts']} facts, {len(report['broken'])} broken chains; without comparing"
            f" content: {erased} erased, {redacted} with a quote taken out by an erase"
        )
    return 1 if report["broken"] else 0


def _note(report: dict[str, Any], history: History) -> None:
    """Enter one fact. What an erase emptied is named: its digests cannot be compared any more."""
    fact_id = history.head.fact_id
    report["facts"] += 1
    if (number := first_break(history)) is not None:
        report["broken"].append({"fact_id": fact_id, "revision": number})
    if not history.head.salt:
        report["erased"].append(fact_id)
    if any(revision.redacted for revision in history.revisions):
        report["redacted"].append(fact_id)


def first_break(history: History) -> int | None:
    """Return the number of the first revision that does not verify; None if all do.

    The head must be the newest revision, so that nobody can cut a chain at its end.
    """
    broken = broken_link(history.revisions, history.head.salt or None)
    if broken is not None:
        return broken
    newest = history.revisions[-1] if history.revisions else None
    if newest is None or newest != history.head.newest:
        return history.head.newest.number
    return None


def _heads(tenant: str | None, project: str | None) -> Iterator[Head]:
    after: str | None = None
    while True:
        heads, after = bootstrap.facts().all_heads(after, PAGE)
        for head in heads:
            place = head.cell.place
            if tenant in (None, place.tenant) and project in (None, place.project):
                yield head
        if after is None:
            return
