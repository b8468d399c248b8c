"""Cursors: opaque, sealed, and bound to the very query they came from (case D18)."""

from __future__ import annotations

from typing import Any

from muniment.domain.errors import CursorMismatch
from muniment.domain.sealed import seal, unseal

PURPOSE = "cursor"


def sealed(secret: str, query: dict[str, Any], position: str | None) -> str | None:
    """Return the cursor that goes on at `position`; None where there is no more."""
    if position is None:
        return None
    return seal(secret, PURPOSE, {"query": query, "after": position})


def opened(secret: str, query: dict[str, Any], cursor: str | None) -> str | None:
    """Return the position. Raises CursorMismatch if it is not a cursor of this query."""
    if cursor is None:
        return None
    try:
        held = unseal(secret, PURPOSE, cursor)
    except ValueError:
        held = {}
    if held.get("query") != query:
        raise CursorMismatch(
            "this cursor belongs to another query",
            field="query.cursor",
            hint="keep filters, project and workspace as they were, or start without a cursor",
        )
    return str(held["after"])
