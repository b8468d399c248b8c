"""The state machine: six writers, one reader and a clock against the service and the model.

Every rule is one request (or one move of the clock). After each one the table must hold exactly
what the model says: no head may differ, none may have moved that should not, every chain that grew
must verify. Rules that look compare whole lists with the model.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from muniment.domain.moments import rfc3339
from tests.property.model import Fact, Model, Settings, Text
from tests.property.people import EVERYBODY, REVIEWERS, TEXTS, WRITERS, who
from tests.property.service import Answer, Service
from tests.property.views import contradictions, heads_of

KEYS = ("port", "port", "host", None)
SOURCES = (None, "a.md", "b.md", "c.md")
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
JUMPS = (1_000, MINUTE, 14 * MINUTE, 16 * MINUTE, 2 * HOUR, DAY)
ENDS = (None, None, None, 10 * MINUTE, HOUR, 3 * HOUR, -MINUTE)
LAYERS = {"repo": {}, "task": {"task": "t1"}}
ON_REPO = {
    "subject": {"type": "service", "id": "cafe"},
    "citations": [{"locator": "cafe.md"}],
    "reason": "read",
}

MOSTLY, NEWEST = 32, 6  # of the forty numbers a rule may draw; how far back it looks
VIEWS = ("list", "search", "context", "queue", "conflicts", "fact")

a_writer = st.sampled_from(WRITERS)
a_reviewer = st.sampled_from((*REVIEWERS, *REVIEWERS, "coder"))
an_owner = st.sampled_from(("olga", "olga", "olga", "olga", "rita", "coder"))
a_reader = st.sampled_from(tuple(EVERYBODY))
a_layer = st.sampled_from(("repo", "repo", "repo", "task"))
number = st.integers(0, 39)
maybe = st.booleans()
rarely = st.sampled_from((False,) * 7 + (True,))


class Memory(RuleBasedStateMachine):
    """`service` is set by whoever runs the machine; `steps` counts over all its runs."""

    service: Service
    steps = 0

    @initialize(
        solo=rarely,
        revise=st.sampled_from((True, True, False)),
        policy=rarely,
        known=st.lists(
            st.tuples(a_writer, st.sampled_from(TEXTS), st.sampled_from(SOURCES), a_layer),
            min_size=3,
            max_size=6,
        ),
    )
    def begin(self, solo: bool, revise: bool, policy: bool, known: list[Any]) -> None:
        self.model = Model(Settings(solo, revise, policy))
        self.service.begin(solo_publish=solo, repo_revise=revise, publish_on_corroboration=policy)
        self.service.index.deaf = True
        self.read, self.actual, self.unseen = 0, {}, set()
        for name, text, source, layer in known:
            self.remember(name, text, {"fact_key": "port", "source_id": source, "layer": layer})

    def pick(self, number: int) -> str:
        """Return one of the newest facts, mostly of those that are live."""
        live = [i for i, fact in sorted(self.model.facts.items()) if fact.live(self.model.now)]
        among = live if live and number < MOSTLY else sorted(self.model.facts)
        return among[-1 - number % min(len(among), NEWEST)]

    def send(self, name: str, verb: str, path: str, body: Any = None, **query: Any) -> Answer:
        answer = self.service.call(EVERYBODY[name], verb, path, body, **query)
        self.model.now = self.service.clock
        return answer

    def same(self, answer: Answer, expected: tuple[int, str | None]) -> None:
        """Compare the answer, and all that the table holds now, with the model."""
        assert answer.seen == expected, (answer, expected)
        self.compare()

    def compare(self) -> None:
        type(self).steps += 1
        if len(self.service.client.stream) > self.read:
            self.unseen = set(VIEWS)
        moved = heads_of(self.service.client.stream[self.read :])
        self.read = len(self.service.client.stream)
        self.actual |= moved
        assert self.actual == {i: fact.snapshot() for i, fact in self.model.facts.items()}
        for fact_id in moved:
            assert self.service.broken_link(fact_id) is None

    @rule(
        name=a_writer,
        text=st.sampled_from(TEXTS),
        key=st.sampled_from(KEYS),
        layer=a_layer,
        source=st.sampled_from(SOURCES),
        ends=st.sampled_from(ENDS),
        old=st.one_of(st.none(), st.none(), st.none(), number),
        reopen=rarely,
        private=rarely,
        short=maybe,
    )
    def record(self, name, text, key, layer, source, ends, old, reopen, private, short):
        until = None if ends is None else self.service.clock // 1_000 * 1_000 + ends
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

    def remember(
        self,
        name: str,
        text: Text,
        said: dict[str, Any],
        *,
        until: int | None = None,
        short: bool = True,
    ) -> None:
        me, layer = who(name), said["layer"]
        body = {k: v for k, v in {**said, **LAYERS[layer]}.items() if v is not None}
        if short:
            answer = self.send(name, "remember", "/remember", body | {"content": text.text})
        else:
            whole = body | ON_REPO | {"statement": text.text}
            answer = self.send(name, "record_fact", "/facts", whole)
        fact = Fact(
            fact_id=answer.body.get("fact", {}).get("fact_id", ""),
            owner=me.person if said.get("audience") == "private" else "",
            layer=layer,
            key=said["fact_key"],
            text=text,
            author=me,
            editor=me,
            queued_at=self.model.now,
            source=said["source_id"],
            ends=until,
            supersedes=said.get("supersedes"),
        )
        self.same(answer, self.model.record(me, fact, reopen=said.get("reopen", False)))

    @rule(
        name=a_writer,
        number=number,
        text=st.one_of(st.none(), st.sampled_from(TEXTS)),
        ends=st.sampled_from(ENDS),
        behind=st.sampled_from((0, 0, 0, 1)),
    )
    def revise(self, name: str, number: int, text: Text | None, ends: int | None, behind: int):
        fact_id = self.pick(number)
        until = None if ends is None else self.service.clock // 1_000 * 1_000 + ends
        expected = max(1, self.model.facts[fact_id].revision - behind)
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

    def known(self, number: int, aware: bool, behind: bool) -> tuple[str, int | None]:
        """Return a fact and the revision of it that the caller says to have read."""
        fact_id = self.pick(number)
        revision = self.model.facts[fact_id].revision + (1 if behind else 0)
        return fact_id, revision if aware or behind else None

    def reasoned(self, name: str, word: str, fact_id: str, expected: int | None) -> Answer:
        body = {"reason": "because"} | ({"expected_revision": expected} if expected else {})
        return self.send(name, f"{word}_fact", f"/facts/{fact_id}/{word}", body)

    @rule(name=a_writer, number=number, short=maybe, source=st.sampled_from((None,) * 5 + SOURCES[1:]))
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
        behind=rarely,
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

    def holding(
        self, name: str, number: int, holding: bool, behind: bool
    ) -> tuple[str, str, int, int]:
        """Return a fact, who acts on it (its holder if one is wanted), generation, revision."""
        claimed = [i for i, fact in self.model.facts.items() if fact.claim]
        fact_id = claimed[number % len(claimed)] if holding and claimed else self.pick(number)
        fact = self.model.facts[fact_id]
        acting = fact.claim[0] if holding and fact.claim else name
        return fact_id, acting, max(1, fact.generation - behind), fact.revision

    @rule(jump=st.sampled_from(JUMPS))
    def wait(self, jump: int):
        self.service.clock += jump
        self.model.now = self.service.clock
        self.compare()

    @rule()
    def expire(self):
        counts = self.service.expire()
        self.model.now = self.service.clock
        assert counts == self.model.expire()
        self.compare()

    @precondition(lambda self: "list" in self.unseen)
    @rule(
        name=a_reader,
        size=st.integers(1, 3),
        layer=st.sampled_from(("repo", "task")),
        private=rarely,
    )
    def look_at_list(self, name, size, layer, private):
        self.unseen.discard("list")
        query = {"layer": layer, "limit": size, **LAYERS[layer]}
        query |= {"audience": "private"} if private else {}
        pages = self.service.pages(EVERYBODY[name], "list_facts", "/facts", **query)
        self.model.now = self.service.clock
        assert all(len(page) == size for page in pages[:-1])
        items = [item for page in pages for item in page]
        shown = [{line["fact_id"] for line in (i, *i["conflicts_with"])} for i in items]
        wanted = contradictions(self.model, [who(name).person if private else ""], (layer,))
        assert sorted(map(sorted, shown)) == sorted(map(sorted, wanted)), (shown, wanted)
        here = {i for i, fact in self.model.facts.items() if fact.layer == layer}
        assert [item["fact_id"] for item in items] == sorted(min(g & here) for g in wanted)
        self.compare()

    @precondition(lambda self: "search" in self.unseen)
    @rule(
        name=a_reader,
        size=st.sampled_from((1, 2, 3, 50)),
        audience=st.sampled_from(("public", "private", "all")),
    )
    def look_by_search(self, name, size, audience):
        self.unseen.discard("search")
        body = {"query": "port", "limit": size, "audience": audience, "coordinates": {"task": "t1"}}
        answer = self.send(name, "search_facts", "/search", body)
        assert answer.status == 200
        owners = {"public": [""], "private": [who(name).person], "all": ["", who(name).person]}
        self.complete(answer.body["items"], owners[audience], size)

    @precondition(lambda self: "context" in self.unseen)
    @rule(name=a_reader)
    def look_at_context(self, name):
        self.unseen.discard("context")
        body = {"query": "port", "budget_tokens": 8_000, "coordinates": {"task": "t1"}}
        answer = self.send(name, "read_context", "/context", body)
        shown = {item["fact_id"] for item in answer.body["items"]}
        wanted = contradictions(self.model, [""], ("repo", "task"))
        assert shown == {fact_id for group in wanted for fact_id in group}
        said = {self.model.facts[i].text.text for i in shown}
        unsaid = {fact.text.text for fact in self.model.facts.values()} - said
        lines = [line.removeprefix("|> ") for line in answer.body["text"].split("\n")]
        assert not unsaid & set(lines)
        self.compare()

    @precondition(lambda self: "queue" in self.unseen)
    @rule(name=st.sampled_from(REVIEWERS), size=st.integers(1, 3))
    def look_at_queue(self, name, size):
        self.unseen.discard("queue")
        pages = self.service.pages(EVERYBODY[name], "review_queue", "/review-queue", limit=size)
        self.model.now = self.service.clock
        items = [item for page in pages for item in page]
        facts = [f for f in self.model.facts.values() if f.state in ("candidate", "corroborated")]
        waiting = [f for f in facts if not f.owner and f.live(self.model.now)]
        waiting.sort(key=lambda fact: fact.queued_at)
        assert [item["fact"]["fact_id"] for item in items] == [fact.fact_id for fact in waiting]
        self.complete_sides(items, [""])
        self.compare()

    @precondition(lambda self: "conflicts" in self.unseen)
    @rule(name=a_reader, size=st.integers(1, 3))
    def look_at_conflicts(self, name, size):
        self.unseen.discard("conflicts")
        pages = self.service.pages(EVERYBODY[name], "list_conflicts", "/conflicts", limit=size)
        self.model.now = self.service.clock
        self.complete(
            [item for page in pages for item in page], [""], 999, least=2
        )

    @precondition(lambda self: "fact" in self.unseen)
    @rule(name=a_reader, number=number)
    def look_at_fact(self, name, number):
        self.unseen.discard("fact")
        fact_id = self.pick(number)
        answer = self.send(name, "get_fact", f"/facts/{fact_id}")
        fact, me = self.model.facts[fact_id], who(name)
        hidden = fact.owner not in ("", me.person) or (
            fact.state == "forgotten" and not me.may("own")
        )
        for number in (1, fact.revision):
            path = f"/facts/{fact_id}/revisions/{number}"
            one = self.send(name, "get_revision", path)
            assert one.status == (404 if hidden else 200), (one, fact)
        assert answer.status == (404 if hidden else 200), (answer, fact)
        if not hidden:
            told = answer.body["fact"]
            assert (told["state"], told["revision"]) == (fact.state, fact.revision)
            assert len(answer.body["revisions"]) == fact.revision
            item = {"fact": told, "conflicts_with": answer.body["contradictions"]}
            self.complete_sides([item], ["", me.person])
        self.compare()

    def complete(self, items: list[Any], owners: list[str], size: int, *, least: int = 1) -> None:
        """Compare items with the model: as many as there are up to `size`, each contradiction whole."""
        shown = [sides_of(item) for item in items]
        wanted = [g for g in contradictions(self.model, owners, ("repo", "task")) if len(g) >= least]
        assert all(group in wanted for group in shown), (shown, wanted)
        assert len({frozenset(group) for group in shown}) == len(shown) == min(size, len(wanted))
        self.compare()

    def complete_sides(self, items: list[Any], owners: list[str]) -> None:
        groups = contradictions(self.model, owners, ("repo", "task"))
        for item in items:
            mine = [group for group in groups if item["fact"]["fact_id"] in group]
            assert sides_of(item) == (mine[0] if mine else {item["fact"]["fact_id"]})


def sides_of(item: Any) -> set[str]:
    others = {other["fact"]["fact_id"] for other in item["conflicts_with"]}
    return {item["fact"]["fact_id"], *others}
