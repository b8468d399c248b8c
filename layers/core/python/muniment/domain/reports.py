"""What the verbs of review and hygiene find out, before anybody sees it."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.domain.judgement import Judged


@dataclass(frozen=True, slots=True)
class Waiting:
    """A fact in the queue; `why` says what a reviewer should know before claiming it."""

    judged: Judged
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Queue:
    waiting: tuple[Waiting, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Validated:
    """Facts of the source that the caller may read, oldest first."""

    judged: tuple[Judged, ...]

    @property
    def stale(self) -> tuple[str, ...]:
        return tuple(one.head.fact_id for one in self.judged if one.stale)

    @property
    def conflicting(self) -> tuple[str, ...]:
        return tuple(one.head.fact_id for one in self.judged if one.conflict)


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Each with both sides in it, oldest first."""

    items: tuple[Judged, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was forgotten, what a legal hold kept, what this caller may not forget."""

    forgotten: tuple[str, ...]
    held: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    replayed: bool = False
