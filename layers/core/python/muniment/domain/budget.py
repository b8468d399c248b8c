"""One ceiling of facts per project, and what a write near it is told (rule 11)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from muniment.domain.errors import HardLimit
from muniment.domain.fact import PROTECTED, Kind

SOFT = 0.95  # share of the ceiling from which every write is told


class Profile(StrEnum):
    TRIAL = "trial"
    LEAN = "lean"
    STANDARD = "standard"
    EXTENDED = "extended"

    @property
    def max_facts(self) -> int:
        return {"trial": 250, "lean": 5_000, "standard": 100_000, "extended": 1_000_000}[self]


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


def refusal(ceiling: int, kind: Kind) -> HardLimit:
    return HardLimit(
        f"this project's ceiling of {ceiling} facts is reached: a fact of kind '{kind}' is refused",
        limit=ceiling,
        actual=ceiling,
        hint="forget what is no longer needed, or ask the owner for a larger profile",
    )
