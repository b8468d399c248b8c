"""Between HTTP and Lambda: a request becomes a proxy event (payload 1.0), an answer a response."""

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote

from local.gateway_responses import JSON, Answer
from local.template import Route

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


@dataclass(frozen=True)
class Request:
    """One HTTP request as received: `target` is path and query, undecoded."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    client: str


class NoProxyAnswer(Exception):
    """A function answered something that API Gateway cannot send."""


def event_of(
    request: Request, path: str, query: str, route: Route, context: dict[str, Any]
) -> dict[str, Any]:
    """Return a proxy event of payload version 1.0, without its body."""
    found = route.pattern.fullmatch(path)
    parameters = {k: unquote(v) for k, v in found.groupdict().items()} if found else {}
    pairs = parse_qsl(query, keep_blank_values=True)
    context["resourcePath"] = route.path
    return {
        "resource": route.path,
        "path": unquote(path),  # API Gateway decodes it
        "httpMethod": request.method,
        "headers": dict(request.headers),
        "multiValueHeaders": _grouped(request.headers),
        "queryStringParameters": dict(pairs) or None,
        "multiValueQueryStringParameters": _grouped(pairs) or None,
        "pathParameters": parameters or None,
        "stageVariables": None,
        "requestContext": context,
    }


def _grouped(pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for name, value in pairs:
        grouped.setdefault(name, []).append(value)
    return grouped


def body_of(raw: bytes) -> dict[str, Any]:
    try:
        return {"body": raw.decode() if raw else None, "isBase64Encoded": False}
    except UnicodeDecodeError:
        return {"body": base64.b64encode(raw).decode(), "isBase64Encoded": True}


def answer_of(value: Any) -> Answer:
    """Read a function's answer. Raises NoProxyAnswer."""
    try:
        body = value.get("body") or ""
        binary = value.get("isBase64Encoded")
        raw = base64.b64decode(body, validate=True) if binary else body.encode()
        headers = [(k, str(v)) for k, v in (value.get("headers") or {}).items()]
        for name, values in (value.get("multiValueHeaders") or {}).items():
            headers = [(k, v) for k, v in headers if k.lower() != name.lower()]
            headers += [(name, str(each)) for each in values]
        status = int(value["statusCode"])
        if any(_CONTROL.search(name + text) for name, text in headers):
            raise ValueError("a header holds a control character")
    except (AttributeError, KeyError, TypeError, ValueError, binascii.Error):
        raise NoProxyAnswer from None
    if not any(name.lower() == "content-type" for name, _ in headers):
        headers.append(("Content-Type", JSON))
    return Answer(status, tuple(headers), raw)
