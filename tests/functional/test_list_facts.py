"""GET /facts: complete pages, full pages, cursors that fit one query only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from muniment.domain.moments import DAY
from tests.builders import AGENT
from tests.functional.conftest import Service

CI = {"principal": "ci", "kind": "integration", "actions": "read,write"}


def pages(
    service: Service, between: Callable[[], Any] = lambda: None, **query: Any
) -> list[list[str]]:
    """Return the ids of each page to the end; `between` runs after every page."""
    found, cursor = [], None
    while True:
        reply = service.list(**query, **({"cursor": cursor} if cursor else {}))
        assert reply.status == 200, reply.text
        found.append([item["fact_id"] for item in reply.body["items"]])
        if (cursor := reply.body["next_cursor"]) is None:
            return found
        between()


def several(service: Service, count: int, **fields: Any) -> list[str]:
    ids = []
    for number in range(count):
        service.now += 1
        ids.append(service.a_fact(f"Fact {number} at {service.now}.", **fields))
    return ids


def test_given_facts_when_paged_while_others_are_written_then_none_is_missed_or_repeated(
    service: Service,
):
    start = several(service, 11)
    found = pages(service, lambda: several(service, 1, scope=f"s{service.now}"), limit="4")
    ids = [fact_id for page in found for fact_id in page]
    assert len(ids) == len(set(ids))
    assert ids[: len(start)] == start
    assert all(len(page) == 4 for page in found[:-1])


@pytest.mark.parametrize(("count", "sizes"), [(0, [0]), (4, [4]), (5, [5]), (6, [5, 1])])
def test_given_any_number_of_facts_when_paged_then_the_cursor_ends_with_them(
    service: Service, count: int, sizes: list[int]
):
    several(service, count)
    assert [len(page) for page in pages(service, limit="5")] == sizes


def test_given_few_matches_among_many_when_paged_then_pages_are_full(service: Service):
    wanted = []
    for _ in range(5):
        several(service, 3)
        wanted += several(service, 1, kind="rule", scope=f"s{service.now}")
    found = pages(service, kind="rule", limit="2")
    assert [len(page) for page in found] == [2, 2, 1]
    assert [fact_id for page in found for fact_id in page] == wanted


@pytest.mark.parametrize(
    "query",
    [
        {"kind": "rule"},
        {"state": "candidate"},
        {"min_trust": "human"},
        {"subject_id": "billing"},
        {"scope": "ops"},
    ],
)
def test_given_a_filter_when_listed_then_only_matches_come(service: Service, query: dict[str, str]):
    match = service.a_fact(
        "The one.", kind="rule", scope="ops", subject={"type": "service", "id": "billing"}
    )
    service.a_fact("Another.", caller=AGENT)
    found = pages(service, **query)
    assert match in found[0]
    assert len(found[0]) == (2 if "state" in query else 1)


def test_given_a_cursor_when_used_for_another_query_then_it_is_refused(service: Service):
    several(service, 3)
    several(service, 3, tenant="globex")
    cursor = service.list(limit="2").body["next_cursor"]
    for changed in (
        {"kind": "note"},
        {"layer": "objective"},
        {"audience": "private"},
        {"workplace": "office"},
        {"workspace": "second"},
        {"tenant": "globex"},
        {"projects": "backend,web", "project": "web"},
        {"cursor": cursor[:-3] + "AAA"},
        {"cursor": "nonsense"},
        {"cursor": ""},
    ):
        reply = service.list(**{"limit": "2", "cursor": cursor} | changed)
        assert (reply.status, reply.body["code"]) == (400, "cursor_mismatch"), changed
    assert service.list(limit="100", cursor=cursor).status == 200  # only the size may change


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": "0"}, "query.limit"),
        ({"limit": "101"}, "query.limit"),
        ({"limit": "many"}, "query.limit"),
        ({"kind": "gossip"}, "query.kind"),
        ({"kind[]": "rule"}, "query.kind[]"),
        ({"layer": "*"}, "query.layer"),
        ({"tenant_id": "globex"}, "query.tenant_id"),
        ({"session": "#"}, "query.session"),
    ],
)
def test_given_an_unknown_or_wrong_parameter_when_listed_then_it_is_named(
    service: Service, query: dict[str, str], field: str
):
    reply = service.call("list_facts", "GET", "/facts", query=query)
    assert reply.status in (400, 422)
    assert reply.body["field"] == field
    assert reply.body["limit"]


def test_given_an_end_when_listed_then_it_is_exact_to_the_millisecond(service: Service):
    fact_id = service.a_fact("Short.", expires_at="2026-05-28T20:26:41.000Z")
    service.now += 999
    assert pages(service) == [[fact_id]]
    service.now += 1
    assert pages(service) == [[]]


def test_given_facts_true_at_places_when_listed_then_only_what_is_true_here_comes(
    service: Service,
):
    everywhere = service.a_fact("Everywhere.")
    office = service.a_fact("Office.", valid_at={"workplace": "office"})
    laptop = service.a_fact("Laptop.", valid_at={"machine": "laptop"})
    assert pages(service) == [[everywhere]]
    assert pages(service, workplace="office") == [[everywhere, office]]
    assert pages(service, workplace="office", machine="laptop") == [[everywhere, office, laptop]]
    assert pages(service, workplace="home", machine="server") == [[everywhere]]


def test_given_layers_and_threads_when_listed_then_each_is_a_list_of_its_own(service: Service):
    repo = service.a_fact("R.")
    session = service.a_fact("S.", layer="session", session="s1")
    task = service.a_fact("T.", layer="task", task="t1")
    assert pages(service) == [[repo]]
    assert pages(service, layer="session", session="s1") == [[session]]
    assert pages(service, layer="session", session="s2") == pages(service, layer="session") == [[]]
    assert pages(service, layer="task", task="t1", session="s1") == [[task]]


def test_given_private_facts_when_listed_then_only_the_person_sees_them(service: Service):
    public, mine = service.a_fact("Public."), service.a_fact("Mine.", audience="private")
    assert pages(service) == [[public]]
    assert pages(service, audience="private") == [[mine]]
    assert pages(service, audience="private", caller=AGENT) == [[mine]]
    assert pages(service, audience="private", caller={**AGENT, "operator": "pavel"}) == [[]]
    reply = service.list(audience="private", caller=CI)
    assert (reply.status, reply.body["field"]) == (403, "query.audience")


def test_given_other_tenants_and_projects_when_listed_then_nothing_of_them_comes(service: Service):
    mine = service.a_fact("Mine.")
    theirs = service.a_fact("Theirs.", tenant="globex")
    webs = service.a_fact("Web's.", query={"project": "web"}, projects="backend,web")
    assert pages(service) == [[mine]]
    assert pages(service, tenant="globex") == [[theirs]]
    assert pages(service, projects="backend,web", project="web") == [[webs]]


def test_given_a_line_when_listed_then_it_tells_trust_state_and_author_but_no_statement(
    service: Service,
):
    service.a_fact("One. Two.", caller=AGENT, expires_at="2026-07-01T00:00:00Z")
    (line,) = service.list().body["items"]
    assert line["description"] == "One."
    assert "statement" not in line
    assert (line["trust"], line["state"], line["status"]) == ("agent", "candidate", "unverified")
    assert line["author"] == {"principal": "coder", "kind": "agent", "operator": "olga"}
    assert line["expires_at"] == "2026-07-01T00:00:00.000Z"


def test_given_a_fact_that_expired_long_ago_when_paged_then_the_page_behind_it_is_full(
    service: Service,
):
    several(service, 6, expires_at="2026-06-01T00:00:00Z")
    live = several(service, 4)
    service.now += 30 * DAY
    assert pages(service, limit="2") == [live[:2], live[2:]]
