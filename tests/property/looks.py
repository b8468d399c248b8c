"""The rules that look: whole lists, compared with what the model says a reader must see."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.property.driving import LAYERS, Driver, a_reader, number, rarely
from tests.property.people import EVERYBODY, REVIEWERS, who
from tests.property.views import contradictions, sides_of


class Looks(Driver):
    """List, search, context, queue, conflicts, one fact: each once after a change."""

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
        self.complete([item for page in pages for item in page], [""], 999, least=2)

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
        """Compare items: as many as there are up to `size`, each contradiction whole."""
        shown = [sides_of(item) for item in items]
        wanted = [
            g for g in contradictions(self.model, owners, ("repo", "task")) if len(g) >= least
        ]
        assert all(group in wanted for group in shown), (shown, wanted)
        assert len({frozenset(group) for group in shown}) == len(shown) == min(size, len(wanted))
        self.compare()

    def complete_sides(self, items: list[Any], owners: list[str]) -> None:
        groups = contradictions(self.model, owners, ("repo", "task"))
        for item in items:
            mine = [group for group in groups if item["fact"]["fact_id"] in group]
            assert sides_of(item) == (mine[0] if mine else {item["fact"]["fact_id"]})
