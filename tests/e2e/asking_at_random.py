"""Every route asked what its OpenAPI document allows, and what it does not (schemathesis).

    a tenant with a fact and a context ──► schemathesis ──► violations, if any

It looks for answers of 5xx, for statuses, media types, headers and bodies that are not in the
document, for bad requests that are served, for routes that serve without a key, and for what is
still there after it was deleted. Left out: that every request the schema allows is served (a
cursor, two fields that exclude each other: no schema can say it), and 405 for an unknown method
(API Gateway answers 404 `no_route`).
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.conftest import BASE_PATH, ROOT, Cloud

PYTHON = ROOT / ".venv-fuzz/bin/python"
# Its generator recurses so deeply that Python 3.11 stumbles over its own limit.
RUN = (
    "import sys; sys.setrecursionlimit(300_000); "
    "from schemathesis.cli import schemathesis; schemathesis()"
)
NOT_CHECKED = "positive_data_acceptance,unsupported_method,allow_header_conformance"
OF_THE_TENANT = ("list_projects", "create_project", "list_holds", "release_hold")
LAST = ("rotate_key", "revoke_key", "delete_project")  # nothing works behind them
COUNTS = re.compile(r"(\d+) generated, (\d+) passed|(\d+) generated")


@dataclass(frozen=True)
class Outcome:
    """How many requests were made, and what the tool printed if it found anything."""

    cases: int
    complaint: str


def ask_at_random(
    cloud: Cloud, folder: Path, *, examples: int, phases: str, seed: int
) -> list[Outcome]:
    """Ask all routes in three rounds; `folder` is a place for the tool's configuration."""
    made = cloud.tenant("backend")
    root = cloud.operator(
        *("key", "create", "--tenant", made["tenant"], "--principal", made["principal"]),
        *("--kind", "human", "--project", "*"),
        *(part for action in made["actions"] for part in ("--action", action)),
    )
    _configure(cloud, folder, made["key"])
    later = [*OF_THE_TENANT, *LAST]
    rounds = (
        (made["key"], [part for name in later for part in ("--exclude-operation-id", name)]),
        (
            root["key"],
            [part for name in OF_THE_TENANT for part in ("--include-operation-id", name)],
        ),
        (made["key"], [part for name in LAST for part in ("--include-operation-id", name)]),
    )
    return [
        _round(cloud, folder, key, [*chosen, "-n", str(examples), "--phases", phases], seed)
        for key, chosen in rounds
    ]


def _configure(cloud: Cloud, folder: Path, key: str) -> None:
    """Tell the tool of a fact and a context that exist."""
    note = {"content": "Staging rolls out through app-staging."}
    fact = cloud.send("POST", "/remember", note, key=key).json()["fact"]["fact_id"]
    given = cloud.send("POST", "/context", {"query": "staging"}, key=key).json()["context_id"]
    told = {"fact_id": fact, "context_id": given, "project": "backend", "number": "1"}
    lines = [f'"path.{name}" = "{value}"' for name, value in told.items()]
    (folder / "schemathesis.toml").write_text("\n".join(["[parameters]", *lines, ""]), "utf-8")


def _round(cloud: Cloud, folder: Path, key: str, chosen: list[str], seed: int) -> Outcome:
    done = subprocess.run(
        [
            *(PYTHON, "-c", RUN, "run", f"{cloud.url}{BASE_PATH}/openapi.json"),
            *("--url", cloud.url, "-H", f"Authorization: Bearer {key}", "--seed", str(seed)),
            *("--checks", "all", "--exclude-checks", NOT_CHECKED, "-w", "1", "--no-color"),
            *chosen,
        ],
        cwd=folder,
        text=True,
        capture_output=True,
        timeout=3_600,
    )
    found = COUNTS.search(done.stdout)
    cases = int(next(filter(None, found.groups()))) if found else 0
    return Outcome(cases, done.stdout + done.stderr if done.returncode else "")
