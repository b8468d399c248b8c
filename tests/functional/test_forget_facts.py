"""POST /forget and DELETE /facts/{fact_id}: gone from every read path at once, for good."""

from __future__ import annotations

import unicodedata

import pytest

from tests.functional.authority import (  # noqa: F401
    BORIS,
    CI,
    CODER,
    EDITOR,
    NOBODY,
    OLGA,
    PILOT,
    READER,
    VERA,
    Desk,
    a_desk,
    forget_adapters,
    meanwhile,
)

SAID = "Рабочий порт café is 8080"
VARIANTS = {
    "the same": SAID,
    "upper case": SAID.upper(),
    "full width": SAID.replace("8080", "\uff18\uff10\uff18\uff10"),
    "zero width": SAID.replace("8080", "80\u200b80"),
    "soft hyphen": SAID.replace("Рабочий", "Ра\u00adбочий"),
    "look-alikes": SAID.replace("Р", "P", 1).replace("о", "o"),
    "decomposed": unicodedata.normalize("NFD", SAID),
    "blanks": f"  {SAID.replace(' ', '   ')} ",
    "no-break": SAID.replace(" ", "\u00a0"),
    "full stop": SAID + ".",
}


def test_given_a_fact_when_forgotten_then_no_read_path_shows_it(desk: Desk) -> None:
    fact_id = desk.remember(
        SAID, fact_key="port", subject={"type": "service", "id": "billing"}, source_id="a.md"
    ).id
    other = desk.remember("Port is 9090.", fact_key="port").id
    built_on = desk.remember("A summary of ports.", derived_from=[fact_id]).id
    desk.reindex()
    answer = desk.forget(fact_id)
    assert answer.body == {
        "forgotten": [fact_id],
        "forgotten_count": 1,
        "held": [],
        "refused": [],
    }
    for _ in ("before the index knows", "after"):
        found = [i["fact"]["fact_id"] for i in desk.search("порт café 8080").items]
        assert fact_id not in found
        assert "8080" not in desk.context("порт café 8080").body["text"]
        desk.reindex()
    assert desk.get(fact_id, by=READER).status == 404
    assert desk.revision(fact_id, 1, by=READER).status == 404
    assert fact_id not in {line["fact_id"] for line in desk.list().items}
    assert desk.timeline(by=READER).items == []
    assert desk.conflicts().items == []
    assert desk.validate("a.md", "x").body["checked"] == 0
    assert fact_id not in {i["fact"]["fact_id"] for i in desk.queue().items}
    assert desk.get(other).body["contradictions"] == []
    links = desk.get(built_on).body["links"]
    assert links == []
    assert "stale" in desk.get(built_on).body["labels"]


def test_given_a_forgotten_fact_when_an_owner_looks_then_the_trail_is_there(desk: Desk) -> None:
    fact_id = desk.remember(SAID, subject={"type": "service", "id": "billing"}).id
    desk.tick()
    desk.forget(fact_id)
    shown = desk.get(fact_id, by=BORIS).body
    assert [r["state"] for r in shown["revisions"]] == ["candidate", "forgotten"]
    assert shown["revisions"][1]["reason"] == "asked to"
    assert desk.revision(fact_id, 1, by=BORIS).body["statement"] == SAID
    assert [e["state"] for e in desk.timeline(by=BORIS).items] == ["candidate", "forgotten"]


@pytest.mark.parametrize("said", list(VARIANTS.values()), ids=list(VARIANTS))
def test_given_a_forgotten_value_when_it_is_said_again_then_no_writer_takes_it(
    desk: Desk, said: str
) -> None:
    fact_id = desk.record(SAID).id
    other = desk.record("Quite another value.").id
    desk.forget(fact_id)
    answers = [
        desk.remember(said, by=CODER),
        desk.remember(said, by=CI, source_id="notes/port.md", source_hash="h"),  # as an import
        desk.record(said, by=OLGA, task="t2"),
        desk.revise(other, statement=said),
    ]
    for answer in answers:
        assert answer.refusal == (409, "duplicate_tombstone")
        assert answer.body["fact_id"] == fact_id
        assert "asked to" in answer.body["detail"]
    desk.reindex()
    assert desk.search(said).items == []


def test_given_a_forgotten_value_when_another_place_says_it_then_it_may(desk: Desk) -> None:
    desk.forget(desk.remember(SAID).id)
    assert desk.remember(SAID, valid_at={"workplace": "lab"}).status == 201
    assert desk.remember(SAID, audience="private").status == 201
    assert desk.remember(SAID, query={"workspace": "w2"}).status == 201
    assert desk.remember(SAID, projects="other").status == 201
    assert desk.remember("Рабочий порт café is 8081").status == 201


def test_given_a_forgotten_value_when_reopened_then_only_with_review(desk: Desk) -> None:
    old = desk.remember(SAID).id
    desk.forget(old)
    assert desk.remember(SAID, by=EDITOR, reopen=True).refusal == (403, "not_allowed")
    assert desk.remember(SAID, by=CODER, reopen=True).refusal == (403, "not_allowed")
    new = desk.remember(SAID, by=VERA, reopen=True)
    assert new.status == 201
    assert new.id != old
    assert desk.state(old) == "forgotten"
    desk.retract(new.id, reason="wrong again")
    again = desk.remember(SAID)
    assert again.refusal == (409, "duplicate_tombstone")
    assert again.body["fact_id"] == new.id
    assert "wrong again" in again.body["detail"]


