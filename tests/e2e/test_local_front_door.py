"""What the front door answers: API Gateway's REST semantics, over real HTTP."""

import base64
import json
import socket

import pytest

from tests.e2e.conftest import LocalRun, send

GOOD = {"Authorization": "Bearer good"}
MIB = 1024 * 1024


def raw(sample: LocalRun, request: bytes, more: bytes = b"") -> bytes:
    """Send bytes as they are; return all that comes back until the server closes or pauses."""
    with socket.create_connection(("127.0.0.1", sample.port), timeout=10) as connection:
        connection.sendall(request)
        answer = connection.recv(65536)
        if more:
            connection.sendall(more)
        connection.settimeout(0.7)
        try:
            while part := connection.recv(65536):
                answer += part
        except TimeoutError:
            pass
        return answer


def head(sample: LocalRun, line: str, *lines: str) -> bytes:
    return "\r\n".join([line, f"Host: 127.0.0.1:{sample.port}", *lines, "", ""]).encode()


@pytest.mark.parametrize("stage", ["", "/live"])
def test_given_a_request_when_it_reaches_the_function_then_it_is_a_proxy_event(
    sample: LocalRun, stage: str
) -> None:
    path = f"{stage}/echo/a%20%D0%B1?x=1&x=%D1%8F&empty="

    answer = send(sample.url, "POST", path, "привет", GOOD)

    event = answer.json()["event"]
    assert event["resource"] == "/echo/{name}"
    assert event["path"] == "/echo/a б"
    assert event["httpMethod"] == "POST"
    assert event["pathParameters"] == {"name": "a б"}
    assert event["queryStringParameters"] == {"x": "я", "empty": ""}
    assert event["multiValueQueryStringParameters"] == {"x": ["1", "я"], "empty": [""]}
    assert event["headers"]["Authorization"] == "Bearer good"
    assert (event["body"], event["isBase64Encoded"]) == ("привет", False)
    context = event["requestContext"]
    assert context["authorizer"] == {"tenant": "t", "n": "1", "principalId": "p1"}
    assert context["stage"] == "live" and context["identity"]["sourceIp"] == "127.0.0.1"
    assert answer.json()["greeting"] == "hello"


def test_given_repeated_headers_when_sent_then_all_values_arrive(sample: LocalRun) -> None:
    request = head(sample, "GET /echo/a HTTP/1.1", "Authorization: Bearer good", "X-A: 1", "X-A: 2")

    answer = raw(sample, request)

    event = json.loads(answer.partition(b"\r\n\r\n")[2])["event"]
    assert event["multiValueHeaders"]["X-A"] == ["1", "2"]
    assert event["headers"]["X-A"] == "2"
    assert answer.count(b"Set-Cookie: ") == 2


def test_given_a_body_that_is_no_text_when_sent_then_it_arrives_in_base64(sample: LocalRun) -> None:
    event = send(sample.url, "POST", "/echo/a", b"\xff\x00\xfe", GOOD).json()["event"]

    assert event["isBase64Encoded"] is True
    assert base64.b64decode(event["body"]) == b"\xff\x00\xfe"


@pytest.mark.parametrize(
    ("method", "path", "key", "status", "code"),
    [
        ("POST", "/nowhere", "good", 403, "MISSING_AUTHENTICATION_TOKEN"),
        ("DELETE", "/echo/a", "good", 403, "MISSING_AUTHENTICATION_TOKEN"),
        ("BREW", "/echo/a", "good", 403, "MISSING_AUTHENTICATION_TOKEN"),
        ("POST", "/_invoke/guess/Echo", "good", 403, "MISSING_AUTHENTICATION_TOKEN"),
        ("POST", "/echo/a", "", 401, "unauthorized"),
        ("POST", "/echo/a", "bad", 403, "ACCESS_DENIED"),
        ("POST", "/echo/a", "crash", 500, "internal"),
        ("POST", "/echo/a", "malformed", 500, "internal"),
    ],
)
def test_given_a_refused_request_when_sent_then_the_templates_gateway_response_answers(
    sample: LocalRun, method: str, path: str, key: str, status: int, code: str
) -> None:
    headers = {"Authorization": f"Bearer {key}"} if key else {}

    answer = send(sample.url, method, path, None, headers)

    assert answer.status == status
    assert answer.json()["code"] == code


