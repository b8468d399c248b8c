"""What a deleted project leaves: facts forgotten, held ones in a ledger (rows M-50, D-23)."""

from __future__ import annotations

import pytest

from muniment import bootstrap
from muniment.verbs import sweep_projects as sweeping
from tests.functional.conftest import Service
from tests.functional.door import Door, a_door

MINUTE = 60_000


@pytest.fixture
def door(service: Service) -> Door:
    return a_door(service)


def remember(door: Door, text: str) -> str:
    return str(door.ask("olga", "POST", "/remember", {"content": text}).body["fact"]["fact_id"])


def deleted(door: Door) -> None:
    reply = door.ask("olga", "DELETE", "/projects/backend", reason="It moved.")
    assert reply.status == 200, reply.text
    door.service.now += 2 * MINUTE


def state(fact_id: str) -> str:
    head = bootstrap.facts().head("acme", fact_id)
    assert head
    return str(head.newest.state)


def test_given_a_deleted_project_when_swept_then_its_facts_are_forgotten_and_it_is_done(
    door: Door,
):
    facts = [remember(door, f"Fact {n} is so.") for n in range(5)]
    deleted(door)
    done = door.service.sweep()
    assert (done["forgotten"], done["held"], done["projects"], done["next"]) == (5, 0, 1, None)
    assert {state(fact_id) for fact_id in facts} == {"forgotten"}
    assert door.service.used() == 0
    assert door.service.sweep() == {
        "forgotten": 0,
        "held": 0,
        "left": 0,
        "projects": 0,
        "next": None,
    }


def test_given_facts_that_were_found_when_swept_then_the_index_forgets_them_too(door: Door):
    fact_id = remember(door, "Staging rolls out through app-staging.")
    door.service.index()
    deleted(door)
    door.service.sweep()
    door.service.index()
    assert bootstrap.index().revisions("acme", "backend", [fact_id]) == {fact_id: 2}
    bootstrap.tenants()._table.update(
        ("T#acme#P#backend", "META"), "REMOVE deleted_at"
    )  # were it ever to come back
    assert door.ask("olga", "POST", "/search", {"query": "app-staging"}).body["items"] == []


def test_given_a_held_fact_when_its_project_is_deleted_then_only_its_release_forgets_it(
    door: Door,
):
    held, other = remember(door, "Evidence."), remember(door, "No evidence.")
    door.ask("olga", "POST", f"/facts/{held}/hold", {"reason": "The auditors ask."})
    deleted(door)
    assert door.service.sweep()["held"] == 1
    assert (state(held), state(other)) == ("candidate", "forgotten")
    (line,) = door.ask("root", "GET", "/holds").body["items"]
    assert (line["project"], line["fact_id"]) == ("backend", held)
    assert line["fact"]["statement"] == "Evidence."
    assert line["fact"]["legal_hold"] is True
    said = {"reason": "The audit is over."}
    for _ in range(2):  # what broke off may be repeated
        reply = door.ask("root", "POST", f"/holds/{held}/release", said)
        assert (reply.status, reply.body["released_by"]) == (200, "root")
        assert "fact" not in reply.body
    assert state(held) == "forgotten"
    history = bootstrap.facts().history("acme", held)
    assert history
    assert [(r.author.principal, r.reason) for r in history.revisions[-2:]] == [
        ("root", "The audit is over."),
        ("root", "The audit is over."),
    ]
    (line,) = door.ask("root", "GET", "/holds").body["items"]
    assert line["reason"] == "The audit is over."
    assert "fact" not in line


@pytest.mark.parametrize("who", ["olga", "vera", "mark", "rita", "ida"])
def test_given_the_ledger_when_read_with_a_key_of_one_project_then_403(door: Door, who: str):
    for method, path, body in (
        ("GET", "/holds", None),
        ("POST", "/holds/01J0000000000000000000000Z/release", {"reason": "r"}),
    ):
        assert door.ask(who, method, path, body).body["code"] == "not_allowed"


def test_given_a_fact_of_no_deleted_project_when_released_then_404(door: Door):
    living = remember(door, "Evidence.")
    door.ask("olga", "POST", f"/facts/{living}/hold", {"reason": "r"})
    for fact_id in (living, "01J0000000000000000000000Z", "nonsense"):
        reply = door.ask("root", "POST", f"/holds/{fact_id}/release", {"reason": "r"})
        assert reply.status == 404
    assert bootstrap.facts().head("acme", living).legal_hold


def test_given_a_write_that_ends_after_the_deletion_when_swept_again_then_it_goes_too(door: Door):
    context = door.passed("olga", "POST", "/remember", {})
    facts = bootstrap.facts()
    late = []
    tenants = bootstrap.tenants()

    def slow_add(intake, twin, change):
        tenants.delete_project("acme", "backend", by="olga", reason="r", now=door.service.now)
        assert door.service.sweep()["projects"] == 0  # too early to be sure
        type(facts).add(facts, intake, twin, change)
        late.append(intake.head.fact_id)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "add", slow_add)
        assert door.service.remember("It came late.", caller=context).status == 201
    door.service.now += MINUTE - 1
    assert door.service.sweep()["projects"] == 0
    assert state(late[0]) == "forgotten"
    door.service.now += 1
    assert door.service.sweep()["projects"] == 1


def test_given_more_than_a_step_can_do_when_swept_then_the_next_goes_on(door: Door):
    facts = [remember(door, f"Fact {n} is so.") for n in range(7)]
    deleted(door)
    door.service.patch.setattr(sweeping, "STEP", 0)
    door.service.patch.setattr(sweeping, "PAGE", 2)
    steps, step = 0, None
    while True:
        done = door.service.sweep(step)
        steps, step = steps + 1, done["next"]
        if step is None:
            break
    assert steps > 2
    assert done["projects"] == 1
    assert {state(fact_id) for fact_id in facts} == {"forgotten"}


def test_given_two_tenants_with_one_project_name_when_one_deletes_it_then_the_other_keeps_it(
    door: Door,
):
    other = a_door(door.service, "globex")
    theirs = other.ask("olga", "POST", "/remember", {"content": "Ours."}).body["fact"]["fact_id"]
    remember(door, "Ours.")
    deleted(door)
    assert door.service.sweep()["forgotten"] == 1
    assert other.ask("olga", "GET", f"/facts/{theirs}").status == 200
    assert other.ask("root", "GET", "/holds").body["items"] == []
