"""What went wrong elsewhere and must not here: governance. Each case with its positive control.

Numbers are those of the list of cases in the design.
"""

from __future__ import annotations

import pytest

from muniment import bootstrap
from muniment.domain.budget import Profile
from muniment.domain.history import broken_link
from muniment.domain.moments import rfc3339
from tests.functional.authority import (  # noqa: F401
    BORIS,
    CI,
    CODER,
    EDITOR,
    NOBODY,
    OLGA,
    READER,
    STRANGER,
    Answer,
    Desk,
    a_desk,
    forget_adapters,
    meanwhile,
    sides,
    statements,
)


def found(answer: Answer) -> list[str]:
    return [item["fact"]["fact_id"] for item in answer.items]


def test_d01_given_the_very_same_memory_twice_when_remembered_then_one_fact_and_no_deletion(
    desk: Desk,
) -> None:
    said = {"fact_key": "port", "subject": {"type": "service", "id": "billing"}}
    first = desk.remember("Port is 8080.", key="one", **said)
    second = desk.remember("Port is 8080.", key="two", **said)
    assert (first.status, second.status, second.id) == (201, 200, first.id)
    assert found(desk.search("port 8080")) == [first.id]
    assert [event["state"] for event in desk.timeline().items] == ["candidate"]
    other = desk.remember("Port is 8081.", key="three", **said)  # control: another value is new
    assert other.status == 201
    assert len(desk.list().items[0]["conflicts_with"]) == 1


def test_d02_given_three_scopes_when_one_is_forgotten_then_the_others_are_whole(
    desk: Desk,
) -> None:
    bootstrap.tenants().create_project("acme", "third", Profile.STANDARD, desk.now)
    for number in range(12):
        for scope in ({}, {"projects": "other"}, {"projects": "backend", "tenant": "rival"}):
            desk.remember(f"Fact {number}.", source_id="all.md", **scope)
    desk.reindex()
    assert desk.forget_source("all.md").body["forgotten_count"] == 12
    desk.reindex()
    assert desk.search("fact", limit=50).items == []
    for scope in ({"projects": "other"}, {"tenant": "rival"}):  # control
        assert len(desk.search("fact", limit=50, **scope).items) == 12
    for body in ({}, {"source_id": ""}, {"source_id": "*", "fact_id": NOBODY}):
        assert desk.call("forget_facts", "POST", "/forget", body).status in (400, 422)
    assert desk.forget_source("*").body["forgotten_count"] == 0
    assert len(desk.search("fact", limit=50, projects="other").items) == 12


def test_d03_given_facts_that_were_forgotten_when_read_by_any_path_then_none_and_a_trail(
    desk: Desk,
) -> None:
    about = {"subject": {"type": "service", "id": "billing"}, "source_id": "a.md"}
    ids = [desk.remember(f"Fact {n}.", fact_key="k", **about).id for n in range(20)]
    control = desk.remember("Fact that stays.", subject=about["subject"]).id
    desk.reindex()
    assert len(found(desk.search("fact", limit=50))) == 2  # the contradiction is one item
    assert desk.forget_source("a.md").body["forgotten_count"] == 20
    for _ in ("before the index knows", "after"):
        assert found(desk.search("fact", by=READER, limit=50)) == [control]
        assert [one["fact_id"] for one in desk.list(by=READER).items] == [control]
        assert "Fact 7." not in desk.context("fact", by=READER).body["text"]
        assert [e["fact_id"] for e in desk.timeline(by=READER).items] == [control]
        assert desk.conflicts(by=READER).items == []
        assert {desk.get(i, by=READER).status for i in ids} == {404}
        desk.reindex()
    forgets = [e for e in desk.timeline(by=BORIS).items if e["state"] == "forgotten"]
    assert {e["fact_id"] for e in forgets} == set(ids)


