"""Taking content out of revisions that nothing else may ever change (rule 10, storage.md).

Hashes and graves carry a hash of the value in their key, which could be guessed from. No verb may
delete, so they get a `ttl` that is over: DynamoDB removes them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from muniment.adapters import keyspace
from muniment.adapters.dynamo_facts import DynamoFacts
from muniment.adapters.dynamo_table import ConditionFailed, Key
from muniment.domain.change import grave_value
from muniment.domain.fact import Head
from muniment.domain.listing import History
from muniment.domain.moments import SECOND

KEPT = (  # of a revision: who, when, why, and the links of its chain
    "pk",
    "sk",
    "revision",
    "kind",
    "trust",
    "state",
    "author",
    "author_kind",
    "operator",
    "recorded_at",
    "digest",
    "chain",
    "legal_hold",
    "superseded_by",
    "reason",
)


class DynamoErasure(DynamoFacts):
    """All of verbs.ports.Facts, for the one function that may empty a revision."""

    def erase_revisions(self, history: History, *, keep_graves: bool, now: int) -> tuple[int, int]:
        head = history.head
        full = [replace(head, newest=r) for r in history.revisions if r.content.statement]
        keys = {keyspace.hash_key(old) for old in full}
        if not keep_graves:
            keys |= {keyspace.grave_key(head.cell.place, grave_value(old)) for old in full}
        # hashes first: once the content is gone, nobody could find them again
        traces = sum(self._let_go(key, head.fact_id, now) for key in sorted(keys))
        place, named = head.cell.place, {old.newest.content.fact_key for old in full}
        for fact_key in sorted(filter(None, named)):
            self._let_key_go(keyspace.members_key(place, fact_key), now)
        return sum(map(self._empty, full)), traces

    def _empty(self, old: Head) -> int:
        key = keyspace.revision_key(old.cell.place.tenant, old.fact_id, old.newest.number)
        stored = self._table.get(key) or {}
        gone = [name for name in stored if name not in KEPT]
        if not gone:
            return 0
        names = {f"#{at}": name for at, name in enumerate(gone)}
        removing = f"REMOVE {', '.join(names)}"
        self._table.update(key, removing, condition="attribute_exists(pk)", names=names)
        return 1

    def _let_key_go(self, key: Key, now: int) -> None:
        """Let go of a fact_key that no other fact has: its name is in the key of its item."""
        with suppress(ConditionFailed):
            self._table.update(
                key,
                "SET #ttl = :now",
                condition="#members = :none",
                values={":now": now // SECOND, ":none": {}},
                names={"#ttl": "ttl", "#members": "members"},
            )

    def _let_go(self, key: Key, fact_id: str, now: int) -> int:
        try:
            self._table.update(
                key,
                "SET #ttl = :now",
                condition="fact_id = :fact",
                values={":now": now // SECOND, ":fact": fact_id},
                names={"#ttl": "ttl"},
            )
        except ConditionFailed:  # never there, or another fact holds the statement now
            return 0
        return 1
