"""What a project may hold and spend, and what a write near the ceiling is told (rules 11 and 12).

facts   0 ────── ok ────── 95 % ── degraded ── 100 % ── full: protected kinds only
units   one for each started 16 characters that a background process works through;
        a counter of units only grows, an operator raises its maximum
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from muniment.domain.errors import HardLimit
from muniment.domain.fact import PROTECTED, Kind

SOFT = 0.95  # share of the ceiling from which every write is told
UNIT = 16  # characters of one summary or embedding unit


class _Maxima(NamedTuple):
    facts: int
    summary: int
    embedding: int


class Profile(StrEnum):
    TRIAL = "trial"
    LEAN = "lean"
    STANDARD = "standard"
    EXTENDED = "extended"

    @property
    def max_facts(self) -> int:
        return _MAXIMA[self].facts

    @property
    def max_summary_units(self) -> int:
        return _MAXIMA[self].summary

    @property
    def max_embedding_units(self) -> int:
        return _MAXIMA[self].embedding


_MAXIMA = {
    Profile.TRIAL: _Maxima(250, 0, 5_000),
    Profile.LEAN: _Maxima(5_000, 0, 100_000),
    Profile.STANDARD: _Maxima(100_000, 200_000, 2_000_000),
    Profile.EXTENDED: _Maxima(1_000_000, 2_000_000, 20_000_000),
}


@dataclass(frozen=True, slots=True)
class Allowance:
    """The maxima of one project: those of its profile and what an operator added to them."""

    facts: int
    summary_units: int
    embedding_units: int


class Band(StrEnum):
    OK = "ok"
    DEGRADED = "degraded"
    FULL = "full"


def band(used: int, ceiling: int) -> Band:
    """Return where a project stands: what its next write will meet."""
    if used >= ceiling:
        return Band.FULL
    return Band.DEGRADED if used >= SOFT * ceiling else Band.OK


@dataclass(frozen=True, slots=True)
class Spending:
    """What a project used and may use (rows M-67 to M-72, M-87, M-88)."""

    profile: Profile
    allowance: Allowance
    facts: int
    summary_units: int
    embedding_units: int

    @property
    def band(self) -> Band:
        return band(self.facts, self.allowance.facts)


@dataclass(frozen=True, slots=True)
class Admission:
    """What the writer is told. `reason`: soft_limit or protected_kind, absent below the line."""

    degraded: bool = False
    reason: str | None = None


def admission(used: int, ceiling: int) -> Admission:
    """Return what the write that made `used` facts of `ceiling` is told (rows M-73a to M-73d)."""
    if used > ceiling:
        return Admission(True, "protected_kind")
    return Admission(True, "soft_limit") if used >= SOFT * ceiling else Admission()


def may_exceed(kind: Kind) -> bool:
    """Tell whether this kind is stored even above the ceiling (row M-69)."""
    return kind in PROTECTED


def refusal(used: int, ceiling: int, kind: Kind) -> HardLimit:
    """Return the refusal of a fact at the ceiling: what, why, and what to do (row M-68)."""
    return HardLimit(
        f"this project holds {used} facts and its ceiling is {ceiling}: "
        f"a fact of kind '{kind}' is refused, nothing was stored",
        limit=ceiling,
        actual=used,
        hint="reading goes on. Do not repeat the write: forget or retract what is no longer "
        "needed, which makes room at once, or ask the owner for a larger profile or a top-up",
    )


def units(text: str) -> int:
    """Return what working through a text costs: one unit for each started 16 characters."""
    return -(-len(text) // UNIT)


def group_fingerprint(group: Iterable[tuple[str, int]]) -> str:
    """Return the name under which a group of (fact id, revision) is paid for, once.

    The order does not matter; every part carries its length, so no two groups share a name.
    """
    parts = sorted(f"{fact_id}@{revision}" for fact_id, revision in group)
    said = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(said.encode()).hexdigest()
