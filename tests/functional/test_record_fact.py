"""POST /facts: what is stored, what is answered, and all that is refused."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from muniment.adapters import side_items
from muniment.adapters.keyspace import members_key
from muniment.domain import limits
from muniment.domain.contradiction import Member, Members
from muniment.domain.moments import DAY
from tests.builders import AGENT, NOW, a_cell
from tests.functional.conftest import REFERENCE, Reply, Service

PAVEL = {"principal": "pavel", "kind": "human", "actions": "read,write"}
CI = {"principal": "ci", "kind": "integration", "actions": "read,write"}
READER = {"principal": "olga", "kind": "human", "actions": "read"}
NOBODYS = "01J0000000000000000000000Z"


def refused(service: Service, reply: Reply, rows: list[Any]) -> dict[str, Any]:
    """Check that a reply is a problem and that nothing was stored; return its body."""
    assert 400 <= reply.status < 500, reply.text
    assert reply.headers["Content-Type"] == "application/problem+json"
    assert reply.body["status"] == reply.status
    assert reply.body["request_id"] == "r1"
    assert unmoved(service.rows()) == unmoved(rows)
    return reply.body


def unmoved(rows: list[Any]) -> list[Any]:
    """Return the rows without the marks of a budget that was taken from and given back."""
    marks = ("moves", "moved_at")
    return [{name: value for name, value in row.items() if name not in marks} for row in rows]


def error(code: str, *reasons: str) -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": "secret words of the table"}}
    if reasons:
        answer["CancellationReasons"] = [{"Code": reason} for reason in reasons]
    return ClientError(answer, "TransactWriteItems")


def first(service: Service, method: str, *happenings: Any) -> list[Any]:
    """Let the client's next calls of `method` raise or run something; return all calls made."""
    real: Callable[..., Any] = getattr(service.client, method)
    waiting, calls = list(happenings), []

    def instead(**ask: Any) -> Any:
        calls.append(ask)
        happening = waiting.pop(0) if waiting else None
        if isinstance(happening, Exception):
            raise happening
        if happening:
            happening()
        return real(**ask)

    service.patch.setattr(service.client, method, instead)
    return calls


@pytest.fixture(autouse=True)
def no_waiting(service: Service) -> None:
    service.patch.setattr("time.sleep", lambda seconds: None)


def test_given_a_whole_fact_when_recorded_then_all_of_it_is_answered(service: Service):
    other = service.a_fact("The base fact.")
    said = {
        **REFERENCE,
        "kind": "rule",
        "category": "feedback",
        "name": "staging-rollout",
        "description": "How staging rolls out",
        "attributes": {"owner": "ops", "слово": "да", "empty": ""},
        "source_id": "docs/deploy.md",
        "source_hash": "abc",
        "source_revision": "v1",
        "fact_key": "staging:rollout",
        "derived_from": [other],
        "links": [{"type": "see", "target": "https://example.com"}],
        "confidence": 0.75,
        "evidence": "read",
        "scope": "ops",
        "tags": ["deploy", "staging"],
        "observed_at": "2026-05-01T12:00:00+03:00",
        "expires_at": "2027-05-01T12:00:00.001Z",
        "valid_at": {"workplace": "office"},
    }
    reply = service.call("record_fact", "POST", "/facts", said)
    assert reply.status == 201
    fact = reply.body["fact"]
    moments = {
        "observed_at": "2026-05-01T09:00:00.000Z",
        "expires_at": "2027-05-01T12:00:00.001Z",
        "recorded_at": "2026-05-28T20:26:40.000Z",
    }
    assert (said | moments).items() <= fact.items()
    assert (fact["trust"], fact["state"], fact["status"]) == ("human", "candidate", "unverified")
    assert (fact["project"], fact["workspace"], fact["audience"]) == (
        "backend",
        "default",
        "public",
    )
    assert (reply.body["revision"], reply.body["repeat"]) == (1, False)
    assert reply.body["admission"] == {"degraded": False}
    assert service.get(fact["fact_id"]).body["fact"] == fact


