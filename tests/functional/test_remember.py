"""POST /remember: one text is enough, the server makes the rest."""

from __future__ import annotations

from typing import Any

import pytest

from muniment.domain import limits
from muniment.domain.moments import DAY, rfc3339
from tests.builders import AGENT, NOW
from tests.functional.conftest import Service


def test_given_only_content_when_remembered_then_everything_else_is_made(service: Service):
    reply = service.remember("# Money is kept in kopecks. Never in floats.\n\nSee [[rounding]].")
    assert reply.status == 201
    fact = reply.body["fact"]
    assert fact["statement"] == "# Money is kept in kopecks. Never in floats.\n\nSee [[rounding]]."
    assert fact["name"] == "money-is-kept-in-kopecks-never"
    assert fact["description"] == "Money is kept in kopecks."
    assert fact["links"] == [{"type": "mentions", "target": "rounding"}]
    assert (fact["kind"], fact["category"], fact["layer"]) == ("note", "reference", "repo")
    assert (fact["reason"], fact["confidence"]) == ("recorded", 0.5)


@pytest.mark.parametrize(
    ("content", "name", "description"),
    [
        ("Деньги в копейках! Всегда.", "деньги-в-копейках-всегда", "Деньги в копейках!"),
        ("- a list item", "a-list-item", "a list item"),
        ("-1 is the default", "1-is-the-default", "-1 is the default"),
        ("> ## quoted heading", "quoted-heading", "quoted heading"),
        ("#\nbelow an empty heading", "fact", "#"),
        ("# \nbelow an empty heading", "fact", "#"),
        ("---\nfront matter", "fact", "---"),
        ("\n\n  indented", "indented", "indented"),
        ("🚀", "fact", "🚀"),
        ("x" * 400, "x" * 100, "x" * 300),
        (
            "a_b.c one two three four five six",
            "a-b-c-one-two-three",
            "a_b.c one two three four five six",
        ),
    ],
)
def test_given_a_text_when_remembered_then_name_and_description_come_from_its_first_line(
    service: Service, content: str, name: str, description: str
):
    fact_id = service.a_fact(content)
    fact = service.get(fact_id).body["fact"]  # as it was stored, not as it was sent
    assert (fact["name"], fact["description"]) == (name, description)


def test_given_links_in_the_text_when_remembered_then_each_is_kept_once_beside_those_given(
    service: Service,
):
    content = "See [[one]], [[two|shown]], [[three#part]], [[one]] and [[ four ]]; not [[]]."
    given = [
        {"type": "see", "target": "https://example.com"},
        {"type": "mentions", "target": "one"},
    ]
    links = service.remember(content, links=given).body["fact"]["links"]
    assert [link["target"] for link in links] == [
        "https://example.com",
        "one",
        "two",
        "three",
        "four",
    ]


def test_given_a_subject_when_remembered_then_it_names_the_fact(service: Service):
    fact = service.remember("Anything.", subject={"type": "service", "id": "Billing API"}).body
    assert fact["fact"]["name"] == "billing-api"


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"content": ""},
        {"content": "\u2060"},
        {"content": "x" * 8_001},
        {"content": None},
        {"content": {"a": "b"}},
        {"statement": "x", "content": "x"},
        {"content": "x", "trust": "verdict"},
        {"content": "x", "layer": "task"},
        {"content": "a\x07bell"},
    ],
)
def test_given_an_unusual_body_when_remembered_then_it_is_refused_and_nothing_is_kept(
    service: Service, sent: dict[str, Any]
):
    rows = service.rows()
    reply = service.call("remember", "POST", "/remember", sent)
    assert reply.status in (400, 422)
    assert reply.body["field"].startswith("body.")
    assert service.rows() == rows


@pytest.mark.parametrize("length", [limits.CONTENT - 1, limits.CONTENT])
def test_given_a_long_text_when_remembered_then_it_is_kept_verbatim(service: Service, length: int):
    content = ("деньги 🚀 `a  b`\n" * 1_000)[: length - 1] + "."
    fact_id = service.a_fact(content)
    assert service.get(fact_id).body["fact"]["statement"] == content


