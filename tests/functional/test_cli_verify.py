"""`muniment verify`: whoever changes the table beside the service is found."""

from __future__ import annotations

import json

import pytest

from muniment import bootstrap, cli
from muniment.adapters import keyspace
from tests.functional.authority import BORIS, CODER, Desk, a_desk  # noqa: F401


def verified(capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    capsys.readouterr()
    code = cli.main(["verify", "--tenant", "acme", "--json"])
    return code, json.loads(capsys.readouterr().out)


def a_published(desk: Desk) -> str:
    fact_id = desk.remember("The port is 8080.", by=CODER).id
    desk.publish(fact_id, by=BORIS)
    return fact_id


def tamper(key: tuple[str, str], expression: str, **said: object) -> None:
    bootstrap._table().update(key, expression, **said)


def test_given_honest_facts_when_verified_then_every_chain_holds(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    a_published(desk)
    desk.remember("Another.", by=CODER)
    assert verified(capsys) == (0, {"facts": 2, "broken": [], "erased": [], "redacted": []})


@pytest.mark.parametrize("number", [1, 2, 3])
def test_given_a_revision_changed_in_the_table_when_verified_then_it_is_named(
    desk: Desk, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    fact_id = a_published(desk)
    values = {":other": "The port is 9090."}
    key = keyspace.revision_key("acme", fact_id, number)
    tamper(key, "SET statement = :other", values=values)
    code, report = verified(capsys)
    assert (code, report["broken"]) == (1, [{"fact_id": fact_id, "revision": number}])


def test_given_a_head_changed_in_the_table_when_verified_then_it_is_named(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    fact_id = a_published(desk)
    names = {"#state": "state"}
    key = keyspace.head_key("acme", fact_id)
    tamper(key, "SET #state = :other", values={":other": "candidate"}, names=names)
    code, report = verified(capsys)
    assert (code, report["broken"]) == (1, [{"fact_id": fact_id, "revision": 3}])


def test_given_an_erased_fact_when_verified_then_its_chain_holds_and_it_is_named(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    fact_id = a_published(desk)
    assert desk.erase(fact_id).status == 200
    assert verified(capsys) == (
        0,
        {"facts": 1, "broken": [], "erased": [fact_id], "redacted": []},
    )
