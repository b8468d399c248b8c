"""Ask for what is somebody else's, then for what never was: both must be answered alike.

before ──► request with a foreign id, cursor, word … ──► answer A ──► table put back
       └─► the same with one that never was           ──► answer B ──► table put back

leak      A shows the mark or the id of a fact that its asker may not see
oracle    A and B differ in status or body, but for what was sent and what is random
meddling  A wrote to the foreign fact, or into another project
"""

from __future__ import annotations

import json
import re
import time
from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import Any

from tests.isolation.entries import ENTRIES, PATH, Probe
from tests.isolation.world import PROJECTS, Asker, Fact, World, mark, said_of

RANDOM = (  # what is new in every answer
    (
        re.compile(r'"(consistency_token|next_cursor|context_id|request_id|key|key_id)": ?"[^"]*"'),
        r'"\1"',
    ),
    (re.compile(r"\b[0-9A-HJKMNP-TV-Z]{26}\b"), "<id>"),
    (re.compile(r"muniment-[0-9a-f]{32}|[0-9a-f]{32,64}"), "<random>"),
    (re.compile(r'"tokens": ?\d+'), '"tokens"'),  # of the random boundary, too
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "<moment>"),
)
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


@dataclass
class Found:
    """Counts, violations, and how long each route took for A and for B (seconds)."""

    probes: int = 0
    violations: list[str] = field(default_factory=list)
    times: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))

    def ratios(self) -> dict[str, float]:
        """Return median time of A over median time of B by route."""
        return {
            route: median(a for a, _ in pairs) / median(b for _, b in pairs)
            for route, pairs in sorted(self.times.items())
        }


@dataclass(frozen=True)
class Filling:
    """What the slots of a probe stand for: one that exists elsewhere, or one that never was."""

    values: dict[str, str]

    def filled(self, thing: Any) -> Any:
        if isinstance(thing, str):
            return self.values.get(thing, thing)
        if isinstance(thing, list):
            return [self.filled(one) for one in thing]
        if isinstance(thing, dict):
            return {name: self.filled(one) for name, one in thing.items()}
        return thing


