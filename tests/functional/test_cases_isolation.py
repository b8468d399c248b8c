"""Cases D08 to D10 from the field: names that look alike, doors without a key, scope in a body."""

from __future__ import annotations

import json
from typing import Any

import pytest

from muniment.api.openapi import FILE
from muniment.domain.moments import DAY
from tests.functional.conftest import Service
from tests.functional.door import BASE, Door, a_door, a_project
from tests.isolation.entries import ENTRIES, OPEN, PATH
from tests.isolation.probing import Filling

ALIKE = ("a", "a1", "a-1")
UNLIKE = ("A", "а", "a_1", "a#1", "a ", "*", "")
SAID = "The port of the service is 8080."


@pytest.fixture
def door(service: Service) -> Door:
    door = a_door(service)
    for project in ALIKE:
        a_project("acme", project, service.now)
        door.role("olga", project, "owner")
        door.give(project, project, principal="olga")
    return door


def listed(door: Door, who: str, **query: str) -> list[str]:
    reply = door.ask(who, "GET", "/facts", **query)
    return [line["fact_id"] for line in reply.body["items"]]


def test_d08_given_projects_named_alike_when_written_and_read_then_each_has_its_own(door: Door):
    ids = {p: door.ask(p, "POST", "/remember", {"content": SAID}).body for p in ALIKE}
    assert [told["repeat"] for told in ids.values()] == [False] * 3  # three facts, not one
    door.service.index()
    for project, told in ids.items():
        mine = [told["fact"]["fact_id"]]
        found = door.ask(project, "POST", "/search", {"query": SAID}).body["items"]
        assert [item["fact"]["fact_id"] for item in found] == mine
        assert listed(door, project) == mine
    door.ask("a", "DELETE", f"/facts/{ids['a']['fact']['fact_id']}")
    assert [len(listed(door, project)) for project in ALIKE] == [0, 1, 1]


def test_d08_given_names_of_other_letters_when_asked_for_then_there_is_no_such_project(door: Door):
    door.give("wide", "*", principal="root")
    for name in UNLIKE:
        for who in ("a", "wide"):
            reply = door.ask(who, "GET", "/facts", project=name)
            assert (reply.status, reply.body["detail"]) == (404, "no such project"), (who, name)
        made = door.ask("root", "POST", "/projects", {"project": name})
        assert (made.status, made.body["field"]) == (422, "body.project"), name
    assert door.ask("wide", "GET", "/facts", project="a").status == 200


def routes() -> list[tuple[str, str]]:
    paths = json.loads(FILE.read_text("utf-8"))["paths"]
    found = [(m.upper(), path.removeprefix(BASE)) for path, ms in paths.items() for m in ms]
    return [(m, path) for m, path in found if f"{m} {path}" not in OPEN]


NOBODY = "01J0000000000000000000000Z"
PLAIN = Filling(
    {
        **dict.fromkeys(("$FACT", "$OWN", "$CONTEXT"), NOBODY),
        **dict.fromkeys(("$MARK", "$SAID", "$NEW", "$IDEM", "$TOKEN", "$KEY"), "x"),
        "$PROJECT": "backend",
        "$PERSON": "mark",
    }
)


def knock(door: Door, who: str, method: str, path: str, **query: str) -> Any:
    """Send a request that the route would take."""
    probes = ENTRIES[f"{method} {path}"]
    probe = next(p for p in probes if "$CURSOR" not in p.query.values())
    for name, slot in PATH.items():
        path = path.replace(name, PLAIN.filled(slot))
    said = PLAIN.filled(probe.query)
    return door.ask(who, method, path, PLAIN.filled(probe.body), **said, **query)


@pytest.mark.parametrize(("method", "path"), routes())
def test_d09_given_any_route_when_knocked_with_a_bad_key_then_nobody_is_let_in(
    door: Door, method: str, path: str
):
    revoked = door.give("revoked", "backend", principal="olga")
    door.ask("olga", "DELETE", f"/keys/{revoked}")
    door.give("expired", "backend", principal="olga", expires_at=door.service.now - DAY)
    door.give("foreign", "web", principal="olga")
    before = door.service.rows()
    for who in ("revoked", "expired", "garbage", "mun_" + "x" * 49):
        assert knock(door, who, method, path).body == {"code": "access_denied"}
    with pytest.raises(Exception, match=r"^Unauthorized$"):
        knock(door, "", method, path)
    if "project" not in path and not path.startswith(("/keys", "/holds")):
        reply = knock(door, "foreign", method, path, project="backend")
        assert (reply.status, reply.body["detail"]) == (404, "no such project")
    assert door.service.rows() == before


def test_d09_given_a_good_key_when_it_knocks_then_it_is_let_in(door: Door):
    assert knock(door, "olga", "GET", "/facts").status == 200


FOREIGN = ({"project": "web"}, {"project_id": "web"}, {"tenant": "globex"}, {"tenant_id": "globex"})
MORE = ({"namespace": "web"}, {"owner": "boris"}, {"owner_ids": ["boris"]}, {"memory_id": "*"})


@pytest.mark.parametrize("said", [*FOREIGN, *MORE], ids=str)
def test_d10_given_a_scope_of_somebody_else_when_in_body_query_or_header_then_it_is_not_taken(
    door: Door, said: dict[str, Any]
):
    other = a_door(door.service, "globex")
    other.ask("olga", "POST", "/remember", {"content": SAID})
    mine = door.ask("olga", "POST", "/remember", {"content": "Mine alone."}).body["fact"]["fact_id"]
    for path, body in (("/search", {"query": SAID}), ("/remember", {"content": SAID})):
        reply = door.ask("olga", "POST", path, body | said)
        assert (reply.status, reply.body["code"]) == (400, "malformed")
        assert reply.body["field"] == f"body.{next(iter(said))}"
    flat = {name: str(value) for name, value in said.items()}
    assert door.ask("olga", "GET", "/facts", **flat).status in (400, 404)
    headers = {f"X-{name.replace('_', '-')}": value for name, value in flat.items()}
    reply = door.ask("olga", "GET", "/facts", headers=headers)
    assert [line["fact_id"] for line in reply.body["items"]] == [mine]


@pytest.mark.parametrize("project", ["*", "", "backend,web", '["web"]', "../web", "backend#web"])
def test_d10_given_a_wildcard_or_a_list_when_chosen_as_project_then_404(door: Door, project: str):
    for who in ("olga", "root"):
        assert door.ask(who, "GET", "/facts", project=project).status == 404
