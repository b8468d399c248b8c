"""docs/api.md is true: every route, every field, every refusal, every example."""

from __future__ import annotations

import importlib
import json
import re

import pytest

from muniment import bootstrap
from muniment.adapters.dynamo_tenants import OPERATOR
from muniment.api import problems
from muniment.api.openapi import FILE
from muniment.api.problem_docs import KNOWN, Explained
from muniment.domain import errors
from muniment.domain.caller import EVERYWHERE
from muniment.domain.membership import Member, Membership, Role
from muniment.domain.moments import SECOND
from muniment.verbs.fields import Where
from muniment.verbs.manage_projects import DeleteProject
from tests.functional.conftest import Service
from tests.functional.doc_examples import (
    Known,
    body_of,
    chapter,
    differences,
    examples,
    sections,
    send,
    titles,
)
from tests.template import ROOT, handler_file, routes

REFUSAL_ROW = re.compile(r"^\| `(\w+)` \| (\d{3}) \| (.+) \| (yes|no) \|$", re.MULTILINE)


def test_given_the_examples_when_sent_in_order_then_each_answers_as_printed(service: Service):
    known, wrong = Known(), []
    owner = Membership(Role.OWNER, None, OPERATOR, service.now)
    bootstrap.tenants().keep("acme", Member("owner").with_role(EVERYWHERE, owner), Member("maria"))
    for example in examples():
        service.now += SECOND
        answer = send(example.request, known)
        service.index()
        service.sweep()
        told = example.answer
        status = int(told.first.split()[0])
        found = [] if answer["statusCode"] == status else [f"{answer['statusCode']} {told.first}"]
        found += differences(json.loads(told.body), body_of(answer), known)
        sent = {n.lower(): v[0] for n, v in answer["multiValueHeaders"].items()}
        found += [f"{n}: {v}" for n, v in told.headers.items() if sent.get(n) != v]
        wrong += [f"{example.request.first}: {difference}" for difference in found]
    assert "\n".join(wrong) == ""


@pytest.mark.parametrize("function", sorted(routes()))
def test_given_a_route_when_its_section_is_read_then_an_example_shows_it_succeed(function):
    title = titles()[function]
    shown = [e.answer.first for e in examples() if e.section == title]
    assert shown, f"docs/api.md has no section or no example for {title}"
    assert any(first.startswith("2") for first in shown)


def test_given_the_sections_when_listed_then_each_is_a_route_of_the_template():
    assert set(sections()) == set(titles().values())


@pytest.mark.parametrize("function", sorted(routes()))
def test_given_a_route_when_its_section_is_read_then_it_tells_the_action_a_key_needs(function):
    handler = (ROOT / handler_file(function)).read_text("utf-8")
    action = re.search(r"entrypoint\(app, (?:Action\.(\w+)|None)", handler)
    assert action
    said = f"Action: `{action[1].lower()}`" if action[1] else "No key."
    assert said in sections()[titles()[function]]


@pytest.mark.parametrize("function", sorted(routes()))
def test_given_a_route_when_it_takes_a_field_then_its_section_names_it(function):
    section = sections()[titles()[function]]
    if "[The fields of a fact](#the-fields-of-a-fact)" in section:
        section += chapter("The fields of a fact")
    assert [name for name in _fields(function) if f"`{name}`" not in section] == []


def _fields(function: str) -> list[str]:
    """Return the names that the route takes in body and query, without those all routes take."""
    route = routes()[function]
    said = json.loads(FILE.read_text("utf-8"))
    operation = said["paths"][route.path][route.method.lower()]
    names = [p["name"] for p in operation.get("parameters", []) if p["in"] == "query"]
    if body := operation.get("requestBody"):
        ref = body["content"]["application/json"]["schema"]["$ref"]
        names += said["components"]["schemas"][ref.rpartition("/")[2]]["properties"]
    handler = importlib.import_module(".".join(handler_file(function).with_suffix("").parts))
    for model in vars(handler).values():
        if isinstance(model, type) and issubclass(model, Where | DeleteProject):
            names += model.model_fields
    return [name for name in names if name not in Where.model_fields]


def test_given_the_refusals_when_compared_with_the_table_then_codes_and_statuses_agree():
    told = {(code, int(status)) for code, status, _, _ in _rows()}
    assert told >= {(kind.code, int(problems.status_of(kind("")))) for kind in _refusals()}
    assert {code for code, _ in told} >= _other_codes()


def test_given_the_refusals_when_compared_with_the_table_then_nothing_else_stands_there():
    assert {code for code, *_ in _rows()} <= {k.code for k in _refusals()} | _other_codes()


def test_given_a_refusal_when_it_may_be_sent_again_then_the_table_says_so():
    told = {code: again for code, _, _, again in _rows()}
    assert {k.code: told[k.code] for k in _refusals()} == {
        k.code: "yes" if k.retry else "no" for k in _refusals()
    }


def test_given_the_refusals_when_explained_by_the_service_then_in_the_words_of_the_table():
    plain = re.compile(r"\[([^\]]*)\]\([^)]*\)")
    told = {
        code: Explained(int(status), plain.sub(r"\1", when).replace("`", ""), again == "yes")
        for code, status, when, again in _rows()
    }
    assert told == KNOWN


def _rows() -> list[tuple[str, str, str, str]]:
    return REFUSAL_ROW.findall(chapter("Refusals"))


def _refusals(kind: type[errors.Refused] = errors.Refused) -> list[type[errors.Refused]]:
    return [kind, *(found for below in kind.__subclasses__() for found in _refusals(below))]


def _other_codes() -> set[str]:
    """Return the codes of the gateway's answers and those that only the HTTP side gives."""
    template = (ROOT / "template.yaml").read_text("utf-8")
    app = (ROOT / "layers/core/python/muniment/api/app.py").read_text("utf-8")
    validation = {
        str(body_of({"body": problems.invalid([found], "r1").body})["code"])
        for found in ({"type": "blank", "loc": (), "msg": "m"}, {"type": "missing", "loc": ()})
    }
    return {
        *re.findall(r'"code": "(\w+)"', template),
        *re.findall(r'problem\(status, "(\w+)"', app),
        *validation,
    }
