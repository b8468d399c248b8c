"""Moments are Unix milliseconds inside, RFC 3339 in UTC with milliseconds outside (case D19)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

SECOND = 1_000  # milliseconds
HOUR = 3_600 * SECOND
DAY = 24 * HOUR
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FORM = re.compile(
    r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d+)?)?(?P<zone>[Zz]|[+-]\d\d:\d\d)?", re.ASCII
)


def rfc3339(moment: int) -> str:
    """Return `2026-12-01T02:56:35.000Z`; text order is time order."""
    at = EPOCH + timedelta(milliseconds=moment)
    return at.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def parse(text: str) -> int:
    """Return the milliseconds of an RFC 3339 moment that names its zone.

    Raises ValueError for anything else, a naive time included (case D20).
    """
    found = FORM.fullmatch(text)
    if not found:
        raise ValueError("not an RFC 3339 date and time")
    if not found["zone"]:
        raise ValueError("no time zone: end it with Z or an offset such as +03:00")
    try:
        at = datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):  # their words would repeat the text
        raise ValueError("no such date and time") from None
    return (at - EPOCH) // timedelta(milliseconds=1)


def hour(moment: int) -> str:
    """Return the hour a moment lies in, as a part of a key: `2026-12-01T02`."""
    return rfc3339(moment)[:13]
