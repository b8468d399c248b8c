"""The state machine: six writers, one reader and a clock against the service and the model.

Every rule is one request (or one move of the clock). After each one the table must hold exactly
what the model says: no head may differ, none may have moved that should not, every chain that grew
must verify. Rules that look compare whole lists with the model.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.property.changes import Changes
from tests.property.driving import maybe, number
from tests.property.looks import Looks
from tests.property.model_facts import Fact
from tests.property.people import who


class Memory(Changes, Looks):
    """All rules together."""

    @precondition(lambda self: self.ending())
    @rule(number=number, held=maybe, swept=maybe, late=st.sampled_from((-1, 0, 1)))
    def outlive(self, number: int, held: bool, swept: bool, late: int):
        """Let the clock reach the very end of a fact, held or not, and look."""
        ending = self.ending()
        fact = ending[number % len(ending)]
        if held and not fact.held:
            answer = self.reasoned("olga", "hold", fact.fact_id, None)
            self.same(answer, self.model.hold(who("olga"), fact.fact_id, None, held=True))
        self.service.clock = max(self.service.clock, fact.ends + late - 1)
        self.look_by_search("olga", 50, "all")
        if swept:
            self.expire()

    def ending(self) -> list[Fact]:
        """Return what will expire and olga may hold."""
        facts = [f for f in self.model.facts.values() if f.owner in ("", "olga")]
        return [f for f in facts if f.ends and f.live(self.model.now)]
