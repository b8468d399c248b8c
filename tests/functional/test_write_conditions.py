"""Every condition of every conditional write, each provoked alone.

Several conditions guard one write, so a race that people can cause breaks more than one of them.
Here one row is changed behind the writer's back, between its reading and its writing.
"""

from __future__ import annotations

from typing import Any

import pytest

from muniment import bootstrap
from muniment.adapters.keyspace import Key, grave_key, head_key, revision_key
from muniment.domain.budget import Profile
from muniment.domain.caller import Action, PrincipalKind
from muniment.domain.change import grave_value
from muniment.domain.errors import Busy, Conflict, NotFound
from muniment.domain.keys import ApiKey
from tests.builders import NOW
from tests.functional.authority import (  # noqa: F401
    BORIS,
    CODER,
    EDITOR,
    OLGA,
    VERA,
    Desk,
    a_desk,
    meanwhile,
)

ID = "01KSR492000000000000000000"
SAID = "Port is 8080."


def raw(desk: Desk, key: Key) -> dict[str, Any] | None:
    """Return a row in DynamoDB's own form."""
    row = desk.client.get_item(TableName="Memory", Key={"pk": {"S": key[0]}, "sk": {"S": key[1]}})
    found: dict[str, Any] | None = row.get("Item")
    return found


def change(key: Key, **values: Any) -> None:
    names = {f"#{n}": name for n, name in enumerate(values)}
    setting = ", ".join(f"{short} = :{n}" for n, short in enumerate(names))
    said = {f":{n}": value for n, value in enumerate(values.values())}
    bootstrap._table().update(key, f"SET {setting}", names=names, values=said)


def delete(desk: Desk, key: Key) -> None:
    desk.client.delete_item(TableName="Memory", Key={"pk": {"S": key[0]}, "sk": {"S": key[1]}})


# ------------------------------------------------------------------ rows that are written once


@pytest.mark.parametrize("row", ["HEAD", "R#0000000001"])
def test_given_a_row_under_the_new_id_when_recorded_then_it_is_not_overwritten(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, row: str
) -> None:
    other = desk.remember("Somebody else's.").id
    (stored,) = [r for r in desk.rows() if r["pk"]["S"].endswith(other) and r["sk"]["S"] == row]
    key = (f"T#acme#F#{ID}", row)
    desk.client.put_item(TableName="Memory", Item={**stored, "pk": {"S": key[0]}})
    before = raw(desk, key)
    monkeypatch.setattr(bootstrap, "ulid", lambda moment, chance: ID)
    assert desk.remember(SAID).refusal == (503, "busy")
    assert raw(desk, key) == before


def test_given_a_row_of_the_next_revision_when_changed_then_it_is_not_overwritten(
    desk: Desk,
) -> None:
    fact_id = desk.remember(SAID).id
    first = raw(desk, revision_key("acme", fact_id, 1)) or {}
    key = revision_key("acme", fact_id, 2)
    desk.client.put_item(TableName="Memory", Item={**first, "sk": {"S": key[1]}})
    before = raw(desk, key)
    assert desk.retract(fact_id).refusal == (503, "busy")
    assert raw(desk, key) == before
    assert desk.state(fact_id) == "candidate"


def test_given_a_head_that_moved_on_when_changed_then_it_is_read_again(desk: Desk) -> None:
    fact_id = desk.remember(SAID).id
    with meanwhile("transact", lambda: change(head_key("acme", fact_id), revision=5)):
        assert desk.retract(fact_id).body["revision"] == 6


# ------------------------------------------------------------------------- hashes, keys, graves


def test_given_the_first_to_say_it_when_two_record_at_once_then_one_fact(desk: Desk) -> None:
    with meanwhile("transact", lambda: desk.remember(SAID, by=CODER)):
        assert desk.remember(SAID).body["repeat"] is True
    assert len(desk.list().items) == 1


