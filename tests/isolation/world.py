"""Two tenants with projects of nearly the same names, and in each of them facts of every sort.

    acme, globex ── projects a, a1, a-1 ── public facts, and private ones of olga and boris
                                           published, disputed, held, claimed, retracted, forgotten

Every text of a fact carries that fact's own mark, a word that stands nowhere else: whatever shows
it to somebody else has leaked. acme and globex have people and machines of the same names.
"""

from __future__ import annotations

import itertools
import string
from dataclasses import dataclass, field
from typing import Any

from muniment import bootstrap
from muniment.domain.budget import Profile
from tests.functional.door import Door
from tests.property.service import Service

TENANTS, PROJECTS, PEOPLE = ("acme", "globex"), ("a", "a1", "a-1"), ("olga", "boris")
LETTERS = string.ascii_lowercase


@dataclass(frozen=True)
class Fact:
    """`owner` is empty for a public fact."""

    tenant: str
    project: str
    owner: str
    fact_id: str
    mark: str
    said: str
    token: str
    idempotency: str


@dataclass(frozen=True)
class Asker:
    """A key that opens one project: whose, and what it may see."""

    name: str
    tenant: str
    project: str
    person: str

    def sees(self, fact: Fact) -> bool:
        here = (fact.tenant, fact.project) == (self.tenant, self.project)
        return here and fact.owner in ("", self.person)


@dataclass
class World:
    service: Service
    doors: dict[str, Door] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    askers: list[Asker] = field(default_factory=list)
    contexts: list[tuple[Asker, str]] = field(default_factory=list)
    cursors: list[tuple[Asker, str, str]] = field(default_factory=list)  # of which route
    keys: list[tuple[str, str]] = field(default_factory=list)  # tenant, key id

    def ask(self, asker: Asker, method: str, path: str, body: Any = None, **query: str) -> Any:
        self.service.clock += 1
        reply = self.doors[asker.tenant].ask(asker.name, method, path, body, **query)
        self.service.deliver()
        return reply


def mark(number: int) -> str:
    """Return a word of eight letters that stands nowhere else."""
    found = ""
    for _ in range(5):
        number, letter = divmod(number * 7 + 3, 26)
        found += LETTERS[letter]
    return "zq" + found + "x"


def said_of(word: str) -> str:
    return f"Port {word} of the service is open to {word} alone."


def a_world(service: Service) -> World:
    """Return the world of the drawing; 96 facts, made by requests."""
    service.begin()
    service.client.clear()
    world, numbers = World(service), itertools.count(1_000_003, 7_919)
    for tenant in TENANTS:
        bootstrap.tenants().create_tenant(tenant, service.clock)
        door = world.doors[tenant] = Door(service, {}, tenant)  # type: ignore[arg-type]
        for project in PROJECTS:
            bootstrap.tenants().create_project(tenant, project, Profile.EXTENDED, service.clock)
            for person in PEOPLE:
                door.role(person, project, "owner")
                name = f"{tenant}/{project}/{person}"
                key_id = door.give(name, project, principal=person)
                world.keys.append((tenant, key_id))
                world.askers.append(Asker(name, tenant, project, person))
        only = "gina" if tenant == "globex" else "alex"  # a person of this tenant alone
        door.role(only, "a", "owner")
    for asker in world.askers:
        _facts_of(world, asker, numbers)
    for asker in world.askers:
        given = world.ask(asker, "POST", "/context", {"query": "port", "audience": "all"})
        given = (
            given
            if given.status == 200
            else world.ask(asker, "POST", "/context", {"query": "port"})
        )
        world.contexts.append((asker, given.body["context_id"]))
        for path in ("/facts", "/review-queue", "/conflicts"):
            cursor = world.ask(asker, "GET", path, limit="1").body["next_cursor"]
            if cursor:
                world.cursors.append((asker, path, cursor))
    return world


def _facts_of(world: World, asker: Asker, numbers: Any) -> None:
    """Make the facts of one person in one project."""
    made = [_fact(world, asker, next(numbers), at % 2 == 1) for at in range(8)]
    ids = [fact.fact_id for fact in made]
    because = {"reason": "because"}
    world.ask(asker, "POST", f"/facts/{ids[0]}/review/claim")
    for at in (1, 2):  # a private one and a public one each
        world.ask(asker, "POST", f"/facts/{ids[at]}/retract", because)
        world.ask(asker, "DELETE", f"/facts/{ids[at + 2]}")
        world.ask(asker, "POST", f"/facts/{ids[at + 4]}/hold", because)


def _fact(world: World, asker: Asker, number: int, private: bool) -> Fact:
    word = mark(number)
    body: dict[str, Any] = {
        "content": said_of(word),
        "fact_key": f"port-{word}",
        "subject": {"type": "service", "id": word},
        "source_id": f"docs/{word}.md",
        "source_hash": word,
        "tags": [word],
        "scope": word,
        "reason": f"read in {word}",
        "attributes": {f"at-{word}": word},
        "citations": [{"quote": f"see {word}", "locator": f"docs/{word}.md#L1"}],
        "audience": "private" if private else "public",
    }
    world.service.clock += 1
    key = f"once-{word}"
    door = world.doors[asker.tenant]
    reply = door.ask(asker.name, "POST", "/remember", body, headers={"X-Idempotency-Key": key})
    assert reply.status == 201, reply.text
    world.service.deliver()
    fact = Fact(
        tenant=asker.tenant,
        project=asker.project,
        owner=asker.person if private else "",
        fact_id=reply.body["fact"]["fact_id"],
        mark=word,
        said=said_of(word),
        token=reply.body["consistency_token"],
        idempotency=key,
    )
    world.facts.append(fact)
    return fact
