"""Use case: what would this question have found at that moment? (rows M-18, M-53)

    index, what left results included ─► history of each hit ─► the revision of that moment

The index knows the newest words of a fact only: what was reworded since is found by its new words.
Forgotten facts stay forgotten, also in the past.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from muniment.domain.caller import Asked
from muniment.domain.contradiction import opposed_to
from muniment.domain.fact import Head, State
from muniment.domain.fusion import fuse
from muniment.domain.judgement import Judged
from muniment.domain.listing import History
from muniment.verbs.judging import grouped
from muniment.verbs.ports import Facts
from muniment.verbs.search_facts import (
    FoundFacts,
    Search,
    Searching,
    filters_of,
    propose,
    question_of,
    scope_of,
)


def search_past(
    search: Search, asked: Asked, ask: Searching, limit: int, moment: int
) -> FoundFacts:
    """Return up to `limit` facts as they were at `moment` (Unix ms), that millisecond included."""
    scope = replace(scope_of(asked, ask), past=True)
    filters = filters_of(ask, moment)
    proposal = propose(search, scope, question_of(ask, filters))
    scores = fuse(proposal.lists)
    heads = search.facts.heads(scope.tenant, list(scores))
    then: dict[str, Head] = {}
    for fact_id in scores:
        if len(then) >= limit:
            break
        head = _as_of(search.facts.history(scope.tenant, fact_id), moment)
        if head and scope.holds(head.cell) and filters.admit(head):
            then[fact_id] = head
    rivals = _rivals(search.facts, heads, then, moment)
    judged = grouped(_judge([*then.values(), *rivals]))
    items = [(one, _best(one, scores)) for one in judged if _has_any(one, then)]
    return FoundFacts(tuple(items), proposal.degraded)


def _rivals(
    facts: Facts, heads: Mapping[str, Head], then: Mapping[str, Head], moment: int
) -> list[Head]:
    """Return the other sides among all hits: a contradiction is whole whatever the limit."""
    found = []
    for fact_id, head in heads.items():
        if fact_id not in then and any(_same_key(head, one) for one in then.values()):
            past = _as_of(facts.history(head.cell.place.tenant, fact_id), moment)
            found += [past] if past and past.is_live(moment) else []
    return found


def _best(judged: Judged, scores: Mapping[str, float]) -> float:
    return max(scores[side.fact_id] for side in judged.sides())


def _has_any(judged: Judged, then: Mapping[str, Head]) -> bool:
    return any(side.fact_id in then for side in judged.sides())


def _as_of(history: History | None, moment: int) -> Head | None:
    """Return the head as `moment` left it; None if there was none, or it was forgotten since."""
    if history is None or history.head.newest.state is State.FORGOTTEN:
        return None
    known = [r for r in history.revisions if r.recorded_at <= moment]
    return replace(history.head, newest=known[-1], claim=None) if known else None


def _judge(heads: Sequence[Head]) -> list[Judged]:
    """Return the heads with those of them that said something else under the same key."""
    return [
        Judged(head, opposed_to(head, [other for other in heads if _same_key(head, other)]))
        for head in heads
    ]


def _same_key(one: Head, other: Head) -> bool:
    key = one.newest.content.fact_key
    same_key = key is not None and key == other.newest.content.fact_key
    return same_key and one.cell.place == other.cell.place and one is not other