def test_given_a_fact_when_recorded_then_head_revision_hash_and_budget_are_kept(service: Service):
    before = {(row["pk"]["S"], row["sk"]["S"]) for row in service.rows()}
    fact_id = service.record(headers={"X-Idempotency-Key": "k1"}).body["fact"]["fact_id"]
    made = [row for row in service.rows() if (row["pk"]["S"], row["sk"]["S"]) not in before]
    assert sorted(row["sk"]["S"] for row in made) == ["HASH", "HEAD", "IDEM", "R#0000000001"]
    assert service.used() == 1
    assert {row["fact_id"]["S"] for row in made if "fact_id" in row} == {fact_id}
    assert "k1" not in json.dumps(made, default=str)


UNUSUAL: list[tuple[Any, int, str]] = [  # what is sent instead or beside, status, field
    ("", 400, "body"),
    ("{", 400, "body"),
    ("[]", 400, "body"),
    ('{"statement": "a", "statement": "b"}', 400, "body.statement"),
    ('{"confidence": NaN}', 400, "body"),
    ('{"confidence": 1e999}', 400, "body"),
    ('{"statement": ' + "[" * 50 + "]" * 50 + "}", 400, "body"),
    ({"statement": None}, 400, "body.statement"),
    ({"statement": 5}, 400, "body.statement"),
    ({"statement": ["a"]}, 400, "body.statement"),
    ({"statement": ""}, 422, "body.statement"),
    ({"statement": " \t\n"}, 422, "body.statement"),
    ({"statement": "\u200b\u2060"}, 422, "body.statement"),
    ({"statement": "x" * 601}, 422, "body.statement"),
    ({"statement": "ж" * 601}, 422, "body.statement"),
    ({"statement": "🚀" * 601}, 422, "body.statement"),
    ({"statement": "x" * 65_536}, 422, "body.statement"),
    ({"statement": "nul\x00"}, 422, "body.statement"),
    ({"statement": "\u202egnihtemos"}, 422, "body.statement"),
    ({"statement": "tag\U000e0041"}, 422, "body.statement"),
    ({"statement": "half\ud83d"}, 422, "body.statement"),
    ({"content": "x"}, 400, "body.content"),
    ({"trust": "human"}, 400, "body.trust"),
    ({"state": "published"}, 400, "body.state"),
    ({"tenant": "globex"}, 400, "body.tenant"),
    ({"attributes": {"a": {"b": "c"}}}, 400, "body.attributes.a"),
    ({"attributes": {"a": 1}}, 400, "body.attributes.a"),
    ({"attributes": {f"n{n}": "v" for n in range(21)}}, 422, "body.attributes"),
    ({"attributes": {"x" * 101: "v"}}, 422, "body.attributes."),
    ({"attributes": {"nul\x00": "v"}}, 422, "body.attributes."),
    ({"confidence": "0.5"}, 400, "body.confidence"),
    ({"confidence": True}, 400, "body.confidence"),
    ({"confidence": 1.01}, 422, "body.confidence"),
    ({"confidence": -0.01}, 422, "body.confidence"),
    ({"kind": "gossip"}, 400, "body.kind"),
    ({"kind": {"value": "*"}}, 400, "body.kind"),
    ({"layer": "objective"}, 400, "body.layer"),
    ({"layer": "session"}, 422, "body.session"),
    ({"layer": "task"}, 422, "body.task"),
    ({"session": "s1"}, 422, "body.session"),
    ({"layer": "task", "task": "t1", "session": "s1"}, 422, "body.session"),
    ({"layer": "task", "task": "t#1"}, 422, "body.task"),
    ({"valid_at": {"workplace": "a", "machine": "b"}}, 422, "body.valid_at"),
    ({"valid_at": {"planet": "mars"}}, 400, "body.valid_at.planet"),
    ({"source_hash": "abc"}, 422, "body.source_hash"),
    ({"expires_at": "2026-05-28T20:26:40Z"}, 422, "body.expires_at"),
    ({"expires_at": "2027-05-28T20:26:40"}, 400, "body.expires_at"),
    ({"expires_at": 1_800_000_000}, 400, "body.expires_at"),
    ({"observed_at": "0001-01-01T00:00:00+14:00"}, 400, "body.observed_at"),
    ({"citations": [{"quote": "x" * 301, "locator": "l"}]}, 422, "body.citations.0.quote"),
    ({"citations": [{"quote": "q"}]}, 400, "body.citations.0.locator"),
    ({"citations": [{"locator": "l"}] * 11}, 422, "body.citations"),
    ({"derived_from": [NOBODYS] * 51}, 422, "body.derived_from"),
    ({"derived_from": ["not an id"]}, 422, "body.derived_from.0"),
    ({"derived_from": [NOBODYS]}, 422, "body.derived_from"),
    ({"name": "two words"}, 422, "body.name"),
    ({"description": "two\nlines"}, 422, "body.description"),
    ({"fact_key": "#"}, 422, "body.fact_key"),
    ({"fact_key": "po\u200drt"}, 422, "body.fact_key"),
    ({"name": "cafe\u0301"}, 422, "body.name"),
    ({"tags": ["x" * 101]}, 422, "body.tags.0"),
    ({"subject": None}, 422, "body.subject"),
    ({"citations": []}, 422, "body.citations"),
    ({"reason": None}, 422, "body.reason"),
    ({"reason": "x" * 1_001}, 422, "body.reason"),
]


