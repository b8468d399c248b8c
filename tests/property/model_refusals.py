"""How the model refuses: a status, and the code of the problem that goes with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

Seen = tuple[int, str | None]
OK: Seen = (200, None)


class Refuse(Exception):
    def __init__(self, status: int, code: str) -> None:
        super().__init__(status, code)
        self.seen: Seen = (status, code)


def verb(change: Callable[..., Seen | None]) -> Callable[..., Seen]:
    """Return what is seen of a change: 200 unless it says otherwise or refuses."""

    @wraps(change)
    def seen(*given: Any, **named: Any) -> Seen:
        try:
            return change(*given, **named) or OK
        except Refuse as refusal:
            return refusal.seen

    return seen


def need(holds: bool, status: int, code: str) -> None:
    if not holds:
        raise Refuse(status, code)
