"""POST /facts/{fact_id}/erase: the words are nowhere afterwards, the chain still verifies."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path

import pytest

from muniment import bootstrap
from muniment.cli_verify import first_break
from muniment.domain.history import broken_link
from muniment.domain.moments import parse
from tests.functional.authority import (  # noqa: F401
    BORIS,
    CODER,
    EDITOR,
    NOBODY,
    OLGA,
    READER,
    VERA,
    Caller,
    Desk,
    a_desk,
    meanwhile,
)

SECRET = "zwiebelfisch"
HERE = {"coordinates": {"task": "t1"}}
FIELDS = {
    "subject": {"type": "service", "id": f"{SECRET}-service"},
    "name": f"{SECRET}-name",
    "description": f"About {SECRET}",
    "attributes": {f"{SECRET}-key": f"{SECRET}-value"},
    "citations": [{"quote": f"a quote of {SECRET}", "locator": f"{SECRET}.md:1"}],
    "source_id": f"{SECRET}.md",
    "source_hash": f"{SECRET}-hash",
    "source_revision": f"{SECRET}-revision",
    "fact_key": f"{SECRET}-key",
    "links": [{"type": "see", "target": f"{SECRET}-target"}],
    "scope": f"{SECRET}-scope",
    "tags": [f"{SECRET}-tag"],
}


def an_erasable(desk: Desk) -> str:
    """Return a fact whose every field says the word, also in an earlier revision."""
    fact_id = desk.record(f"The password is {SECRET} one.", **FIELDS).id
    desk.tick()
    assert desk.revise(fact_id, statement=f"The password is {SECRET} two.").status == 200
    desk.tick()
    assert desk.publish(fact_id).status == 200
    desk.reindex()
    assert desk.search(SECRET, **HERE).items
    desk.context(SECRET, **HERE)
    desk.tick()
    return fact_id


def index_bytes() -> bytes:
    bootstrap.index().close()  # type: ignore[attr-defined]
    bootstrap.index.cache_clear()
    bootstrap.search.cache_clear()
    folder = Path(os.environ["SEARCH_FOLDER"])
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_given_a_fact_when_erased_then_its_words_are_nowhere(
    desk: Desk, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG, logger="muniment")
    fact_id = an_erasable(desk)
    assert SECRET in desk.dump()
    assert SECRET.encode() in index_bytes()
    answer = desk.erase(fact_id)
    assert answer.status == 200
    desk.reindex()
    assert SECRET not in desk.dump()
    assert SECRET.encode() not in index_bytes()
    after = [
        desk.erase(fact_id),
        desk.get(fact_id, by=BORIS),
        *(desk.revision(fact_id, n, by=BORIS) for n in range(1, 6)),
        desk.search("password", by=BORIS, **HERE),
        desk.context("password", by=BORIS, **HERE),
        desk.timeline(by=BORIS),
        desk.list(by=BORIS, layer="task", task="t1"),
    ]
    assert SECRET not in json.dumps([one.body for one in (answer, *after)])
    assert SECRET not in caplog.text
    assert SECRET not in "".join(capsys.readouterr())


def test_given_an_erased_fact_when_its_chain_is_walked_then_it_verifies(desk: Desk) -> None:
    fact_id = an_erasable(desk)
    whole = bootstrap.facts().history("acme", fact_id)
    assert whole and broken_link(whole.revisions, whole.head.salt) is None
    desk.erase(fact_id)
    history = bootstrap.facts().history("acme", fact_id)
    assert history is not None
    assert history.head.salt == b""
    assert len(history.revisions) == 5
    assert broken_link(history.revisions, None) is None
    assert [r.digest for r in history.revisions[:4]] == [r.digest for r in whole.revisions]
    trail = [(r.author.principal, r.reason, r.state) for r in history.revisions]
    assert trail[0] == ("olga", "recorded", "candidate")
    assert trail[4] == ("boris", "the law", "forgotten")


def test_given_an_erase_when_it_answers_then_the_certificate_names_every_place(
    desk: Desk,
) -> None:
    fact_id = an_erasable(desk)
    built_on = desk.record("A summary.", derived_from=[fact_id]).id
    body = desk.erase(fact_id).body
    assert (body["fact_id"], body["by"], body["reason"]) == (fact_id, "boris", "the law")
    assert parse(body["at"]) == desk.now
    found = {place["name"]: place["found"] for place in body["places"]}
    assert found["revisions"] == 4
    assert found["hashes and tombstones of its values"] == 2
    assert {"head", "search index", "context log", "backups", "stream"} <= set(found)
    assert body["derived"] == [built_on]
    assert "stale" in desk.get(built_on).body["labels"]
    again = {place["name"]: place["found"] for place in desk.erase(fact_id).body["places"]}
    assert again["revisions"] == 0


def test_given_an_erased_fact_when_others_read_it_then_404(desk: Desk) -> None:
    fact_id = an_erasable(desk)
    desk.erase(fact_id)
    for answer in (desk.get(fact_id, by=READER), desk.revision(fact_id, 1, by=READER)):
        assert answer.refusal == (404, "not_found")


def test_given_a_shown_context_when_erased_and_replayed_then_the_words_are_gone(
    desk: Desk,
) -> None:
    fact_id = an_erasable(desk)
    context_id = desk.context(SECRET, **HERE).body["context_id"]
    assert SECRET in desk.replay(context_id).body["text"]
    desk.erase(fact_id)
    replayed = desk.replay(context_id).body
    assert SECRET not in json.dumps(replayed)
    assert replayed["items"][0]["fact_id"] == fact_id


def test_given_an_erased_value_when_said_again_then_keep_out_decides(desk: Desk) -> None:
    kept_out, let_in = desk.record("A leaked word.").id, desk.record("Another leaked word.").id
    desk.erase(kept_out, keep_out=True)
    desk.erase(let_in)
    refused = desk.record("a LEAKED word")
    assert refused.refusal == (409, "duplicate_tombstone")
    assert refused.body["detail"] == "this value was forgotten before: the law"
    assert refused.body["fact_id"] == kept_out
    assert desk.record("Another leaked word.").status == 201


def test_given_a_forgotten_value_when_erased_then_its_grave_is_marked_to_go(desk: Desk) -> None:
    def graves() -> list[dict[str, object]]:
        return [row for row in desk.rows() if row["sk"] == {"S": "GONE"}]

    fact_id, other = desk.record("A leaked word.").id, desk.record("An old word.").id
    desk.forget(fact_id)
    desk.forget(other)
    assert not any("ttl" in grave for grave in graves())
    desk.erase(fact_id)
    going = {grave["fact_id"]["S"] for grave in graves() if "ttl" in grave}  # type: ignore[index]
    assert going == {fact_id}


def test_given_a_revision_in_between_when_erased_then_its_words_go_too(desk: Desk) -> None:
    fact_id = desk.record("First words.").id

    def revise() -> None:
        assert desk.revise(fact_id, statement=f"Now it is {SECRET}.").status == 200

    with meanwhile("transact", revise):
        answer = desk.erase(fact_id)
    assert answer.body["places"][1]["found"] == 2
    assert SECRET not in desk.dump()


def test_given_a_crash_half_way_when_erased_again_then_it_is_finished(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    fact_id = an_erasable(desk)
    erasure = type(bootstrap.erasure())
    whole = erasure.erase_revisions

    def crash(*args: object, **kwargs: object) -> None:
        raise RuntimeError("the lights went out")

    monkeypatch.setattr(erasure, "erase_revisions", crash)
    assert desk.erase(fact_id).refusal == (500, "internal")
    assert desk.get(fact_id, by=READER).status == 404  # from the first step on nobody reads it
    assert SECRET in desk.dump()
    monkeypatch.setattr(erasure, "erase_revisions", whole)
    assert desk.erase(fact_id).status == 200
    assert SECRET not in desk.dump()


def test_given_a_side_of_a_dispute_when_erased_then_the_other_is_authority_again(
    desk: Desk,
) -> None:
    one, other = desk.disputed("Port is 8080.", "Port is 9090.")
    desk.erase(one)
    assert desk.state(other) == "published"
    assert desk.get(other).body["contradictions"] == []


@pytest.mark.parametrize("by", [VERA, EDITOR, CODER], ids=["reviewer", "editor", "agent"])
def test_given_no_action_own_when_erasing_then_403(desk: Desk, by: Caller) -> None:
    fact_id = desk.record("A word.").id
    assert desk.erase(fact_id, by=by).refusal == (403, "not_allowed")
    assert desk.get(fact_id).fact["statement"] == "A word."


def test_given_ids_that_are_not_there_when_erasing_then_one_404(desk: Desk) -> None:
    foreign = desk.remember("Theirs.", projects="other").id
    private = desk.remember("Mine.", by=OLGA, audience="private").id
    answers = [desk.erase(i) for i in (NOBODY, foreign, private)]
    assert {a.status for a in answers} == {404}
    assert len({str(a.body) for a in answers}) == 1


def test_given_a_fact_key_when_its_last_fact_is_erased_then_its_name_goes_too(desk: Desk) -> None:
    one = desk.remember("Port is 8080.", fact_key=f"{SECRET}-port").id
    other = desk.remember("Port is 9090.", fact_key=f"{SECRET}-port").id
    desk.erase(one)
    assert SECRET in desk.dump()  # the other fact is called so as well
    desk.erase(other)
    assert SECRET not in desk.dump()
    desk.remember("Port is 7070.", fact_key=f"{SECRET}-port")
    assert SECRET in desk.dump()


def test_given_a_summary_that_quotes_it_when_erased_then_the_quote_goes_and_the_chain_verifies(
    desk: Desk,
) -> None:
    said = "The vault code is swordfish."
    source = desk.remember(said, by=CODER).id
    quoting = {
        "derived_from": [source],
        "citations": [
            {"quote": "vault code is  swordfish", "locator": f"fact:{source}"},
            {"quote": "another matter", "locator": "docs/x.md"},
        ],
    }
    summary = desk.remember("There is a vault.", by=CODER, **quoting).id
    desk.publish(summary)
    certificate = desk.erase(source).body
    assert "swordfish" not in desk.dump()
    found = {place["name"]: place["found"] for place in certificate["places"]}
    assert found["quotes of it in those"] == 3  # recorded, reviewed, published
    shown = desk.get(summary).body
    assert [c.get("quote") for c in shown["fact"]["citations"]] == [None, "another matter"]
    assert shown["fact"]["status"] == "stale"
    history = bootstrap.facts().history("acme", summary)
    assert history is not None and first_break(history) is None