@pytest.mark.parametrize(
    ("sent", "status", "field"), UNUSUAL, ids=[str(row[0])[:40] for row in UNUSUAL]
)
def test_given_an_unusual_body_when_recorded_then_field_and_limit_are_told_and_nothing_is_kept(
    service: Service, sent: Any, status: int, field: str
):
    rows = service.rows()
    said = {"raw": sent} if isinstance(sent, str) else {"body": REFERENCE | sent}
    body = refused(service, service.call("record_fact", "POST", "/facts", **said), rows)
    assert body["status"] == status
    assert body["field"].startswith(field)
    needless = {"subject", "citations", "reason", "derived_from", "source_hash"}
    assert "limit" in body or field.removeprefix("body.") in needless | {"session", "task"}
    assert "x" * 41 not in json.dumps(body)


@pytest.mark.parametrize(
    ("said", "status", "field"),
    [
        ({"query": {"project": "no-such"}}, 404, None),
        ({"query": {"project": "*"}}, 404, None),
        ({"query": {"projekt": "backend"}}, 400, "query.projekt"),
        ({"query": {"workspace": "Bad#"}}, 422, "query.workspace"),
        ({"projects": "backend,web"}, 400, "query.project"),
        ({"headers": {"X-Idempotency-Key": "k" * 201}}, 422, "header.X-Idempotency-Key"),
        ({"caller": READER}, 403, None),
        ({"projects": "missing"}, 404, None),
    ],
)
def test_given_a_request_that_may_not_or_does_not_say_where_when_recorded_then_it_is_refused(
    service: Service, said: dict[str, Any], status: int, field: str | None
):
    rows = service.rows()
    body = refused(service, service.record(**said), rows)
    assert (body["status"], body.get("field")) == (status, field)


def test_given_a_whole_fact_above_64_kib_when_recorded_then_it_is_too_large(service: Service):
    rows = service.rows()
    attributes = {f"{n}" * 50: "🚀" * 500 for n in range(10, 30)}
    citations = [{"quote": "🚀" * 300, "locator": "🚀" * 500}] * 10
    body = refused(service, service.record(attributes=attributes, citations=citations), rows)
    assert (body["status"], body["limit"], body["code"]) == (413, limits.ITEM_BYTES, "too_large")
    assert body["actual"] > limits.ITEM_BYTES


@pytest.mark.parametrize("length", [1, 599, 600])
def test_given_a_statement_up_to_its_limit_when_recorded_then_it_is_kept_verbatim(
    service: Service, length: int
):
    for letter in "xж🚀":
        reply = service.record(statement=letter * length)
        assert reply.status == 201
        assert (
            service.get(reply.body["fact"]["fact_id"]).body["fact"]["statement"] == letter * length
        )


def test_given_the_smallest_confidence_when_recorded_then_it_is_kept_and_the_chain_holds(
    service: Service,
):
    for confidence in (1e-300, -0.0, 0, 1, 0.1 + 0.2):
        reply = service.record(statement=f"c {confidence!r}", confidence=confidence)
        assert reply.status == 201
        again = service.get(reply.body["fact"]["fact_id"]).body["fact"]
        assert again["confidence"] == reply.body["fact"]["confidence"] == round(abs(confidence), 6)


@pytest.mark.parametrize("kind", ["decision", "verdict", "deployment", "incident", "commit"])
def test_given_an_agent_when_it_records_a_protected_kind_then_it_is_refused(
    service: Service, kind: str
):
    rows = service.rows()
    body = refused(service, service.record(kind=kind, caller=AGENT), rows)
    assert (body["status"], body["code"], body["field"]) == (403, "not_allowed", "body.kind")


