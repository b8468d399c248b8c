"""The answers that API Gateway gives itself, with the bodies that template.yaml sets.

A type that the template leaves out falls back to DEFAULT_4XX or DEFAULT_5XX, then to the
gateway's own `{"message": …}`.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from local.template import GatewayResponse

JSON = "application/json"


@dataclass(frozen=True)
class Answer:
    """One HTTP answer; header names may repeat."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True)
class Failure:
    """A response type of API Gateway: its default status and its message (None = null)."""

    kind: str
    status: int
    message: str | None


ACCESS_DENIED = Failure("ACCESS_DENIED", 403, "User is not authorized to access this resource")
EXPLICIT_DENY = Failure(
    "ACCESS_DENIED", 403, "User is not authorized to access this resource with an explicit deny"
)
AUTHORIZER_CONFIGURATION_ERROR = Failure("AUTHORIZER_CONFIGURATION_ERROR", 500, None)
AUTHORIZER_FAILURE = Failure("AUTHORIZER_FAILURE", 500, None)
# A function that raises, dies or answers nonsense: 502, unless the template says another status.
INTEGRATION_FAILURE = Failure("INTEGRATION_FAILURE", 502, "Internal server error")
INTEGRATION_TIMEOUT = Failure("INTEGRATION_TIMEOUT", 504, "Endpoint request timed out")
MISSING_AUTHENTICATION_TOKEN = Failure(
    "MISSING_AUTHENTICATION_TOKEN", 403, "Missing Authentication Token"
)
QUOTA_EXCEEDED = Failure("QUOTA_EXCEEDED", 429, "Limit Exceeded")
REQUEST_TOO_LARGE = Failure("REQUEST_TOO_LARGE", 413, "Request Entity Too Large")
THROTTLED = Failure("THROTTLED", 429, "Too Many Requests")
UNAUTHORIZED = Failure("UNAUTHORIZED", 401, "Unauthorized")

_BUILT_IN_BODY = '{"message":$context.error.messageString}'
_VARIABLE = re.compile(r"\$context\.([A-Za-z.]+[A-Za-z])")


def answer(
    responses: Mapping[str, GatewayResponse], failure: Failure, context: Mapping[str, str]
) -> Answer:
    """Return the answer to `failure`; `context` holds `requestId`, `path` … for `$context.*`."""
    default = f"DEFAULT_{failure.status // 100}XX"
    chosen = responses.get(failure.kind) or responses.get(default)
    variables = {**context, **_error_variables(failure)}
    template = _own_body(chosen)
    headers = {
        "Content-Type": JSON,
        "x-amzn-RequestId": context.get("requestId", ""),
        "x-amzn-ErrorType": failure.kind,
    }
    for name, value in (chosen.headers if chosen else {}).items():
        headers = {k: v for k, v in headers.items() if k.lower() != name.lower()} | {name: value}
    status = (chosen.status if chosen else None) or failure.status
    return Answer(status, tuple(headers.items()), fill(template, variables).encode())


def fill(template: str, variables: Mapping[str, str]) -> str:
    """Replace each `$context.name`; an unknown one becomes empty, as in API Gateway."""
    return _VARIABLE.sub(lambda found: variables.get(found.group(1), ""), template)


def _own_body(chosen: GatewayResponse | None) -> str:
    bodies = chosen.bodies if chosen else {}
    return bodies.get(JSON) or next(iter(bodies.values()), _BUILT_IN_BODY)


def _error_variables(failure: Failure) -> dict[str, str]:
    return {
        "error.message": failure.message or "",
        "error.messageString": json.dumps(failure.message),
        "error.responseType": failure.kind,
    }
