"""Every condition of the writes about tenants, projects, people and keys, each provoked alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from muniment import bootstrap
from muniment.domain.caller import Action, PrincipalKind
from muniment.domain.errors import Busy, Conflict, NotFound
from muniment.domain.keys import ApiKey
from muniment.domain.membership import Member, Membership, Role
from muniment.domain.projects import Held
from tests.builders import NOW
from tests.functional.conftest import Service

OLGA = Member("olga", roles={"backend": Membership(Role.OWNER)})
HELD = Held("backend", "01KSR492000000000000000000", NOW)
KEY = ApiKey(
    key_id="k1",
    tenant="acme",
    principal="ci",
    kind=PrincipalKind.INTEGRATION,
    operator=None,
    projects=("backend",),
    actions=frozenset({Action.READ}),
    created_at=NOW,
)


@pytest.fixture
def tenants(service: Service) -> Any:
    return bootstrap.tenants()


def test_given_a_deleted_project_when_deleted_again_then_the_first_stays(
    service: Service, tenants: Any
):
    tenants.delete_project("acme", "backend", by="olga", reason="first", now=NOW)
    before = service.rows()
    with pytest.raises(NotFound):
        tenants.delete_project("acme", "backend", by="vera", reason="second", now=NOW + 1)
    assert service.rows() == before


def test_given_no_project_when_deleted_then_none_is_made_up(service: Service, tenants: Any):
    before = service.rows()
    with pytest.raises(NotFound):
        tenants.delete_project("acme", "never", by="olga", reason="r", now=NOW)
    assert service.rows() == before


@pytest.mark.parametrize("project", ["never", "backend"])
def test_given_no_living_project_when_set_then_nothing_is_written(
    service: Service, tenants: Any, project: str
):
    tenants.delete_project("acme", "backend", by="olga", reason="r", now=NOW)
    before = service.rows()
    with pytest.raises(NotFound):
        tenants.set_project("acme", project, {"solo_publish": True})
    assert service.rows() == before


def test_given_nothing_to_sweep_when_swept_then_none_is_made_up(service: Service, tenants: Any):
    before = service.rows()
    with pytest.raises(Exception, match="condition"):
        tenants.swept("acme", "backend", NOW)
    assert service.rows() == before


def test_given_no_line_of_the_ledger_when_released_then_none_is_made_up(
    service: Service, tenants: Any
):
    before = service.rows()
    with pytest.raises(Exception, match="condition"):
        tenants.release_hold("acme", HELD, by="root", reason="r", now=NOW)
    assert service.rows() == before


def test_given_a_released_hold_when_listed_again_then_the_line_stays_released(tenants: Any):
    tenants.list_hold("acme", HELD)
    tenants.release_hold("acme", HELD, by="root", reason="r", now=NOW)
    tenants.list_hold("acme", replace(HELD, listed_at=NOW + 1))
    tenants.release_hold("acme", HELD, by="other", reason="again", now=NOW + 2)
    (line,) = tenants.holds("acme")
    assert line == replace(HELD, released_at=NOW, released_by="root", reason="r")


def test_given_a_member_who_changed_when_kept_as_they_were_then_busy(tenants: Any):
    tenants.keep("acme", OLGA)
    seen = tenants.member("acme", "olga")
    tenants.keep("acme", seen.with_role("web", Membership(Role.READER)))
    with pytest.raises(Busy):
        tenants.keep("acme", seen.with_role("web", None))
    with pytest.raises(Busy):
        tenants.keep("acme", OLGA)  # as if she were new
    with pytest.raises(Busy):
        tenants.keep("acme", Member("vera"), needing=seen)
    assert tenants.member("acme", "vera") is None
    assert set(tenants.member("acme", "olga").roles) == {"backend", "web"}


@pytest.mark.parametrize("spoil", ["rotate", "revoke"])
def test_given_a_key_that_ended_when_rotated_as_it_was_then_409(
    service: Service, tenants: Any, spoil: str
):
    tenants.add_key(KEY, "a" * 64)
    if spoil == "rotate":
        tenants.rotate(KEY, replace(KEY, key_id="k2"), "b" * 64, NOW + 1)
    else:
        tenants.revoke("acme", "k1", NOW)
    before = service.rows()
    with pytest.raises(Conflict):
        tenants.rotate(KEY, replace(KEY, key_id="k3"), "c" * 64, NOW + 9)
    assert service.rows() == before


@pytest.mark.parametrize(("key_id", "sha256"), [("k1", "b" * 64), ("k2", "a" * 64)])
def test_given_a_key_when_its_id_or_secret_is_taken_by_a_rotation_then_refused(
    service: Service, tenants: Any, key_id: str, sha256: str
):
    tenants.add_key(KEY, "a" * 64)
    other = replace(KEY, key_id="k9", principal="cd")
    tenants.add_key(other, "9" * 64)
    before = service.rows()
    with pytest.raises(Conflict):
        tenants.rotate(other, replace(other, key_id=key_id), sha256, NOW + 1)
    assert service.rows() == before


def test_given_no_tenant_when_set_then_none_is_made_up(service: Service, tenants: Any):
    before = service.rows()
    with pytest.raises(NotFound):
        tenants.set_tenant("nobody", paid_until=NOW)
    assert service.rows() == before


def test_given_a_principal_of_one_kind_when_a_key_names_another_then_conflict(tenants: Any):
    tenants.add_key(KEY, "a" * 64)
    bot = replace(KEY, key_id="k2", kind=PrincipalKind.AGENT, operator="olga")
    for wanted in (bot, replace(KEY, key_id="k3", kind=PrincipalKind.HUMAN)):
        with pytest.raises(Conflict):
            tenants.add_key(wanted, "b" * 64)


def test_given_a_quoting_head_that_moved_on_when_a_quote_is_taken_out_then_nothing_else_goes(
    service: Service,
):
    quotes = [{"quote": "the code is swordfish", "locator": "docs/a.md"}]
    made = service.record(citations=quotes, layer="task", task="t1")
    fact_id = made.body["fact"]["fact_id"]
    erasure = bootstrap.erasure()
    stale = bootstrap.facts().head("acme", fact_id)
    later = [*quotes, {"quote": "quite another matter", "locator": "docs/b.md"}]
    revised = service.call(
        "revise_fact",
        "POST",
        f"/facts/{fact_id}/revisions",
        {"citations": later, "reason": "more", "expected_revision": 1},
    )
    assert revised.status == 200, revised.text
    erasure._unquote_head(stale, ["the code is swordfish"])  # type: ignore[attr-defined]
    shown = service.get(fact_id).body["fact"]["citations"]
    assert [c.get("quote") for c in shown] == [None, "quite another matter"]
