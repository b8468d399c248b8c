"""What every rule of the state machine needs: send a request, compare the table with the model."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize

from muniment.domain.moments import rfc3339
from tests.property.model import Model
from tests.property.model_facts import GONE, Fact, Settings, Text
from tests.property.people import EVERYBODY, REVIEWERS, TEXTS, WRITERS, who
from tests.property.service import Answer, Service
from tests.property.views import VIEWS, heads_of

SOURCES = (None, "a.md", "b.md", "c.md")
LAYERS = {"repo": {}, "task": {"task": "t1"}}
ON_REPO = {
    "subject": {"type": "service", "id": "cafe"},
    "citations": [{"locator": "cafe.md"}],
    "reason": "read",
}
HOUR = 3_600_000  # milliseconds
MOSTLY, NEWEST = 32, 6  # of the forty numbers a rule may draw; how far back it looks

a_writer = st.sampled_from(WRITERS)
a_reviewer = st.sampled_from((*REVIEWERS, *REVIEWERS, "coder"))
an_owner = st.sampled_from(("olga", "olga", "olga", "olga", "rita", "coder"))
a_reader = st.sampled_from(tuple(EVERYBODY))
a_layer = st.sampled_from(("repo", "repo", "repo", "task"))
number = st.integers(0, 39)
maybe = st.booleans()
rarely = st.sampled_from((False,) * 7 + (True,))


class Driver(RuleBasedStateMachine):
    """`service` is set by whoever runs the machine; `steps` counts over all its runs."""

    service: Service
    steps = 0

    @initialize(
        solo=rarely,
        revise=st.sampled_from((True, True, False)),
        policy=rarely,
        known=st.lists(
            st.tuples(
                a_writer,
                st.sampled_from(TEXTS),
                st.sampled_from(SOURCES),
                a_layer,
                st.sampled_from((None, None, HOUR, 3 * HOUR)),
            ),
            min_size=3,
            max_size=6,
        ),
    )
    def begin(self, solo: bool, revise: bool, policy: bool, known: list[Any]) -> None:
        self.model = Model(Settings(solo, revise, policy))
        self.service.begin(solo_publish=solo, repo_revise=revise, publish_on_corroboration=policy)
        self.service.index.deaf = True
        self.read, self.actual, self.unseen = 0, {}, set()
        for name, text, source, layer, ends in known:
            until = self.moment(ends)
            said = {"fact_key": "port", "source_id": source, "layer": layer}
            said |= {"expires_at": rfc3339(until)} if until else {}
            self.remember(name, text, said, until=until)

    def moment(self, ahead: int | None) -> int | None:
        """Return the whole second so many milliseconds from now."""
        return None if ahead is None else self.service.clock // 1_000 * 1_000 + ahead

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
        Driver.steps += 1
        if len(self.service.client.stream) > self.read:
            self.unseen = set(VIEWS)
        moved = heads_of(self.service.client.stream[self.read :])
        self.read = len(self.service.client.stream)
        self.actual |= moved
        assert self.actual == {i: fact.snapshot() for i, fact in self.model.facts.items()}
        live = sum(fact.state not in GONE for fact in self.model.facts.values())
        assert self.service.used() == live, "the budget counts what is live"
        for fact_id in moved:
            assert self.service.broken_link(fact_id) is None

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

    def known(self, number: int, aware: bool, behind: bool) -> tuple[str, int | None]:
        """Return a fact and the revision of it that the caller says to have read."""
        fact_id = self.pick(number)
        revision = self.model.facts[fact_id].revision + (1 if behind else 0)
        return fact_id, revision if aware or behind else None

    def reasoned(self, name: str, word: str, fact_id: str, expected: int | None) -> Answer:
        body = {"reason": "because"} | ({"expected_revision": expected} if expected else {})
        return self.send(name, f"{word}_fact", f"/facts/{fact_id}/{word}", body)

    def holding(
        self, name: str, number: int, holding: bool, behind: bool
    ) -> tuple[str, str, int, int]:
        """Return a fact, who acts on it (its holder if one is wanted), generation, revision."""
        claimed = [i for i, fact in self.model.facts.items() if fact.claim]
        fact_id = claimed[number % len(claimed)] if holding and claimed else self.pick(number)
        fact = self.model.facts[fact_id]
        acting = fact.claim[0] if holding and fact.claim else name
        return fact_id, acting, max(1, fact.generation - behind), fact.revision

    def buried(self, number: int) -> Text:
        """Return something that says a buried value, if there is one."""
        values = {value for _, value in self.model.graves}
        found = [text for text in TEXTS if text.value in values] or TEXTS
        return found[number % len(found)]