def test_given_a_whole_fact_above_64_kib_when_remembered_then_it_is_too_large(service: Service):
    rows = service.rows()
    attributes = {f"{n}": "🚀" * 500 for n in range(20)}
    reply = service.remember("🚀" * 8_000, attributes=attributes)
    assert (reply.status, reply.body["limit"]) == (413, 65_536)
    assert service.rows() == rows


@pytest.mark.parametrize("kind", ["tool_trace", "progress", "mission_step"])
def test_given_an_ephemeral_kind_when_remembered_then_it_ends_within_14_days(
    service: Service, kind: str
):
    latest = rfc3339(NOW + 14 * DAY)
    assert service.remember("One.", kind=kind).body["fact"]["expires_at"] == latest
    later = service.remember("Two.", kind=kind, expires_at="2036-01-01T00:00:00Z")
    assert later.body["fact"]["expires_at"] == latest
    sooner = service.remember("Three.", kind=kind, expires_at="2026-06-01T00:00:00Z")
    assert sooner.body["fact"]["expires_at"] == "2026-06-01T00:00:00.000Z"


def test_given_the_same_text_by_either_verb_when_written_then_it_is_one_fact(service: Service):
    one = service.record()
    other = service.remember(one.body["fact"]["statement"])
    assert (one.status, other.status) == (201, 200)
    assert other.body["fact"] == one.body["fact"]


def test_given_one_key_for_both_verbs_when_sent_then_they_are_independent(service: Service):
    headers = {"X-Idempotency-Key": "k1"}
    service.record(headers=headers)
    reply = service.remember("Something else.", headers=headers)
    assert reply.status == 201
    assert "X-Idempotent-Replayed" not in reply.headers
    again = service.remember("Something else.", headers=headers)
    assert (again.text, again.headers["X-Idempotent-Replayed"]) == (reply.text, "true")


def test_given_a_body_called_a_form_or_sent_as_base64_when_remembered_then_it_is_still_json(
    service: Service,
):
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert service.remember("As curl -d sends it.", headers=form).status == 201
    encoded = "eyJjb250ZW50IjogItC00LAifQ=="
    assert service.call("remember", "POST", "/remember", raw=encoded, base64=True).status == 201
    broken = service.call(
        "remember", "POST", "/remember", raw="eyJjb250ZW50IjogItC0/yJ9", base64=True
    )
    assert (broken.status, broken.body["limit"]) == (400, "UTF-8")


def test_given_an_agent_when_it_remembers_then_it_is_an_observation_and_a_claim(service: Service):
    fact = service.remember("I saw it.", caller=AGENT).body["fact"]
    assert (fact["kind"], fact["trust"], fact["state"]) == ("observation", "agent", "candidate")


def test_given_a_value_that_changes_when_written_then_the_answer_warns_and_a_replay_does_too(
    service: Service,
):
    said = {"headers": {"X-Idempotency-Key": "once"}}
    replies = [service.remember("Staging runs PostgreSQL 16.", **said) for _ in range(2)]
    assert [[w["code"] for w in reply.body["warnings"]] for reply in replies] == [
        ["volatile_value"]
    ] * 2
    assert "warnings" not in service.remember("Money is integer kopecks.").body
    held = service.call(
        "hold_fact", "POST", f"/facts/{replies[0].body['fact']['fact_id']}/hold", {"reason": "r"}
    )
    assert "warnings" not in held.body  # nobody gave it new words


def test_given_a_strict_project_when_task_state_is_written_then_refused_and_revised_neither(
    service: Service,
):
    service.change("T#acme#P#backend", "META", repo_strict=True, repo_revise=True)
    before = service.rows()
    reply = service.remember("Iteration 3 passed at 14:32.")
    assert (reply.status, reply.body["actual"]) == (422, "ephemeral_state")
    assert [r for r in service.rows() if r["sk"] != {"S": "BUDGET"}] == [
        r for r in before if r["sk"] != {"S": "BUDGET"}
    ]
    assert service.used() == 0
    fact_id = service.a_fact("The importer needs a header line.")
    body = {"reason": "r", "expected_revision": 1, "statement": "Iteration 4 passed at 15:02."}
    revised = service.call("revise_fact", "POST", f"/facts/{fact_id}/revisions", body)
    assert (revised.status, revised.body["code"]) == (422, "not_for_repo")
    assert service.remember("Iteration 3 passed.", layer="task", task="t1").status == 201