class Prober:
    """Draws probes over one world and looks at their answers."""

    def __init__(self, world: World, chance: int) -> None:
        self.world, self.dice, self.found = world, Random(chance), Found()
        self._routes = sorted(ENTRIES)

    def probe(self) -> None:
        """Do one probe of a random route by a random key at a random victim."""
        route = self.dice.choice(self._routes)
        probe = self.dice.choice(ENTRIES[route])
        asker = self.dice.choice(self.world.askers)
        hidden = [f for f in self.world.facts if not asker.sees(f)]
        near = [f for f in hidden if not _apart(f, asker)]  # another person's, in this project
        victim = self.dice.choice(near if self.dice.random() < 0.4 else hidden)
        foreign, never = self._fillings(asker, victim, route)
        elsewhere = self.dice.random() < 0.15 and "{project}" not in route
        order = self.dice.random() < 0.5
        one = self._answer(route, probe, asker, foreign if order else never, elsewhere)
        other = self._answer(route, probe, asker, never if order else foreign, elsewhere)
        a, b = (one, other) if order else (other, one)
        self.found.probes += 1
        self.found.times[route].append((a.seconds, b.seconds))
        self._compare(route, probe, asker, victim, a, b, foreign, never)

    def _compare(
        self,
        route: str,
        probe: Probe,
        asker: Asker,
        victim: Fact,
        a: _Answer,
        b: _Answer,
        foreign: Filling,
        never: Filling,
    ) -> None:
        sent = set(foreign.values.values())
        hidden = [f for f in self.world.facts if not asker.sees(f)]
        said = _masked(a.text, foreign)
        leaks = [
            f for f in hidden if f.mark in said or (f.fact_id in a.text and f.fact_id not in sent)
        ]
        if leaks:
            self._blame("leak", route, probe, asker, victim, a.text)
        if (a.status, said) != (b.status, _masked(b.text, never)):
            self._blame(
                "oracle", route, probe, asker, victim, f"{a.status} {a.text}\n{b.status} {b.text}"
            )
        if meddled := [pk for pk in a.written if _foreign(pk, asker, hidden)]:
            self._blame("meddling", route, probe, asker, victim, str(meddled))

    def _blame(
        self, what: str, route: str, probe: Probe, asker: Asker, victim: Fact, told: str
    ) -> None:
        self.found.violations.append(
            f"{what}: {route} {probe} by {asker.name} at {victim.tenant}/{victim.project}/"
            f"{victim.owner or 'public'} {victim.fact_id} {victim.mark}:\n{told}"
        )

    def _answer(
        self, route: str, probe: Probe, asker: Asker, filling: Filling, elsewhere: bool
    ) -> _Answer:
        """Send the request; the table is put back afterwards."""
        method, path = route.split()
        for name, slot in PATH.items():
            path = path.replace(name, filling.filled(probe.path.get(name, slot)))
        query = filling.filled(probe.query)
        if elsewhere:
            query = {**query, "project": filling.values["$PROJECT"]}
        client, clock = self.world.service.client, self.world.service.clock
        begun = len(client.stream)
        started = time.perf_counter()
        reply = self.world.doors[asker.tenant].ask(
            asker.name,
            method,
            path,
            filling.filled(probe.body),
            headers=filling.filled(probe.headers),
            **query,
        )
        seconds = time.perf_counter() - started
        written = [str((new or old)["pk"]["S"]) for old, new in client.stream[begun:]]
        client.put_back(begun)
        self.world.service.clock = clock
        text = json.dumps(reply.body, ensure_ascii=False, sort_keys=True) + json.dumps(
            reply.headers
        )
        return _Answer(reply.status, text, written, seconds)

    def _fillings(self, asker: Asker, victim: Fact, route: str) -> tuple[Filling, Filling]:
        """Return the slots for what exists elsewhere, and for what never was."""
        world, dice = self.world, self.dice
        own = [f for f in world.facts if asker.sees(f)]
        both = {
            "$OWN": dice.choice(own).fact_id,
            "$NEW": f"The gate of {mark(dice.randrange(10**9))} is new.",
        }
        # A token is sealed: whoever has one of this very project was given it there.
        apart = [f for f in world.facts if _apart(f, asker)]
        contexts = [c for who, c in world.contexts if _apart(who, asker)]
        cursors = [c for who, path, c in world.cursors if _apart(who, asker)]
        keys = [key for tenant, key in world.keys if tenant != asker.tenant]
        word = mark(dice.randrange(10**12))
        ulid = "01KSR" + "".join(dice.choices(CROCKFORD, k=21))
        foreign = {
            "$FACT": victim.fact_id,
            "$CONTEXT": dice.choice(contexts),
            "$KEY": dice.choice(keys),
            "$PERSON": "gina" if asker.tenant == "acme" else "alex",
            "$PROJECT": dice.choice([p for p in PROJECTS if p != asker.project]),
            "$CURSOR": dice.choice(cursors),
            "$TOKEN": dice.choice(apart).token,
            "$IDEM": victim.idempotency,
            "$MARK": victim.mark,
            "$SAID": victim.said,
        }
        never = {
            "$FACT": ulid,
            "$CONTEXT": ulid,
            "$KEY": "".join(dice.choices("0123456789abcdef", k=10)),
            "$PERSON": "zara",
            "$PROJECT": "b" + foreign["$PROJECT"][1:],
            "$CURSOR": _shuffled(foreign["$CURSOR"], dice),
            "$TOKEN": _shuffled(foreign["$TOKEN"], dice),
            "$IDEM": f"once-{word}",
            "$MARK": word,
            "$SAID": said_of(word),
        }
        return Filling(both | foreign), Filling(both | never)


@dataclass(frozen=True)
class _Answer:
    status: int
    text: str
    written: list[str]
    seconds: float


def _apart(one: Asker | Fact, other: Asker) -> bool:
    return (one.tenant, one.project) != (other.tenant, other.project)


def _shuffled(text: str, dice: Random) -> str:
    letters = list(text)
    dice.shuffle(letters)
    return "".join(letters)


def _masked(text: str, filling: Filling) -> str:
    """Return the answer without what was sent and what is random."""
    values = filling.values
    for slot in ("$SAID", "$MARK", "$FACT", "$CONTEXT", "$CURSOR", "$TOKEN", "$KEY", "$PERSON"):
        text = text.replace(values[slot], slot)
    text = re.sub(
        rf'(project |"project": ?"){re.escape(values["$PROJECT"])}(?![\w-])', r"\1$PROJECT", text
    )
    for form, instead in RANDOM:
        text = form.sub(instead, text)
    return text


def _foreign(pk: str, asker: Asker, hidden: list[Fact]) -> bool:
    """Tell whether an item of that partition belongs to somebody else."""
    if pk.startswith((f"T#{asker.tenant}#F#",)):
        return any(pk.endswith(f"#{fact.fact_id}") for fact in hidden)
    here = (f"T#{asker.tenant}#P#{asker.project}", f"TENANT#{asker.tenant}", "KEY#", "SWEEPS")
    return not (pk == here[0] or pk.startswith((here[0] + "#", *here[1:])))
