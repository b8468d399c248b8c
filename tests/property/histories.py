"""Histories of one fact_key: several principals record, publish, retract, revise and forget.

Nothing may be overwritten silently: every revision that was ever told reads the same at the end,
and every contradiction is flagged and whole at every page size.
"""

from __future__ import annotations

import random
from typing import Any

from muniment.domain.moments import rfc3339
from tests.property.driving import HOUR, SOURCES, Driver
from tests.property.machine import Memory
from tests.property.model_facts import WAITING
from tests.property.people import EVERYBODY, TEXTS, WRITERS, who
from tests.property.service import Service
from tests.property.views import contradictions

KEY = "port"
VERBS = ("publish", "publish", "publish", "publish", "retract", "revise", "forget")
OWNER = EVERYBODY["olga"]


def run_history(service: Service, seed: int) -> int:
    """Play one history. Returns how many contradictions it ended with; raises at a violation."""
    chance, state = random.Random(seed), Memory()
    Driver.service = service
    state.begin(False, True, False, [])
    told: dict[tuple[str, int], Any] = {}
    for _ in range(chance.randrange(4, 12)):
        _change(state, chance)
        _read_new(state, told)
    if chance.random() < 0.5:
        state.wait(2 * HOUR)  # some are over now, and no sweep has come yet
    for size in (1, 2, 3):
        state.look_at_list("guest", size, "repo", False)
        state.look_by_search("guest", size, "public")
        state.look_at_conflicts("guest", size)
    state.look_at_context("guest")
    _flagged(state)
    for (fact_id, number), body in told.items():
        assert _revision(service, fact_id, number) == body, "a revision was overwritten"
    groups = contradictions(state.model, [""], ("repo", "task"))
    return sum(len(group) > 1 for group in groups)


def _change(state: Memory, chance: random.Random) -> None:
    """Let somebody do something; most often record, so that there is something to disagree on."""
    if not state.model.facts or chance.random() < 0.4:
        until = state.moment(chance.choice((None, None, None, HOUR)))
        said = {"layer": "repo", "fact_key": KEY, "source_id": chance.choice(SOURCES)}
        said |= {"expires_at": rfc3339(until)} if until else {}
        state.remember(chance.choice(WRITERS), chance.choice(TEXTS), said, until=until)
        return
    number, verb = chance.randrange(6), chance.choice(VERBS)
    waiting = sorted(i for i, f in state.model.facts.items() if f.state in WAITING)
    if verb == "publish" and waiting:
        _publish(state, chance.choice(waiting))
    elif verb == "retract":
        state.retract("olga", number, False, False)
    elif verb == "revise":
        state.revise(chance.choice(WRITERS), number, chance.choice(TEXTS), None, 0, own=True)
    else:
        state.forget(chance.choice(WRITERS), number, True, None)


def _publish(state: Memory, fact_id: str) -> None:
    path = f"/facts/{fact_id}/publish"
    answer = state.send("olga", "publish_fact", path, {"reason": "seen"})
    state.same(answer, state.model.publish(who("olga"), fact_id, None))


def _read_new(state: Memory, told: dict[tuple[str, int], Any]) -> None:
    """Keep every revision as it reads when it is new."""
    for fact_id, fact in state.model.facts.items():
        if (fact_id, fact.revision) not in told:
            for number in range(1, fact.revision + 1):
                if (fact_id, number) not in told:
                    told[fact_id, number] = _revision(state.service, fact_id, number)


def _revision(service: Service, fact_id: str, number: int) -> Any:
    answer = service.call(OWNER, "get_revision", f"/facts/{fact_id}/revisions/{number}")
    assert answer.status == 200, answer
    return answer.body


def _flagged(state: Memory) -> None:
    """Check the labels: what contradicts says so on every side, what does not says nothing."""
    answer = state.send("guest", "search_facts", "/search", {"query": "port", "limit": 50})
    for item in answer.body["items"]:
        sides = [item, *item["conflicts_with"]]
        values = {_value(state, side["fact"]["fact_id"]) for side in sides}
        for side in sides:
            against = [label for label in side["labels"] if " with 01" in label]
            assert bool(against) == (len(values) > 1), side
            assert (side["fact"]["status"] == "conflict") == (len(values) > 1)
            fact = state.model.facts[side["fact"]["fact_id"]]
            assert ("authority" in side["labels"]) == (fact.state == "published")


def _value(state: Memory, fact_id: str) -> str:
    return state.model.facts[fact_id].text.value
