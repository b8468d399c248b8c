"""Patterns that are compiled when they are first needed: an import compiles none."""

from __future__ import annotations

import re
from functools import cache


@cache
def pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)
