"""GET /facts/{fact_id}: one fact whole, and the same 404 for all that may not be seen."""

from __future__ import annotations

import pytest

from muniment import bootstrap
from muniment.domain.history import broken_link
from tests.builders import AGENT
from tests.functional.conftest import Service

PAVEL = {"principal": "pavel", "kind": "human", "actions": "read,write"}


def test_given_a_fact_when_read_then_head_labels_revisions_and_links_are_there(service: Service):
    source = service.a_fact("The source.")
    fact_id = service.a_fact("Made of it, see [[note]].", derived_from=[source], caller=AGENT)
    body = service.get(fact_id).body
    assert body["labels"] == ["trust: agent", "state: candidate", "claim"]
    assert [revision["revision"] for revision in body["revisions"]] == [1]
    assert body["revisions"][0]["statement"] == body["fact"]["statement"]
    assert {"type": "derived_from", "target": source} in body["links"]
    assert {"type": "mentions", "target": "note"} in body["links"]
    back = service.get(source).body["links"]
    assert [link["target"] for link in back] == [fact_id]


def test_given_a_stored_fact_when_read_back_then_its_chain_verifies(service: Service):
    fact_id = service.record(
        attributes={"б": "1", "a": ""}, tags=["x"], confidence=0.1, evidence="read"
    ).body["fact"]["fact_id"]
    history = bootstrap.facts().history("acme", fact_id)
    assert history is not None
    assert broken_link(history.revisions, history.head.salt) is None
    assert len(history.head.salt) == 32


@pytest.mark.parametrize("length", [26, 1, 500, 5_000])
def test_given_ids_that_may_not_be_seen_when_read_then_every_answer_is_the_same_404(
    service: Service, length: int
):
    others = [
        service.a_fact("Of another tenant.", tenant="globex"),
        service.a_fact("Of another project.", query={"project": "web"}, projects="backend,web"),
        service.a_fact("Of another person.", audience="private", caller=PAVEL),
        "01J0000000000000000000000Z",
        "x" * length,
        "HEAD",
        "01j0000000000000000000000z",
    ]
    answers = {(reply.status, reply.text) for reply in map(service.get, others)}
    assert len(answers) == 1
    status, text = answers.pop()
    assert status == 404
    assert '"code": "not_found"' in text


def test_given_a_private_fact_when_the_owner_or_their_agent_reads_then_it_is_there(
    service: Service,
):
    fact_id = service.a_fact("Mine alone.", audience="private")
    assert service.get(fact_id).status == 200
    assert service.get(fact_id, caller=AGENT).status == 200
    assert service.get(fact_id, caller={**AGENT, "operator": "pavel"}).status == 404


def test_given_a_key_of_several_projects_when_read_then_the_project_must_be_named(
    service: Service,
):
    fact_id = service.a_fact("Here.")
    assert service.get(fact_id, projects="backend,web").status == 400
    assert service.get(fact_id, projects="backend,web", query={"project": "backend"}).status == 200
    assert service.get(fact_id, projects="backend,web", query={"project": "web"}).status == 404


def test_given_a_method_or_path_without_a_verb_when_called_then_it_is_a_problem_too(
    service: Service,
):
    for method, path in (("DELETE", "/facts/x"), ("GET", "/nothing")):
        reply = service.call("get_fact", method, path)
        assert reply.status in (404, 405)
        assert reply.headers["Content-Type"] == "application/problem+json"
