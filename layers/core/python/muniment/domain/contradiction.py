"""Facts of one key in one place that say different things (rule 5).

    conflict   live facts of one fact_key with different values: computed at each read
    disputed   two published facts that disagree: stored, because it takes their authority away

`Members` is the one item in which facts of a key know of each other. It is read before every
change of a keyed fact and written back only if nobody else wrote it meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from muniment.domain import limits
from muniment.domain.errors import Unprocessable
from muniment.domain.fact import Author, Head, State
from muniment.domain.forms import fingerprint, same_value
from muniment.domain.history import link
from muniment.domain.place import Place

VALUE_LENGTH = 32  # hexadecimal digits of a value's hash that members keep: 128 bits


def value_of(head: Head) -> str:
    """Return the hash of what a fact says, blind to case, width and look-alike letters."""
    return fingerprint(same_value(head.newest.content.statement))[:VALUE_LENGTH]


@dataclass(frozen=True, slots=True)
class Member:
    """A live fact of a key: its value's hash, and whether a person published it."""

    value: str
    standing: bool


@dataclass(frozen=True, slots=True)
class Members:
    """Live facts of one key in one place by fact id. `version` 0: the item does not exist yet."""

    place: Place
    fact_key: str
    facts: Mapping[str, Member]
    version: int = 0

    @property
    def is_conflict(self) -> bool:
        return len({member.value for member in self.facts.values()}) > 1

    def standing(self) -> list[str]:
        """Return the published and disputed facts, oldest first."""
        return sorted(fact_id for fact_id, member in self.facts.items() if member.standing)

    def others(self, fact_id: str) -> list[str]:
        """Return all facts beside `fact_id`, newest first, if they do not all say the same."""
        if fact_id not in self.facts or not self.is_conflict:
            return []
        return sorted((i for i in self.facts if i != fact_id), reverse=True)

    def after(self, heads: Iterable[Head], now: int) -> Members:
        """Return the members once these heads are as given. Raises Unprocessable over 100."""
        facts = dict(self.facts)
        for head in heads:
            facts.pop(head.fact_id, None)
            if head.is_live(now):
                facts[head.fact_id] = Member(value_of(head), head.newest.state.is_standing)
        if len(facts) > max(limits.KEY_MEMBERS, len(self.facts)):
            raise Unprocessable(
                f"the fact_key has {len(self.facts)} live facts already",
                field="body.fact_key",
                limit=limits.KEY_MEMBERS,
                actual=len(facts),
            )
        standing = sum(member.standing for member in facts.values())
        if standing > limits.KEY_STANDING:
            raise Unprocessable(
                f"the fact_key has {standing - 1} published facts already",
                limit=limits.KEY_STANDING,
                actual=standing,
            )
        return replace(self, facts=facts)


def opposed_to(head: Head, others: Sequence[Head]) -> tuple[Head, ...]:
    """Return all `others` of the head's key as soon as one of them says something else.

    Those that agree with it belong to the same contradiction: it is one item on every path.
    """
    mine = value_of(head)
    return tuple(others) if any(value_of(other) != mine for other in others) else ()


def settle(standing: Sequence[Head], *, by: Author, cause: str, now: int) -> list[Head]:
    """Return the heads among `standing` whose state must flip, as they then are.

    `standing` are all published and disputed facts of one key as a change leaves them. More than
    one value: every one is disputed; otherwise every one is published (rows M-30, M-31).
    """
    live = [head for head in standing if head.is_live(now)]
    contested = len({value_of(head) for head in live}) > 1
    state = State.DISPUTED if contested else State.PUBLISHED
    reason = f"contradicted: {cause}" if contested else f"contradiction settled: {cause}"
    return [
        moved(head, state=state, by=by, reason=reason, now=now)
        for head in live
        if head.newest.state is not state
    ]


def moved(head: Head, *, state: State, by: Author, reason: str, now: int) -> Head:
    """Return the head one revision on: same content and trust, another state."""
    newest = head.newest
    later = link(
        newest,
        newest.content,
        trust=newest.trust,
        state=state,
        author=by,
        reason=reason,
        now=now,
        salt=head.salt,
    )
    return replace(head, newest=later)