def test_given_a_free_value_when_reopened_then_422(desk: Desk) -> None:
    assert desk.remember(SAID, by=VERA, reopen=True).status == 422


def test_given_a_cold_start_and_a_reindex_when_searched_then_it_stays_away(desk: Desk) -> None:
    twin, fact_id = desk.remember(SAID + " here").id, desk.remember(SAID).id
    desk.reindex()
    desk.forget(fact_id)
    desk.reindex()
    forget_adapters()
    found = [item["fact"]["fact_id"] for item in desk.search("порт café 8080").items]
    assert found == [twin]


def test_given_a_source_when_forgotten_then_all_of_it_goes_and_nothing_else(desk: Desk) -> None:
    gone = [desk.remember(f"Fact {i}.", source_id="a.md").id for i in range(3)]
    stays = desk.remember("Of another source.", source_id="b.md").id
    private = desk.remember("My own.", by=OLGA, audience="private", source_id="a.md").id
    body = desk.forget_source("a.md", by=BORIS).body
    assert (sorted(body["forgotten"]), body["forgotten_count"]) == (sorted(gone), 3)
    assert (body["held"], body["refused"]) == ([], [])
    assert {line["fact_id"] for line in desk.list().items} == {stays}
    assert desk.get(private, by=OLGA).status == 200
    assert desk.forget_source("a.md", by=BORIS).body["forgotten_count"] == 0
    assert desk.forget_source("nothing.md").body["forgotten_count"] == 0


def test_given_what_a_person_published_or_wrote_when_others_forget_then_it_stays(
    desk: Desk,
) -> None:
    published = desk.remember("Published.", by=CODER, source_id="a.md").id
    desk.publish(published)
    human = desk.remember("A person's.", by=OLGA, source_id="a.md").id
    machine = desk.remember("A machine's.", by=PILOT, source_id="a.md").id
    for by in (EDITOR, CODER, CI):
        assert desk.forget(published, by=by).refusal == (403, "not_allowed")
    for by in (CODER, CI):
        assert desk.forget(human, by=by).refusal == (403, "not_allowed")
    body = desk.forget_source("a.md", by=CODER).body
    assert body["forgotten"] == [machine]
    assert sorted(body["refused"]) == sorted([published, human])
    assert desk.forget(human, by=EDITOR).status == 200
    assert desk.forget(published, by=BORIS).status == 200


def test_given_neither_or_both_when_forgetting_then_400(desk: Desk) -> None:
    both = {"fact_id": NOBODY, "source_id": "a.md"}
    for body in ({}, both):
        answer = desk.call("forget_facts", "POST", "/forget", body)
        assert answer.refusal == (400, "malformed")


def test_given_the_same_key_again_when_forgetting_then_the_same_answer(desk: Desk) -> None:
    fact_id, other = desk.remember(SAID).id, desk.remember("Another.").id
    first, again = desk.forget(fact_id, key="k"), desk.forget(fact_id, key="k")
    assert (again.status, again.body) == (first.status, first.body)
    assert "X-Idempotent-Replayed" not in first.headers
    assert again.headers["X-Idempotent-Replayed"] == "true"
    assert desk.forget(other, key="k").refusal == (409, "idempotency_mismatch")
    deleted = [
        desk.call("forget_fact", "DELETE", f"/facts/{i}", by=BORIS, key="d")
        for i in (other, other, fact_id)
    ]
    assert [answer.status for answer in deleted] == [200, 200, 409]
    assert deleted[1].body == deleted[0].body
    assert deleted[1].headers["X-Idempotent-Replayed"] == "true"
    assert desk.forget(fact_id).refusal == (409, "wrong_state")


def test_given_ids_that_are_not_there_when_forgetting_then_one_404(desk: Desk) -> None:
    foreign = desk.remember("Theirs.", projects="other").id
    rival = desk.remember("A rival's.", tenant="rival").id
    private = desk.remember("Mine.", by=OLGA, audience="private").id
    forgotten = desk.remember("Gone.").id
    desk.forget(forgotten)
    ids = (NOBODY, foreign, rival, private, forgotten)
    answers = [desk.forget(i, by=VERA) for i in ids]
    assert {a.status for a in answers} == {404}
    assert len({str(a.body) for a in answers}) == 1
    deletes = [desk.call("forget_fact", "DELETE", f"/facts/{i}", by=VERA) for i in ids]
    assert {str(a.body) for a in deletes} == {str(answers[0].body)}


def test_given_a_publication_in_between_when_an_editor_forgets_then_403(desk: Desk) -> None:
    fact_id = desk.remember(SAID, by=EDITOR).id
    with meanwhile("transact", lambda: desk.publish(fact_id)):
        assert desk.forget(fact_id, by=EDITOR).refusal == (403, "not_allowed")
    assert desk.state(fact_id) == "published"


def test_given_a_forget_in_between_when_recorded_then_the_grave_stands(desk: Desk) -> None:
    def come_and_go() -> None:
        desk.forget(desk.remember(SAID, by=VERA).id)

    with meanwhile("transact", come_and_go):
        assert desk.remember(SAID, by=CODER).refusal == (409, "duplicate_tombstone")
    assert desk.list().items == []
