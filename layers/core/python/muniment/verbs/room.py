"""The room of one fact in its project's budget: taken once, however often the write is tried."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.domain.budget import Admission
from muniment.domain.caller import Asked
from muniment.domain.fact import Kind
from muniment.domain.intake import Settings
from muniment.verbs.ports import Budgets


@dataclass
class Room:
    """`told` is what the writer is told of the budget, once the room is taken."""

    budgets: Budgets
    asked: Asked
    kind: Kind
    told: Admission | None = None

    def take(self, settings: Settings) -> Admission:
        """Take the room, unless it is taken. Raises HardLimit."""
        tenant, project, now = self.asked.caller.tenant, self.asked.project, self.asked.now
        if self.told is None:
            self.told = self.budgets.reserve(tenant, project, self.kind, settings, now)
        return self.told

    def leave(self) -> None:
        """Give it back, if it was taken and not used."""
        if self.told is not None:
            self.budgets.give_back(self.asked.caller.tenant, self.asked.project, 1, self.asked.now)
