"""Requests that meet: one round of each race over HTTP, and what must be true after it."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from muniment.adapters.dynamo_facts import DynamoFacts
from muniment.domain.caller import Action
from muniment.domain.history import broken_link
from tests.e2e.conftest import Cloud, Reply
from tests.e2e.keys import KeyMaker, table_of

PEOPLE = {
    "olga": (Action.READ, Action.WRITE, Action.REVIEW, Action.OWN),
    "oskar": (Action.READ, Action.WRITE, Action.REVIEW, Action.OWN),
    "rita": (Action.READ, Action.WRITE, Action.REVIEW),
    "rosa": (Action.READ, Action.WRITE, Action.REVIEW),
    "will": (Action.READ, Action.WRITE),
}
SOON = 0.15  # seconds after which a claim lapses in the middle of a round, at most
Shot = Callable[[], Reply]


@dataclass
class Team:
    """The people of one tenant with their keys, and how they send."""

    cloud: Cloud
    tenant: str
    keys: dict[str, str]
    number: int = 0

    @classmethod
    def of(cls, cloud: Cloud) -> Team:
        tenant = cloud.tenant()["tenant"]
        maker = KeyMaker(cloud, tenant)
        keys = {name: maker.key(*may, principal=name) for name, may in PEOPLE.items()}
        return cls(cloud, tenant, keys)

    def send(self, who: str, path: str, body: Any = None) -> Reply:
        return self.cloud.send("POST", path, body, key=self.keys[who])

    def told(self, who: str, path: str, body: Any = None) -> Any:
        """Send what must succeed."""
        reply = self.send(who, path, body)
        assert reply.status in (200, 201), reply.body
        return reply.json()

    def record(self, who: str, text: str, **said: Any) -> str:
        """Record a fact that no round before has said."""
        self.number += 1
        content = {"content": f"Round {self.number}: {text}", **said}
        fact_id: str = self.told(who, "/remember", content)["fact"]["fact_id"]
        return fact_id

    def history(self, fact_id: str) -> list[str]:
        """Return the states of all revisions, once the chain has no gap and verifies."""
        history = DynamoFacts(table_of(self.cloud)).history(self.tenant, fact_id)
        assert history is not None
        numbers = [revision.number for revision in history.revisions]
        assert numbers == list(range(1, len(numbers) + 1))
        assert history.revisions[-1] == history.head.newest
        assert broken_link(history.revisions, history.head.salt) is None
        return [str(revision.state) for revision in history.revisions]


def together(shots: Sequence[Shot]) -> list[Reply]:
    """Send all at once, each from a thread of its own."""
    with ThreadPoolExecutor(len(shots)) as pool:
        return [future.result() for future in [pool.submit(shot) for shot in shots]]


def revise_race(team: Team, writers: int) -> None:
    """Many revise one revision: one wins, the others learn which revision is the present one."""
    fact_id = team.record("will", "the port is free.", layer="task", task="t1")

    def shot(number: int) -> Shot:
        said = {
            "statement": f"Writer {number} of {fact_id} was here.",
            "reason": "seen",
            "expected_revision": 1,
        }
        return lambda: team.send("will", f"/facts/{fact_id}/revisions", said)

    replies = together([shot(number) for number in range(writers)])
    assert Counter(reply.status for reply in replies) == {200: 1, 409: writers - 1}, replies
    lost = [reply.json() for reply in replies if reply.status == 409]
    assert {(body["code"], body["revision"]) for body in lost} <= {("stale_revision", 2)}
    assert team.history(fact_id) == ["candidate", "candidate"]


def finalize_race(team: Team, tries: int = 8) -> None:
    """One reviewer's finalize arrives many times: it counts once."""
    fact_id = team.record("will", "the queue is durable.")
    said = _claimed(team, "rita", fact_id)
    path = f"/facts/{fact_id}/review/finalize"
    replies = together([lambda: team.send("rita", path, said)] * tries)
    assert Counter(reply.status for reply in replies) == {200: 1, 409: tries - 1}
    assert team.history(fact_id) == ["candidate", "reviewed", "published"]


def takeover_race(team: Team) -> None:
    """A claim lapses while its holder finalizes and another takes over: one publication at most."""
    fact_id = team.record("will", "the broker is mirrored.")
    said = _claimed(team, "rita", fact_id)
    _lapse(team, fact_id, random.uniform(-SOON, SOON))

    def take_over() -> Reply:
        reply = team.send("rosa", f"/facts/{fact_id}/review/claim")
        if reply.status != 200:
            return reply
        return team.send("rosa", f"/facts/{fact_id}/review/finalize", _decision(reply.json()))

    replies = together(
        [lambda: team.send("rita", f"/facts/{fact_id}/review/finalize", said), take_over]
    )
    states = team.history(fact_id)
    published = sum(reply.status == 200 for reply in replies)
    assert published <= 1, replies
    assert {reply.status for reply in replies} <= {200, 409}
    assert states == ["candidate", *(["reviewed", "published"] * published)]


def dispute_race(team: Team) -> None:
    """Two owners publish two facts that contradict each other: never two published."""
    key = {"fact_key": f"port-{time.monotonic_ns()}"}
    one, other = (team.record("will", f"the port is {port}.", **key) for port in (8080, 9090))
    replies = together(
        [
            lambda: team.send("olga", f"/facts/{one}/publish", {"reason": "seen"}),
            lambda: team.send("oskar", f"/facts/{other}/publish", {"reason": "seen too"}),
        ]
    )
    assert [reply.status for reply in replies] == [200, 200], [reply.body for reply in replies]
    assert [team.history(fact_id)[-1] for fact_id in (one, other)] == ["disputed", "disputed"]


def record_race(team: Team, word: str, writers: int, facts: int) -> None:
    """Many writers record at once: nothing is lost and nothing is there twice (case D25).

    `word` tells the statements of one round from those of another.
    """

    def shots(writer: int) -> list[str]:
        said = ({"content": f"Writer {word}-{writer} learnt fact {n}."} for n in range(facts))
        return [team.told("will", "/remember", body)["fact"]["fact_id"] for body in said]

    with ThreadPoolExecutor(writers) as pool:
        ids = [fact_id for found in pool.map(shots, range(writers)) for fact_id in found]
    assert len(set(ids)) == writers * facts
    heads = DynamoFacts(table_of(team.cloud)).heads(team.tenant, ids)
    assert set(heads) == set(ids)
    assert {head.newest.number for head in heads.values()} == {1}


def _claimed(team: Team, who: str, fact_id: str) -> dict[str, Any]:
    return _decision(team.told(who, f"/facts/{fact_id}/review/claim"))


def _decision(claim: dict[str, Any]) -> dict[str, Any]:
    seen = {"generation": claim["generation"], "revision": claim["revision"]}
    return {**seen, "decision": "publish", "reason": "looked at"}


def _lapse(team: Team, fact_id: str, seconds: float) -> None:
    """Let the claim end in so many seconds: no verb can, a lease lasts 15 minutes."""
    until = int((time.time() + seconds) * 1_000)
    key = (f"T#{team.tenant}#F#{fact_id}", "HEAD")
    table_of(team.cloud).update(key, "SET claim.expires_at = :until", values={":until": until})
