"""POST /search: found by words, filtered by rights, exact in time, degraded but never silent."""

from __future__ import annotations

import io
from typing import Any

import pytest

from muniment import bootstrap
from muniment.domain.errors import IndexUnavailable
from muniment.domain.search import Hit, Proposal
from tests.builders import AGENT
from tests.functional.conftest import Service

PAVEL = {"principal": "pavel", "kind": "human", "actions": "read,write"}
CI = {"principal": "ci", "kind": "integration", "actions": "read,write"}
MINUTE = 60_000


def settled(service: Service) -> None:
    """Bring the index up to date and let the fresh tail end."""
    service.index()
    service.now += 2 * MINUTE


class IndexThat:
    """An index with an answer of its own."""

    def __init__(self, answer: Proposal | Exception) -> None:
        self.answer = answer

    def propose(self, *asked: Any) -> Proposal:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def with_index(service: Service, answer: Proposal | Exception) -> None:
    bootstrap.search.cache_clear()
    service.patch.setattr(bootstrap, "index", lambda: IndexThat(answer))


def test_given_facts_when_searched_then_the_best_comes_first_with_score_and_labels(
    service: Service,
):
    service.a_fact("Money is kept in kopecks.")
    wanted = service.a_fact("Staging rolls out through app-staging.", caller=AGENT)
    settled(service)
    reply = service.search("how does staging roll out")
    assert reply.status == 200
    best = reply.body["items"][0]
    assert best["fact"]["fact_id"] == wanted
    assert best["score"] > 0
    assert best["labels"][:3] == ["trust: agent", "state: candidate", "claim"]
    assert reply.body["degraded"] == []


def test_given_a_fact_the_index_does_not_know_when_searched_within_a_minute_then_it_is_found(
    service: Service,
):
    fact_id = service.a_fact("Staging rolls out through app-staging.")
    assert service.found("staging rolls") == [fact_id]
    assert service.found("nothing alike") == []
    service.now += 2 * MINUTE
    assert service.found("staging rolls") == []  # a minute later the index must know it


def test_given_a_write_just_before_the_hour_when_searched_just_after_then_it_is_found(
    service: Service,
):
    service.now = 1_780_000_000_000 // 3_600_000 * 3_600_000 - 1
    fact_id = service.a_fact("Staging rolls out.")
    service.now += 30_000
    assert service.found("staging rolls") == [fact_id]


def test_given_a_token_when_searched_later_without_index_then_the_write_is_seen(service: Service):
    reply = service.remember("Staging rolls out.")
    token = reply.body["consistency_token"]
    service.now += 10 * MINUTE
    found = service.found("staging rolls", consistency_token=token)
    assert found == [reply.body["fact"]["fact_id"]]


@pytest.mark.parametrize("how", ["changed", "foreign tenant", "foreign project", "nonsense"])
def test_given_a_token_that_was_not_handed_out_here_when_searched_then_it_is_400(
    service: Service, how: str
):
    web = {"query": {"project": "web"}, "projects": "backend,web"}
    said: dict[str, Any] = {"foreign tenant": {"tenant": "globex"}, "foreign project": web}.get(
        how, {}
    )
    token = service.remember("X.", **said).body["consistency_token"]
    token = {"changed": token[:-2] + "AA", "nonsense": "токен"}.get(how, token)
    reply = service.search("x", consistency_token=token)
    assert (reply.status, reply.body["code"]) == (400, "malformed")
    assert reply.body["field"] == "body.consistency_token"


def test_given_a_token_of_anothers_private_fact_when_used_then_it_opens_nothing(service: Service):
    token = service.remember("Secret plan.", audience="private", caller=PAVEL).body
    reply = service.search("secret plan", consistency_token=token["consistency_token"])
    assert (reply.status, reply.body["items"]) == (200, [])


