"""The body of a request before anything looks at its fields: UTF-8, JSON, no surprises in it.

What a JSON parser would quietly repair is refused here: duplicate names (the last one would
win), NaN, nesting without end, broken UTF-8.
"""

from __future__ import annotations

import base64
import json
import math
from typing import Any

from muniment.api import problems
from muniment.domain import limits
from muniment.domain.errors import Malformed, TooLarge

NUMBER = 19  # digits of a whole number: 64 bits


def text_of(event: dict[str, Any]) -> str:
    """Return the body as text. Raises TooLarge, or Malformed for broken UTF-8."""
    raw = _bytes_of(event.get("body") or "", event.get("isBase64Encoded", False))
    if len(raw) > limits.BODY_BYTES:
        raise TooLarge(
            f"the body has {len(raw)} bytes",
            field="body",
            limit=limits.BODY_BYTES,
            actual=len(raw),
        )
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise Malformed(
            f"the body is not UTF-8: byte {error.start} does not belong there",
            field="body",
            limit="UTF-8",
            actual=f"0x{raw[error.start]:02x} at byte {error.start}",
        ) from None


def _bytes_of(body: str, is_base64: bool) -> bytes:
    if not is_base64:
        return body.encode("utf-8", "replace")
    try:
        return base64.b64decode(body, validate=True)
    except ValueError:
        raise Malformed(
            "the body is not the base64 that it is said to be", field="body", limit="base64"
        ) from None


def check_json(text: str) -> None:
    """Raise Malformed unless the text is one JSON object that every parser reads alike."""
    if not text.strip():
        raise Malformed("the body is empty", field="body", limit="a JSON object", actual="nothing")
    try:
        parsed = json.loads(
            text,
            object_pairs_hook=_without_repeats,
            parse_constant=_no_constant,
            parse_int=_whole,
            parse_float=_finite,
        )
    except json.JSONDecodeError as error:
        raise Malformed(
            f"the body is not JSON: {error.msg} at line {error.lineno}, column {error.colno}",
            field="body",
            limit="a JSON object",
            actual=f"position {error.pos}",
        ) from None
    except RecursionError:
        raise _too_deep() from None
    if not isinstance(parsed, dict):
        raise Malformed(
            "the body must be a JSON object",
            field="body",
            limit="a JSON object",
            actual=_kind(parsed),
        )
    if _depth(parsed) > limits.JSON_DEPTH:
        raise _too_deep()


def _kind(parsed: Any) -> str:
    if isinstance(parsed, list):
        return "an array"
    return "text" if isinstance(parsed, str) else "a number, true, false or null"


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            told = problems.short_name(name)
            raise Malformed(
                f"the name '{told}' stands twice in one object",
                field=f"body.{told}",
                limit="each name once",
                actual=2,
            )
        found[name] = value
    return found


def _whole(digits: str) -> int:
    if len(digits) > NUMBER:
        raise Malformed(
            f"a number has {len(digits)} digits", field="body", limit=NUMBER, actual=len(digits)
        )
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise Malformed("a number is too large", field="body", limit="1.8e308", actual="larger")
    return number


def _no_constant(constant: str) -> Any:
    raise Malformed(
        f"{constant} is not a JSON number", field="body", limit="a JSON number", actual=constant
    )


def _too_deep() -> Malformed:
    return Malformed(
        f"objects and arrays are nested deeper than {limits.JSON_DEPTH}",
        field="body",
        limit=limits.JSON_DEPTH,
        actual="deeper",
    )


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(_depth, value), default=0)
    return 0