def test_d04_given_one_of_two_near_identical_when_forgotten_then_rebuilds_do_not_revive_it(
    desk: Desk, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = desk.remember("Staging rolls out through app-staging unit one.").id
    sibling = desk.remember("Staging rolls out through app-staging unit two.").id
    desk.reindex()
    desk.forget(gone)
    assert found(desk.search("staging unit")) == [sibling]
    bootstrap.index().close()  # type: ignore[attr-defined]
    monkeypatch.setenv("SEARCH_FOLDER", f"{tmp_path}/rebuilt")
    forget_adapters()  # a restart, with an index that is empty
    desk.tick(120_000)
    assert found(desk.search("staging unit")) == []
    desk.reindex()
    assert found(desk.search("staging unit")) == [sibling]


def test_d05_given_the_same_content_in_two_projects_when_one_forgets_then_the_other_keeps(
    desk: Desk,
) -> None:
    here = desk.remember("The same words.", source_id="a.md").id
    there = desk.remember("The same words.", source_id="a.md", projects="other").id
    built = desk.remember("Built on it.", projects="other", derived_from=[there]).id
    assert here != there
    before = desk.get(there, projects="other").body
    desk.forget_source("a.md")
    assert desk.get(there, projects="other").body == before
    assert [link["target"] for link in before["links"]] == [built]
    assert there in found(desk.search("same words", projects="other"))
    assert desk.remember("The same words.").status == 409  # control: here it is buried
    assert desk.remember("The same words.", projects="other").body["repeat"] is True


def test_d06_given_foreign_ids_when_deleted_then_one_404_and_nothing_changes(desk: Desk) -> None:
    theirs = desk.remember("Of another project.", projects="other").id
    rival = desk.remember("Of a rival.", by=STRANGER, tenant="rival").id
    before = desk.dump()
    answers = [
        desk.call("forget_fact", "DELETE", f"/facts/{fact_id}", by=BORIS)
        for fact_id in (theirs, rival, NOBODY, "no-ulid")
    ]
    assert {a.status for a in answers} == {404}
    assert len({str(a.body) for a in answers}) == 1
    assert desk.dump() == before
    own = desk.remember("Ours.").id  # control
    assert desk.call("forget_fact", "DELETE", f"/facts/{own}", by=BORIS).status == 200


def test_d25_given_writers_in_turn_when_one_revision_is_expected_then_one_wins_and_no_gap(
    desk: Desk,
) -> None:
    fact_id = desk.record("Revision 1.").id
    outcomes = [desk.revise(fact_id, statement=f"Writer {n}.").status for n in range(20)]
    assert outcomes == [200] + [409] * 19
    loser = desk.revise(fact_id, statement="Late.")
    assert (loser.body["revision"], loser.body["limit"], loser.body["actual"]) == (2, 2, 1)
    for expected in range(2, 10):
        for writer in ("a", "b"):
            answer = desk.revise(fact_id, expected=expected, statement=f"{writer} {expected}.")
            assert answer.status == (200 if writer == "a" else 409)
    history = bootstrap.facts().history("acme", fact_id)
    assert history is not None
    assert [r.number for r in history.revisions] == list(range(1, 11))
    assert broken_link(history.revisions, history.head.salt) is None
    texts = [r.content.statement for r in history.revisions]
    assert texts == ["Revision 1.", "Writer 0.", *(f"a {n}." for n in range(2, 10))]


def test_d25_given_a_writer_in_between_when_revised_then_the_loser_learns_of_it(
    desk: Desk,
) -> None:
    fact_id = desk.record("Revision 1.").id
    with meanwhile("transact", lambda: desk.revise(fact_id, statement="Faster.")):
        loser = desk.revise(fact_id, statement="Slower.")
    assert loser.refusal == (409, "stale_revision")
    assert desk.revise(fact_id, expected=2, statement="Slower.").status == 200  # control


ENTRY_POINTS = {
    "remember": lambda d, text: d.remember(text, by=EDITOR),
    "remember by an agent": lambda d, text: d.remember(text, by=CODER),
    "import": lambda d, text: d.remember(text, by=CI, source_id="n.md", source_hash="h"),
    "record": lambda d, text: d.call(
        "record_fact",
        "POST",
        "/facts",
        {
            "statement": text,
            "subject": {"type": "service", "id": "billing"},
            "citations": [{"locator": "a.md"}],
            "reason": "read it",
        },
        by=EDITOR,
    ),
}


@pytest.mark.parametrize("entry", ENTRY_POINTS)
def test_d27_given_every_way_in_when_a_fact_is_known_then_one_policy_for_all(
    desk: Desk, entry: str
) -> None:
    write = ENTRY_POINTS[entry]
    known = desk.remember("The build takes 4 minutes.").id
    repeated = write(desk, "The  build takes 4\u200b minutes. ")
    assert (repeated.status, repeated.id, repeated.body["repeat"]) == (200, known, True)
    buried = desk.remember("The build takes 9 minutes.").id
    desk.retract(buried, reason="measured wrongly")
    refused = write(desk, "the BUILD takes 9 minutes")
    assert refused.refusal == (409, "duplicate_tombstone")
    fresh = write(desk, "The build takes 5 minutes.")  # control
    assert (fresh.status, fresh.fact["state"]) == (201, "candidate")


def test_d30_given_a_joke_of_an_agent_when_recorded_then_no_rule_until_a_person_says_so(
    desk: Desk,
) -> None:
    joke = desk.remember("All comments end with a duck.", by=CODER, kind="rule")
    assert (joke.fact["state"], joke.fact["trust"]) == ("candidate", "agent")
    assert joke.fact["author"] == {"principal": "coder", "kind": "agent", "operator": "olga"}
    text = desk.context("how do comments end").body["text"]
    assert "## claims: not checked by a person" in text
    assert "authority)" not in text
    assert desk.publish(joke.id, by=CODER).status == 403
    desk.retract(joke.id, by=OLGA, reason="it was a joke")
    assert "duck" not in desk.context("how do comments end").body["text"]
    assert desk.search("comments duck").items == []
    history = desk.get(joke.id, by=READER).body
    assert [r["state"] for r in history["revisions"]] == ["candidate", "retracted"]
    assert history["revisions"][1]["reason"] == "it was a joke"
    rule = desk.remember("All comments end with a full stop.", by=CODER, kind="rule").id
    desk.publish(rule, by=OLGA)  # control
    text = desk.context("how do comments end").body["text"]
    assert "## project facts published by a person (authority)" in text


def test_d35_given_two_values_of_one_key_when_read_then_both_flagged_until_a_person_decides(
    desk: Desk,
) -> None:
    one = desk.remember("The staging unit is A.", fact_key="staging-unit").id
    two = desk.remember("The staging unit is B.", by=CODER, fact_key="staging-unit").id
    for fact_id, other in ((one, two), (two, one)):
        shown = desk.get(fact_id).body
        assert shown["fact"]["status"] == "conflict"
        assert f"conflict with {other}" in shown["labels"]
    (item,) = desk.search("staging unit", limit=1).items
    assert sides(item) == {one, two}
    assert "## contradictions" in desk.context("staging unit").body["text"]
    desk.tick(90 * 24 * 3_600_000)
    assert desk.get(one).fact["status"] == "conflict"  # time decides nothing
    desk.publish(one)
    assert desk.get(one).fact["status"] == "conflict"  # nor one word alone
    desk.retract(two)
    assert desk.get(one).fact["status"] == "unverified"
    assert "## contradictions" not in desk.context("staging unit").body["text"]


def test_d36_given_a_contradicting_fact_when_recorded_then_never_less_than_both(
    desk: Desk,
) -> None:
    desk.remember("Olga likes tabs.", fact_key="olga/indent")
    desk.remember("Olga hates tabs.", fact_key="olga/indent")
    (item,) = desk.search("tabs").items
    assert statements(item) == {"Olga likes tabs.", "Olga hates tabs."}
    with meanwhile("transact", lambda: desk.remember("Olga is calm.", fact_key="olga/indent")):
        desk.remember("Olga is torn.", fact_key="olga/indent")
    (item,) = desk.conflicts().items
    assert len(sides(item)) == 4
    alone = desk.remember("Boris likes tabs.", fact_key="boris/indent").id  # control
    assert desk.get(alone).body["contradictions"] == []


def test_d37_given_a_stale_fact_with_the_exact_words_when_searched_then_flagged_or_left_out(
    desk: Desk,
) -> None:
    stale = desk.remember("SSH port 22", source_id="sshd.md", source_hash="old").id
    current = desk.remember("The daemon for ssh listens at 49222.", source_id="b.md").id
    now = {"current_source_hash": {"sshd.md": "new"}}
    items = {item["fact"]["fact_id"]: item for item in desk.search("SSH port 22", **now).items}
    assert items[stale]["fact"]["status"] == "stale"
    assert "stale" in items[stale]["labels"]
    assert "stale" not in items[current]["labels"]
    assert found(desk.search("SSH port 22", exclude_stale=True, **now)) == [current]
    strict = desk.context("SSH port 22", exclude_stale=True, **now).body["text"]
    assert "SSH port 22" not in strict
    assert "49222" in strict
    same = {"current_source_hash": {"sshd.md": "old"}}  # control
    assert stale in found(desk.search("SSH port 22", exclude_stale=True, **same))


def test_d38_given_no_sweep_when_a_fact_ends_then_absent_at_once_and_in_history(
    desk: Desk,
) -> None:
    lasting = desk.remember("The door code lasts.").id
    fact_id = desk.remember("The door code is 4711.", expires_at=rfc3339(desk.now + 2000)).id
    desk.reindex()
    assert set(found(desk.search("door code"))) == {lasting, fact_id}  # control
    desk.tick(3000)
    assert found(desk.search("door code")) == [lasting]
    assert [line["fact_id"] for line in desk.list().items] == [lasting]
    assert "4711" not in desk.context("door code").body["text"]
    shown = desk.get(fact_id, by=READER).body
    assert (shown["fact"]["statement"], shown["labels"][-1]) == (
        "The door code is 4711.",
        "expired",
    )
