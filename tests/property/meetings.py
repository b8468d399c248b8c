"""Two requests that meet: the second runs whole between what the first reads and what it writes.

What comes of it must be what comes of one after the other: the one that was overtaken sees that it
was, looks again and decides anew. Deterministic, unlike races between processes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.property.driving import Driver
from tests.property.machine import Memory
from tests.property.model import LEASE
from tests.property.model_facts import Fact
from tests.property.model_refusals import Seen
from tests.property.people import TEXTS, who
from tests.property.service import Answer, Service

Shot = tuple[Callable[[], Answer], Callable[[Answer], Seen]]  # send it; what the model says
Draw = Callable[[Memory, random.Random, Fact], Shot]


def run_meeting(service: Service, seed: int) -> bool:
    """Let two random requests meet. Returns whether they did; raises where the outcome differs."""
    chance, state = random.Random(seed), Memory()
    Driver.service = service
    state.begin(False, True, False, [])
    _prepare(state, chance)
    send, expect = _shot(state, chance, SHOTS)
    send_other, expect_other = _shot(state, chance, (*SHOTS, _take_over, _take_over))
    others: list[Answer] = []
    moment = service.clock + 1
    service.client.meanwhile = lambda: others.append(send_other())
    answer = send()
    service.client.meanwhile = None
    if met := bool(others):
        assert others[0].seen == expect_other(others[0]), (seed, others)
        state.model.now = moment
        expected = expect(answer)
        state.model.now = service.clock
        state.same(answer, expected)
    else:  # it was refused before it wrote anything
        state.same(answer, expect(answer))
        answer = send_other()
        state.same(answer, expect_other(answer))
    state.look_by_search("guest", 50, "public")
    return met


def _prepare(state: Memory, chance: random.Random) -> None:
    """Record two or three facts of one key; some are published, some are claimed."""
    for name, text in zip(("coder", "rita", "builder"), chance.sample(TEXTS, 3), strict=True):
        said = {"fact_key": "port", "source_id": f"{name}.md", "layer": "repo"}
        state.remember(name, text, said)
    for fact_id in list(state.model.facts):
        path = f"/facts/{fact_id}"
        if chance.random() < 0.3:
            answer = state.send("olga", "publish_fact", f"{path}/publish", {"reason": "seen"})
            state.same(answer, state.model.publish(who("olga"), fact_id, None))
        elif chance.random() < 0.6:
            answer = state.send("rosa", "claim_review", f"{path}/review/claim")
            state.same(answer, state.model.claim(who("rosa"), fact_id))


def _shot(state: Memory, chance: random.Random, shots: Sequence[Draw]) -> Shot:
    fact = state.model.facts[chance.choice(sorted(state.model.facts)[:2])]
    return chance.choice(shots)(state, chance, fact)


def _record(state: Memory, chance: random.Random, fact: Fact) -> Shot:
    name, text = chance.choice(("coder", "rolf")), chance.choice(TEXTS)
    body = {"content": text.text, "fact_key": "port", "source_id": f"{name}-2.md"}

    def expect(answer: Answer) -> Seen:
        fact_id = answer.body.get("fact", {}).get("fact_id", "")
        me, now = who(name), state.model.now
        born = Fact(fact_id, "", "repo", "port", text, me, me, now, source=body["source_id"])
        return state.model.record(me, born, reopen=False)

    return lambda: state.send(name, "remember", "/remember", body), expect


def _revise(state: Memory, chance: random.Random, fact: Fact) -> Shot:
    text, path, seen = chance.choice(TEXTS), f"/facts/{fact.fact_id}/revisions", fact.revision
    body = {"statement": text.text, "reason": "corrected", "expected_revision": seen}
    return (
        lambda: state.send("olga", "revise_fact", path, body),
        lambda _: state.model.revise(who("olga"), fact.fact_id, seen, text, None),
    )


def _publish(state: Memory, chance: random.Random, fact: Fact) -> Shot:
    path = f"/facts/{fact.fact_id}/publish"
    return (
        lambda: state.send("olga", "publish_fact", path, {"reason": "seen"}),
        lambda _: state.model.publish(who("olga"), fact.fact_id, None),
    )


def _retract(state: Memory, chance: random.Random, fact: Fact) -> Shot:
    path = f"/facts/{fact.fact_id}/retract"
    return (
        lambda: state.send("olga", "retract_fact", path, {"reason": "wrong"}),
        lambda _: state.model.retract(who("olga"), fact.fact_id, None),
    )


def _forget(state: Memory, chance: random.Random, fact: Fact) -> Shot:
    return (
        lambda: state.send("olga", "forget_fact", f"/facts/{fact.fact_id}"),
        lambda _: state.model.forget(who("olga"), fact.fact_id),
    )


def _finalize(state: Memory, chance: random.Random, fact: Fact) -> Shot:
    seen = {"generation": max(1, fact.generation), "revision": fact.revision}
    said = {**seen, "decision": chance.choice(("publish", "reject"))}
    path = f"/facts/{fact.fact_id}/review/finalize"
    return (
        lambda: state.send("rosa", "finalize_review", path, {**said, "reason": "looked at"}),
        lambda _: state.model.finalize(who("rosa"), fact.fact_id, **said),
    )


def _claim(state: Memory, chance: random.Random, fact: Fact) -> Shot:
    name, path = chance.choice(("rita", "rosa")), f"/facts/{fact.fact_id}/review/claim"
    return (
        lambda: state.send(name, "claim_review", path),
        lambda _: state.model.claim(who(name), fact.fact_id),
    )


def _take_over(state: Memory, chance: random.Random, fact: Fact) -> Shot:
    """Claim when the lease of whoever holds it is over: the other request is slow."""
    send, expect = _claim(state, chance, fact)

    def late() -> Answer:
        state.service.clock += LEASE + 1
        return send()

    return late, expect


def _hold(state: Memory, chance: random.Random, fact: Fact) -> Shot:
    path = f"/facts/{fact.fact_id}/hold"
    return (
        lambda: state.send("olga", "hold_fact", path, {"reason": "evidence"}),
        lambda _: state.model.hold(who("olga"), fact.fact_id, None, held=True),
    )


SHOTS = (
    _record,
    _revise,
    _publish,
    _retract,
    _forget,
    _finalize,
    _finalize,
    _claim,
    _hold,
)
