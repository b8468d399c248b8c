"""`muniment tenant|project|key …`: what an operator does, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from muniment import cli
from muniment.domain.keys import fingerprint
from muniment.domain.moments import DAY
from tests.functional.conftest import Service
from tests.functional.test_authorize import authorized

NEW_KEY = ["key", "create", "--tenant", "initech", "--project", "backend", "--action", "read"]
HUMAN = [*NEW_KEY, "--kind", "human", "--principal", "pavel"]
AGENT = [*NEW_KEY, "--kind", "agent", "--principal", "coder", "--operator", "olga"]


class Operator:
    """Runs commands. `said` and `complained` are what the last one printed."""

    def __init__(self, service: Service, capsys: pytest.CaptureFixture[str]) -> None:
        self.service, self.capsys = service, capsys
        self.said = self.complained = ""

    def runs(self, *arguments: str) -> int:
        code = cli.main(arguments)
        self.said, self.complained = self.capsys.readouterr()
        return code

    def makes(self, *arguments: str) -> Any:
        assert self.runs(*arguments, "--json") == 0, self.complained
        return json.loads(self.said)


@pytest.fixture
def operator(service: Service, capsys: pytest.CaptureFixture[str]) -> Operator:
    return Operator(service, capsys)


@pytest.fixture
def initech(operator: Operator) -> dict[str, Any]:
    made: dict[str, Any] = operator.makes(
        "tenant",
        "create",
        "initech",
        "--project",
        "backend",
        "--project",
        "web",
        "--person",
        "olga",
    )
    return made


def test_given_a_new_tenant_when_made_then_its_first_key_opens_everything(
    operator: Operator, initech: dict[str, Any]
):
    assert initech["projects"] == ["backend", "web"]
    assert initech["actions"] == ["own", "read", "review", "write"]
    assert authorized(initech["key"])["tenant"] == "initech"
    assert authorized(initech["key"])["principal"] == "olga"


def test_given_a_new_key_when_stored_then_its_secret_is_nowhere_in_the_table(
    operator: Operator, initech: dict[str, Any]
):
    secret = initech["key"].split("_")[2]
    rows = json.dumps(operator.service.rows(), default=str)
    assert secret not in rows
    assert secret[:8] not in rows
    assert fingerprint(initech["key"]) in rows
    assert operator.makes("key", "list", "--tenant", "initech")
    assert secret not in operator.said


def test_given_no_json_asked_when_made_then_people_can_read_it(operator: Operator):
    assert operator.runs("tenant", "create", "hooli", "--project", "backend") == 0
    lines = dict(line.split(maxsplit=1) for line in operator.said.splitlines())
    assert lines["key"].startswith("mun_")
    assert (lines["tenant"], lines["actions"]) == ("hooli", "own,read,review,write")


def test_given_an_agent_when_a_key_is_made_then_it_works_for_its_operator(
    operator: Operator, initech: dict[str, Any]
):
    key = operator.makes(*AGENT, "--action", "write", "--expires-in", "30")
    caller = authorized(key["key"])
    assert (caller["kind"], caller["operator"], caller["actions"]) == (
        "agent",
        "olga",
        "read,write",
    )
    operator.service.now += 30 * DAY
    assert authorized(key["key"]) is None


def test_given_keys_when_listed_then_all_stand_in_order_of_creation(
    operator: Operator, initech: dict[str, Any]
):
    ids = [initech["key_id"]]
    for arguments in (HUMAN, AGENT):
        operator.service.now += 1
        ids.append(operator.makes(*arguments)["key_id"])
    listed = operator.makes("key", "list", "--tenant", "initech")
    assert [key["key_id"] for key in listed] == ids
    assert operator.makes("key", "list", "--tenant", "hooli") == []


def test_given_a_key_when_revoked_then_it_is_closed_at_once_and_stays_closed(
    operator: Operator, initech: dict[str, Any]
):
    revoke = ("key", "revoke", "--tenant", "initech", initech["key_id"])
    operator.makes(*revoke)
    assert authorized(initech["key"]) is None
    (first,) = operator.makes("key", "list", "--tenant", "initech")
    operator.service.now += 1
    operator.makes(*revoke)
    assert operator.makes("key", "list", "--tenant", "initech") == [first]


def test_given_a_project_when_added_later_then_new_keys_may_open_it(
    operator: Operator, initech: dict[str, Any]
):
    operator.makes("project", "create", "--tenant", "initech", "--project", "mobile")
    key = operator.makes(*HUMAN, "--project", "mobile", "--project", "backend")
    assert key["projects"] == ["backend", "mobile"]


def many(count: int) -> list[str]:
    return [part for n in range(count) for part in ("--project", f"p{n}")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tenant", "create", "initech", "--project", "backend"], "exists already"),
        (["tenant", "create", "Upper", "--project", "backend"], "tenant 'Upper' must match"),
        (["tenant", "create", "a#b", "--project", "backend"], "must match"),
        (["tenant", "create", "x", "--project", "а"], "project 'а' must match"),  # Cyrillic
        (["tenant", "create", "x", "--project", "common"], "kept for facts about no single"),
        (["tenant", "create", "x", "--project", "p", "--person", "O#"], "person 'O#' must match"),
        (["tenant", "create", "x", *many(51)], "at most 50 projects, not 51"),
        (["project", "create", "--tenant", "initech", "--project", "web"], "exists already"),
        (["project", "create", "--tenant", "nobody", "--project", "web"], "no such tenant nobody"),
        (["project", "create", "--tenant", "initech", "--project", "common"], "kept for"),
        ([*HUMAN, "--project", "missing"], "no such project missing"),
        ([*(a if a != "initech" else "nobody" for a in HUMAN)], "no such"),
        ([*HUMAN, "--operator", "olga"], "an agent needs an operator"),
        ([*NEW_KEY, "--kind", "agent", "--principal", "coder"], "an agent needs an operator"),
        ([*AGENT, "--action", "review"], "only people may have the action 'review'"),
        (
            [*NEW_KEY, "--kind", "integration", "--principal", "ci", "--action", "own"],
            "only people",
        ),
        ([*NEW_KEY, "--kind", "integration", "--principal", "olga"], "is known as human"),
        ([*NEW_KEY, "--kind", "human", "--principal", "Пётр"], "must match"),
        ([*AGENT[:-1], "Olga"], "principal 'Olga' must match"),
        ([*HUMAN, "--expires-in", "0"], "1 to 3650 days, not 0"),
        ([*HUMAN, "--expires-in", "3651"], "1 to 3650 days, not 3651"),
        ([*HUMAN, *many(51)], "at most 50 projects"),
        (["key", "revoke", "--tenant", "initech", "nosuchkey1"], "no such key nosuchkey1"),
        (["key", "revoke", "--tenant", "acme", "KEY"], "no such key"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else None,
)
def test_given_what_makes_no_sense_when_asked_then_it_is_refused_and_nothing_is_stored(
    operator: Operator, initech: dict[str, Any], arguments: list[str], words: str
):
    rows = operator.service.rows()
    assert operator.runs(*arguments) == 1
    assert operator.complained.startswith("muniment: ")
    assert words in operator.complained
    assert operator.said == ""
    assert operator.service.rows() == rows


def test_given_the_same_project_twice_when_a_tenant_is_made_then_it_counts_once(
    operator: Operator,
):
    made = operator.makes("tenant", "create", "x", "--project", "p", "--project", "p")
    assert made["projects"] == ["p"]
    assert authorized(made["key"])["projects"] == "p"


@pytest.mark.parametrize(
    "arguments", [[], ["tenant"], ["key", "create"], [*HUMAN, "--kind", "robot"], ["unheard-of"]]
)
def test_given_a_command_that_is_not_understood_when_run_then_it_says_how(
    operator: Operator, arguments: list[str]
):
    with pytest.raises(SystemExit) as ended:
        operator.runs(*arguments)
    assert ended.value.code == 2
    assert "usage: muniment" in operator.capsys.readouterr().err
