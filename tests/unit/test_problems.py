"""Refusals in HTTP: one code each, field and limit named, little of the request told back."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from muniment import verbs
from muniment.api.problems import MEDIA_TYPE, STATUS, invalid, refused, status_of
from muniment.domain import errors, limits
from muniment.domain.errors import Refused
from muniment.verbs.fields import Ask

LONG = "Z" * 70_000
WRONG: list[Any] = [
    None,
    True,
    7,
    -1,
    0.5,
    10**18,
    1e300,
    -1e300,
    "",
    " \t",
    "\u200b\u200d",
    "two\nlines",
    "nul\x00",
    "\ud800",
    "\u202egnirts",
    "#/?",
    "ключ",
    "2026-12-01T00:00:00",
    "2026-12-01T00:00:00Z",
    LONG,
    [],
    ["Z" * 60],
    [LONG],
    [None],
    [{}],
    [[1]],
    ["01J00000000000000000000001"] * 101,
    {},
    {"Z" * 300: "a"},
    {"a": LONG},
    {"a": 1},
    {"type": "t"},
    {"workplace": 1},
    {f"n{number}": "v" for number in range(101)},
]


def every_refusal(kind: type[Refused] = Refused) -> Iterator[type[Refused]]:
    yield kind
    for below in kind.__subclasses__():
        yield from every_refusal(below)


def every_request() -> list[type[BaseModel]]:
    """Return all request models of all verbs, those of later verbs included."""
    for module in pkgutil.iter_modules(verbs.__path__, "muniment.verbs."):
        importlib.import_module(module.name)
    found, waiting = [], [Ask]
    while waiting:
        model = waiting.pop()
        waiting += model.__subclasses__()
        found.append(model)
    return sorted(found, key=lambda model: model.__name__)


REFUSALS = list(every_refusal())
REQUESTS = every_request()


@pytest.mark.parametrize("kind", REFUSALS, ids=lambda kind: kind.__name__)
def test_given_a_refusal_when_told_then_it_is_a_problem_document(kind: type[Refused]):
    refusal = kind("what happened", field="body.x", limit=3, actual=4, hint="do that", fact_id="f")
    answer = refused(refusal, "r1")
    body = json.loads(answer.body)
    assert answer.content_type == MEDIA_TYPE == "application/problem+json"
    assert answer.status_code == body["status"] == int(status_of(refusal))
    assert 400 <= body["status"] < 500 or body["status"] == 503
    assert body["type"] == f"urn:muniment:problem:{kind.code}"
    assert body["retry"] is (body["status"] == 503)
    expected = {"detail": "what happened", "code": kind.code, "field": "body.x", "fact_id": "f"}
    assert expected.items() <= body.items()
    assert (body["limit"], body["actual"], body["hint"]) == (3, 4, "do that")
    assert body["request_id"] == "r1"


def test_given_all_refusals_when_compared_then_codes_are_distinct_and_each_branch_has_a_status():
    codes = [kind.code for kind in REFUSALS]
    assert len(set(codes)) == len(codes) > 12
    assert {kind.__base__ for kind in STATUS} <= {Exception, *STATUS}
    assert all(kind.__module__ == errors.__name__ for kind in REFUSALS)


PLAIN = {"type", "title", "status", "detail", "code", "docs", "retry", "request_id"}


def test_given_nothing_more_to_tell_when_told_then_nothing_is_null():
    body = json.loads(refused(errors.NotFound("no such fact"), "r1").body)
    assert set(body) == PLAIN


def test_given_a_busy_table_when_told_then_the_header_says_when_to_come_back():
    answer = refused(errors.Busy("busy", retry_after=1), "r1")
    assert answer.headers["Retry-After"] == "1"
    assert json.loads(answer.body)["retry"] is True


@pytest.mark.parametrize("model", REQUESTS, ids=lambda model: model.__name__)
def test_given_any_wrong_value_in_any_field_when_told_then_field_and_limit_are_named(
    model: type[BaseModel],
):
    for name in [*model.model_fields, "no_such_field", "Z" * 300]:
        for value in WRONG:
            check_told(model, {name: value}, name)


def check_told(model: type[BaseModel], sent: dict[str, Any], name: str) -> None:
    try:
        model.model_validate(sent)
    except Refused as refusal:  # the guard speaks first, and names the field as well
        assert refusal.more["field"].startswith("body")
        return
    except ValidationError as error:
        found = [{**e, "loc": ("body", *e["loc"])} for e in error.errors(include_url=False)]
    else:
        return
    found = [e for e in found if e["loc"][1] == name]  # not what is missing beside it
    if not found:
        return
    answer = invalid(found, "r1")
    assert isinstance(answer.body, str)
    answer.body.encode()  # half a surrogate pair would fail here
    body = json.loads(answer.body, parse_constant=pytest.fail)
    assert body["status"] == answer.status_code
    assert body["status"] in (400, 422)
    told = name if len(name) <= limits.TOLD else f"<name of {len(name)} characters>"
    assert body["field"].startswith(f"body.{told}")
    assert body["limit"] not in (None, ""), (model, sent, body)
    assert "Z" * 41 not in answer.body
    assert len(answer.body) < 5_000


def test_given_many_wrong_fields_when_told_then_each_is_named_and_the_first_in_full():
    errors_found = [
        {"type": "missing", "loc": ("body", f"f{n}"), "msg": "Field required", "input": {}}
        for n in range(30)
    ]
    body = json.loads(invalid(errors_found, "r1").body)
    assert body["field"] == "body.f0"
    assert [told["field"] for told in body["errors"]] == [f"body.f{n}" for n in range(10)]
    assert all(told["detail"] for told in body["errors"])
