"""Look around facts that are about to be shown: who contradicts them, what are they built on?

facts ─► their sources, and the sources' sources   (one BatchGet a level, only if derived)
      ─► their keys                                (one BatchGet, only if keyed)
      ─► the other sides                           (one BatchGet, only in conflict)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from muniment.domain.contradiction import opposed_to
from muniment.domain.fact import Head
from muniment.domain.judgement import Judged, inherit, outdated
from muniment.domain.place import PUBLIC, Cell
from muniment.verbs.ports import Facts

DEEPEST = 8  # levels of derivation that are followed
MOST = 400  # facts looked at on the way

MaySee = Callable[[Cell], bool]


def public(cell: Cell) -> bool:
    """A reader of worklists: a private fact neither stands there nor shows in a conflict."""
    return cell.place.owner == PUBLIC


def judge(
    facts: Facts, heads: Sequence[Head], may_see: MaySee, now: int, hashes: Mapping[str, str]
) -> list[Judged]:
    """Return what is found about each head, in order.

    `may_see` keeps what the reader has no right to out of every count: a private fact neither
    shows nor counts in a public conflict. `hashes` maps source ids to the caller's hashes.
    """
    if not heads:
        return []
    family, absent = _family(facts, heads)
    opposed = _opposed(facts, family.values(), may_see, now)
    others = [other for head in heads for other in opposed.get(head.fact_id, ())]
    their_family, theirs_absent = _family(facts, others)
    family, absent = family | their_family, absent | theirs_absent
    sources = {i: head.newest.content.derived_from for i, head in family.items()}
    gone = {i for i, head in family.items() if not head.is_live(now)}
    stale = {i for i, head in family.items() if outdated(head, hashes)}
    tainted = inherit(sources, stale | gone | absent)
    disputed = inherit(sources, {i for i, others in opposed.items() if others})
    return [
        Judged(
            head,
            opposed=opposed.get(head.fact_id, ()),
            inherits_conflict=head.fact_id in disputed,
            stale=head.fact_id in tainted,
            stale_others=frozenset(o.fact_id for o in opposed.get(head.fact_id, ())) & tainted,
        )
        for head in heads
    ]


def _family(facts: Facts, heads: Sequence[Head]) -> tuple[dict[str, Head], set[str]]:
    """Return the heads and all they were derived from, by fact id, and ids that are no fact."""
    family = {head.fact_id: head for head in heads}
    absent: set[str] = set()
    frontier = list(heads)
    for _ in range(DEEPEST):
        named = {i for head in frontier for i in head.newest.content.derived_from}
        wanted = named - set(family) - absent
        if not wanted or len(family) > MOST:
            break
        tenant = heads[0].cell.place.tenant
        found = facts.heads(tenant, sorted(wanted))
        family |= found
        absent |= wanted - set(found)
        frontier = list(found.values())
    return family, absent


def _opposed(
    facts: Facts, family: Iterable[Head], may_see: MaySee, now: int
) -> dict[str, tuple[Head, ...]]:
    """Return the other sides of each fact: live and visible."""
    keyed = [h for h in family if h.newest.content.fact_key and h.is_live(now)]
    if not keyed:
        return {}
    keys = {(head.cell.place, head.newest.content.fact_key or "") for head in keyed}
    members = {(m.place, m.fact_key): m for m in facts.members_of(sorted(keys, key=str))}
    others = {
        head.fact_id: members[head.cell.place, head.newest.content.fact_key or ""].others(
            head.fact_id
        )
        for head in keyed
    }
    wanted = sorted({i for ids in others.values() for i in ids})
    if not wanted:
        return {}
    heads = facts.heads(keyed[0].cell.place.tenant, wanted)
    shown = {i for i, head in heads.items() if head.is_live(now) and may_see(head.cell)}
    return {
        head.fact_id: opposed_to(head, [heads[i] for i in others[head.fact_id] if i in shown])
        for head in keyed
    }


def grouped(judged: Iterable[Judged]) -> list[Judged]:
    """Return the items to show: each conflict once, both sides in it, in order of the first."""
    shown: list[Judged] = []
    covered: set[str] = set()
    for one in judged:
        if one.head.fact_id in covered:
            continue
        covered |= {side.fact_id for side in one.sides()}
        first, *rest = one.sides()
        shown.append(one.turned(first) if rest else one)
    return shown
