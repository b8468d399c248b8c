"""An exact repeat by an independent voice: candidate becomes corroborated, never authority."""

from __future__ import annotations

import pytest

from tests.functional.authority import (  # noqa: F401
    BORIS,
    CI,
    CODER,
    EDITOR,
    OLGA,
    PILOT,
    VERA,
    Answer,
    Desk,
    a_desk,
    meanwhile,
)

SAID = "The queue holds 10 000 messages."


def first(desk: Desk, **fields: object) -> str:
    return desk.remember(SAID, **{"by": CODER, "source_id": "a.md", **fields}).id


def second(desk: Desk, **fields: object) -> Answer:
    return desk.remember(SAID, **{"by": EDITOR, "source_id": "b.md", **fields})


def test_given_an_independent_voice_when_it_repeats_then_corroborated(desk: Desk) -> None:
    fact_id = first(desk)
    answer = second(desk)
    assert (answer.status, answer.id, answer.body["repeat"]) == (200, fact_id, True)
    assert (answer.fact["state"], answer.fact["revision"]) == ("corroborated", 2)
    newest = desk.get(fact_id).body["revisions"][-1]
    assert (newest["reason"], newest["author"]["principal"]) == (
        "corroborated by eve from b.md",
        "eve",
    )
    assert "authority" not in desk.get(fact_id).body["labels"]
    assert desk.get(fact_id).fact["author"]["principal"] == "coder"


@pytest.mark.parametrize(
    "voice",
    [
        {"by": CODER},
        {"source_id": "a.md"},
        {"derived": "shared"},
        {"derived": "own"},
    ],
    ids=["same principal", "same source", "shared origin", "built on it"],
)
def test_given_a_voice_that_is_not_independent_when_it_repeats_then_nothing_changes(
    desk: Desk, voice: dict[str, object]
) -> None:
    ground = desk.remember("Common ground.").id
    fact_id = first(desk, derived_from=[ground])
    voice = dict(voice)
    if derived := voice.pop("derived", None):
        voice["derived_from"] = [ground if derived == "shared" else fact_id]
    answer = second(desk, **voice)
    assert (answer.id, answer.fact["state"], answer.fact["revision"]) == (fact_id, "candidate", 1)


def test_given_no_source_when_repeated_then_nothing_changes(desk: Desk) -> None:
    fact_id = first(desk)
    assert desk.remember(SAID, by=EDITOR).body["repeat"] is True
    assert desk.get(fact_id).fact["revision"] == 1


def test_given_one_source_or_voice_when_it_repeats_again_then_it_counts_once(desk: Desk) -> None:
    fact_id = first(desk)
    second(desk)
    second(desk)
    second(desk, by=PILOT)  # another voice from the same source
    second(desk, source_id="c.md")  # the same voice from another source
    assert desk.get(fact_id).fact["revision"] == 2
    assert second(desk, by=PILOT, source_id="c.md").fact["revision"] == 3
    (item,) = desk.queue().items
    assert item["why"] == ["corroborated by eve from b.md", "corroborated by pilot from c.md"]


def test_given_another_statement_or_cell_when_said_then_it_is_a_fact_of_its_own(
    desk: Desk,
) -> None:
    fact_id = first(desk)
    assert second(desk, layer="task", task="t1").id != fact_id
    assert desk.remember(SAID.upper(), by=EDITOR, source_id="b.md").id != fact_id
    assert desk.remember(SAID, by=EDITOR, source_id="b.md", audience="private").id != fact_id
    assert desk.get(fact_id).fact["state"] == "candidate"


def test_given_a_published_fact_when_repeated_then_it_stays_as_it_is(desk: Desk) -> None:
    fact_id = first(desk)
    desk.publish(fact_id)
    assert second(desk).fact["state"] == "published"
    assert desk.get(fact_id).fact["revision"] == 3


def test_given_the_policy_when_corroborated_then_published_by_policy(desk: Desk) -> None:
    desk.allow(publish_on_corroboration=True)
    fact_id = first(desk, fact_key="queue-size")
    against = desk.remember("The queue holds 5.", fact_key="queue-size", by=BORIS).id
    desk.publish(against, by=OLGA)
    answer = second(desk)
    assert answer.fact["state"] == "disputed"  # policy publishes, it does not overrule
    assert desk.state(against) == "disputed"
    states = [r["state"] for r in desk.get(fact_id).body["revisions"]]
    assert states == ["candidate", "corroborated", "reviewed", "published", "disputed"]
    assert "published by policy" in desk.get(fact_id).body["revisions"][2]["reason"]


def test_given_two_voices_at_once_when_they_repeat_then_both_count(desk: Desk) -> None:
    fact_id = first(desk)
    with meanwhile("transact", lambda: second(desk, by=PILOT, source_id="c.md")):
        second(desk)
    (item,) = desk.queue().items
    assert item["why"] == ["corroborated by pilot from c.md", "corroborated by eve from b.md"]
    assert desk.get(fact_id).fact["revision"] == 3


def test_given_a_retraction_in_between_when_repeated_then_the_grave_stands(desk: Desk) -> None:
    fact_id = first(desk)
    with meanwhile("transact", lambda: desk.retract(fact_id)):
        assert second(desk).refusal == (409, "duplicate_tombstone")
    assert desk.state(fact_id) == "retracted"


def test_given_a_reviewer_when_corroborated_meanwhile_then_they_look_again(desk: Desk) -> None:
    fact_id = first(desk)
    desk.claim(fact_id)
    second(desk)
    assert desk.finalize(fact_id).refusal == (409, "stale_revision")
    assert desk.finalize(fact_id, revision=2).fact["state"] == "published"


def test_given_the_same_key_again_when_corroborating_then_the_same_answer(desk: Desk) -> None:
    fact_id = first(desk)
    one, again = second(desk, key="k"), second(desk, key="k")
    assert (again.status, again.body) == (one.status, one.body)
    assert again.headers["X-Idempotent-Replayed"] == "true"
    assert second(desk, key="k", source_id="z.md").refusal == (409, "idempotency_mismatch")
    assert desk.get(fact_id).fact["revision"] == 2
