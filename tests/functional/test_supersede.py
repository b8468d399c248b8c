"""`supersedes` on a new fact: an old claim ends at once, authority only by authority."""

from __future__ import annotations

import pytest

from tests.functional.authority import (  # noqa: F401
    BORIS,
    CODER,
    NOBODY,
    OLGA,
    PILOT,
    VERA,
    Desk,
    a_desk,
    meanwhile,
)

OLD, NEW = "Deploys go through Jenkins.", "Deploys go through Gitea Actions."


def test_given_a_candidate_when_superseded_then_it_ends_at_once_with_links_both_ways(
    desk: Desk,
) -> None:
    old = desk.remember(OLD, by=PILOT).id
    new = desk.remember(NEW, by=CODER, supersedes=old, reason="the runner moved").id
    shown = desk.get(old).body
    assert (shown["fact"]["state"], shown["fact"]["superseded_by"]) == ("superseded", new)
    assert f"superseded by {new}" in shown["labels"]
    assert shown["fact"]["reason"] == f"superseded by {new}: the runner moved"
    assert {"type": "superseded_by", "target": new} in shown["links"]
    assert {"type": "supersedes", "target": old} in desk.get(new).body["links"]
    desk.reindex()
    assert [i["fact"]["fact_id"] for i in desk.search("deploys").items] == [new]
    assert [line["fact_id"] for line in desk.list().items] == [new]


def test_given_authority_when_a_claim_supersedes_it_then_it_stands_until_that_is_published(
    desk: Desk,
) -> None:
    old = desk.remember(OLD).id
    desk.publish(old)
    new = desk.remember(NEW, by=CODER, supersedes=old).id
    assert desk.state(old) == "published"
    assert {i["fact"]["fact_id"] for i in desk.search("deploys").items} == {old, new}
    desk.publish(new)
    assert (desk.state(old), desk.state(new)) == ("superseded", "published")
    assert desk.get(old).fact["superseded_by"] == new


def test_given_a_successor_when_a_reviewer_finalizes_it_then_the_old_fact_ends_too(
    desk: Desk,
) -> None:
    old = desk.remember(OLD).id
    desk.publish(old)
    new = desk.remember(NEW, by=CODER, supersedes=old).id
    desk.claim(new)
    assert desk.finalize(new).status == 200
    assert desk.state(old) == "superseded"


def test_given_a_successor_of_the_same_key_when_published_then_no_dispute(desk: Desk) -> None:
    old = desk.remember(OLD, fact_key="deploy").id
    desk.publish(old)
    new = desk.remember(NEW, fact_key="deploy", supersedes=old).id
    assert len(desk.conflicts().items) == 1  # nobody has decided yet
    assert desk.publish(new).fact["state"] == "published"
    assert desk.state(old) == "superseded"
    assert desk.conflicts().items == []


def test_given_a_rejected_successor_when_settled_then_the_old_fact_stands(desk: Desk) -> None:
    old = desk.remember(OLD).id
    desk.publish(old)
    new = desk.remember(NEW, by=CODER, supersedes=old).id
    desk.claim(new)
    desk.finalize(new, "reject")
    assert desk.state(old) == "published"


def test_given_a_superseded_value_when_said_again_then_it_is_no_grave(desk: Desk) -> None:
    old = desk.remember(OLD).id
    desk.remember(NEW, supersedes=old)
    assert desk.remember(OLD).status == 201


@pytest.mark.parametrize("fate", ["retract", "forget", "nowhere", "foreign", "private"])
def test_given_what_is_not_there_when_superseded_then_422_names_it(desk: Desk, fate: str) -> None:
    if fate == "nowhere":
        old = NOBODY
    elif fate == "foreign":
        old = desk.remember(OLD, projects="other").id
    else:
        private = {"audience": "private"} if fate == "private" else {}
        old = desk.remember(OLD, by=VERA, **private).id
        if not private:
            getattr(desk, fate)(old)
    answer = desk.remember(NEW, supersedes=old)
    assert (answer.status, answer.body["field"]) == (422, "body.supersedes")
    assert answer.body["actual"] == old


def test_given_a_publication_in_between_when_superseded_then_authority_stands(desk: Desk) -> None:
    old = desk.remember(OLD).id
    with meanwhile("transact", lambda: desk.publish(old)):
        desk.remember(NEW, by=CODER, supersedes=old)
    assert desk.state(old) == "published"


def test_given_two_successors_at_once_when_recorded_then_one_of_them_supersedes(
    desk: Desk,
) -> None:
    old = desk.remember(OLD).id
    with meanwhile("transact", lambda: desk.remember("Deploys by hand.", supersedes=old)):
        answer = desk.remember(NEW, supersedes=old)
    assert answer.status == 422
    assert len(desk.get(old).body["revisions"]) == 2


def test_given_a_predecessor_of_an_own_fact_when_published_by_its_author_then_403(
    desk: Desk,
) -> None:
    old = desk.remember(OLD, by=OLGA).id
    desk.publish(old, by=BORIS)
    new = desk.remember(NEW, by=BORIS, supersedes=old).id
    assert desk.publish(new, by=BORIS).refusal == (403, "self_review")
    assert desk.state(old) == "published"


def test_given_a_persons_note_when_an_agent_supersedes_it_then_it_waits_for_a_person(
    desk: Desk,
) -> None:
    old = desk.remember(OLD, by=OLGA).id
    new = desk.remember(NEW, by=CODER, supersedes=old).id
    assert desk.state(old) == "candidate"
    desk.publish(new, by=BORIS)
    assert (desk.state(old), desk.state(new)) == ("superseded", "published")