@pytest.mark.parametrize(
    ("caller", "kind", "trust"),
    [(AGENT, "observation", "agent"), (CI, "note", "imported"), (PAVEL, "note", "human")],
)
def test_given_a_principal_when_it_records_then_trust_kind_and_author_are_the_servers_word(
    service: Service, caller: dict[str, str], kind: str, trust: str
):
    fact = service.record(caller=caller).body["fact"]
    assert (fact["kind"], fact["trust"], fact["state"]) == (kind, trust, "candidate")
    author = {n: caller[n] for n in ("principal", "kind", "operator") if n in caller}
    assert fact["author"] == author


def test_given_a_private_fact_when_recorded_then_it_is_the_persons_and_an_integration_has_none(
    service: Service,
):
    mine = service.record(audience="private").body["fact"]
    agents = service.record(audience="private", caller=AGENT, statement="Another.").body["fact"]
    assert mine["audience"] == agents["audience"] == "private"
    assert service.get(agents["fact_id"]).status == 200  # the agent works for olga
    rows = service.rows()
    body = refused(service, service.record(audience="private", caller=CI), rows)
    assert (body["status"], body["field"]) == (403, "body.audience")


def test_given_the_same_statement_when_recorded_again_then_the_first_is_answered(service: Service):
    one = service.record()
    again = service.record(statement="  Deploys to staging\u00a0roll out through app-staging. ")
    assert (one.status, again.status) == (201, 200)
    assert again.body["repeat"] is True
    assert again.body["fact"] == one.body["fact"]
    assert service.used() == 1
    assert sum(row["sk"]["S"] == "HEAD" for row in service.rows()) == 1


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"query": {"workspace": "second"}},
        {"audience": "private"},
        {"valid_at": {"machine": "laptop"}},
        {"layer": "task", "task": "t1"},
        {"layer": "session", "session": "t1"},
        {"query": {"project": "web"}, "projects": "backend,web"},
        {"tenant": "globex"},
        {"statement": "deploys to staging roll out through app-staging."},
    ],
)
def test_given_the_same_statement_in_another_cell_when_recorded_then_it_is_another_fact(
    service: Service, elsewhere: dict[str, Any]
):
    one, other = service.record(), service.record(**elsewhere)
    assert (one.status, other.status) == (201, 201)
    assert one.body["fact"]["fact_id"] != other.body["fact"]["fact_id"]


def test_given_a_statement_whose_fact_expired_when_recorded_then_it_is_a_new_fact(service: Service):
    one = service.record(expires_at="2026-06-01T00:00:00Z")
    service.now += 30 * DAY
    other = service.record()
    assert (other.status, other.body["repeat"]) == (201, False)
    assert other.body["fact"]["fact_id"] != one.body["fact"]["fact_id"]


def keyed(service: Service, key: str = "k1", **said: Any) -> Reply:
    name = said.pop("header", "X-Idempotency-Key")
    return service.record(headers={name: key}, **said)


def test_given_the_same_request_when_sent_again_then_the_answer_is_the_same(service: Service):
    one = keyed(service)
    for header in ("X-Idempotency-Key", "x-idempotency-key", "Idempotency-Key"):
        again = keyed(service, header=header)
        assert (again.status, again.text) == (one.status, one.text)
        assert again.headers["X-Idempotent-Replayed"] == "true"
    assert "X-Idempotent-Replayed" not in one.headers
    assert service.used() == 1


def test_given_the_same_key_for_another_request_when_sent_then_it_is_409(service: Service):
    one = keyed(service)
    rows = service.rows()
    body = refused(service, keyed(service, statement="Something else."), rows)
    assert (body["status"], body["code"]) == (409, "idempotency_mismatch")
    assert body["fact_id"] == one.body["fact"]["fact_id"]


def test_given_the_same_request_in_another_order_when_sent_then_it_is_the_same(service: Service):
    attributes = {"a": "1", "b": "2"}
    one = keyed(service, attributes=attributes)
    sent = REFERENCE | {"attributes": attributes}
    turned = {name: sent[name] for name in reversed(sent)}
    turned["attributes"] = {name: attributes[name] for name in reversed(attributes)}
    headers = {"X-Idempotency-Key": "k1"}
    again = service.call("record_fact", "POST", "/facts", turned, headers=headers)
    assert (again.status, again.text) == (201, one.text)


