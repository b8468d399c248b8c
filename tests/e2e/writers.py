"""Writers that record facts over HTTP at the same time, and what must be true afterwards."""

import http.client
import random
import threading
import time

from muniment.adapters.dynamo_facts import DynamoFacts
from muniment.domain.fact import Head
from muniment.domain.search import DEPTH
from muniment.verbs.ports import SearchIndex
from tests.e2e.conftest import Cloud, Reply
from tests.e2e.keys import table_of

SYLLABLES = "ba de fi go ku la me ni po ru sa te vi zo ka le mi no pu ra".split()
INDEX_SECONDS = 2  # a fact: embedding takes 0.1, on a busy machine much more
BREATH = 0.1  # seconds between two writes without end: each must be embedded afterwards
PAUSE = 0.5  # seconds between two looks at the index


def statement(seed: str) -> str:
    """Return a short sentence with two words that no other seed has."""
    chance = random.Random(seed)
    first, second = ("".join(chance.choices(SYLLABLES, k=5)) for _ in range(2))
    return f"The {first} worker reads the {second} queue"


class Writer(threading.Thread):
    """Records `count` facts, or goes on until the cloud is gone; keeps what was acknowledged."""

    def __init__(self, cloud: Cloud, key: str, seed: str, count: int | None = None) -> None:
        super().__init__(name=seed)
        self._cloud, self._key, self._seed, self._count = cloud, key, seed, count
        self.acknowledged: dict[str, str] = {}  # statement by fact id
        self.refused: list[Reply] = []

    def run(self) -> None:
        number = 0
        while self._count is None or number < self._count:
            text = statement(f"{self._seed}-{number}")
            try:
                answer = self._cloud.send("POST", "/remember", {"content": text}, key=self._key)
            except (OSError, http.client.HTTPException):
                return
            if answer.status == 201:
                self.acknowledged[answer.json()["fact"]["fact_id"]] = text
            else:
                self.refused.append(answer)
            number += 1
            if self._count is None:
                time.sleep(BREATH)


def write_and_find(
    cloud: Cloud, index: SearchIndex, writers: int, facts: int, *, sample: int
) -> None:
    """Let writers record so many facts each; check that none is lost, in table, index or search.

    `sample` of them are searched by their own words and must be the first answer.
    """
    tenant = cloud.tenant()
    threads = [Writer(cloud, tenant["key"], f"writer {n}", facts) for n in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    written = {k: v for thread in threads for k, v in thread.acknowledged.items()}

    assert [thread.refused for thread in threads] == [[]] * writers
    assert len(written) == writers * facts
    heads = heads_of(cloud, tenant["tenant"])
    assert {head.fact_id for head in heads} == set(written)
    assert wait_until_indexed(index, heads, INDEX_SECONDS * len(heads)) == set()
    some = dict(list(written.items())[:: len(written) // sample])
    assert not_first(cloud, tenant["key"], some) == set()


def heads_of(cloud: Cloud, tenant: str) -> list[Head]:
    """Return all heads of a tenant, read from the table."""
    facts, found, after = DynamoFacts(table_of(cloud)), list[Head](), None
    while True:
        page, after = facts.all_heads(after, 1000)
        found += [head for head in page if head.cell.place.tenant == tenant]
        if after is None:
            return found


def not_indexed(index: SearchIndex, heads: list[Head]) -> set[str]:
    """Return the ids of heads that the index lacks or knows in another revision."""
    place = heads[0].cell.place
    wanted = {head.fact_id: head.newest.number for head in heads}
    stored = index.revisions(place.tenant, place.project, list(wanted))
    return {fact_id for fact_id, number in wanted.items() if stored.get(fact_id) != number}


def wait_until_indexed(index: SearchIndex, heads: list[Head], seconds: float) -> set[str]:
    """Wait for the stream; return what the index still lacks after so many seconds."""
    end = time.monotonic() + seconds
    while (lacking := not_indexed(index, heads)) and time.monotonic() < end:
        time.sleep(PAUSE)
    return lacking


def not_first(cloud: Cloud, key: str, statements: dict[str, str]) -> set[str]:
    """Search each fact by its own words; return the ids of those that are not the first answer."""
    return {
        fact_id
        for fact_id, text in statements.items()
        if [fact_id] != found(cloud, key, text, limit=1)
    }


def found(cloud: Cloud, key: str, text: str, limit: int = DEPTH // 2, token: str = "") -> list[str]:
    """Return the ids that search answers, best first."""
    body = {"query": text, "limit": limit} | ({"consistency_token": token} if token else {})
    answer = cloud.send("POST", "/search", body, key=key)
    assert answer.status == 200, answer.body
    assert answer.json()["degraded"] == []
    return [item["fact"]["fact_id"] for item in answer.json()["items"]]
