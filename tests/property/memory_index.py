"""A search index that proposes everything it was ever told, and the vectors it needs.

With `deaf` set it takes no tombstone and no newer revision: the worst index there can be. Search
must be right with it all the same, because the table decides what is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from muniment.domain.place import Scope
from muniment.domain.search import Entry, Hit, Proposal, Question, Vectors

VECTORS = Vectors("none", (1.0,), (1.0,))


class MemoryIndex:
    """Fulfils verbs.ports.SearchIndex."""

    def __init__(self) -> None:
        self.deaf = False
        self._entries: dict[tuple[str, str], Entry] = {}

    def clear(self) -> None:
        """Lose everything, as an index that is built anew."""
        self._entries.clear()

    def write(self, entries: Sequence[tuple[Entry, Vectors | None]]) -> None:
        for entry, _ in entries:
            key = entry.cell.place.tenant, entry.fact_id
            known = self._entries.get(key)
            if known is None or (known.revision < entry.revision and not self.deaf):
                self._entries[key] = entry

    def propose(self, scope: Scope, question: Question, vectors: Vectors | None) -> Proposal:
        cells = set(scope.cells())
        found = [e for e in self._entries.values() if e.cell in cells and not e.gone]
        return Proposal({"words": [Hit(e.fact_id, e.revision, 1.0) for e in found]})

    def revisions(self, tenant: str, project: str, fact_ids: Sequence[str]) -> Mapping[str, int]:
        found = {i: self._entries.get((tenant, i)) for i in fact_ids}
        return {i: entry.revision for i, entry in found.items() if entry}


class NoEmbedder:
    """Every text has the same vectors: these tests are not about meaning."""

    def passages(self, texts: Sequence[str]) -> list[Vectors | None]:
        return [VECTORS for _ in texts]

    def query(self, text: str) -> Vectors | None:
        return VECTORS
