"""Keys over the API: who makes, sees, rotates and revokes which (rows W-27, W-28, I-03, D09)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from muniment.domain.moments import DAY, HOUR
from tests.functional.conftest import Service
from tests.functional.door import Door, a_door, a_project

HERE = {"projects": ["backend"], "actions": ["read"]}
BOT = {"principal": "bot", "kind": "agent", "operator": "mark", **HERE}
CI = {"principal": "ci", "kind": "integration", **HERE}
NEW = {"principal": "new", "kind": "human", **HERE}


@pytest.fixture
def door(service: Service) -> Door:
    return a_door(service)


def listed(door: Door, who: str) -> set[str]:
    return {item["principal"] for item in door.ask(who, "GET", "/keys").body["items"]}


def test_given_a_member_when_they_make_a_key_for_their_agent_then_it_works(door: Door):
    made = door.make("mark", **BOT)
    assert made.status == 201, made.text
    assert (made.body["state"], made.body["made_by"]) == ("live", "mark")
    assert door.ask("bot", "GET", "/facts").status == 200
    assert door.ask("bot", "POST", "/remember", {"content": "x"}).status == 403


def test_given_a_new_key_when_stored_then_its_secret_is_nowhere_but_in_the_answer(door: Door):
    secret = door.make("mark", **BOT).body["key"].split("_")[2]
    rows = json.dumps(door.service.rows(), default=str)
    assert secret[:8] not in rows
    assert secret[:8] not in door.ask("mark", "GET", "/keys").text


@pytest.mark.parametrize(
    ("who", "body", "status"),
    [
        ("mark", BOT, 201),
        ("mark", {**NEW, "principal": "mark", "actions": ["read", "write"]}, 201),
        ("mark", {**NEW, "principal": "mark", "actions": ["review"]}, 403),
        ("olga", BOT, 403),  # it would read mark's private memory
        ("olga", CI, 201),
        ("mark", CI, 403),
        ("olga", {**NEW, "principal": "ida2"}, 404),  # nobody of that name yet
        ("olga", {**NEW, "principal": "vera"}, 403),  # she has a key: the next is hers to make
        ("root", {**NEW, "principal": "vera"}, 403),
        ("olga", {**CI, "projects": ["web"]}, 404),
        ("olga", {**CI, "projects": ["backend", "never"]}, 404),
        ("olga", {**CI, "projects": ["*"]}, 403),
        ("root", {**CI, "projects": ["*"]}, 201),
        ("root", {**CI, "projects": ["backend", "web"]}, 201),
        ("root", {**CI, "projects": ["never"]}, 404),
        ("root", {**CI, "projects": ["*", "web"]}, 422),
        ("olga", {**CI, "actions": ["review"]}, 422),
        ("olga", {**BOT, "operator": "olga", "actions": ["own"]}, 422),
        ("olga", {**BOT, "operator": None}, 422),
        ("olga", {**CI, "operator": "olga"}, 422),
        ("olga", {**CI, "expires_in_days": 0}, 422),
        ("olga", {**CI, "expires_in_days": 3_651}, 422),
        ("olga", {**CI, "actions": []}, 422),
        ("olga", {**CI, "principal": "Ci!"}, 422),
        ("olga", {**CI, "principal": "mark"}, 409),  # a person's name
        ("ida", {**BOT, "operator": "ida"}, 404),
    ],
    ids=str,
)
def test_given_somebody_when_they_ask_for_a_key_then_they_get_it_or_nothing_is_stored(
    door: Door, who: str, body: dict[str, Any], status: int
):
    before = door.service.rows()
    reply = door.make(who, **body)
    assert reply.status == status, reply.text
    assert (door.service.rows() == before) == (status != 201)


def test_given_a_new_person_when_an_owner_makes_their_first_key_then_the_second_is_their_own(
    door: Door,
):
    door.ask("olga", "PUT", "/projects/backend/members/new", {"role": "member"})
    assert door.make("olga", **NEW).status == 201
    assert door.make("olga", **NEW).status == 403
    assert door.make("new", **NEW).status == 201
    too_much = {**NEW, "actions": ["read", "review"]}
    assert door.make("new", **too_much).status == 403  # their key can only read


def test_given_a_key_with_an_end_when_it_makes_keys_then_none_outlives_it(door: Door):
    door.give("brief", "backend", principal="olga", expires_at=door.service.now + 30 * DAY)
    assert door.make("brief", **CI).status == 403
    assert door.make("brief", **CI, expires_in_days=31).status == 403
    assert door.make("brief", **CI, expires_in_days=30).status == 201


@pytest.mark.parametrize("kind", ["agent", "integration"])
def test_given_a_machine_when_it_asks_for_keys_then_it_gets_and_sees_none(door: Door, kind: str):
    operator = {"operator": "olga"} if kind == "agent" else {}
    key_id = door.give("machine", "backend", "read,write", kind=kind, **operator)
    assert door.make("machine", **CI).status == 403
    assert listed(door, "machine") == set()
    assert door.ask("machine", "POST", f"/keys/{key_id}/rotate", {}).status == 404
    assert door.ask("machine", "DELETE", f"/keys/{key_id}").status == 404


def test_given_keys_when_listed_then_ones_own_and_those_of_projects_one_owns(door: Door):
    a_project("acme", "other", door.service.now)
    door.role("vera", "other", "owner")
    door.give("vera2", "other", principal="vera")
    door.make("mark", **BOT)
    assert listed(door, "mark") == {"mark", "bot"}
    assert listed(door, "rita") == {"rita"}
    assert listed(door, "vera2") == {"vera"}
    assert listed(door, "olga") == {"olga", "vera", "mark", "rita", "ida", "bot"}
    assert listed(door, "root") >= {"root", "vera", "bot"}


def test_given_a_key_when_rotated_then_both_work_until_the_overlap_ends(door: Door):
    old = door.make("mark", **BOT).body
    text, now = door.keys["bot"], door.service.now
    newer = door.ask("mark", "POST", f"/keys/{old['key_id']}/rotate", {"overlap_hours": 2})
    assert (newer.status, newer.body["replaces"]) == (201, old["key_id"])
    assert newer.body["actions"] == old["actions"]
    for moment, expected in ((now + 2 * HOUR - 1, [200, 200]), (now + 2 * HOUR, [403, 200])):
        door.service.now = moment
        answers = [door.ask(key, "GET", "/facts").status for key in (text, newer.body["key"])]
        assert answers == expected


def test_given_a_key_when_rotated_with_no_overlap_then_the_old_one_is_dead_at_once(door: Door):
    old = door.make("mark", **BOT).body
    newer = door.ask("mark", "POST", f"/keys/{old['key_id']}/rotate", {"overlap_hours": 0})
    assert door.ask("bot", "GET", "/facts").status == 403
    assert door.ask(newer.body["key"], "GET", "/facts").status == 200


def test_given_a_key_when_rotated_again_or_after_its_end_then_409(door: Door):
    old = door.make("mark", **BOT, expires_in_days=10).body
    path = f"/keys/{old['key_id']}/rotate"
    newer = door.ask("mark", "POST", path, {})
    assert newer.body["expires_at"] == old["expires_at"]  # a rotation prolongs nothing
    again = door.ask("mark", "POST", path, {"overlap_hours": 168})
    assert (again.status, again.body["code"]) == (409, "conflict")
    door.service.now += DAY
    assert door.ask("bot", "GET", "/facts").status == 403  # nor did the second attempt
    door.service.now += 10 * DAY
    assert door.ask("mark", "POST", f"/keys/{newer.body['key_id']}/rotate", {}).status == 409


def test_given_somebody_elses_key_when_rotated_by_an_owner_then_403_but_revoked_it_is(door: Door):
    key_id = door.make("mark", **BOT).body["key_id"]
    for who, status in (("rita", 404), ("vera", 404), ("olga", 403), ("root", 403)):
        assert door.ask(who, "POST", f"/keys/{key_id}/rotate", {}).status == status
    assert door.ask("rita", "DELETE", f"/keys/{key_id}").status == 404
    assert door.ask("bot", "GET", "/facts").status == 200
    gone = door.ask("olga", "DELETE", f"/keys/{key_id}")
    assert (gone.status, gone.body["state"]) == (200, "revoked")
    assert door.ask("bot", "GET", "/facts").status == 403
    assert door.ask("olga", "DELETE", f"/keys/{key_id}").body == gone.body


def test_given_a_key_of_two_projects_when_an_owner_of_one_revokes_it_then_403(door: Door):
    a_project("acme", "other", door.service.now)
    key_id = door.give("wide", "backend,other", "read", kind="integration")
    reply = door.ask("olga", "DELETE", f"/keys/{key_id}")
    assert (reply.status, reply.body["code"]) == (403, "not_allowed")
    assert door.ask("root", "DELETE", f"/keys/{key_id}").status == 200


def test_given_another_tenants_key_when_named_then_it_is_as_if_it_never_was(door: Door):
    other = a_door(door.service, "globex")
    theirs = other.make("olga", **CI).body["key_id"]
    for key_id in (theirs, "k" * 10, "x" * 80):
        for method, path, body in (
            ("POST", f"/keys/{key_id}/rotate", {}),
            ("DELETE", f"/keys/{key_id}", None),
        ):
            reply = door.ask("root", method, path, body)
            assert (reply.status, reply.body["detail"]) == (404, "no such key")
    assert other.ask("ci", "GET", "/facts").status == 200


def test_given_a_leaked_key_that_can_only_read_when_it_closes_stronger_ones_then_403(door: Door):
    leaked = door.give("leaked", "backend", "read", principal="olga")
    (mine,) = [
        item["key_id"]
        for item in door.ask("olga", "GET", "/keys").body["items"]
        if item["principal"] == "olga" and item["key_id"] != leaked
    ]
    assert door.ask("leaked", "DELETE", f"/keys/{mine}").body["code"] == "not_allowed"
    assert door.ask("leaked", "POST", f"/keys/{mine}/rotate", {}).body["code"] == "not_allowed"
    assert door.ask("olga", "GET", "/facts").status == 200
    assert door.ask("olga", "DELETE", f"/keys/{leaked}").status == 200
    assert door.ask("leaked", "GET", "/facts").status == 403


def test_given_a_person_who_was_demoted_when_they_close_their_old_key_then_it_is_closed(door: Door):
    old = door.give("old", "backend", principal="mark")
    door.role("mark", "backend", "reader")
    assert door.ask("mark", "DELETE", f"/keys/{old}").body["state"] == "revoked"


def test_given_a_person_known_by_their_agent_when_an_owner_makes_their_key_then_403(door: Door):
    door.role("quiet", "backend", "member")
    door.give("quiet_bot", "backend", "read,write", kind="agent", operator="quiet")
    wanted = {**NEW, "principal": "quiet"}
    assert door.make("olga", **wanted).status == 403  # it would read what the agent kept for them


def test_given_an_owners_key_that_only_owns_when_it_closes_a_members_key_then_it_does(door: Door):
    door.give("narrow", "backend", "own,read", principal="olga")
    key_id = door.make("mark", **{**BOT, "actions": ["read", "write"]}).body["key_id"]
    assert door.ask("narrow", "DELETE", f"/keys/{key_id}").body["state"] == "revoked"
