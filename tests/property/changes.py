"""The rules that change something: one request or one move of the clock each."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from muniment.domain.moments import rfc3339
from tests.property.driving import (
    HOUR,
    SOURCES,
    Driver,
    a_layer,
    a_reviewer,
    a_writer,
    an_owner,
    maybe,
    number,
    rarely,
)
from tests.property.model_facts import GONE
from tests.property.people import TEXTS, who

MINUTE, DAY = 60_000, 86_400_000
KEYS = ("port", "port", "host", None)
JUMPS = (1_000, MINUTE, 14 * MINUTE, 16 * MINUTE, 2 * HOUR, DAY)
ENDS = (None, None, None, 10 * MINUTE, HOUR, 3 * HOUR, -MINUTE)
SOMETIMES = (None,) * 5 + SOURCES[1:]


class Changes(Driver):
    """Record, revise, publish, retract, hold, forget, claim, finalize, wait, expire."""

    @rule(
        name=a_writer,
        text=st.sampled_from(TEXTS),
        key=st.sampled_from(KEYS),
        layer=a_layer,
        source=st.sampled_from(SOURCES),
        ends=st.sampled_from(ENDS),
        old=st.one_of(st.none(), number),
        reopen=rarely,
        private=rarely,
        short=maybe,
    )
    def record(self, name, text, key, layer, source, ends, old, reopen, private, short):
        until = self.moment(ends)
        said = {
            "layer": layer,
            "fact_key": key,
            "source_id": source,
            "expires_at": until and rfc3339(until),
            "supersedes": self.pick(old) if old is not None and self.model.facts else None,
            "reopen": reopen,
            "audience": "private" if private else "public",
        }
        self.remember(name, text, said, until=until, short=short)

    @rule(
        name=a_writer,
        number=number,
        text=st.sampled_from(TEXTS),
        source=st.sampled_from(SOURCES),
    )
    def succeed(self, name, number, text, source):
        """Correct a fact as the repo layer has it: by a new one that supersedes it."""
        old = self.model.facts[self.pick(number)]
        said = {"layer": old.layer, "fact_key": old.key, "source_id": source}
        self.remember(name, text, said | {"supersedes": old.fact_id})

    @rule(
        name=a_writer,
        number=number,
        text=st.one_of(st.none(), st.sampled_from(TEXTS)),
        ends=st.sampled_from(ENDS),
        behind=rarely,
        own=maybe,
    )
    def revise(self, name, number, text, ends, behind, own):
        fact_id = self.pick(number)
        fact = self.model.facts[fact_id]
        name = fact.author.name if own else name
        text = self.buried(number) if text and number % 4 == 0 else text
        until = self.moment(ends)
        expected = max(1, fact.revision - behind)
        body = {"reason": "corrected", "expected_revision": expected}
        body |= {"statement": text.text} if text else {}
        body |= {"expires_at": rfc3339(until)} if until else {}
        answer = self.send(name, "revise_fact", f"/facts/{fact_id}/revisions", body)
        self.same(answer, self.model.revise(who(name), fact_id, expected, text, until))

    @rule(name=an_owner, number=number, aware=maybe, behind=rarely)
    def publish(self, name: str, number: int, aware: bool, behind: bool):
        fact_id, expected = self.known(number, aware, behind)
        answer = self.reasoned(name, "publish", fact_id, expected)
        self.same(answer, self.model.publish(who(name), fact_id, expected))

    @rule(name=an_owner, number=number, aware=maybe, behind=rarely)
    def retract(self, name: str, number: int, aware: bool, behind: bool):
        fact_id, expected = self.known(number, aware, behind)
        answer = self.reasoned(name, "retract", fact_id, expected)
        self.same(answer, self.model.retract(who(name), fact_id, expected))

    @rule(name=an_owner, number=number, held=maybe)
    def hold(self, name: str, number: int, held: bool):
        fact_id = self.pick(number)
        answer = self.reasoned(name, "hold" if held else "unhold", fact_id, None)
        self.same(answer, self.model.hold(who(name), fact_id, None, held=held))

    @rule(name=a_writer, number=number, short=maybe, source=st.sampled_from(SOMETIMES))
    def forget(self, name: str, number: int, short: bool, source: str | None):
        if source:
            self.forget_source(name, source)
            return
        fact_id = self.pick(number)
        if short:
            answer = self.send(name, "forget_fact", f"/facts/{fact_id}")
        else:
            answer = self.send(name, "forget_facts", "/forget", {"fact_id": fact_id})
        self.same(answer, self.model.forget(who(name), fact_id))

    def forget_source(self, name: str, source: str) -> None:
        answer = self.send(name, "forget_facts", "/forget", {"source_id": source})
        told = self.model.forget_source(who(name), source)
        assert {outcome: answer.body[outcome] for outcome in told} == told
        self.compare()

    @rule(name=a_reviewer, number=number)
    def claim(self, name: str, number: int):
        fact_id = self.pick(number)
        answer = self.send(name, "claim_review", f"/facts/{fact_id}/review/claim")
        self.same(answer, self.model.claim(who(name), fact_id))

    @rule(name=a_reviewer, number=number, behind=rarely, holding=maybe, release=rarely)
    def heartbeat(self, name: str, number: int, behind: bool, holding: bool, release: bool):
        fact_id, name, generation, _ = self.holding(name, number, holding, behind)
        word, body = "release" if release else "heartbeat", {"generation": generation}
        answer = self.send(name, f"{word}_review", f"/facts/{fact_id}/review/{word}", body)
        change = self.model.release if release else self.model.heartbeat
        self.same(answer, change(who(name), fact_id, generation))

    @rule(
        name=a_reviewer,
        number=number,
        behind=st.sampled_from((False, False, True)),
        holding=st.sampled_from((True, True, True, False)),
        old=rarely,
        decision=st.sampled_from(("publish", "publish", "publish", "reject")),
    )
    def finalize(self, name, number, behind, holding, old, decision):
        if holding and not any(fact.claim for fact in self.model.facts.values()):
            self.claim(name, number)
        fact_id, name, generation, revision = self.holding(name, number, holding, behind)
        revision = max(1, revision - old)
        body = {
            "generation": generation,
            "revision": revision,
            "decision": decision,
            "reason": "looked at",
        }
        answer = self.send(name, "finalize_review", f"/facts/{fact_id}/review/finalize", body)
        expected = self.model.finalize(who(name), fact_id, generation, revision, decision)
        self.same(answer, expected)

    @rule(jump=st.sampled_from(JUMPS))
    def wait(self, jump: int):
        self.service.clock += jump
        self.model.now = self.service.clock
        self.compare()

    @precondition(lambda self: self.due())
    @rule()
    def expire(self):
        counts = self.service.expire()
        self.model.now = self.service.clock
        assert counts == self.model.expire()
        self.compare()

    def due(self) -> bool:
        """Tell whether a sweep has anything to do."""
        now, facts = self.model.now, self.model.facts.values()
        return any(f.ends and f.ends <= now and f.state not in GONE for f in facts)