def test_given_a_statement_free_again_when_two_record_at_once_then_one_fact(desk: Desk) -> None:
    first = desk.record(SAID).id
    desk.revise(first, statement="Port is 9090.")
    with meanwhile("transact", lambda: desk.record(SAID, by=CODER)):
        assert desk.record(SAID).body["repeat"] is True
    assert len(desk.list(layer="task", task="t1").items) == 2


def test_given_a_new_key_when_two_record_at_once_then_it_knows_both(desk: Desk) -> None:
    with meanwhile("transact", lambda: desk.remember("A.", fact_key="k")):
        second = desk.remember("B.", fact_key="k").id
    assert len(desk.get(second).body["contradictions"]) == 1


def test_given_a_known_key_when_two_record_at_once_then_it_knows_all(desk: Desk) -> None:
    desk.remember("A.", fact_key="k")
    with meanwhile("transact", lambda: desk.remember("B.", fact_key="k")):
        third = desk.remember("C.", fact_key="k").id
    assert len(desk.get(third).body["contradictions"]) == 2


def test_given_a_known_key_when_two_publish_at_once_then_both_are_disputed(desk: Desk) -> None:
    one, two = (desk.remember(text, fact_key="k").id for text in ("A.", "B."))
    with meanwhile("transact", lambda: desk.publish(one)):
        desk.publish(two)
    assert (desk.state(one), desk.state(two)) == ("disputed", "disputed")


def test_given_a_grave_that_went_meanwhile_when_reopened_then_none_is_made_up(desk: Desk) -> None:
    desk.retract(desk.remember(SAID).id)
    head = bootstrap.facts().all_heads(None, 10)[0][0]
    key = grave_key(head.cell.place, grave_value(head))
    with meanwhile("transact", lambda: delete(desk, key)):
        answer = desk.remember("PORT IS 8080", by=VERA, reopen=True)
    assert answer.status == 422
    assert raw(desk, key) is None


# --------------------------------------------------------------------------------- kept answers


def test_given_one_idempotency_key_when_two_requests_use_it_at_once_then_one_takes_effect(
    desk: Desk,
) -> None:
    one, two = desk.remember("A.").id, desk.remember("B.").id
    with meanwhile("transact", lambda: desk.retract(one, key="k")):
        assert desk.retract(two, key="k").refusal == (409, "idempotency_mismatch")
    assert (desk.state(one), desk.state(two)) == ("retracted", "candidate")


def test_given_a_key_of_a_week_ago_when_used_again_then_its_old_item_is_no_hindrance(
    desk: Desk,
) -> None:
    one, two = desk.remember("A.").id, desk.remember("B.").id
    desk.retract(one, key="k")
    desk.tick(7 * 24 * 3_600_000)
    assert desk.retract(two, key="k").fact["state"] == "retracted"


# --------------------------------------------------------------------------------------- claims


@pytest.mark.parametrize(
    "claim",
    [
        {"holder": "boris", "expires_at": NOW + 900_000},
        {"holder": "vera", "expires_at": NOW},
    ],
    ids=["another holds it", "it lapsed"],
)
def test_given_a_claim_that_changed_when_finalized_then_409(
    desk: Desk, claim: dict[str, Any]
) -> None:
    fact_id = desk.remember(SAID, by=CODER).id
    desk.claim(fact_id)
    with meanwhile("transact", lambda: change(head_key("acme", fact_id), claim=claim)):
        assert desk.finalize(fact_id).refusal == (409, "stale_claim")
    assert desk.state(fact_id) == "candidate"


def test_given_the_next_generation_when_finalized_then_409(desk: Desk) -> None:
    fact_id = desk.remember(SAID, by=CODER).id
    desk.claim(fact_id)
    with meanwhile("transact", lambda: change(head_key("acme", fact_id), generation=2)):
        assert desk.finalize(fact_id).refusal == (409, "stale_claim")
    assert desk.state(fact_id) == "candidate"


# --------------------------------------------------------------------------------------- budget


def test_given_a_project_without_a_count_when_recorded_then_counting_begins(desk: Desk) -> None:
    key = ("T#acme#P#backend", "BUDGET")
    delete(desk, key)
    assert desk.remember(SAID).status == 201
    assert (raw(desk, key) or {})["facts"] == {"N": "1"}


