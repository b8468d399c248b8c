"""events/*.json: one event per function, as AWS sends it, that the function can answer."""

from __future__ import annotations

import importlib
import json
from dataclasses import replace
from typing import Any

import pytest

from muniment import bootstrap
from muniment.domain.caller import Action, PrincipalKind
from muniment.domain.keys import ApiKey, fingerprint
from muniment.domain.membership import Member, Membership, Role
from muniment.domain.projects import Held
from tests.builders import CONTEXT, NOW
from tests.functional.conftest import Service
from tests.template import ROOT, handler_file, named, routes

EVENTS = {
    file.stem: json.loads(file.read_text("utf-8")) for file in (ROOT / "events").glob("*.json")
}
FUNCTIONS = {handler_file(name).stem: name for name in named("AWS::Serverless::Function")}
VERBS = {handler_file(name).stem: route for name, route in routes().items()}
NEEDS_MORE = {  # steps that must follow another one, which one event cannot be
    "heartbeat_review": 409,
    "release_review": 409,
    "finalize_review": 409,
    "unhold_fact": 409,
    "revise_fact": 405,  # a fact of the repo layer is superseded, not revised
}
BORIS_KEY = ApiKey(
    key_id="k1k1k1k1k1",
    tenant="acme",
    principal="boris",
    kind=PrincipalKind.HUMAN,
    operator=None,
    projects=("backend",),
    actions=frozenset(Action),
    created_at=NOW,
)
FACT_ID = "01KSR492000000000000000000"


def run(name: str) -> Any:
    module = ".".join(handler_file(FUNCTIONS[name]).with_suffix("").parts)
    return importlib.import_module(module).handler(EVENTS[name], CONTEXT)


@pytest.fixture
def seeded(service: Service) -> Service:
    """A fact and a context under the id that the events name, both by another person."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "ulid", lambda moment, chance: FACT_ID)
        service.a_fact("Staging is green.")
        service.context("staging")
    tenants = bootstrap.tenants()
    tenants.enrol(BORIS_KEY, "a" * 64)
    tenants.keep("acme", Member("olga").with_role("backend", Membership(Role.MEMBER)))
    tenants.list_hold("acme", Held("deleted", FACT_ID, NOW))
    return service


def test_given_the_functions_of_the_template_when_counted_then_each_has_an_event_and_no_more():
    assert set(EVENTS) == set(FUNCTIONS)


@pytest.mark.parametrize("name", sorted(VERBS))
def test_given_a_verbs_event_when_run_then_the_verb_answers(seeded: Service, name: str):
    answer = run(name)
    assert answer["statusCode"] in (NEEDS_MORE.get(name, 200), 201), answer["body"]
    assert json.loads(answer["body"])
    assert answer["multiValueHeaders"]["Content-Type"]


@pytest.mark.parametrize("name", sorted(VERBS))
def test_given_a_verbs_event_when_compared_with_the_template_then_it_is_of_that_route(name: str):
    event, route = EVENTS[name], VERBS[name]
    assert (event["httpMethod"], event["resource"]) == (route.method, route.path)
    assert ("authorizer" in event["requestContext"]) == bool(route.authorizer)


def test_given_the_authorizers_event_when_run_then_the_key_opens_the_stage(service: Service):
    text = EVENTS["authorize"]["headers"]["Authorization"].removeprefix("Bearer ")
    key = replace(BORIS_KEY, key_id=text.split("_")[1])
    bootstrap.tenants().enrol(key, fingerprint(text))
    answer = run("authorize")
    assert answer["policyDocument"]["Statement"][0]["Effect"] == "Allow"
    context = EVENTS["record_fact"]["requestContext"]["authorizer"]
    assert answer["context"].items() <= context.items()


def test_given_the_streams_event_when_run_then_the_fact_is_indexed(service: Service):
    assert run("index_facts") == {"indexed": 1}
    assert bootstrap.index().revisions("acme", "backend", [FACT_ID]) == {FACT_ID: 1}


def test_given_the_machines_events_when_run_then_the_first_step_is_done(seeded: Service):
    assert run("reconcile_index") == {"compared": 1, "repaired": 1, "next": None}
    assert run("expire_facts")
