"""Who may do what in a project, from one request to the next (rows W-30, M-43, I-03)."""

from __future__ import annotations

from typing import Any

import pytest

from muniment import bootstrap
from muniment.domain.moments import DAY, rfc3339
from tests.functional.conftest import Service
from tests.functional.door import Door, a_door

READS: tuple[Any, ...] = ("GET", "/facts", None)
WRITES: tuple[Any, ...] = ("POST", "/remember", {"content": "It is dry."})
REVIEWS: tuple[Any, ...] = ("GET", "/review-queue", None)
OWNS: tuple[Any, ...] = ("PUT", "/projects/backend/members/new", {"role": "reader"})
MEMBERS = "/projects/backend/members"


@pytest.fixture
def door(service: Service) -> Door:
    return a_door(service)


def statuses(door: Door, who: str) -> list[int]:
    return [door.ask(who, *asked).status for asked in (READS, WRITES, REVIEWS, OWNS)]


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        ("rita", [200, 403, 403, 403]),
        ("mark", [200, 201, 403, 403]),
        ("vera", [200, 201, 200, 403]),
        ("olga", [200, 201, 200, 200]),
        ("root", [400, 400, 400, 200]),  # which project? only the path says it
        ("ida", [404, 404, 404, 404]),
    ],
)
def test_given_a_role_when_its_person_asks_with_a_key_for_all_then_the_role_decides(
    door: Door, who: str, expected: list[int]
):
    assert statuses(door, who) == expected


def test_given_an_owner_when_their_key_may_only_read_then_the_key_decides(door: Door):
    door.give("narrow", "backend", "read", principal="olga")
    assert statuses(door, "narrow") == [200, 403, 403, 403]


def test_given_an_agent_when_its_operator_is_a_reader_then_it_may_do_no_more(door: Door):
    door.give("bot", "backend", "read,write", kind="agent", operator="rita")
    assert statuses(door, "bot") == [200, 403, 403, 403]
    door.role("rita", "backend", "member")
    assert statuses(door, "bot") == [200, 201, 403, 403]


def test_given_a_person_who_leaves_when_they_or_their_agents_ask_next_then_nothing_opens(
    door: Door,
):
    door.give("bot", "backend", "read,write", kind="agent", operator="mark")
    assert statuses(door, "bot")[:2] == [200, 201]
    gone = door.ask("olga", "DELETE", f"{MEMBERS}/mark")
    assert (gone.status, gone.body) == (200, {"principal": "mark", "removed": True})
    assert statuses(door, "mark") == [404, 404, 404, 404]
    assert statuses(door, "bot") == [404, 404, 403, 403]  # its key never had those actions
    assert door.ask("olga", "DELETE", f"{MEMBERS}/mark").status == 404
    door.ask("olga", "PUT", f"{MEMBERS}/mark", {"role": "reader"})
    assert statuses(door, "mark") == [200, 403, 403, 403]


def test_given_an_integration_when_it_asks_then_its_key_is_all_it_has(door: Door):
    door.give("ci", "backend", "read,write", kind="integration")
    assert statuses(door, "ci") == [200, 201, 403, 403]


def test_given_a_role_with_an_end_when_it_comes_then_the_role_is_as_if_it_never_was(door: Door):
    ends = door.service.now + DAY
    said = {"role": "reviewer", "until": rfc3339(ends)}
    reply = door.ask("olga", "PUT", f"{MEMBERS}/ida", said)
    assert (reply.status, reply.body["until"]) == (200, rfc3339(ends))
    door.service.now = ends - 1
    assert door.ask("ida", *REVIEWS).status == 200
    door.service.now = ends
    assert statuses(door, "ida") == [404, 404, 404, 404]
    shown = [m for m in door.ask("olga", "GET", MEMBERS).body["items"] if m["principal"] == "ida"]
    assert [(m["role"], m["live"]) for m in shown] == [("reviewer", False)]


