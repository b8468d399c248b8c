"""Use case: carry changed heads from the table into the search index.

    stream of heads ─► changed for the index? ─► pay, embed ─► write with the revision as version

Idempotent: a head that comes late, twice or after its own tombstone changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from muniment.domain.fact import Head
from muniment.domain.search import entry_of
from muniment.verbs.paid_embedder import PaidEmbedder
from muniment.verbs.ports import Facts, SearchIndex

PAGE = 50  # heads compared at once by reconcile: each may have to be embedded


def index_facts(index: SearchIndex, embedder: PaidEmbedder, heads: Sequence[Head]) -> int:
    """Write the entries of these heads, newest revision of each. Returns how many were sent.

    Raises IndexUnavailable, Busy: the stream then delivers them again.
    """
    newest: dict[tuple[str, str], Head] = {}
    for head in heads:
        key = (head.cell.place.tenant, head.fact_id)
        if key not in newest or newest[key].newest.number < head.newest.number:
            newest[key] = head
    entries = [entry_of(head) for head in newest.values()]
    index.write(embedder.embed(entries))
    return len(entries)


@dataclass(frozen=True, slots=True)
class Reconciled:
    """One page: heads compared, heads the index lacked. `next` starts the following page."""

    compared: int
    repaired: int
    next: str | None


def reconcile_index(
    facts: Facts, index: SearchIndex, embedder: PaidEmbedder, after: str | None
) -> Reconciled:
    """Compare one page of heads with the index and write what it lacks (storage.md).

    The stream forgets what it could not deliver in a day; this finds it again.
    """
    heads, following = facts.all_heads(after, PAGE)
    places = {(head.cell.place.tenant, head.cell.place.project) for head in heads}
    known: dict[tuple[str, str], int] = {}
    for tenant, project in places:
        ids = [h.fact_id for h in heads if _at(h) == (tenant, project)]
        known |= {(tenant, i): n for i, n in index.revisions(tenant, project, ids).items()}
    lacking = [
        head
        for head in heads
        if known.get((head.cell.place.tenant, head.fact_id), 0) < head.newest.number
    ]
    if lacking:
        index_facts(index, embedder, lacking)
    return Reconciled(len(heads), len(lacking), following)


def _at(head: Head) -> tuple[str, str]:
    return head.cell.place.tenant, head.cell.place.project
