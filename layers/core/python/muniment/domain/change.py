"""A change of facts that already exist: every head it moves, and what must still hold then.

Step    one head from the revision that was read to a later one, all revisions between
Change  steps, keys and graves that are written together or not at all
"""

from __future__ import annotations

from dataclasses import dataclass

from muniment.domain.contradiction import Members
from muniment.domain.fact import GONE, Head, Revision, State
from muniment.domain.forms import fingerprint, same_value
from muniment.domain.intake import Answer, Grave, Idempotency
from muniment.domain.place import Place


@dataclass(frozen=True, slots=True)
class Held:
    """The claim under which a reviewer acts; it must be live when the change is written."""

    holder: str
    generation: int
    now: int


@dataclass(frozen=True, slots=True)
class Step:
    """`revisions` lead from `before` to `after`, whose newest is the last of them."""

    before: Head
    after: Head
    revisions: tuple[Revision, ...]
    held: Held | None = None


@dataclass(frozen=True, slots=True)
class Burial:
    """A value that may not come back to its place (rule 6)."""

    place: Place
    value: str
    grave: Grave
    by: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    steps: tuple[Step, ...]
    members: tuple[Members, ...] = ()
    burials: tuple[Burial, ...] = ()
    answers: tuple[tuple[Idempotency, Answer], ...] = ()
    twin_of: Head | None = None

    def head(self, fact_id: str) -> Head:
        """Return the head as the change leaves it."""
        return next(step.after for step in self.steps if step.after.fact_id == fact_id)

    @property
    def ended(self) -> int:
        """How many live facts it ends: their room in the budget is free again."""
        return sum(
            step.before.newest.state not in GONE and step.after.newest.state in GONE
            for step in self.steps
        )


def burial_of(head: Head, now: int) -> Burial:
    """Return the grave of what a retracted, rejected or forgotten head says."""
    newest = head.newest
    grave = Grave(head.fact_id, newest.state, newest.reason)
    return Burial(head.cell.place, grave_value(head), grave, newest.author.principal, now)


def grave_value(head: Head) -> str:
    return fingerprint(same_value(head.newest.content.statement))


def needs_grave(state: State) -> bool:
    """Superseded and expired values may be said again; the others were found wrong (rule 6)."""
    return state in GONE and state not in (State.SUPERSEDED, State.EXPIRED)
