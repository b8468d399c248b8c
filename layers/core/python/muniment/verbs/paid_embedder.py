"""Embedding that is paid for before it runs: once for each group, whole or not at all (rule 12).

    entries of one project ─► price ─► pay (one transaction) ─► embed
                                        no room ─► words only, never an error

A group is what arrived together: the set of fact@revision. The same group again is paid already,
so a batch that failed behind the payment is embedded again and not charged again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from muniment.domain.budget import group_fingerprint, units
from muniment.domain.limits import EMBEDDED_TEXT
from muniment.domain.search import Entry, Vectors
from muniment.verbs.ports import Budgets, Embedder

Place = tuple[str, str]


class PaidEmbedder:
    """`now` is the clock, Unix milliseconds."""

    def __init__(self, embedder: Embedder, budgets: Budgets, now: Callable[[], int]) -> None:
        self._embedder, self._budgets, self._now = embedder, budgets, now

    def embed(self, entries: Sequence[Entry]) -> list[tuple[Entry, Vectors | None]]:
        """Return each entry with its vectors: None for a tombstone, and where the units are spent.

        Raises Busy: nothing was paid then.
        """
        live = [entry for entry in entries if not entry.gone]
        groups: dict[Place, list[Entry]] = {}
        for entry in live:
            groups.setdefault(_place(entry), []).append(entry)
        paid = {place for place, group in groups.items() if self._pay(place, group)}
        texts = [entry.text for entry in live if _place(entry) in paid]
        vectors = iter(self._embedder.passages(texts) if texts else ())
        return [(e, next(vectors) if not e.gone and _place(e) in paid else None) for e in entries]

    def _pay(self, place: Place, group: Sequence[Entry]) -> bool:
        price = sum(units(entry.text[:EMBEDDED_TEXT]) for entry in group)
        name = group_fingerprint((entry.fact_id, entry.revision) for entry in group)
        return self._budgets.pay_embedding(*place, price, name, self._now())


def _place(entry: Entry) -> Place:
    return entry.cell.place.tenant, entry.cell.place.project
