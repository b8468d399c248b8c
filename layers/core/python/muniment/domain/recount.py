"""When a budget may be set to what was counted, though nobody stops writing for it.

    budget read: facts, moves ──► every head counted ──► facts := live, if moves is still the same
    quiet for a minute?            ended just now? busy      somebody wrote meanwhile: busy

A record reserves before it writes, so a count that is too low shows in `moves`. A fact that ended
gives its room back afterwards: if that came behind the correction, it would count twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from muniment.domain.fact import GONE, State

QUIET = 60_000  # milliseconds without a move; a request that reserved is over by then
AT_WORK = 600_000  # milliseconds; no function runs half as long


@dataclass(frozen=True, slots=True)
class Counted:
    """What a count sees of one fact: `written_at` is when its newest revision was."""

    tenant: str
    project: str
    state: State
    written_at: int


@dataclass(frozen=True, slots=True)
class Tally:
    """A budget as it stood before the count began, and the live heads found since.

    `moves` counts every change of the budget; `busy`: somebody may be at work on it.
    """

    tenant: str
    project: str
    facts: int
    moves: int
    live: int = 0
    busy: bool = False

    @classmethod
    def of(
        cls, tenant: str, project: str, *, facts: int, moves: int, moved_at: int, began: int
    ) -> Tally:
        """Return an empty tally; moments are Unix milliseconds."""
        return cls(tenant, project, facts, moves, busy=moved_at > began - QUIET)

    def with_head(self, head: Counted, began: int) -> Tally:
        """Return the tally with one more fact of the project."""
        if head.state not in GONE:
            return replace(self, live=self.live + 1)
        return replace(self, busy=self.busy or head.written_at > began - AT_WORK)

    @property
    def is_right(self) -> bool:
        return self.facts == self.live
