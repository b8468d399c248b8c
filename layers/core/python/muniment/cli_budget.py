"""`muniment project top-up`: a project may hold or spend more than its profile says.

A counter of units is never reset (row M-91): its maximum is raised instead.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from muniment import bootstrap
from muniment.domain.errors import Unprocessable

METERS = ("facts", "summary_units", "embedding_units")
MOST = 1_000_000_000  # of one top-up


def add_parser(project_commands: Any) -> None:
    """Add the command to those of `muniment project`."""
    parser = project_commands.add_parser("top-up", help="raise what a project may hold or spend")
    parser.add_argument("project")
    parser.add_argument("--tenant", required=True)
    for name in METERS:
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, metavar="N")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    parser.set_defaults(run=top_up)


def top_up(asked: argparse.Namespace) -> int:
    """Raise the maxima that are named, and tell what they are now. Raises NotFound."""
    more = {name: getattr(asked, name) for name in METERS if getattr(asked, name) is not None}
    if not more:
        raise Unprocessable("name what to raise: --facts, --summary-units or --embedding-units")
    for name, count in more.items():
        if not 1 <= count <= MOST:
            raise Unprocessable(f"{name} may be raised by 1 to {MOST}, not {count}", field=name)
    bootstrap.budgets().top_up(asked.tenant, asked.project, more)
    _tell(asked, _maxima(asked))
    return 0


def _maxima(asked: argparse.Namespace) -> dict[str, Any]:
    spending = bootstrap.budgets().spending(asked.tenant, asked.project)
    told: dict[str, Any] = {"tenant": asked.tenant, "project": asked.project}
    if spending:
        told["profile"] = str(spending.profile)
        told |= {f"max_{name}": getattr(spending.allowance, name) for name in METERS}
    return told


def _tell(asked: argparse.Namespace, told: dict[str, Any]) -> None:
    if asked.json:
        print(json.dumps(told))
        return
    for name, value in told.items():
        print(f"{name:{max(map(len, told))}}  {value}")
