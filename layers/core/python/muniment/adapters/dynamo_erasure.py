"""Taking content out of revisions that nothing else may ever change (rule 10, storage.md).

Hashes and graves carry a hash of the value in their key, which could be guessed from. No verb may
delete, so they get a `ttl` that is over: DynamoDB removes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from muniment.adapters import keyspace
from muniment.adapters.dynamo_facts import DynamoFacts
from muniment.adapters.dynamo_table import ConditionFailed, Key
from muniment.domain.change import grave_value
from muniment.domain.erasure import unquoted
from muniment.domain.fact import Head, Revision
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

    def erase_quotes(self, history: History, derived: Sequence[str]) -> tuple[int, int]:
        said = [r.content.statement for r in history.revisions if r.content.statement]
        tenant, removed, held = history.head.cell.place.tenant, 0, 0
        for fact_id in derived:
            other = self.history(tenant, fact_id)
            quoting = [r for r in other.revisions if unquoted(r, said) != r] if other else []
            if other is None or not quoting:
                continue
            if other.head.legal_hold:  # a hold beats everything
                held += 1
                continue
            for revision in quoting:
                key = keyspace.revision_key(tenant, fact_id, revision.number)
                self._unquote(key, unquoted(revision, said))
            self._unquote_head(other.head, said)
            removed += len(quoting)
        return removed, held

    def _unquote_head(self, head: Head, said: Sequence[str]) -> None:
        """Take the quotes out of a head; what was written meanwhile is read and tried again."""
        present: Head | None = head
        while present and unquoted(present.newest, said) != present.newest:
            tenant, fact_id = present.cell.place.tenant, present.fact_id
            try:
                self._unquote(keyspace.head_key(tenant, fact_id), unquoted(present.newest, said))
            except ConditionFailed:
                present = self.head(tenant, fact_id)
                continue
            return

    def _unquote(self, key: Key, revision: Revision) -> None:
        cited = [{"quote": c.quote, "locator": c.locator} for c in revision.content.citations]
        self._table.update(
            key,
            "SET citations = :cited, redacted = :redacted",
            condition="revision = :seen",
            values={":cited": cited, ":redacted": True, ":seen": revision.number},
        )

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
