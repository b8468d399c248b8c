"""A project as its owners see it. Its id never changes and is never given twice (case D32).

create ──► settings, members ──► transfer (another owner)
      └──► delete: one flip, nothing of it is served any more ──► sweep: facts forgotten,
           held facts kept and listed in the tenant's ledger of holds (row D-23)
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from muniment.domain.errors import Unprocessable
from muniment.domain.fact import Head
from muniment.domain.intake import Settings
from muniment.domain.limits import IDENTIFIER

SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
PRINCIPAL = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
COMMON = "common"


@dataclass(frozen=True, slots=True)
class Project:
    """`display_name` and `repository` are for people: they identify nothing, two may be equal."""

    project: str
    settings: Settings
    created_at: int
    display_name: str | None = None
    repository: str | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """A fact that outlived its project. Moments are Unix milliseconds."""

    project: str
    fact_id: str
    listed_at: int
    released_at: int | None = None
    released_by: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class HeldFact:
    """A line of the ledger, with the fact as it is now."""

    held: Held
    head: Head | None


@dataclass(frozen=True, slots=True)
class Deleted:
    """A project whose facts are still to be forgotten; `deleted_at` in Unix milliseconds."""

    tenant: str
    project: str
    deleted_at: int


def check_project_id(project: str, field: str = "project") -> None:
    """Raise Unprocessable unless a new project may be called so."""
    if not SLUG.fullmatch(project):
        raise Unprocessable(
            f"{field} '{project}' must match {SLUG.pattern}"
            if len(project) <= IDENTIFIER
            else f"{field} has {len(project)} characters",
            field=field,
            limit=SLUG.pattern,
            actual=project if len(project) <= IDENTIFIER else len(project),
        )
    if project == COMMON:
        raise Unprocessable(
            f"the name '{COMMON}' is kept for facts about no single project", field=field
        )