@pytest.mark.parametrize("deed", ["hang", "die", "raise", "split", "nonsense"])
def test_given_a_function_that_fails_when_called_then_502_and_the_next_call_works(
    sample: LocalRun, deed: str
) -> None:
    answer = send(sample.url, "POST", "/misbehave", deed, GOOD)

    assert answer.status == 502
    assert answer.json() == {"code": "internal", "path": "/live/misbehave"}
    assert send(sample.url, "GET", "/echo/a", None, GOOD).status == 200


def test_given_a_preflight_when_sent_then_the_templates_cors_headers_answer(
    sample: LocalRun,
) -> None:
    answer = send(sample.url, "OPTIONS", "/echo/a", None, {"Origin": "http://example.org"})

    assert answer.status == 200
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-methods"] == "GET,OPTIONS,POST"
    assert answer.headers["access-control-allow-headers"] == "Authorization,Content-Type"
    assert answer.headers["access-control-max-age"] == "600"


def test_given_a_chunked_body_when_sent_on_a_kept_connection_then_both_requests_are_answered(
    sample: LocalRun,
) -> None:
    chunked = head(
        sample, "POST /echo/a HTTP/1.1", "Authorization: Bearer good", "Transfer-Encoding: chunked"
    )
    body = b"4;x=y\r\nwiki\r\n5\r\npedia\r\n0\r\nTrailer: t\r\n\r\n"

    answer = raw(sample, chunked + body + head(sample, "HEAD /health HTTP/1.1"))

    assert b'"body": "wikipedia"' in answer
    assert answer.count(b"HTTP/1.1 ") == 2
    assert answer.endswith(b"\r\n\r\n")  # HEAD: no body


def test_given_expect_100_when_the_body_may_come_then_continue_is_said_first(
    sample: LocalRun,
) -> None:
    size = ("Authorization: Bearer good", "Content-Length: 5", "Expect: 100-continue")

    answer = raw(sample, head(sample, "POST /echo/a HTTP/1.1", *size), b"later")

    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\n")
    assert b'"body": "later"' in answer


def test_given_expect_100_when_the_body_is_too_large_then_it_is_never_asked_for(
    sample: LocalRun,
) -> None:
    size = (f"Content-Length: {11 * MIB}", "Expect: 100-continue")

    answer = raw(sample, head(sample, "POST /echo/a HTTP/1.1", *size))

    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"REQUEST_TOO_LARGE" in answer


def test_given_bodies_around_ten_mib_when_sent_then_only_the_larger_is_refused(
    sample: LocalRun,
) -> None:
    assert send(sample.url, "POST", "/misbehave", b"x" * (10 * MIB), GOOD).status == 502
    assert send(sample.url, "POST", "/misbehave", b"x" * (10 * MIB + 1), GOOD).status == 413


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GARBAGE\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET http://[::1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /echo/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /echo/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1e3\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST /echo/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"POST /echo/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"POST /echo/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
        b"Content-Length: 3\r\n\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nno colon here\r\n\r\n",
        b"GET /" + b"a" * 70000 + b" HTTP/1.1\r\n\r\n",
        b"\x00\x01\x02\x03\r\n\r\n",
    ],
)
def test_given_a_malformed_request_when_sent_then_a_4xx_closes_and_the_server_lives(
    sample: LocalRun, request_bytes: bytes
) -> None:
    answer = raw(sample, request_bytes)

    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 414 ", b"HTTP/1.1 505 "))
    assert b"Connection: close" in answer and b"application/problem+json" in answer
    assert send(sample.url, "GET", "/health").status == 200
