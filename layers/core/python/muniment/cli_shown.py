"""How the operator's commands check names and tell what they did: lines, or JSON with --json."""

from __future__ import annotations

import argparse
import json
import re
from typing import Any

from muniment.domain import limits
from muniment.domain.caller import EVERYWHERE
from muniment.domain.errors import Unprocessable
from muniment.domain.keys import ApiKey
from muniment.domain.moments import rfc3339


def said(parser: argparse.ArgumentParser, run: Any) -> None:
    """Finish a command: it can answer in JSON, and `run` does it."""
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    parser.set_defaults(run=run)


def check_name(name: str, form: re.Pattern[str], *values: str) -> None:
    """Raise Unprocessable for a value of another form."""
    for value in values:
        if not form.fullmatch(value):
            raise Unprocessable(f"{name} '{value}' must match {form.pattern}", field=name)


def distinct(projects: list[str]) -> tuple[str, ...]:
    """Return each project once, at most as many as a key may open."""
    found = tuple(dict.fromkeys(projects))
    if len(found) > limits.KEY_PROJECTS:
        raise Unprocessable(f"a key opens at most {limits.KEY_PROJECTS} projects, not {len(found)}")
    if EVERYWHERE in found and len(found) > 1:
        raise Unprocessable("'*' opens all projects: it stands alone")
    return found


def shown(key: ApiKey) -> dict[str, Any]:
    """Return a key without its secret."""
    fields: dict[str, Any] = {
        "tenant": key.tenant,
        "key_id": key.key_id,
        "principal": key.principal,
        "kind": str(key.kind),
        "operator": key.operator,
        "projects": list(key.projects),
        "actions": sorted(key.actions),
        "created_at": rfc3339(key.created_at),
        "made_by": key.made_by or None,
        "expires_at": key.expires_at and rfc3339(key.expires_at),
        "revoked_at": key.revoked_at and rfc3339(key.revoked_at),
    }
    return {name: value for name, value in fields.items() if value is not None}


def tell(asked: argparse.Namespace, answer: dict[str, Any]) -> None:
    """Print one answer."""
    if asked.json:
        print(json.dumps(answer))
        return
    width = max(map(len, answer))
    for name, value in answer.items():
        print(f"{name:{width}}  {worded(value)}")


def tell_all(asked: argparse.Namespace, answers: list[dict[str, Any]]) -> None:
    """Print a list, a line each."""
    if asked.json:
        print(json.dumps(answers))
        return
    for answer in answers:
        print("  ".join(f"{name}={worded(value)}" for name, value in answer.items()))


def worded(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)
