"""Inputs that nobody sends on purpose: each gets a 4xx problem naming field and limit.

Nothing of them is stored, and nothing is repaired in silence.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from muniment.domain import limits
from tests.e2e.conftest import Cloud
from tests.e2e.writers import heads_of

RECORD, REMEMBER, SEARCH, LIST = "POST /facts", "POST /remember", "POST /search", "GET /facts"
JSON = "a JSON object"
VISIBLE = "at least 1 visible character"
OK = {"statement": "It is so.", "layer": "task", "task": "t"}  # a body that would be taken


@dataclass(frozen=True)
class Case:
    """A request, and the field, limit and actual value that its refusal must name.

    `limit` or `actual` None: the answer has none, or one that is not worth repeating here.
    """

    name: str
    body: Any
    status: int
    field: str
    limit: Any = None
    actual: Any = None
    at: str = RECORD
    headers: dict[str, str] = field(default_factory=dict)


def said(**changes: Any) -> dict[str, Any]:
    return {**OK, **changes}


def nested(depth: int) -> str:
    return '{"attributes":' + '{"a":' * depth + "1" + "}" * depth + "}"


BODIES = [
    Case("no body", None, 400, "body", JSON, "nothing"),
    Case("empty body", "", 400, "body", JSON, "nothing"),
    Case("blanks only", " \r\n\t", 400, "body", JSON, "nothing"),
    Case("not JSON", "statement=It+is+so", 400, "body", JSON),
    Case("cut off", '{"statement": "It is', 400, "body", JSON),
    Case("two objects", '{"statement": "a"}{"statement": "b"}', 400, "body", JSON),
    Case("array", [OK], 400, "body", JSON, "an array"),
    Case("text", '"It is so."', 400, "body", JSON, "text"),
    Case("null", "null", 400, "body", JSON),
    Case("repeated name", '{"statement": "a", "statement": "b"}', 400, "body.statement", None, 2),
    Case("NaN", '{"statement": "a", "confidence": NaN}', 400, "body", None, "NaN"),
    Case("Infinity", '{"statement": "a", "confidence": -Infinity}', 400, "body", None, "-Infinity"),
    Case("huge number", '{"statement": "a", "confidence": 1e999}', 400, "body"),
    Case("long number", '{"statement": "a", "confidence": ' + "9" * 99 + "}", 400, "body", 19, 99),
    Case("deep", nested(11), 400, "body", limits.JSON_DEPTH),
    Case("very deep", nested(100_000), 413, "body", limits.BODY_BYTES),
    Case("deep within size", nested(30_000), 400, "body", limits.JSON_DEPTH),
    Case("300 KiB", said(statement="x" * 300 * 1024), 413, "body", limits.BODY_BYTES),
    Case("broken UTF-8", b'{"statement": "\xc3\x28"}', 400, "body", "UTF-8"),
    Case("UTF-16", '{"statement": "It is so."}'.encode("utf-16"), 400, "body"),
    Case("UTF-16 without mark", '{"statement": "It is so."}'.encode("utf-16-le"), 400, "body"),
    Case("byte order mark", b"\xef\xbb\xbf" + json.dumps(OK).encode(), 400, "body"),
    Case(
        "gzip",
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
        400,
        "body",
        headers={"Content-Encoding": "gzip"},
    ),
]
STATEMENTS = [
    Case("no field", {}, 400, "body.statement", "required"),
    Case("null statement", said(statement=None), 400, "body.statement", "text", "null"),
    Case("number as statement", said(statement=7), 400, "body.statement", "text", 7),
    Case("empty statement", said(statement=""), 422, "body.statement", VISIBLE, 0),
    Case("blank statement", said(statement=" \t\n"), 422, "body.statement"),
    Case("invisible statement", said(statement="\u200b\u200b\ufeff"), 422, "body.statement"),
    Case("601 characters", said(statement="x" * 601), 422, "body.statement", 600, 601),
    Case("601 Russian letters", said(statement="ж" * 601), 422, "body.statement", 600, 601),
    Case("601 emoji", said(statement="🦊" * 601), 422, "body.statement", 600, 601),
    Case("NUL", said(statement="a\0b"), 422, "body.statement", "visible characters", "U+0000"),
    Case("right to left", said(statement="a\u202eb"), 422, "body.statement", None, "U+202E"),
    Case("language tag", said(statement="a\U000e0041"), 422, "body.statement", None, "U+E0041"),
    Case("half a character", '{"statement": "\\ud800", "layer": "task"}', 422, "body.statement"),
    Case("escape", said(statement="a\x1b[31mb"), 422, "body.statement", None, "U+001B"),
    Case(
        "64 KiB and more",
        said(
            attributes={f"a{n}": "ж" * 500 for n in range(20)},
            citations=[{"quote": "ж" * 300, "locator": "ж" * 500} for _ in range(10)],
            links=[{"type": "see", "target": f"{n}" + "ж" * 490} for n in range(50)],
        ),
        413,
        "body",
        limits.ITEM_BYTES,
    ),
    Case("8001 characters", {"content": "x" * 8001}, 422, "body.content", 8000, 8001, REMEMBER),
]
FIELDS = [
    Case("unknown field", said(priority=1), 400, "body.priority", "known fields only"),
    Case("field of the server", said(state="published"), 400, "body.state", "known fields only"),
    Case("foreign tenant", said(tenant="other"), 400, "body.tenant", "known fields only"),
    Case("prototype", said(__proto__={"a": 1}), 400, "body.__proto__", "known fields only"),
    Case("nested attributes", said(attributes={"a": {"b": "c"}}), 400, "body.attributes.a", "text"),
    Case("number in attributes", said(attributes={"a": 1}), 400, "body.attributes.a", "text", 1),
    Case(
        "21 attributes",
        said(attributes={str(n): "" for n in range(21)}),
        422,
        "body.attributes",
        20,
        21,
    ),
    Case("number as text", said(confidence="0.5"), 400, "body.confidence", "a number", "0.5"),
    Case("negative confidence", said(confidence=-0.1), 422, "body.confidence", 0, -0.1),
    Case("too sure", said(confidence=1.1), 422, "body.confidence", 1, 1.1),
    Case("truth as number", said(confidence=True), 400, "body.confidence", "a number", "true"),
    Case("wrong kind", said(kind="opinion"), 400, "body.kind", None, "opinion"),
    Case("kind in capitals", said(kind="NOTE"), 400, "body.kind", None, "NOTE"),
    Case("wrong layer", said(layer="galaxy"), 400, "body.layer", None, "galaxy"),
    Case("time without zone", said(expires_at="2030-01-01T00:00:00"), 400, "body.expires_at"),
    Case("time as number", said(expires_at=1893456000), 400, "body.expires_at"),
    Case("30 February", said(expires_at="2030-02-30T00:00:00Z"), 400, "body.expires_at"),
    Case("time past", said(expires_at="2001-01-01T00:00:00Z"), 422, "body.expires_at"),
    Case("emoji in a name", said(name="🦊"), 422, "body.name"),
    Case("key with a hash", said(fact_key="a#b"), 422, "body.fact_key"),
    Case(
        "lines in a title", said(description="a\nb"), 422, "body.description", "1 line", "2 lines"
    ),
    Case("id that is none", said(supersedes="1"), 422, "body.supersedes"),
    Case("object for a list", said(tags={"a": "b"}), 400, "body.tags", "an array", "an object"),
    Case("21 tags", said(tags=[str(n) for n in range(21)]), 422, "body.tags", 20, 21),
    Case("truth as text", said(reopen="true"), 400, "body.reopen", "true or false", "true"),
    Case("hash without source", said(source_hash="1"), 422, "body.source_hash"),
    Case("task without layer", {"content": "a", "task": "t"}, 422, "body.task", at=REMEMBER),
    Case("repo fact without subject", {"statement": "a"}, 422, "body.subject"),
]
ELSEWHERE = [
    Case(
        "unknown parameter",
        OK,
        400,
        "query.colour",
        "known fields only",
        at="POST /facts?colour=red",
    ),
    Case(
        "repeated parameter",
        OK,
        422,
        "query.project",
        1,
        2,
        at="POST /facts?project=backend&project=other",
    ),
    Case("workspace in capitals", OK, 422, "query.workspace", at="POST /facts?workspace=Main"),
    Case("emoji in a slug", OK, 422, "query.workspace", at="POST /facts?workspace=%F0%9F%A6%8A"),
    Case(
        "broken UTF-8 in the query", OK, 422, "query.workspace", at="POST /facts?workspace=%C3%28"
    ),
    Case(
        "long idempotency key",
        OK,
        422,
        "header.X-Idempotency-Key",
        limits.IDEMPOTENCY_KEY,
        201,
        headers={"X-Idempotency-Key": "k" * 201},
    ),
    Case("long question", {"query": "x" * 2001}, 422, "body.query", 2000, 2001, SEARCH),
    Case("51 answers", {"query": "a", "limit": 51}, 422, "body.limit", 50, 51, SEARCH),
    Case("no answers", {"query": "a", "limit": 0}, 422, "body.limit", 1, 0, SEARCH),
    Case("half an answer", {"query": "a", "limit": 1.5}, 400, "body.limit", None, 1.5, SEARCH),
    Case("answers as text", {"query": "a", "limit": "5"}, 400, "body.limit", None, "5", SEARCH),
    Case(
        "foreign token",
        {"query": "a", "consistency_token": "abc"},
        400,
        "body.consistency_token",
        at=SEARCH,
    ),
    Case("101 on a page", None, 422, "query.limit", 100, at=f"{LIST}?limit=101"),
    Case(
        "a page in words", None, 400, "query.limit", "a whole number", "ten", at=f"{LIST}?limit=ten"
    ),
    Case("made-up cursor", None, 400, "query.cursor", at=f"{LIST}?cursor=abc"),
]
CASES = [*BODIES, *STATEMENTS, *FIELDS, *ELSEWHERE]


@pytest.fixture(scope="module")
def key(cloud: Cloud) -> Iterator[str]:
    """Yield the key of a tenant in which nothing may ever be stored."""
    tenant = cloud.tenant()
    yield tenant["key"]
    assert heads_of(cloud, tenant["tenant"]) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_given_an_unusual_input_when_sent_then_a_problem_names_field_and_limit(
    cloud: Cloud, key: str, case: Case
) -> None:
    method, path = case.at.split(" ")
    reply = cloud.send(method, path, case.body, key=key, **case.headers)

    assert reply.headers["content-type"] == "application/problem+json"
    told = reply.json()
    assert (reply.status, told["status"], told.get("field")) == (
        case.status,
        case.status,
        case.field,
    ), told
    assert told["code"] and told["detail"] and told["request_id"] and told["retry"] is False
    if case.limit is not None:
        assert told["limit"] == case.limit
    if case.actual is not None:
        assert told["actual"] == case.actual
    assert len(reply.body) < 2_000  # a request is not told back


def test_given_a_cursor_when_sent_with_another_filter_then_it_is_refused(cloud: Cloud) -> None:
    key = cloud.tenant()["key"]
    for number in range(2):
        cloud.send("POST", "/remember", {"content": f"Note {number}."}, key=key)
    first = cloud.send("GET", "/facts?limit=1", key=key).json()
    cursor = first["next_cursor"]
    other = cloud.send("GET", f"/facts?limit=1&kind=note&cursor={cursor}", key=key)

    assert (other.status, other.json()["code"]) == (400, "cursor_mismatch")
    assert other.json()["field"] == "query.cursor"
    second = cloud.send("GET", f"/facts?limit=1&cursor={cursor}", key=key).json()
    assert first["items"] != second["items"] and len(second["items"]) == 1


def test_given_the_ordinary_body_of_these_cases_when_sent_then_it_would_be_taken(
    cloud: Cloud,
) -> None:
    assert cloud.send("POST", "/facts", OK, key=cloud.tenant()["key"]).status == 201
