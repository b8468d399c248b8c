"""API Gateway's usage plans on this machine: each tenant is held to its rate and its month.

```
 tenant, plan ──► bucket empty? THROTTLED ──► month used up? QUOTA_EXCEEDED ──► counted
```
The numbers are those of template.yaml. A bucket lives in memory; the month's count is written down
now and then and at the end, so a crash forgets the calls of a few seconds at most.
"""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from local import template as templates
from local.gateway_responses import QUOTA_EXCEEDED, THROTTLED, Failure
from local.template import Template

SAVE_SECONDS = 5.0


@dataclass(frozen=True)
class Rate:
    """`rate` is calls a second, `burst` calls at once, `quota` calls a calendar month (UTC)."""

    rate: float
    burst: int
    quota: int


@dataclass
class Bucket:
    """What is left to a tenant, as of `at` (seconds)."""

    tokens: float
    at: float

    def take(self, rate: Rate, now: float) -> bool:
        """Take one call, if there is one."""
        self.tokens = min(rate.burst, self.tokens + max(0.0, now - self.at) * rate.rate)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


def rates_of(template: Template) -> dict[str, Rate]:
    """Return the rate of each plan by its name: the logical id without `Plan`, in lower case."""
    return {
        name.removesuffix("Plan").lower(): Rate(
            float(plan["Throttle"]["RateLimit"]),
            int(plan["Throttle"]["BurstLimit"]),
            int(plan["Quota"]["Limit"]),
        )
        for name, plan in templates.resources(template.document, "AWS::ApiGateway::UsagePlan")
    }


class Rates:
    """May be asked from many threads. `clock` is Unix seconds."""

    def __init__(
        self, plans: Mapping[str, Rate], file: Path, clock: Callable[[], float] = time.time
    ) -> None:
        self._plans, self._file, self._clock = plans, file, clock
        self._buckets: dict[str, Bucket] = {}
        self._lock = threading.Lock()
        self._month, self._used = _read(file)
        self._saved = clock()

    def refusal(self, tenant: str, plan: str) -> Failure | None:
        """Count a call of the tenant, or say why not; a plan nobody declared has no limit."""
        rate = self._plans.get(plan)
        if rate is None:
            return None
        with self._lock:
            return self._counted(tenant, rate, self._clock())

    def save(self) -> None:
        """Write the month's counts down, whole or not at all."""
        with self._lock:
            self._write()

    def _counted(self, tenant: str, rate: Rate, now: float) -> Failure | None:
        bucket = self._buckets.setdefault(tenant, Bucket(rate.burst, now))
        if not bucket.take(rate, now):
            return THROTTLED
        if (month := _month_of(now)) != self._month:
            self._month, self._used = month, {}
        if self._used.get(tenant, 0) >= rate.quota:
            return QUOTA_EXCEEDED
        self._used[tenant] = self._used.get(tenant, 0) + 1
        if now - self._saved >= SAVE_SECONDS:
            self._saved = now
            self._write()
        return None

    def _write(self) -> None:
        draft = self._file.with_name(f"{self._file.name}.draft")
        draft.write_text(json.dumps({"month": self._month, "used": self._used}))
        draft.replace(self._file)


def _month_of(now: float) -> str:
    return time.strftime("%Y-%m", time.gmtime(now))


def _read(file: Path) -> tuple[str, dict[str, int]]:
    try:
        kept = json.loads(file.read_text())
        return str(kept["month"]), {str(k): int(v) for k, v in kept["used"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return "", {}  # the first start, or a file that nobody can read: the month begins anew
