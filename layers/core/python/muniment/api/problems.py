"""What each refusal is called in HTTP: RFC 9457 problem documents, one table.

A refusal that is missing in STATUS fails a unit test. Nothing of a request's content is told
back but short values of the field that was wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.event_handler import Response

from muniment.api.problem_docs import ROUTE
from muniment.domain import errors, limits
from muniment.domain.guard.screen import untold

MEDIA_TYPE = "application/problem+json"
STATUS: dict[type[errors.Refused], HTTPStatus] = {
    errors.Refused: HTTPStatus.BAD_REQUEST,
    errors.Malformed: HTTPStatus.BAD_REQUEST,
    errors.TooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    errors.Unprocessable: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.NotAllowed: HTTPStatus.FORBIDDEN,
    errors.CreateOnly: HTTPStatus.METHOD_NOT_ALLOWED,
    errors.OnHold: HTTPStatus.LOCKED,
    errors.NotFound: HTTPStatus.NOT_FOUND,
    errors.Conflict: HTTPStatus.CONFLICT,
    errors.HardLimit: HTTPStatus.TOO_MANY_REQUESTS,
    errors.Busy: HTTPStatus.SERVICE_UNAVAILABLE,
}
BEYOND_A_BOUND = {  # pydantic's names for a value of the right shape outside its limits
    "blank",
    "hidden_character",
    "one_line",
    "string_too_long",
    "string_too_short",
    "too_long",
    "too_short",
    "greater_than_equal",
    "less_than_equal",
    "string_pattern_mismatch",
}
BOUNDS = ("max_length", "min_length", "le", "ge", "pattern", "expected", "limit")
LIMITS = {  # what a field of the wrong type should have been
    "missing": "required",
    "extra_forbidden": "known fields only",
    "string_type": "text",
    "string_unicode": "valid Unicode",
    "float_type": "a number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "list_type": "an array",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}
OTHERWISE = "see GET /openapi.json"
SHORT = limits.TOLD
TOLD = 10  # errors listed in one problem


def status_of(refusal: errors.Refused) -> HTTPStatus:
    """Return the status of the nearest ancestor that has one."""
    return next(STATUS[kind] for kind in type(refusal).__mro__ if kind in STATUS)


def problem(
    status: HTTPStatus, code: str, detail: str, request_id: str, *, retry: bool, **more: Any
) -> Response[str]:
    """Return the problem document; `more` holds field, limit, actual, hint and the like."""
    body = {
        "type": f"urn:muniment:problem:{code}",
        "title": status.phrase,
        "status": int(status),
        "detail": detail,
        "code": code,
        "docs": f"{ROUTE}{code}",
        "retry": retry,
        "request_id": request_id,
        **more,
    }
    body = untold(body)  # a wrong value that is told back may be a secret (row I-10)
    headers: dict[str, str | list[str]] = {}
    if "retry_after" in more:
        headers["Retry-After"] = str(more["retry_after"])
    text = json.dumps(body, ensure_ascii=False)
    return Response(status_code=int(status), content_type=MEDIA_TYPE, body=text, headers=headers)


def refused(refusal: errors.Refused, request_id: str) -> Response[str]:
    return problem(
        status_of(refusal),
        refusal.code,
        refusal.detail,
        request_id,
        retry=refusal.retry,
        **refusal.more,
    )


def invalid(found: Sequence[Mapping[str, Any]], request_id: str) -> Response[str]:
    """Return the problem for pydantic's findings: the first in full, the others by name."""
    told = [_told(error) for error in found]
    beyond = found[0]["type"] in BEYOND_A_BOUND
    status = HTTPStatus.UNPROCESSABLE_ENTITY if beyond else HTTPStatus.BAD_REQUEST
    others = {"errors": told[:TOLD]} if len(told) > 1 else {}
    detail = told[0].pop("detail")
    code = "out_of_bounds" if beyond else "malformed"
    if others:
        others["errors"][0] = {**told[0], "detail": detail}
    return problem(status, code, detail, request_id, retry=False, **told[0], **others)


def _told(error: Mapping[str, Any]) -> dict[str, Any]:
    field = ".".join(short_name(str(part)) for part in error["loc"]) or "body"
    context = error.get("ctx") or {}
    limit = next((context[b] for b in BOUNDS if b in context), LIMITS.get(error["type"], OTHERWISE))
    told = {"field": field, "limit": limit, "actual": _actual(error, context)}
    told["detail"] = f"{field}: {_wording(error, told)}"
    return {name: value for name, value in told.items() if value is not None}


def short_name(name: str) -> str:
    """Return a name fit to be told back: a part of a long one could be a part of a secret."""
    return name if len(name) <= SHORT else f"<name of {len(name)} characters>"


def _wording(error: Mapping[str, Any], told: Mapping[str, Any]) -> str:
    kind = error["type"]
    if kind == "missing":
        return "this field is required"
    if kind == "extra_forbidden":
        return "there is no such field"
    if kind in ("string_too_long", "string_too_short", "too_long", "too_short"):
        unit = "characters" if isinstance(error.get("input"), str) else "entries"
        bound = "at most" if kind.endswith("long") else "at least"
        return f"has {told['actual']} {unit}, {bound} {told['limit']} are allowed"
    message = str(error["msg"])
    return message[:1].lower() + message[1:]


def _actual(error: Mapping[str, Any], context: Mapping[str, Any]) -> Any:
    """Return what was sent, in the unit of the limit: a length, a number, a short value."""
    if "actual" in context:
        return context["actual"]
    if context.get("actual_length") is not None:  # pydantic does not count an object's
        return context["actual_length"]
    sent = error.get("input")
    if "max_length" in context or "min_length" in context:
        return len(sent) if isinstance(sent, str | list | dict) else None
    if error["type"] in ("missing", "extra_forbidden"):
        return None
    return _short(sent)


def _short(sent: Any) -> Any:
    if sent is None:
        return "null"
    if isinstance(sent, bool):
        return str(sent).lower()
    if isinstance(sent, int | float):
        return sent
    if isinstance(sent, str):
        shown = sent.encode("unicode_escape").decode() if not sent.isprintable() else sent
        return shown if len(shown) <= SHORT else f"text of {len(sent)} characters"
    return "an object" if isinstance(sent, Mapping) else "an array"