def test_given_the_same_key_in_another_workspace_when_sent_then_it_is_another_request(
    service: Service,
):
    keyed(service)
    reply = keyed(service, query={"workspace": "second"})
    assert (reply.status, reply.body["code"]) == (409, "idempotency_mismatch")


def test_given_a_repeat_under_a_key_when_sent_again_then_that_answer_is_replayed(service: Service):
    service.record()
    one, again = keyed(service), keyed(service)
    assert (one.status, again.status, again.text) == (200, 200, one.text)
    assert again.headers["X-Idempotent-Replayed"] == "true"


@pytest.mark.parametrize(
    "other",
    [
        {"caller": PAVEL},
        {"query": {"project": "web"}, "projects": "backend,web"},
        {"tenant": "globex"},
    ],
)
def test_given_anothers_key_of_the_same_name_when_sent_then_it_is_independent(
    service: Service, other: dict[str, Any]
):
    keyed(service)
    reply = keyed(service, statement="Something else.", **other)
    assert reply.status == 201
    assert "X-Idempotent-Replayed" not in reply.headers


def test_given_a_key_of_seven_days_ago_when_sent_then_it_is_free_though_its_item_is_still_there(
    service: Service,
):
    keyed(service)
    service.now += 7 * DAY
    reply = keyed(service, statement="Something else.")
    assert reply.status == 201
    assert sum(row["sk"]["S"] == "IDEM" for row in service.rows()) == 1


@pytest.mark.parametrize("use", ["derived_from", "supersedes"])
def test_given_facts_the_writer_cannot_build_on_when_named_then_all_get_the_same_refusal(
    service: Service, use: str
):
    named = [
        NOBODYS,
        service.a_fact("Of another tenant.", tenant="globex"),
        service.a_fact("Of another project.", query={"project": "web"}, projects="backend,web"),
        service.a_fact("Of another person.", audience="private", caller=PAVEL),
        service.a_fact("Mine alone.", audience="private"),
        service.a_fact("Gone.", expires_at="2026-05-29T00:00:00Z"),
    ]
    service.now += DAY
    rows, used = service.rows(), service.used()
    for fact_id in named:
        said = {use: [fact_id] if use == "derived_from" else fact_id}
        body = refused(service, service.record(**said), rows)
        assert (body["status"], body["field"]) == (422, f"body.{use}")
        assert body["detail"] == f"{use} names facts that do not exist: {fact_id}"
    assert service.used() == used


def test_given_a_private_fact_when_built_on_public_and_own_ones_then_it_is_stored(service: Service):
    sources = [service.a_fact("Public."), service.a_fact("Mine alone.", audience="private")]
    reply = service.record(derived_from=sources, audience="private")
    assert reply.status == 201
    assert reply.body["fact"]["derived_from"] == sources


def test_given_a_key_of_100_facts_when_another_is_recorded_then_it_is_refused(service: Service):
    place = a_cell().place
    facts = {f"01J{n:023}": Member("00" * 32, False) for n in range(limits.KEY_MEMBERS)}
    service.table.put(side_items.members_put(Members(place, "port", facts))[0])
    rows = service.rows()
    body = refused(service, service.record(fact_key="port"), rows)
    assert (body["status"], body["field"], body["limit"]) == (422, "body.fact_key", 100)
    assert service.used() == 0
    assert service.record(fact_key="ports").status == 201
    assert members_key(place, "port") != members_key(place, "ports")


@pytest.mark.parametrize(
    ("used", "reason"), [(236, None), (237, "soft_limit"), (249, "soft_limit")]
)
def test_given_a_project_near_its_ceiling_when_recorded_then_it_is_told(
    service: Service, used: int, reason: str | None
):
    service.change("T#acme#P#backend", "BUDGET", facts=used)
    reply = service.record()
    assert reply.status == 201
    assert service.used() == used + 1
    assert reply.body["admission"] == (
        {"degraded": True, "reason": reason} if reason else {"degraded": False}
    )
    assert reply.headers.get("X-Project-Memory-Budget") == ("degraded" if reason else None)


