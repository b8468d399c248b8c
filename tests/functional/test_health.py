"""GET /health: needs no key, tells nothing but that it runs."""

from __future__ import annotations

import json
from typing import Any

from functions.api.health import handler
from tests.builders import CONTEXT, an_event


def ask(**changes: Any) -> dict[str, Any]:
    event = an_event("GET", "/health")
    del event["requestContext"]["authorizer"]
    answer: dict[str, Any] = handler({**event, **changes}, CONTEXT)
    return answer


def test_given_no_key_when_asked_then_it_is_ok_for_every_origin():
    answer = ask(headers={"Origin": "https://example.com"})
    assert answer["statusCode"] == 200
    assert json.loads(answer["body"]) == {"status": "ok"}
    assert answer["multiValueHeaders"]["Access-Control-Allow-Origin"] == ["*"]


def test_given_another_method_when_asked_then_it_is_a_problem():
    answer = ask(httpMethod="DELETE")
    assert answer["statusCode"] in (404, 405)
    assert json.loads(answer["body"])["code"]
