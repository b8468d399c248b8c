"""GET /context/{context_id}: what an agent saw, byte for byte, and only for whom it was."""

from __future__ import annotations

import pytest

from tests.builders import AGENT
from tests.functional.conftest import Reply, Service
from tests.functional.test_search_facts import CI, PAVEL


def replay(service: Service, context_id: str, **said) -> Reply:
    return service.call("replay_context", "GET", f"/context/{context_id}", **said)


@pytest.mark.parametrize("budget", [300, 450, 700, 1_200, 8_000])
def test_given_a_context_when_replayed_later_then_every_byte_is_the_same(
    service: Service, budget: int
):
    for number in range(8):
        service.now += 1
        caller = {"caller": AGENT} if number % 2 else {}
        service.a_fact(f"Staging {number}. " + "It rolls out «so». " * 9 * number, **caller)
    given = service.context("staging rolls out", budget_tokens=budget)
    service.now += 86_400_000
    service.a_fact("Staging has changed since.")
    again = replay(service, given.body["context_id"])
    assert (again.status, again.text) == (200, given.text)


def test_given_an_ignored_or_empty_context_when_replayed_then_it_is_the_same(service: Service):
    for given in (service.context("x"), service.context("x", ignore_memory=True)):
        assert replay(service, given.body["context_id"]).text == given.text


def test_given_a_fact_that_expired_since_when_replayed_then_it_still_shows_what_was_seen(
    service: Service,
):
    service.a_fact("Staging rolls out.", expires_at="2026-05-29T00:00:00Z")
    given = service.context("staging")
    service.now += 10 * 86_400_000
    again = replay(service, given.body["context_id"])
    assert "expires in 1 d" in again.text
    assert again.text == given.text


@pytest.mark.parametrize("length", [1, 26, 5_000])
def test_given_ids_that_may_not_be_seen_when_replayed_then_every_answer_is_the_same_404(
    service: Service, length: int
):
    web = {"query": {"project": "web"}, "projects": "backend,web"}
    ids = [
        service.context("x", tenant="globex").body["context_id"],
        service.context("x", **web).body["context_id"],
        service.context("x", audience="private", caller=PAVEL).body["context_id"],
        "01J0000000000000000000000Z",
        "x" * length,
    ]
    answers = {(reply.status, reply.text) for reply in (replay(service, i) for i in ids)}
    assert len(answers) == 1
    assert answers.pop()[0] == 404


def test_given_a_private_context_when_replayed_then_only_the_persons_keys_see_it(
    service: Service,
):
    service.a_fact("Mine alone.", audience="private")
    given = service.context("mine alone", audience="all")
    assert replay(service, given.body["context_id"], caller=AGENT).text == given.text
    for other in (PAVEL, CI, {**AGENT, "operator": "pavel"}):
        assert replay(service, given.body["context_id"], caller=other).status == 404
    public = service.context("mine alone")
    assert replay(service, public.body["context_id"], caller=PAVEL).text == public.text
