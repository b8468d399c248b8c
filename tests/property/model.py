"""What the rules of project memory say must happen, in plain Python and without the product.

Written from the domain's rules alone: a list of facts, a set of graves, and one function a verb.
Each returns the status and the code of a refusal that the service must answer, and changes the
model only where the service must have changed.
"""

from __future__ import annotations

from tests.property.model_facts import GONE, STANDING, WAITING, Fact, Settings, Text, Who
from tests.property.model_refusals import OK, Refuse, Seen, need, verb

LEASE = 15 * 60_000  # milliseconds
HOUR = 3_600_000
SWEPT = 48 * HOUR  # how far a sweep looks back


class Model:
    """`now` is set by whoever drives the model; Unix milliseconds."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.now = settings, 0
        self.facts: dict[str, Fact] = {}
        self.graves: set[tuple[str, str]] = set()  # owner and value

    def members(self, owner: str, key: str | None) -> list[Fact]:
        """Return the live facts of one key in one place, oldest first."""
        return [
            self.facts[i]
            for i in sorted(self.facts)
            if key is not None
            and (self.facts[i].owner, self.facts[i].key) == (owner, key)
            and self.facts[i].live(self.now)
        ]

    @verb
    def record(self, who: Who, fact: Fact, *, reopen: bool) -> Seen | None:
        """`fact` is what would be born, with the id that it got if it was."""
        need(not reopen or who.may("review"), 403, "not_allowed")
        if twin := self._twin(fact.owner, fact.layer, fact.text):
            self._corroborate(who, fact, twin)
            return OK
        old = self.facts.get(fact.supersedes or "")
        fits = old and old.live(self.now) and old.owner == fact.owner
        fits = fits and old.key in (None, fact.key)
        need(fact.supersedes is None or bool(fits), 422, "unprocessable")
        buried = (fact.owner, fact.text.value) in self.graves
        need(not buried or reopen, 409, "duplicate_tombstone")
        need(buried or not reopen, 422, "unprocessable")
        need(fact.ends is None or fact.ends > self.now, 422, "unprocessable")
        self.graves.discard((fact.owner, fact.text.value))
        self.facts[fact.fact_id] = fact
        by_a_machine = fact.author.kind != "human" and old and old.author.kind == "human"
        if old and old.state not in STANDING and not by_a_machine:
            # It had no part in a dispute, so the others stand as they did: a dispute whose other
            # side has only just expired is settled by the sweep or by the next change of a side.
            old.move("superseded")
            old.successor = fact.fact_id
        return 201, None

    def _twin(self, owner: str, layer: str, text: Text) -> Fact | None:
        alive = [f for f in self.facts.values() if f.live(self.now)]
        same = [f for f in alive if (f.owner, f.layer, f.text.exact) == (owner, layer, text.exact)]
        assert len(same) < 2, "two live facts of one cell say exactly the same"
        return same[0] if same else None

    def _corroborate(self, who: Who, voice: Fact, fact: Fact) -> None:
        known = {fact.author.name, fact.editor.name, *(name for name, _ in fact.voices)}
        sources = {fact.source, *(source for _, source in fact.voices)}
        if fact.state not in WAITING or voice.source is None:
            return
        if who.name in known or voice.source in sources:
            return
        fact.voices.append((who.name, voice.source))
        fact.move("corroborated")
        if self.settings.publish_on_corroboration:
            fact.move("reviewed", "published")
            self._settle(fact)

    @verb
    def publish(self, who: Who, fact_id: str, expected: int | None) -> None:
        fact = self._owned(who, fact_id, expected)
        need(fact.live(self.now), 409, "wrong_state")
        self._independent(who, fact)
        need(fact.state in WAITING, 409, "wrong_state")
        self._publish(fact)

    @verb
    def retract(self, who: Who, fact_id: str, expected: int | None) -> None:
        fact = self._owned(who, fact_id, expected)
        need(fact.live(self.now), 409, "wrong_state")
        self._bury(fact, "retracted")

    @verb
    def hold(self, who: Who, fact_id: str, expected: int | None, *, held: bool) -> None:
        fact = self._owned(who, fact_id, expected)
        need(fact.held is not held, 409, "wrong_state")
        fact.held, fact.revision = held, fact.revision + 1

    @verb
    def forget(self, who: Who, fact_id: str) -> None:
        fact = self._visible(who, fact_id)
        need(fact.live(self.now), 409, "wrong_state")
        need(not fact.held, 423, "legal_hold")
        self._may_remove(who, fact)
        self._bury(fact, "forgotten")

    def forget_source(self, who: Who, source: str) -> dict[str, list[str]]:
        """Return what is answered: ids forgotten, held, refused."""
        told: dict[str, list[str]] = {"forgotten": [], "held": [], "refused": []}
        outcome = {200: "forgotten", 423: "held", 403: "refused"}
        for fact_id in sorted(i for i, f in self.facts.items() if f.source == source):
            status, _ = self.forget(who, fact_id)
            if status in outcome:
                told[outcome[status]].append(fact_id)
        return told

    @verb
    def revise(
        self, who: Who, fact_id: str, expected: int, text: Text | None, ends: int | None
    ) -> None:
        fact = self._visible(who, fact_id)
        self._expected(fact, expected)
        need(fact.live(self.now), 409, "wrong_state")
        self._may_remove(who, fact)
        need(fact.layer != "repo" or self.settings.repo_revise, 405, "create_only")
        said, until = text or fact.text, fact.ends if ends is None else ends
        need(ends is None or ends > self.now, 422, "unprocessable")
        need((said.text, until) != (fact.text.text, fact.ends), 422, "unprocessable")
        if said.value != fact.text.value:
            need((fact.owner, said.value) not in self.graves, 409, "duplicate_tombstone")
        if said.exact != fact.text.exact:
            need(self._twin(fact.owner, fact.layer, said) is None, 422, "unprocessable")
        fact.text, fact.ends, fact.editor, fact.voices = said, until, who, []
        fact.queued_at = self.now
        fact.move("candidate")
        self._settle(fact)

    @verb
    def claim(self, who: Who, fact_id: str) -> None:
        need(who.may("review"), 403, "not_allowed")
        fact = self._visible(who, fact_id)
        waits = fact.state in WAITING and not fact.owner and fact.live(self.now)
        need(waits, 409, "wrong_state")
        if fact.claim and fact.claim[1] > self.now:
            need(fact.claim[0] == who.name, 409, "stale_claim")
        else:
            fact.generation += 1
        fact.claim = who.name, self.now + LEASE

    @verb
    def heartbeat(self, who: Who, fact_id: str, generation: int) -> None:
        self._claimed(who, fact_id, generation).claim = who.name, self.now + LEASE

    @verb
    def release(self, who: Who, fact_id: str, generation: int) -> None:
        self._claimed(who, fact_id, generation).claim = None

    @verb
    def finalize(
        self, who: Who, fact_id: str, generation: int, revision: int, decision: str
    ) -> None:
        fact = self._claimed(who, fact_id, generation)
        self._expected(fact, revision)
        need(fact.live(self.now), 409, "wrong_state")
        if decision == "reject":
            self._bury(fact, "retracted")
            return
        self._independent(who, fact)
        self._publish(fact)

    def expire(self) -> dict[str, int]:
        """Return how many facts the sweep wrote down as expired, and how many a hold kept."""
        counts = {"expired": 0, "held": 0, "left": 0}
        first = (self.now - SWEPT) // HOUR * HOUR
        for fact in self.facts.values():
            if fact.state in GONE or fact.ends is None or not first <= fact.ends <= self.now:
                continue
            counts["held" if fact.held else "expired"] += 1
            if not fact.held:
                fact.move("expired")
                self._settle(fact)
        return counts

    def _visible(self, who: Who, fact_id: str) -> Fact:
        fact = self.facts.get(fact_id)
        if fact is None or fact.owner not in ("", who.person):
            raise Refuse(404, "not_found")
        need(fact.state != "forgotten" or who.may("own"), 404, "not_found")
        return fact

    def _owned(self, who: Who, fact_id: str, expected: int | None) -> Fact:
        need(who.may("own"), 403, "not_allowed")
        fact = self._visible(who, fact_id)
        self._expected(fact, expected)
        return fact

    def _claimed(self, who: Who, fact_id: str, generation: int) -> Fact:
        need(who.may("review"), 403, "not_allowed")
        fact = self._visible(who, fact_id)
        live = fact.claim is not None and fact.claim[0] == who.name and fact.claim[1] > self.now
        need(live and fact.generation == generation, 409, "stale_claim")
        return fact

    def _expected(self, fact: Fact, revision: int | None) -> None:
        need(revision in (None, fact.revision), 409, "stale_revision")

    def _independent(self, who: Who, fact: Fact) -> None:
        wrote = who.name in (fact.author.name, fact.editor.name)
        need(not wrote or self.settings.solo_publish, 403, "self_review")

    def _may_remove(self, who: Who, fact: Fact) -> None:
        if not who.may("own"):
            need(fact.state not in STANDING, 403, "not_allowed")
            need(who.kind == "human" or fact.author.kind != "human", 403, "not_allowed")

    def _publish(self, fact: Fact) -> None:
        fact.move("reviewed", "published")
        old = self.facts.get(fact.supersedes or "")
        if old and old.state not in GONE:
            self._supersede(old, fact)
        self._settle(fact)

    def _supersede(self, old: Fact, new: Fact) -> None:
        old.move("superseded")
        old.successor = new.fact_id
        self._settle(old)

    def _bury(self, fact: Fact, state: str) -> None:
        fact.move(state)
        self.graves.add((fact.owner, fact.text.value))
        self._settle(fact)

    def _settle(self, cause: Fact) -> None:
        """Published facts of a key that disagree are all disputed, otherwise all published."""
        members = self.members(cause.owner, cause.key)
        standing = [fact for fact in members if fact.state in STANDING]
        contested = len({fact.text.value for fact in standing}) > 1
        for fact in standing:
            if fact.state != (state := "disputed" if contested else "published"):
                fact.move(state)
