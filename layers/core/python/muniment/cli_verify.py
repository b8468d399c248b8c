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
    facts, broken = 0, []
    for head in _heads(asked.tenant, asked.project):
        facts += 1
        history = bootstrap.facts().history(head.cell.place.tenant, head.fact_id)
        if history and (number := first_break(history)) is not None:
            broken.append({"fact_id": head.fact_id, "revision": number})
    if asked.json:
        print(json.dumps({"facts": facts, "broken": broken}))
    else:
        for fault in broken:
            print(f"fact {fault['fact_id']}: revision {fault['revision']} does not verify")
        print(f"{facts} facts, {len(broken)} broken chains")
    return 1 if broken else 0


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