@pytest.mark.parametrize("indexed", [True, False])
def test_given_an_end_when_searched_then_it_is_exact_to_the_millisecond(
    service: Service, indexed: bool
):
    fact_id = service.a_fact("Staging rolls out.", expires_at="2026-05-28T20:26:50.000Z")
    if indexed:
        service.index()
    service.now += 9_999
    assert service.found("staging rolls") == [fact_id]
    service.now += 1
    assert service.found("staging rolls") == []


def test_given_facts_of_others_when_searched_then_none_is_found_on_any_path(service: Service):
    text = "Staging rolls out through app-staging."
    elsewhere: list[dict[str, Any]] = [
        {"tenant": "globex"},
        {"query": {"project": "web"}, "projects": "backend,web"},
        {"query": {"workspace": "second"}},
        {"audience": "private", "caller": PAVEL},
        {"valid_at": {"machine": "laptop"}},
        {"valid_at": {"workplace": "office"}},
        {"layer": "session", "session": "s1"},
        {"layer": "task", "task": "t1"},
    ]
    for said in elsewhere:
        service.a_fact(text, **said)
    mine = service.a_fact(text)
    assert service.found(text) == [mine]
    settled(service)
    assert service.found(text) == [mine]
    with_index(service, IndexUnavailable())
    assert service.found(text) == [mine]


def test_given_coordinates_when_searched_then_what_is_true_here_is_found_too(service: Service):
    text = "The port is 8080."
    everywhere = service.a_fact(text)
    laptop = service.a_fact(text, valid_at={"machine": "laptop"})
    session = service.a_fact(text, layer="session", session="s1")
    task = service.a_fact(text, layer="task", task="t1")
    settled(service)
    assert set(service.found(text)) == {everywhere}
    here = {"machine": "laptop", "session": "s1", "task": "t1", "workplace": "home"}
    assert set(service.found(text, coordinates=here)) == {everywhere, laptop, session, task}
    assert set(service.found(text, coordinates={"machine": "s1"})) == {everywhere}


def test_given_private_facts_when_searched_then_the_audience_chooses(service: Service):
    text = "The port is 8080."
    public, mine = service.a_fact(text), service.a_fact(text, audience="private")
    settled(service)
    assert set(service.found(text)) == {public}
    assert set(service.found(text, audience="private")) == {mine}
    assert set(service.found(text, audience="all", caller=AGENT)) == {public, mine}
    assert set(service.found(text, audience="all", caller=PAVEL)) == {public}
    reply = service.search(text, audience="all", caller=CI)
    assert (reply.status, reply.body["field"]) == (403, "body.audience")


@pytest.mark.parametrize("indexed", [True, False])
@pytest.mark.parametrize(
    "wanted",
    [{"kind": "rule"}, {"min_trust": "human"}, {"subject_id": "billing"}, {"scope": "ops"}],
)
def test_given_a_filter_when_searched_then_only_matches_are_found(
    service: Service, wanted: dict[str, str], indexed: bool
):
    text = "The port is 8080."
    subject = {"type": "service", "id": "billing"}
    match = service.a_fact(text, kind="rule", scope="ops", subject=subject)
    service.a_fact("The port is 9090.", caller=AGENT)
    if indexed:
        settled(service)
    assert service.found("port", **wanted) == [match]