def test_given_a_full_project_when_observed_then_it_is_refused_and_a_decision_is_kept(
    service: Service,
):
    service.change("T#acme#P#backend", "BUDGET", facts=250)
    rows = service.rows()
    for said in ({"kind": "observation"}, {"caller": AGENT}, {"kind": "note"}):
        body = refused(service, service.record(**said), rows)
        assert (body["status"], body["code"], body["limit"]) == (429, "hard_limit", 250)
        assert body["hint"]
    one = keyed(service, kind="decision")
    assert one.status == 201
    assert one.body["admission"] == {"degraded": True, "reason": "protected_kind"}
    assert keyed(service, kind="decision").text == one.text
    assert service.used() == 251
    assert service.used("web") == 0


def test_given_passing_troubles_of_the_table_when_recorded_then_it_is_tried_again(service: Service):
    troubles = [
        error("TransactionCanceledException", "None", "TransactionConflict"),
        error("ThrottlingException"),
        error("TransactionCanceledException", "ThrottlingError", "None"),
        error("InternalServerError"),
    ]
    calls = first(service, "transact_write_items", *troubles)
    assert service.record().status == 201
    assert len(calls) == 5
    assert len({call["ClientRequestToken"] for call in calls}) == 1
    assert service.used() == 1


@pytest.mark.parametrize("method", ["batch_get_item", "update_item", "transact_write_items"])
def test_given_a_table_that_throttles_on_when_recorded_then_it_is_503_and_nothing_is_counted(
    service: Service, method: str
):
    calls = first(service, method, *[error("ThrottlingException")] * 6)
    reply = service.record()
    assert (reply.status, reply.body["code"], reply.body["retry"]) == (503, "busy", True)
    assert reply.headers["Retry-After"] == "1"
    assert len(calls) >= 6
    assert service.used() == 0
    assert service.record().status == 201


def test_given_a_rival_with_the_same_statement_when_both_write_then_the_loser_is_told_the_fact(
    service: Service,
):
    rivals: list[Reply] = []
    first(service, "transact_write_items", lambda: rivals.append(service.record()))
    reply = service.record()
    assert (rivals[0].status, reply.status) == (201, 200)
    assert reply.body["repeat"] is True
    assert reply.body["fact"]["fact_id"] == rivals[0].body["fact"]["fact_id"]
    assert service.used() == 1


def test_given_the_same_request_twice_at_once_when_both_write_then_one_is_replayed(
    service: Service,
):
    rivals: list[Reply] = []
    first(service, "transact_write_items", lambda: rivals.append(keyed(service)))
    reply = keyed(service)
    assert (reply.status, reply.text) == (201, rivals[0].text)
    assert reply.headers["X-Idempotent-Replayed"] == "true"
    assert service.used() == 1


def test_given_races_lost_without_end_when_recorded_then_it_is_503_and_nothing_is_counted(
    service: Service,
):
    lost = error("TransactionCanceledException", "None", "ConditionalCheckFailed")
    first(service, "transact_write_items", *[lost] * 50)
    rows = service.rows()
    reply = service.record()
    assert (reply.status, reply.body["code"]) == (503, "busy")
    assert reply.headers["Retry-After"] == "1"
    assert unmoved(service.rows()) == unmoved(rows)


def test_given_a_failure_nobody_foresaw_when_recorded_then_it_is_500_without_words_and_is_undone(
    service: Service, log: io.StringIO
):
    first(service, "transact_write_items", error("TransactionCanceledException", "ValidationError"))
    reply = service.record()
    assert (reply.status, reply.body["code"], reply.body["retry"]) == (500, "internal", True)
    assert "secret words" not in reply.text + log.getvalue()
    assert "crashed" in log.getvalue()
    assert service.used() == 0


def test_given_a_table_that_does_not_answer_when_recorded_then_the_room_stays_taken(
    service: Service,
):
    first(service, "transact_write_items", ReadTimeoutError(endpoint_url="table"))
    reply = service.record()
    assert (reply.status, reply.body["code"], reply.body["retry"]) == (500, "internal", True)
    assert service.used() == 1  # the fact may be there: the nightly recount knows


def test_given_the_clock_when_recorded_then_it_is_the_services_not_the_callers(service: Service):
    service.now = NOW + 1
    fact = service.record(observed_at="2020-01-01T00:00:00Z").body["fact"]
    assert fact["recorded_at"] == "2026-05-28T20:26:40.001Z"
