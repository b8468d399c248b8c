"""Writers at the ceiling of a small project, over HTTP, and what must be true while and after."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from muniment.adapters.dynamo_budgets import DynamoBudgets
from muniment.bootstrap import now
from muniment.domain.budget import Profile
from muniment.domain.fact import GONE
from muniment.domain.recount import AT_WORK, QUIET
from muniment.verbs.recount_budgets import recount_budgets
from tests.e2e.conftest import Cloud, Reply
from tests.e2e.keys import table_of
from tests.e2e.races import Team
from tests.e2e.writers import heads_of

GLANCE = 0.05  # seconds between two looks at the counter
MEASURES = ("facts", "moves")


def pk_of(tenant: str) -> str:
    return f"T#{tenant}#P#backend"


def set_ceiling(cloud: Cloud, tenant: str, facts: int) -> None:
    """Make the project of a tenant so small; no command does that to a customer."""
    values = {":profile": str(Profile.TRIAL), ":less": facts - Profile.TRIAL.max_facts}
    said = {"values": values, "names": {"#profile": "profile"}}
    table_of(cloud).update(
        (pk_of(tenant), "META"), "SET #profile = :profile, extra_facts = :less", **said
    )


def counted(cloud: Cloud, tenant: str) -> int:
    item = table_of(cloud).get((pk_of(tenant), "BUDGET")) or {}
    return int(item["facts"])


def live(cloud: Cloud, tenant: str) -> int:
    return sum(head.newest.state not in GONE for head in heads_of(cloud, tenant))


def ceiling_race(team: Team, word: str, writers: int, claims: int, ceiling: int) -> None:
    """Each writer sends claims, forgets one of its own, sends protected kinds, sends on.

    The claims that are stored never exceed the ceiling; protected kinds always pass; every refusal
    says why; the counter is right at the end.
    """
    set_ceiling(team.cloud, team.tenant, live(team.cloud, team.tenant) + ceiling)
    limit = live(team.cloud, team.tenant) + ceiling

    def write(writer: int) -> list[tuple[str, Reply]]:
        found = [_send(team, f"{word}-{writer}-{n}", "note") for n in range(claims)]
        kept = [r.json()["fact"]["fact_id"] for _, r in found if r.status == 201]
        if kept:
            gone = team.send("will", "/forget", {"fact_id": kept[0], "reason": "no longer true"})
            assert gone.status == 200, gone.body
        found.append(_send(team, f"{word}-{writer}-d", "decision"))
        return [*found, _send(team, f"{word}-{writer}-last", "note")]

    with _watching(team) as seen, ThreadPoolExecutor(writers) as pool:
        sent = [pair for pairs in pool.map(write, range(writers)) for pair in pairs]
    protected = [reply for kind, reply in sent if kind == "decision"]
    assert Counter(reply.status for reply in protected) == {201: writers}
    assert {reply.status for _, reply in sent} <= {201, 429}
    for _, reply in sent:
        _explained(reply, limit)
    assert max(seen) <= limit + writers, "never above it by more than the protected kinds"
    assert counted(team.cloud, team.tenant) == live(team.cloud, team.tenant)
    refused = sum(reply.status == 429 for _, reply in sent)
    assert refused >= writers * claims - ceiling - 2 * writers, "the ceiling was really met"


def _send(team: Team, text: str, kind: str) -> tuple[str, Reply]:
    body = {"content": f"Writer {text} was here.", "kind": kind}
    return kind, team.send("will", "/remember", body)


def _explained(reply: Reply, limit: int) -> None:
    body: dict[str, Any] = reply.json()
    if reply.status == 201:
        header = reply.headers.get("x-project-memory-budget")
        assert (header == "degraded") is body["admission"]["degraded"]
        return
    assert (body["code"], body["limit"], body["retry"]) == ("hard_limit", limit, False)
    assert body["actual"] >= limit
    assert "reading goes on" in body["hint"]


@contextmanager
def _watching(team: Team) -> Iterator[list[int]]:
    """Look at the counter all the while; yield what was seen."""
    seen, over = [0], threading.Event()

    def look() -> None:
        while not over.wait(GLANCE):
            seen.append(counted(team.cloud, team.tenant))

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield seen
    finally:
        over.set()
        watcher.join()


def recounted(cloud: Cloud) -> dict[str, Any]:
    """Do what the state machine does an hour later: nobody waits for that in a test."""
    later = now() + AT_WORK + QUIET
    step: dict[str, Any] | None = None
    while True:
        done = recount_budgets(DynamoBudgets(table_of(cloud)), step, lambda: later)
        if (step := done["next"]) is None:
            return done


def settled(cloud: Cloud, tenant: str, seconds: float = 20) -> int:
    """Return the count once no request moves it any more."""
    end, before = time.monotonic() + seconds, -1
    while (present := counted(cloud, tenant)) != before and time.monotonic() < end:
        before = present
        time.sleep(1)
    return present
