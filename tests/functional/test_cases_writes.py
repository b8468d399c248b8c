"""Cases D21 to D24 from the field: sizes to the character, answers that got lost, other bodies."""

from __future__ import annotations

from typing import Any

import pytest

from functions.api import remember as remembering
from muniment.domain import limits
from muniment.domain.fact import Kind
from tests.functional.conftest import Service

LETTERS = {"latin": "a", "cyrillic": "ж", "emoji": "🐘", "combining": "щ"}


def words(letter: str, length: int) -> str:
    """Return a text of that many characters, in words of nine."""
    return (f"{letter * 9} " * (length // 10 + 1))[: length - 1] + letter


@pytest.mark.parametrize("letter", LETTERS.values(), ids=LETTERS)
@pytest.mark.parametrize("over", [-1, 0, 1])
def test_d21_given_a_text_at_its_limit_when_written_then_whole_or_refused_with_both_numbers(
    service: Service, letter: str, over: int
):
    for limit, send, field in (
        (limits.CONTENT, lambda text: service.remember(text), "body.content"),
        (
            limits.STATEMENT,
            lambda text: service.record(statement=text, layer="task", task="t1"),
            "body.statement",
        ),
    ):
        text = words(letter, limit + over)
        reply = send(text)
        if over > 0:
            told = {name: reply.body.get(name) for name in ("field", "limit", "actual")}
            assert (reply.status, told) == (
                422,
                {"field": field, "limit": limit, "actual": limit + 1},
            )
        else:
            assert reply.status == 201, reply.text
            fact_id = reply.body["fact"]["fact_id"]
            assert service.get(fact_id).body["fact"]["statement"] == text


def test_d21_given_a_body_over_its_bytes_when_sent_then_413_with_both_numbers(service: Service):
    reply = service.remember("x", attributes={"a": "ж" * limits.BODY_BYTES})
    assert (reply.status, reply.body["limit"]) == (413, limits.BODY_BYTES)
    assert reply.body["actual"] > limits.BODY_BYTES
    assert service.remember("x").status == 201


@pytest.mark.parametrize(
    ("filler", "phrase"),
    [("plain words about nothing ", "the zebra valve"), ("слова ни о чём ", "клапан зебра")],
)
def test_d22_given_the_longest_text_when_its_last_words_are_asked_for_then_it_is_found(
    service: Service, filler: str, phrase: str
):
    room = limits.CONTENT - len(phrase) - 1
    fact_id = service.a_fact((filler * 1_000)[:room].strip() + " " + phrase)
    other = service.a_fact("Something short.")
    service.index()
    service.now += 120_000
    assert service.found(phrase)[0] == fact_id
    assert service.found("something short")[0] == other


def test_d23_given_an_answer_that_got_lost_when_sent_again_five_times_then_one_fact(
    service: Service,
):
    def killed(*said: Any) -> Any:
        raise KeyboardInterrupt

    said = {"headers": {"X-Idempotency-Key": "ticket-12"}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remembering, "written", killed)
        with pytest.raises(KeyboardInterrupt):
            service.remember("The gate is closed.", **said)
    replies = [service.remember("The gate is closed.", **said) for _ in range(5)]
    assert {reply.status for reply in replies} == {201}
    assert len({reply.body["fact"]["fact_id"] for reply in replies}) == 1
    assert {reply.headers["X-Idempotent-Replayed"] for reply in replies} == {"true"}
    assert len(service.list().body["items"]) == 1
    assert service.remember("The gate is open.").status == 201  # the neighbour


def test_d24_given_a_used_key_when_another_body_comes_then_409_and_nothing_is_written(
    service: Service,
):
    said = {"headers": {"X-Idempotency-Key": "ticket-12"}}
    first = service.record(statement="The gate is closed.", layer="task", task="t1", **said)
    again = service.record(statement="The gate is closed.", layer="task", task="t1", **said)
    assert again.body["fact"]["fact_id"] == first.body["fact"]["fact_id"]
    before = service.rows()
    for other in ({"statement": "The gate is open."}, {"kind": str(Kind.RULE)}, {"task": "t2"}):
        body = {"statement": "The gate is closed.", "layer": "task", "task": "t1"} | other
        reply = service.record(**body, **said)
        assert (reply.status, reply.body["code"]) == (409, "idempotency_mismatch")
    assert service.rows() == before
    other_key = {"headers": {"X-Idempotency-Key": "ticket-13"}}
    reply = service.record(statement="The gate is open.", layer="task", task="t1", **other_key)
    assert reply.status == 201
