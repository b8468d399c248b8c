"""No search index is set up: every search is degraded, and nothing waits to be indexed.

The first deploy on AWS runs so until OpenSearchEndpoint is given; a reconcile then fills the index.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from muniment.domain.errors import IndexUnavailable
from muniment.domain.place import Scope
from muniment.domain.search import Entry, Proposal, Question, Vectors


class NoIndex:
    """Fulfils verbs.ports.SearchIndex."""

    def write(self, entries: Sequence[tuple[Entry, Vectors | None]]) -> None:
        """Keep nothing: failing would only fill the queue of failures."""

    def propose(self, scope: Scope, question: Question, vectors: Vectors | None) -> Proposal:
        raise IndexUnavailable("no search index is set up")

    def revisions(self, tenant: str, project: str, fact_ids: Sequence[str]) -> Mapping[str, int]:
        return {}
