"""The gateway's decisions, with functions that answer what the test says."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from local import template as templates
from local.gateway import Gateway
from local.gateway_responses import Answer, Failure, answer, fill
from local.proxy_events import Request
from local.template import GatewayResponse
from local.workers import Outcome

SAMPLE = Path(__file__).resolve().parents[1] / "e2e" / "sample_app" / "template.yaml"
ARN = "arn:aws:execute-api:us-east-1:000000000000:api1/live"


def ask(policy: Any, value: Any = None, target: str = "/echo/a") -> Answer:
    """Return the answer to a GET when the authorizer answers `policy`, the function `value`."""

    def invoke(name: str, event: Any) -> Outcome:
        return policy if name == "Authorize" else Outcome(value)

    gateway = Gateway(templates.load(SAMPLE), invoke, "api1")
    return gateway.handle(Request("GET", target, (("X-A", "1"),), b"", "127.0.0.1"))


def admitting(*statements: tuple[str, Any], context: Any = None) -> Outcome:
    listed = [{"Effect": effect, "Resource": resource} for effect, resource in statements]
    policy = {"principalId": "p", "policyDocument": {"Statement": listed}, "context": context}
    return Outcome(policy)


OK = {"statusCode": 200, "body": "fine"}


@pytest.mark.parametrize(
    ("statements", "status"),
    [
        ([("Allow", "*")], 200),
        ([("Allow", f"{ARN}/*/*")], 200),
        ([("Allow", [f"{ARN}/POST/*", f"{ARN}/GET/echo/?"])], 200),
        ([("Allow", f"{ARN}/GET/other")], 403),
        ([("Allow", "*"), ("Deny", f"{ARN}/GET/*")], 403),
        ([], 403),
    ],
)
def test_given_a_policy_when_a_request_comes_then_deny_beats_allow_beats_nothing(
    statements: list[tuple[str, Any]], status: int
) -> None:
    assert ask(admitting(*statements), OK).status == status


@pytest.mark.parametrize(
    ("outcome", "status", "code"),
    [
        (Outcome(None, "Exception", "Unauthorized"), 401, "unauthorized"),
        (Outcome(None, "KeyError", "x"), 500, "internal"),
        (Outcome(None, "Sandbox.Timedout", "late"), 500, "internal"),
        (Outcome({"nonsense": 1}), 500, "internal"),
        (Outcome(None), 500, "internal"),
        (admitting(("Allow", "*"), context={"nested": {}}), 500, "internal"),
    ],
)
def test_given_an_authorizer_that_fails_when_asked_then_its_gateway_response_answers(
    outcome: Outcome, status: int, code: str
) -> None:
    refused = ask(outcome, OK)

    assert refused.status == status
    assert json.loads(refused.body)["code"] == code


def test_given_an_authorizers_context_when_it_allows_then_it_arrives_as_flat_strings() -> None:
    seen: list[Any] = []

    def invoke(name: str, event: Any) -> Outcome:
        seen.append(event)
        context = {"n": 1, "yes": True, "text": "т"}
        return admitting(("Allow", "*"), context=context) if name == "Authorize" else Outcome(OK)

    gateway = Gateway(templates.load(SAMPLE), invoke, "api1")
    gateway.handle(Request("GET", "/live/echo/a", (), b"", "127.0.0.1"))

    assert seen[0]["methodArn"] == f"{ARN}/GET/echo/a"
    assert "body" not in seen[0] and seen[0]["type"] == "REQUEST"
    given = seen[1]["requestContext"]["authorizer"]
    assert given == {"n": "1", "yes": "true", "text": "т", "principalId": "p"}


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text",
        {},
        {"statusCode": "many"},
        {"statusCode": 200, "body": {"not": "text"}},
        {"statusCode": 200, "body": "!", "isBase64Encoded": True},
        {"statusCode": 200, "headers": {"X-A": "b\r\nX-C: d"}},
    ],
)
def test_given_an_answer_that_is_no_proxy_answer_when_read_then_it_is_a_failed_integration(
    value: Any,
) -> None:
    assert ask(admitting(("Allow", "*")), value).status == 502


def test_given_a_binary_answer_when_read_then_it_is_decoded() -> None:
    body = base64.b64encode(b"\x00\xff").decode()
    value = {"statusCode": 200, "body": body, "isBase64Encoded": True}

    assert ask(admitting(("Allow", "*")), value).body == b"\x00\xff"


@pytest.mark.parametrize(
    ("timeout", "status"), [(29, 502), (30, 504)], ids=["the function's", "the gateway's"]
)
def test_given_a_time_out_when_longer_than_the_gateways_then_it_is_the_gateways(
    timeout: int, status: int, tmp_path: Path
) -> None:
    text = SAMPLE.read_text().replace("Timeout: 2", f"Timeout: {timeout}")
    (tmp_path / "template.yaml").write_text(text)

    def invoke(name: str, event: Any) -> Outcome:
        late = Outcome(None, "Sandbox.Timedout", "late")
        return admitting(("Allow", "*")) if name == "Authorize" else late

    gateway = Gateway(templates.load(tmp_path / "template.yaml"), invoke, "api1")
    assert gateway.handle(Request("GET", "/echo/a", (), b"", "1")).status == status


def response(**own: Any) -> GatewayResponse:
    return GatewayResponse(**{"status": None, "headers": {}, "bodies": {}} | own)


DENIED = Failure("ACCESS_DENIED", 403, 'say "no"')


@pytest.mark.parametrize(
    ("responses", "status", "body"),
    [
        ({}, 403, '{"message":"say \\"no\\""}'),
        ({"DEFAULT_4XX": response(bodies={"application/json": "d"})}, 403, "d"),
        ({"DEFAULT_5XX": response(status=599)}, 403, '{"message":"say \\"no\\""}'),
        (
            {
                "DEFAULT_4XX": response(status=499),
                "ACCESS_DENIED": response(status=418, bodies={"text/x": "o"}),
            },
            418,
            "o",
        ),
    ],
)
def test_given_gateway_responses_when_one_answers_then_the_nearest_is_taken(
    responses: dict[str, GatewayResponse], status: int, body: str
) -> None:
    given = answer(responses, DENIED, {"requestId": "r1"})

    assert (given.status, given.body.decode()) == (status, body)
    assert ("x-amzn-RequestId", "r1") in given.headers


def test_given_a_header_of_the_template_when_it_names_a_default_then_it_replaces_it() -> None:
    own = response(headers={"content-type": "text/x"})

    headers = answer({"ACCESS_DENIED": own}, DENIED, {}).headers

    assert [value for name, value in headers if name.lower() == "content-type"] == ["text/x"]


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ('"$context.requestId"', '"r1"'),
        ("$context.error.messageString.", '"m".'),
        ("$context.unknown.name!", "!"),
        ("costs $5", "costs $5"),
    ],
)
def test_given_a_body_template_when_filled_then_only_context_variables_change(
    template: str, text: str
) -> None:
    assert fill(template, {"requestId": "r1", "error.messageString": '"m"'}) == text
