"""What is computed of facts at every read and never stored (rules 5 and 7, rows W-31 to W-40).

conflict   a live fact of the same key and place says something else
stale      the caller knows another hash of the source, or a source of it left results
both pass from facts to whatever was derived from them, through chains, cycles tolerated
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from muniment.domain.contradiction import value_of
from muniment.domain.fact import Head
from muniment.domain.labels import labels


@dataclass(frozen=True, slots=True)
class Judged:
    """A fact with what was found about it.

    `opposed` are all other facts of its key as soon as any of them says something else, those
    that agree with it too: a contradiction is one item, from whichever side one comes to it.
    `stale_others` are the ids of those among them that are stale.
    """

    head: Head
    opposed: tuple[Head, ...] = ()
    inherits_conflict: bool = False
    stale: bool = False
    stale_others: frozenset[str] = frozenset()

    @property
    def conflict(self) -> bool:
        return bool(self.opposed) or self.inherits_conflict

    @property
    def against(self) -> tuple[Head, ...]:
        """Return the facts that say something else than this one."""
        mine = value_of(self.head)
        return tuple(other for other in self.opposed if value_of(other) != mine)

    @property
    def all_stale(self) -> bool:
        """Tell whether no side of it is up to date."""
        return self.stale and len(self.stale_others) == len(self.opposed)

    @property
    def status(self) -> str:
        """One of three words; there is none that says a fact is true (row W-34)."""
        if self.conflict:
            return "conflict"
        return "stale" if self.stale else "unverified"

    def labels(self, now: int) -> list[str]:
        against = sorted((other.fact_id for other in self.against), reverse=True)
        return labels(self.head, now, against=against, conflict=self.conflict, stale=self.stale)

    def turned(self, side: Head) -> Judged:
        """Return the same contradiction seen from another of its sides."""
        others = tuple(other for other in (self.head, *self.opposed) if other is not side)
        stale = self.stale_others | ({self.head.fact_id} if self.stale else set())
        return replace(
            self,
            head=side,
            opposed=others,
            stale=side.fact_id in stale,
            stale_others=stale - {side.fact_id},
        )

    def sides(self) -> tuple[Head, ...]:
        """Return this fact and those it conflicts with: authority first, then newest first."""
        together = (self.head, *self.opposed)
        return tuple(sorted(together, key=_precedence, reverse=True))


def _precedence(head: Head) -> tuple[bool, int, str]:
    return head.newest.state.has_authority, head.newest.recorded_at, head.fact_id


def outdated(head: Head, hashes: Mapping[str, str]) -> bool:
    """Tell whether the caller's hash of the fact's source differs from the stored one."""
    content = head.newest.content
    if content.source_id is None or content.source_id not in hashes:
        return False
    return content.source_hash != hashes[content.source_id]


def inherit(sources: Mapping[str, Sequence[str]], marked: set[str]) -> set[str]:
    """Return `marked` and every fact derived from one of them, however far and in whatever loop.

    `sources` maps a fact to the facts it was derived from.
    """
    derived: dict[str, list[str]] = {}
    for fact_id, parents in sources.items():
        for parent in parents:
            derived.setdefault(parent, []).append(fact_id)
    reached, frontier = set(marked), list(marked)
    while frontier:
        for child in derived.get(frontier.pop(), ()):
            if child not in reached:
                reached.add(child)
                frontier.append(child)
    return reached
