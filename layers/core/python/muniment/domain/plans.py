"""What a customer's plan allows: calls a minute, a burst at once, calls a calendar month.

The only truth of these numbers; the usage plans of template.yaml repeat them for API Gateway, and
a unit test compares both. API Gateway counts by the second, so a rate is a token bucket: `burst`
calls at once, then one more every 60 / `calls_per_minute` seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Plan(StrEnum):
    TRIAL = "trial"
    LEAN = "lean"
    STANDARD = "standard"
    EXTENDED = "extended"


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` is twenty seconds of the rate: an agent asks and writes several times in a row."""

    calls_per_minute: int
    calls_per_month: int

    @property
    def calls_per_second(self) -> float:
        return self.calls_per_minute / 60

    @property
    def burst(self) -> int:
        return self.calls_per_minute // 3


RATES = {
    Plan.TRIAL: Rate(60, 20_000),
    Plan.LEAN: Rate(120, 250_000),
    Plan.STANDARD: Rate(120, 1_000_000),
    Plan.EXTENDED: Rate(300, 5_000_000),
}
PROJECTS = {Plan.TRIAL: 3, Plan.LEAN: 20, Plan.STANDARD: 100, Plan.EXTENDED: 1_000}  # living ones