def test_given_a_limit_when_searched_then_no_more_come(service: Service):
    for number in range(12):
        service.now += 1
        service.a_fact(f"Port number {number}.")
    assert len(service.found("port number")) == 10
    assert len(service.found("port number", limit=3)) == 3
    assert len(service.found("port number", limit=50)) == 12


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({}, "body.query"),
        ({"query": ""}, "body.query"),
        ({"query": "\u200b"}, "body.query"),
        ({"query": "x" * 2_001}, "body.query"),
        ({"query": "x", "limit": 0}, "body.limit"),
        ({"query": "x", "limit": 51}, "body.limit"),
        ({"query": "x", "limit": "10"}, "body.limit"),
        ({"query": "x", "limit": 2.5}, "body.limit"),
        ({"query": "x", "kind": ["rule", "note"]}, "body.kind"),
        ({"query": "x", "kind": {"value": "*", "case_insensitive": True}}, "body.kind"),
        ({"query": "x", 'kind" OR 1': "note"}, 'body.kind" OR 1'),
        ({"query": "x", "coordinates": {"planet": "mars"}}, "body.coordinates.planet"),
        ({"query": "x", "owner": "pavel"}, "body.owner"),
        ({"query": "x", "project": "web"}, "body.project"),
        ({"query": "x", "consistency_token": "x" * 1_001}, "body.consistency_token"),
    ],
)
def test_given_an_unusual_question_when_searched_then_the_field_is_named(
    service: Service, sent: dict[str, Any], field: str
):
    reply = service.call("search_facts", "POST", "/search", sent)
    assert reply.status in (400, 422)
    assert reply.body["field"] == field
    assert reply.body["limit"]


@pytest.mark.parametrize(
    "text",
    ["my-group", "a && b || c", 'say "x"', "C:\\tmp", "50% ~* ?", "(a) {b} [c] ^d", "НЕ = 'y'"],
)
def test_given_signs_that_mean_something_to_engines_when_searched_then_they_mean_nothing(
    service: Service, text: str
):
    fact_id = service.a_fact(f"Signs: {text} and words.")
    settled(service)
    assert service.found(f"{text} words")[0] == fact_id


def test_given_the_index_is_gone_when_searched_then_the_table_answers_and_says_so(
    service: Service,
):
    old = service.a_fact("Staging rolls out through app-staging.")
    service.a_fact("Money is kept in kopecks.")
    service.now += 10 * MINUTE
    new = service.a_fact("Staging is green.")
    with_index(service, IndexUnavailable())
    reply = service.search("staging")
    assert reply.status == 200
    assert {item["fact"]["fact_id"] for item in reply.body["items"]} == {old, new}
    assert reply.body["degraded"] == ["search_index"]


def test_given_some_lists_failed_when_searched_then_they_are_named(service: Service):
    fact_id = service.a_fact("Staging rolls out.")
    with_index(service, Proposal({"words": [Hit(fact_id, 1, 1.0)]}, ("e5", "use")))
    reply = service.search("staging")
    assert [item["fact"]["fact_id"] for item in reply.body["items"]] == [fact_id]
    assert reply.body["degraded"] == ["e5", "use"]


@pytest.mark.parametrize("whose", ["project", "person", "workspace"])
def test_given_an_index_that_leaks_when_searched_then_it_is_500_and_nothing_is_told(
    service: Service, whose: str, log: io.StringIO
):
    said: dict[str, Any] = {
        "project": {"query": {"project": "web"}, "projects": "backend,web"},
        "person": {"audience": "private", "caller": PAVEL},
        "workspace": {"query": {"workspace": "second"}},
    }[whose]
    foreign = service.a_fact("Unspeakable plan.", **said)
    with_index(service, Proposal({"words": [Hit(foreign, 1, 9.0)]}))
    reply = service.search("plan")
    told = reply.text + log.getvalue()
    assert "crashed" in log.getvalue()
    assert (reply.status, reply.body["code"]) == (500, "internal")
    assert "Unspeakable" not in told
    assert foreign not in told


def test_given_an_index_that_names_what_the_table_does_not_have_when_searched_then_it_is_skipped(
    service: Service,
):
    theirs = service.a_fact("Theirs.", tenant="globex")
    hits = [Hit(theirs, 1, 9.0), Hit("01J0000000000000000000000Z", 1, 8.0)]
    with_index(service, Proposal({"words": hits}))
    reply = service.search("theirs")
    assert (reply.status, reply.body["items"]) == (200, [])


def test_given_a_read_key_when_searched_then_it_may_and_a_write_key_may_not(service: Service):
    assert service.search("x", caller={**CI, "actions": "read"}).status == 200
    assert service.search("x", caller={**CI, "actions": "write"}).status == 403
