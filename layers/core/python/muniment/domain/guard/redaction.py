"""What is remembered of a secret that was replaced: where it stood and what it looked like."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Redaction:
    """A placeholder stands in `field` (such as `citations.0.quote`) for a secret (row D-01)."""

    field: str
    detector: str