def test_given_members_when_listed_then_each_role_says_who_gave_it(door: Door):
    door.ask("olga", "PUT", f"{MEMBERS}/ida", {"role": "member"})
    told = {
        m["principal"]: (m["role"], m["everywhere"], m["granted_by"])
        for m in door.ask("rita", "GET", MEMBERS).body["items"]
    }
    assert told["ida"] == ("member", False, "olga")
    assert told["root"] == ("owner", True, "operator")
    assert set(told) == {"ida", "mark", "olga", "rita", "root", "vera"}


@pytest.mark.parametrize("path", [f"{MEMBERS}/olga", f"{MEMBERS}/root"])
def test_given_an_owner_of_one_project_when_an_owner_of_all_is_there_then_they_stay_above(
    door: Door, path: str
):
    assert door.ask("olga", "PUT", f"{MEMBERS}/root", {"role": "reader"}).status == 200
    door.give("root_here", "backend", principal="root")
    assert statuses(door, "root_here") == [200, 201, 200, 200]
    assert door.ask("root", "DELETE", f"{MEMBERS}/olga").status == 200


def test_given_the_last_owner_when_demoted_removed_or_limited_then_409_and_they_stay(door: Door):
    bootstrap.tenants().keep(
        "acme", bootstrap.tenants().member("acme", "root").with_role("*", None)
    )
    end = rfc3339(door.service.now + DAY)
    for method, body in (
        ("DELETE", None),
        ("PUT", {"role": "reviewer"}),
        ("PUT", {"role": "owner", "until": end}),
    ):
        reply = door.ask("olga", method, f"{MEMBERS}/olga", body)
        assert (reply.status, reply.body["code"]) == (409, "conflict")
    assert door.ask("olga", "PUT", f"{MEMBERS}/vera", {"role": "owner", "until": end}).status == 200
    assert door.ask("olga", "DELETE", f"{MEMBERS}/olga").status == 409  # an end does not count
    assert door.ask("olga", "PUT", f"{MEMBERS}/vera", {"role": "owner"}).status == 200
    assert door.ask("olga", "DELETE", f"{MEMBERS}/olga").status == 200
    assert statuses(door, "olga") == [404, 404, 404, 404]


def test_given_two_owners_when_both_leave_at_once_then_one_stays(door: Door):
    tenants = bootstrap.tenants()
    tenants.keep("acme", tenants.member("acme", "root").with_role("*", None))
    door.role("vera", "backend", "owner")
    known = tenants.members("acme")

    with pytest.MonkeyPatch.context() as patch:  # both read before either wrote
        patch.setattr(tenants, "members", lambda tenant: known)
        answers = [door.ask(who, "DELETE", f"{MEMBERS}/{who}").status for who in ("olga", "vera")]
    assert answers == [200, 503]
    owners = [m for m in tenants.members("acme") if m.owns_for_good("backend", door.service.now)]
    assert [m.principal for m in owners] == ["vera"]


@pytest.mark.parametrize(
    ("principal", "body", "status", "field"),
    [
        ("ida", {"role": "boss"}, 400, "body.role"),
        ("ida", {"role": "reader", "until": "2001-01-01T00:00:00Z"}, 422, "body.until"),
        ("ida", {"role": "reader", "until": "tomorrow"}, 400, "body.until"),
        ("ida", {}, 400, "body.role"),
        ("Ida", {"role": "reader"}, 422, "path.principal"),
        ("x" * 64, {"role": "reader"}, 422, "path.principal"),
        ("bot", {"role": "reader"}, 422, "path.principal"),
    ],
)
def test_given_a_bad_role_when_set_then_the_field_is_named_and_nothing_is_stored(
    door: Door, principal: str, body: dict[str, Any], status: int, field: str
):
    door.give("bot", "backend", "read", kind="agent", operator="olga")
    before = door.service.rows()
    reply = door.ask("olga", "PUT", f"{MEMBERS}/{principal}", body)
    assert (reply.status, reply.body.get("field")) == (status, field), reply.text
    assert door.service.rows() == before
