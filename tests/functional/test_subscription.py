"""A subscription lapses by the clock: read-only for 14 days, then closed (W-52, W-53, D-21)."""

from __future__ import annotations

import pytest

from muniment import bootstrap, cli
from muniment.domain.moments import DAY, rfc3339
from tests.functional.conftest import Service
from tests.functional.door import Door, a_door

READS = (
    ("GET", "/facts", None),
    ("POST", "/search", {"query": "dry"}),
    ("POST", "/context", {"query": "dry"}),
    ("GET", "/budget", None),
    ("GET", "/review-queue", None),
    ("GET", "/projects/backend/members", None),
    ("GET", "/keys", None),
)
WRITES = (
    ("POST", "/remember", {"content": "It is wet."}),
    ("POST", "/forget", {"source_id": "docs/x.md"}),
    ("PATCH", "/projects/backend", {"solo_publish": True}),
    ("PUT", "/projects/backend/members/new", {"role": "reader"}),
    ("POST", "/keys", {"principal": "x", "kind": "integration"}),
)


@pytest.fixture
def door(service: Service) -> Door:
    door = a_door(service)
    door.ask("olga", "POST", "/remember", {"content": "It is dry."})
    return door


def codes(door: Door, asked) -> set[str]:
    return {door.ask("olga", *one).body.get("code", "served") for one in asked}


def test_given_a_subscription_when_it_lapses_then_reading_goes_on_for_14_days(door: Door):
    paid_until = door.service.now + DAY
    bootstrap.tenants().set_tenant("acme", paid_until=paid_until)
    for moment, reads, writes in (
        (paid_until - 1, {"served"}, "not read_only"),
        (paid_until, {"served"}, {"read_only"}),
        (paid_until + 14 * DAY - 1, {"served"}, {"read_only"}),
        (paid_until + 14 * DAY, {"subscription_closed"}, {"subscription_closed"}),
    ):
        door.service.now = moment
        assert codes(door, READS) == reads
        if isinstance(writes, set):
            before = door.service.rows()
            assert codes(door, WRITES) == writes
            assert door.service.rows() == before
        else:
            assert "read_only" not in codes(door, WRITES)


def test_given_a_closed_subscription_when_renewed_then_everything_is_there_at_once(door: Door):
    bootstrap.tenants().set_tenant("acme", paid_until=door.service.now - 20 * DAY)
    assert door.ask("olga", *READS[0]).status == 403
    assert cli.main(["tenant", "set", "acme", "--paid-until", "never"]) == 0
    (line,) = door.ask("olga", *READS[0]).body["items"]
    assert line["description"] == "It is dry."


def test_given_the_grace_when_a_key_leaks_then_it_can_still_be_rotated_and_revoked(door: Door):
    key_id = door.give("leaked", "backend", "read", principal="olga")
    bootstrap.tenants().set_tenant("acme", paid_until=door.service.now)
    assert door.ask("olga", "POST", f"/keys/{key_id}/rotate", {}).status == 201
    assert door.ask("olga", "DELETE", f"/keys/{key_id}").status == 200


def test_given_one_tenant_when_it_lapses_then_its_neighbour_does_not_notice(door: Door):
    other = a_door(door.service, "globex")
    bootstrap.tenants().set_tenant("acme", paid_until=0)
    assert other.ask("olga", "POST", "/remember", {"content": "It is wet."}).status == 201


def test_given_an_operator_when_a_tenant_is_set_and_shown_then_moments_are_told(
    door: Door, capsys: pytest.CaptureFixture[str]
):
    until = rfc3339(door.service.now + DAY)
    said = ["tenant", "set", "acme", "--paid-until", until, "--plan", "lean"]
    assert cli.main(said) == 0
    told = capsys.readouterr().out
    assert "lean" in told
    assert until in told
    assert rfc3339(door.service.now + 15 * DAY) in told
    assert door.passed("olga", "GET", "/facts", {})["plan"] == "lean"
    assert cli.main(["tenant", "set", "acme", "--paid-until", "soon"]) == 1
    assert cli.main(["tenant", "set", "acme"]) == 1
    assert cli.main(["tenant", "set", "nobody", "--plan", "lean"]) == 1
    assert "nobody" in capsys.readouterr().err


def test_given_a_tenant_that_is_not_there_when_its_key_is_sent_then_denied(door: Door):
    pk = {"pk": {"S": "TENANT#acme"}, "sk": {"S": "META"}}
    door.service.client.delete_item(TableName="Memory", Key=pk)
    assert door.ask("olga", "GET", "/facts").status == 403
