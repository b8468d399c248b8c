"""Projects over the API: make, list, set, hand over, delete (rows W-24 to W-28, N-26, D-23)."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import bootstrap
from muniment.domain.budget import Profile
from muniment.domain.plans import PROJECTS, Plan
from tests.functional.conftest import Service
from tests.functional.door import Door, a_door

PAYMENTS = {"project": "payments"}


@pytest.fixture
def door(service: Service) -> Door:
    return a_door(service)


def names(door: Door, who: str) -> list[str]:
    return [item["project"] for item in door.ask(who, "GET", "/projects").body["items"]]


def test_given_an_owner_of_all_when_a_project_is_made_then_it_works_at_once(door: Door):
    made = door.ask("root", "POST", "/projects", PAYMENTS | {"display_name": "Платежи"})
    assert made.status == 201, made.text
    assert (made.body["profile"], made.body["display_name"]) == ("standard", "Платежи")
    fact = door.ask(
        "root", "POST", "/remember", {"content": "Money is integer kopecks."}, **PAYMENTS
    )
    assert fact.status == 201
    assert names(door, "root") == ["backend", "payments", "web"]


def test_given_keys_of_single_projects_when_projects_are_listed_then_theirs_alone(door: Door):
    assert [names(door, who) for who in ("olga", "rita", "ida")] == [["backend"], ["backend"], []]
    door.give("both", "backend,web", principal="olga")
    assert names(door, "both") == ["backend"]  # she has no role in web


@pytest.mark.parametrize("who", ["olga", "vera", "mark", "rita", "ida"])
def test_given_no_key_of_all_projects_when_one_is_made_then_403(door: Door, who: str):
    reply = door.ask(who, "POST", "/projects", PAYMENTS)
    assert (reply.status, reply.body["code"]) == (403, "not_allowed")
    assert bootstrap.tenants().project("acme", "payments") is None


def test_given_a_key_of_all_projects_of_no_owner_of_all_when_it_makes_one_then_403(door: Door):
    door.give("wide", "*", principal="olga")
    reply = door.ask("wide", "POST", "/projects", PAYMENTS)
    assert (reply.status, reply.body["code"]) == (403, "not_allowed")


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({"project": "common"}, 422, "body.project"),
        ({"project": "Pay"}, 422, "body.project"),
        ({"project": "a" * 64}, 422, "body.project"),
        ({"project": "p", "profile": "extended"}, 422, "body.profile"),
        ({"project": "p", "display_name": "x" * 101}, 422, "body.display_name"),
        ({"project": "p", "display_name": "two\nlines"}, 422, "body.display_name"),
        ({"project": "p", "solo_publish": None}, 422, "body.solo_publish"),
        ({"project": "p", "owner": "x"}, 400, "body.owner"),
    ],
)
def test_given_a_bad_project_when_made_then_the_field_is_named_and_nothing_is_stored(
    door: Door, body: dict[str, Any], status: int, field: str
):
    before = door.service.rows()
    reply = door.ask("root", "POST", "/projects", body)
    assert (reply.status, reply.body["field"]) == (status, field), reply.text
    assert door.service.rows() == before


def test_given_a_plan_when_its_projects_are_used_up_then_the_next_is_refused_with_numbers(
    door: Door,
):
    bootstrap.tenants().set_tenant("acme", plan=str(Plan.TRIAL))
    assert PROJECTS[Plan.TRIAL] == 3
    assert door.ask("root", "POST", "/projects", {"project": "third"}).status == 201
    reply = door.ask("root", "POST", "/projects", {"project": "fourth"})
    assert (reply.status, reply.body["limit"], reply.body["actual"]) == (409, 3, 3)
    assert door.ask("root", "DELETE", "/projects/third", reason="done").status == 200
    assert door.ask("root", "POST", "/projects", {"project": "fourth"}).status == 201


def test_given_a_project_when_set_then_what_is_named_changes_and_the_rest_stays(door: Door):
    said = {"solo_publish": True, "secret_policy": "reject", "repository": "https://git/x"}
    assert door.ask("olga", "PATCH", "/projects/backend", said).status == 200
    assert door.ask("olga", "PATCH", "/projects/backend", {"repository": None}).status == 200
    shown = door.ask("rita", "GET", "/projects/backend").body
    assert (shown["solo_publish"], shown["secret_policy"]) == (True, "reject")
    assert "repository" not in shown
    assert door.ask("olga", "PATCH", "/projects/backend", {}).status == 422
    for who in ("vera", "mark", "rita"):
        assert door.ask(who, "PATCH", "/projects/backend", said).status == 403
    assert door.ask("ida", "PATCH", "/projects/backend", said).status == 404


def test_d32_given_equal_names_and_addresses_when_changed_then_the_id_alone_identifies(
    door: Door,
):
    same = {"display_name": "Backend", "repository": "https://git.example/backend"}
    door.ask("root", "POST", "/projects", {"project": "twin", **same})
    door.ask("olga", "PATCH", "/projects/backend", same)
    mine = door.ask("olga", "POST", "/remember", {"content": "Port is 8080."})
    theirs = door.ask("root", "POST", "/remember", {"content": "Port is 9090."}, project="twin")
    moved = {"display_name": "Renamed", "repository": "https://elsewhere.example/b"}
    assert door.ask("olga", "PATCH", "/projects/backend", moved).status == 200
    listed = door.ask("olga", "GET", "/facts").body["items"]
    assert [line["fact_id"] for line in listed] == [mine.body["fact"]["fact_id"]]
    listed = door.ask("root", "GET", "/facts", project="twin").body["items"]
    assert [line["fact_id"] for line in listed] == [theirs.body["fact"]["fact_id"]]


def test_given_a_project_when_handed_over_then_one_owner_goes_and_the_other_comes(door: Door):
    said = {"to": "mark", "reason": "He leads it now."}
    reply = door.ask("olga", "POST", "/projects/backend/transfer", said)
    assert (reply.status, reply.body["role"]) == (200, "owner")
    assert door.ask("mark", "PATCH", "/projects/backend", {"solo_publish": True}).status == 200
    assert door.ask("olga", "PATCH", "/projects/backend", {"solo_publish": True}).status == 403
    assert door.ask("olga", "POST", "/remember", {"content": "Still a member."}).status == 201


def test_given_a_project_when_handed_to_nobody_or_to_a_machine_then_refused(door: Door):
    door.give("bot", "backend", "read", kind="agent", operator="olga")
    answers = [
        door.ask("olga", "POST", "/projects/backend/transfer", {"to": to, "reason": "r"})
        for to in ("stranger", "bot", "olga")
    ]
    assert [(a.status, a.body["field"]) for a in answers[::2]] == [
        (404, "body.to"),
        (422, "body.to"),
    ]
    assert answers[1].status == 422
    assert door.ask("olga", "PATCH", "/projects/backend", {"solo_publish": True}).status == 200


def test_given_a_deleted_project_when_anything_is_asked_then_it_is_as_if_it_never_was(door: Door):
    fact = door.ask("olga", "POST", "/remember", {"content": "It was here."}).body["fact"]
    never = door.ask("root", "GET", f"/facts/{fact['fact_id']}", project="never")
    assert door.ask("olga", "DELETE", "/projects/backend", reason="done").status == 200
    for who, query in (("olga", {}), ("root", {"project": "backend"})):
        for method, path, body in (
            ("GET", f"/facts/{fact['fact_id']}", None),
            ("GET", "/facts", None),
            ("POST", "/search", {"query": "here"}),
            ("POST", "/context", {"query": "here"}),
            ("GET", "/budget", None),
            ("GET", "/review-queue", None),
            ("POST", "/remember", {"content": "Again."}),
            ("GET", "/projects/backend", None),
            ("DELETE", "/projects/backend", None),
        ):
            said = query if not path.startswith("/projects") else {}
            if method == "DELETE":
                said = {"reason": "again"}
            reply = door.ask(who, method, path, body, **said)
            assert (reply.status, reply.body["detail"]) == (404, never.body["detail"]), (who, path)
    assert names(door, "root") == ["web"]
    assert door.ask("root", "POST", "/projects", {"project": "backend"}).status == 409


def test_given_one_project_when_deleted_then_its_neighbours_keep_everything(door: Door):
    door.role("olga", "web", "owner")
    door.give("web", "web", principal="olga")
    kept = [
        door.ask("web", "POST", "/remember", {"content": f"Fact {n}."}).body["fact"]["fact_id"]
        for n in range(3)
    ]
    door.ask("olga", "POST", "/remember", {"content": "Fact 1."})
    door.ask("olga", "DELETE", "/projects/backend", reason="done")
    door.service.now += 120_000
    door.service.sweep()
    listed = door.ask("web", "GET", "/facts").body["items"]
    assert sorted(line["fact_id"] for line in listed) == sorted(kept)


def test_given_a_write_that_was_let_in_when_the_project_goes_then_it_is_404_and_unwritten(
    door: Door,
):
    context = door.passed("olga", "POST", "/remember", {})
    key = {"X-Idempotency-Key": "once"}
    said: dict[str, Any] = {"caller": context, "headers": key}
    assert door.service.remember("It is dry.", **said).status == 201
    door.ask("olga", "DELETE", "/projects/backend", reason="done")
    before = door.service.rows()
    assert door.service.remember("It is dry.", **said).status == 404  # nor is the answer told again
    assert door.service.remember("It is wet.", caller=context).status == 404
    assert door.service.rows() == before


def test_given_a_reason_with_a_secret_when_deleted_then_refused(door: Door):
    token = "gh" + "p_" + "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"[:36]
    reply = door.ask("olga", "DELETE", "/projects/backend", reason=token)
    assert (reply.status, reply.body["code"]) == (422, "secret_found")
    assert token not in reply.text
    assert door.ask("olga", "GET", "/projects/backend").status == 200
    assert door.ask("olga", "DELETE", "/projects/backend").body["field"] == "query.reason"


def test_given_two_at_once_when_they_make_one_project_then_one_does(service: Service):
    bootstrap.tenants().create_project("acme", "race", Profile.TRIAL, service.now)
    door = a_door(service)
    assert door.ask("root", "POST", "/projects", {"project": "race"}).status == 409
