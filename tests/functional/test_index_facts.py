"""The stream function: heads become index entries, once each, the newest of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from functions.streams.index_facts import handler
from muniment import bootstrap
from muniment.adapters.dynamo_table import pack
from muniment.adapters.items import head_item
from muniment.domain.errors import IndexUnavailable
from muniment.domain.fact import Head, State
from muniment.domain.history import link
from muniment.domain.search import Entry
from tests.builders import NOW, SALT, a_content, a_head
from tests.functional.conftest import HashedWords, Service

FACT_ID = a_head().fact_id


def later(head: Head, state: State = State.CANDIDATE, statement: str | None = None) -> Head:
    newest = head.newest
    revision = link(
        newest,
        replace(newest.content, statement=statement or newest.content.statement),
        trust=newest.trust,
        state=state,
        author=newest.author,
        reason="changed",
        now=NOW + 1,
        salt=SALT,
    )
    return replace(head, newest=revision)


def image(head: Head) -> dict[str, Any]:
    return pack(head_item(head))


def change(old: Head, new: Head) -> dict[str, Any]:
    return {"NewImage": image(new), "OldImage": image(old)}


def held() -> dict[str, int]:
    return dict(bootstrap.index().revisions("acme", "backend", [FACT_ID]))


def test_given_a_new_head_when_streamed_then_it_is_indexed(service: Service):
    assert service.stream({"NewImage": image(a_head())}) == {"indexed": 1}
    assert held() == {FACT_ID: 1}


def test_given_several_revisions_in_one_batch_when_streamed_then_the_newest_is_written_once(
    service: Service,
):
    one = a_head()
    two = later(one, statement="Second.")
    three = later(two, statement="Third.")
    images = ({"NewImage": image(one)}, change(two, three), change(one, two))
    assert service.stream(*images) == {"indexed": 1}
    assert held() == {FACT_ID: 3}


def test_given_a_late_event_when_streamed_after_the_tombstone_then_nothing_comes_back(
    service: Service,
):
    one = a_head()
    gone = later(one, State.FORGOTTEN)
    service.stream(change(one, gone))
    service.stream({"NewImage": image(one)})
    assert held() == {FACT_ID: 2}
    assert service.found("staging") == []


def test_given_a_change_the_index_does_not_show_when_streamed_then_nothing_is_embedded(
    service: Service,
):
    head = a_head()
    busy = {**image(head), "claim": {"M": {"holder": {"S": "v"}, "expires_at": {"N": "1"}}}}
    texts: list[str] = []
    service.patch.setattr(HashedWords, "passages", lambda self, some: texts.extend(some) or [])
    assert service.stream({"NewImage": busy, "OldImage": image(head)}) == {"indexed": 0}
    assert texts == []


def test_given_other_items_and_removals_when_streamed_then_they_are_passed_over(service: Service):
    key = {"pk": {"S": "T#acme#F#x"}, "sk": {"S": "R#0000000001"}}
    assert service.stream({"NewImage": key}) == {"indexed": 0}
    head = image(a_head())
    removed = {"dynamodb": {"Keys": {k: head[k] for k in ("pk", "sk")}}}
    assert handler({"Records": [removed]}, None) == {"indexed": 0}


def test_given_an_index_that_is_away_when_streamed_then_it_raises_so_that_it_comes_again(
    service: Service,
):
    class Away:
        def write(self, entries: list[tuple[Entry, Any]]) -> None:
            raise IndexUnavailable

    service.patch.setattr("functions.streams.index_facts.index", Away)
    with pytest.raises(IndexUnavailable):
        service.stream({"NewImage": image(a_head())})


def test_given_a_fact_without_a_vector_when_streamed_then_its_words_are_indexed(service: Service):
    service.patch.setattr(HashedWords, "query", lambda self, text: None)
    fact_id = service.a_fact("Staging rolls out.")
    service.index()
    service.now += 600_000
    assert service.found("staging") == [fact_id]


def test_given_a_forgotten_head_when_streamed_then_no_text_is_embedded(service: Service):
    texts: list[str] = []

    def passages(self: HashedWords, some: list[str]) -> list[Any]:
        texts.extend(some)
        return [self.query(text) for text in some]

    service.patch.setattr(HashedWords, "passages", passages)
    live = a_head("01J00000000000000000000002", content=a_content("Live."))
    service.stream({"NewImage": image(later(a_head(), State.FORGOTTEN))}, {"NewImage": image(live)})
    assert texts == [live.newest.content.text]