def test_given_a_full_project_when_an_observation_comes_then_429_and_not_counted(
    desk: Desk,
) -> None:
    key = ("T#acme#P#backend", "BUDGET")
    change(key, facts=Profile.STANDARD.max_facts)
    assert desk.remember(SAID).refusal == (429, "hard_limit")
    assert (raw(desk, key) or {})["facts"] == {"N": str(Profile.STANDARD.max_facts)}


# ---------------------------------------------------------------------------------------- erase


def test_given_another_fact_with_the_statement_when_erased_then_its_hash_stays(
    desk: Desk,
) -> None:
    first = desk.record(SAID).id
    desk.revise(first, statement="Port is 9090.")
    second = desk.record(SAID).id
    desk.erase(first)
    marked = [row for row in desk.rows() if row["sk"]["S"] == "HASH" and "ttl" in row]
    assert [row["fact_id"]["S"] for row in marked] == [first]
    assert desk.record(SAID).id == second


def test_given_a_key_that_others_have_when_erased_then_its_item_stays(desk: Desk) -> None:
    one = desk.remember("A.", fact_key="k").id
    desk.remember("B.", fact_key="k")
    desk.erase(one)
    assert not [row for row in desk.rows() if row["sk"]["S"] == "KEY" and "ttl" in row]


def test_given_a_revision_that_went_meanwhile_when_erased_then_none_is_made_up(
    desk: Desk,
) -> None:
    fact_id = desk.remember(SAID).id
    key = revision_key("acme", fact_id, 1)
    whole = type(bootstrap.erasure())._empty

    def vanish(self: Any, old: Any) -> int:
        with meanwhile("update", lambda: delete(desk, key)):
            return whole(self, old)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(bootstrap.erasure()), "_empty", vanish)
        assert desk.erase(fact_id).status == 500
    assert raw(desk, key) is None


# -------------------------------------------------------------------------- tenants and their keys


def a_key(key_id: str = "k1") -> ApiKey:
    return ApiKey(
        key_id=key_id,
        tenant="acme",
        principal="olga",
        kind=PrincipalKind.HUMAN,
        operator=None,
        projects=("backend",),
        actions=frozenset(Action),
        created_at=NOW,
        expires_at=None,
        revoked_at=None,
    )


def test_given_a_tenant_when_made_again_then_refused(desk: Desk) -> None:
    bootstrap.tenants().create_tenant("acme", NOW)
    with pytest.raises(Conflict):
        bootstrap.tenants().create_tenant("acme", NOW + 1)


@pytest.mark.parametrize("row", ["META", "BUDGET"])
def test_given_half_a_project_when_made_again_then_that_half_stays(desk: Desk, row: str) -> None:
    other = {"META": "BUDGET", "BUDGET": "META"}[row]
    delete(desk, ("T#acme#P#backend", other))
    before = raw(desk, ("T#acme#P#backend", row))
    with pytest.raises(Conflict):
        bootstrap.tenants().create_project("acme", "backend", Profile.TRIAL, NOW + 1)
    assert raw(desk, ("T#acme#P#backend", row)) == before


def test_given_no_project_when_settings_are_chosen_then_none_is_made_up(desk: Desk) -> None:
    with pytest.raises(NotFound):
        bootstrap.tenants().set_project("acme", "nowhere", {"solo_publish": True})
    assert raw(desk, ("T#acme#P#nowhere", "META")) is None


@pytest.mark.parametrize(("key_id", "sha256"), [("k1", "b" * 64), ("k2", "a" * 64)])
def test_given_a_key_when_its_id_or_secret_is_added_again_then_refused(
    desk: Desk, key_id: str, sha256: str
) -> None:
    bootstrap.tenants().create_tenant("acme", NOW)
    bootstrap.tenants().enrol(a_key("k1"), "a" * 64)
    before = desk.dump()
    with pytest.raises(Busy):
        bootstrap.tenants().enrol(a_key(key_id), sha256)
    assert desk.dump() == before
