"""A random walk over one tenant's people, projects, keys and clock, beside a model of who may what.

    step: somebody changes a role, a key, a project, the subscription, or time passes
    then: every key knocks at a door of every action in a random project; the answer must be the
          model's, to the status

Changes are asked over the API with random keys. Where one is carried out, the model checks that its
maker was allowed to, and follows. Where it is refused, the table must be as it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from muniment import bootstrap
from muniment.domain.budget import Profile
from muniment.domain.moments import DAY, HOUR, parse, rfc3339
from tests.functional.door import Door
from tests.property.service import Service

PEOPLE = ("root", "olga", "vera", "mark")
PROJECTS = ("alpha", "beta", "gamma")
ROLES = ("reader", "member", "reviewer", "owner")
ACTIONS = ("read", "write", "review", "own")
DOORS = {  # action: a request that needs it, and what it answers when it is allowed
    "read": ("GET", "/facts", None, 200),
    "write": ("POST", "/forget", {"source_id": "docs/never.md"}, 200),
    "review": ("GET", "/review-queue", None, 200),
    "own": ("POST", "/facts/01J0000000000000000000000Z/publish", {"reason": "r"}, 404),
}
GRACE = 14 * DAY


@dataclass
class Key:
    person: str | None
    projects: tuple[str, ...]
    actions: frozenset[str]
    ends: int | None
    key_id: str
    revoked: bool = False


@dataclass
class Model:
    """Who may what, said as plainly as can be."""

    roles: dict[tuple[str, str], tuple[int, int | None]] = field(default_factory=dict)
    living: set[str] = field(default_factory=set)
    keys: dict[str, Key] = field(default_factory=dict)
    paid_until: int | None = None

    def level(self, person: str, project: str, now: int) -> int:
        """Return 0 for no role, 1 reader … 4 owner."""
        held = [self.roles.get((person, where)) for where in (project, "*")]
        return max(
            (r + 1 for r, until in filter(None, held) if not until or now < until), default=0
        )

    def expected(self, name: str, project: str, action: str, now: int) -> tuple[int, str]:
        """Return status and code that a knock must meet; the code is empty where it is let in."""
        key = self.keys[name]
        if key.revoked or (key.ends is not None and now >= key.ends):
            return 403, "access_denied"
        if self.paid_until is not None and now >= self.paid_until + GRACE:
            return 403, "subscription_closed"
        if self.paid_until is not None and now >= self.paid_until and action in ("write", "own"):
            return 403, "read_only"
        level = 4 if key.person is None else self.level(key.person, project, now)
        opens = project in self.living and bool({project, "*"} & set(key.projects)) and level
        may = set(ACTIONS[:level]) if opens else set(ACTIONS)
        if action not in key.actions & may:
            return 403, "not_allowed"
        return (404, "not_found") if not opens else (DOORS[action][3], "")

    def owns(self, name: str, project: str, now: int) -> bool:
        return self.expected(name, project, "own", now) == (404, "")

    def has_owner(self, project: str) -> bool:
        return any(
            role == 3 and until is None
            for (_, where), (role, until) in self.roles.items()
            if where in (project, "*")
        )


class Walk:
    """One walk: its service, its dice, its model."""

    def __init__(self, service: Service, chance: int) -> None:
        self.service, self.dice, self.model = service, Random(chance), Model()
        service.begin()
        bootstrap.tenants().create_tenant("acme", service.clock)
        self.door = Door(service, {})  # type: ignore[arg-type]
        for project in PROJECTS:
            bootstrap.tenants().create_project("acme", project, Profile.TRIAL, service.clock)
            self.model.living.add(project)
        owners = [("olga", "alpha"), ("vera", "beta"), ("vera", "gamma")]
        if chance % 2:  # without an owner of all, a project's last owner is its last
            owners.append(("root", "*"))
        for person, where in owners:
            self.door.role(person, where, "owner")
            self.model.roles[person, where] = (3, None)
        for person in PEOPLE:
            self._given(person, person, ("*",) if person == "root" else PROJECTS, ACTIONS)
        self._given("ci", None, ("alpha",), ("read", "write"))
        self.steps = 0

    def _given(
        self, name: str, person: str | None, projects: tuple[str, ...], actions: tuple[str, ...]
    ) -> None:
        kind = "human" if person else "integration"
        key_id = self.door.give(name, ",".join(projects), ",".join(actions), kind=kind)
        self.model.keys[name] = Key(person, projects, frozenset(actions), None, key_id)

    @property
    def now(self) -> int:
        return self.service.clock

    def step(self) -> None:
        roles, keys = (self.set_role, self.remove_role), (self.make_key, self.rotate, self.revoke)
        moves = (*roles, *roles, *roles, *keys)
        rare = (self.pass_time, self.pay, self.delete_project, self.transfer)
        move = self.dice.choice(moves if self.dice.random() < 0.8 else rare)
        move()
        self.service.clock += 1
        for name in self.dice.sample(sorted(self.model.keys), min(6, len(self.model.keys))):
            self.knock(name)
        assert all(self.model.has_owner(p) for p in self.model.living), "a project without owner"
        self.steps += 1

    def knock(self, name: str) -> None:
        project, action = self.dice.choice((*PROJECTS, "never")), self.dice.choice(ACTIONS)
        method, path, body, _ = DOORS[action]
        reply = self.door.ask(name, method, path, body, project=project)
        told = (reply.status, reply.body.get("code", "") if reply.status >= 400 else "")
        expected = self.model.expected(name, project, action, self.now)
        if expected == (404, ""):  # let in, and no such fact
            told, expected = (told[0], told[1]), (404, "not_found")
        assert told == expected, (name, project, action, told, expected, reply.body)

    def asked(self, who: str, method: str, path: str, body: Any = None, **query: str) -> Any:
        """Ask for a change; a refused one leaves the table as it was."""
        before = self.service.client.items()
        reply = self.door.ask(who, method, path, body, **query)
        assert reply.status < 500, reply.text
        if reply.status >= 400:
            assert self.service.client.items() == before, (method, path, reply.text)
            return None
        return reply.body

    def anybody(self) -> str:
        return self.dice.choice(sorted(self.model.keys))

    def whoever(self) -> tuple[str, str, str]:
        """Return a key, a project and a person; often an owner's key, and often their own name."""
        project = self.dice.choice(PROJECTS)
        owners = [k for k in sorted(self.model.keys) if self.model.owns(k, project, self.now)]
        who = self.dice.choice(owners) if owners and self.dice.random() < 0.6 else self.anybody()
        own = self.model.keys[who].person
        person = own if own and self.dice.random() < 0.3 else self.dice.choice(PEOPLE)
        return who, project, person

    def set_role(self) -> None:
        who, project, person = self.whoever()
        role, until = self.dice.randrange(4), self.dice.choice((None, None, self.now + 2 * DAY))
        body = {"role": ROLES[role]} | ({"until": rfc3339(until)} if until else {})
        allowed = self.model.owns(who, project, self.now)
        path = f"/projects/{project}/members/{person}"
        if self.asked(who, "PUT", path, body) is not None:
            assert allowed, (who, path)
            self.model.roles[person, project] = (role, until)

    def remove_role(self) -> None:
        who, project, person = self.whoever()
        allowed = self.model.owns(who, project, self.now)
        if self.asked(who, "DELETE", f"/projects/{project}/members/{person}") is not None:
            assert allowed and (person, project) in self.model.roles
            del self.model.roles[person, project]

    def transfer(self) -> None:
        who, project, to = self.whoever()
        allowed = self.model.owns(who, project, self.now)
        body = {"to": to, "reason": "r"}
        if self.asked(who, "POST", f"/projects/{project}/transfer", body) is not None:
            giver = self.model.keys[who].person
            assert allowed and giver and giver != to
            if (giver, project) in self.model.roles:
                self.model.roles[giver, project] = (1, None)
            self.model.roles[to, project] = (3, None)

    def make_key(self) -> None:
        who = self.anybody()
        person = self.dice.choice((*PEOPLE, None))
        projects = tuple(self.dice.sample(PROJECTS, self.dice.randint(1, 2)))
        projects = ("*",) if self.dice.random() < 0.15 else projects
        actions = tuple(self.dice.sample(ACTIONS[:2], self.dice.randint(1, 2)))
        name, days = f"k{self.steps}", self.dice.choice((None, 3))
        kind = {"kind": "integration"} if person is None else {"kind": "agent", "operator": person}
        body = {"principal": name, **kind, "projects": projects, "actions": actions}
        body |= {"expires_in_days": days} if days else {}
        maker, now = self.model.keys[who], self.now
        reply = self.asked(who, "POST", "/keys", body)
        if reply is None:
            return
        self.door.keys[name] = reply["key"]
        ends = now + days * DAY if days else None
        ends = None if ends is None else parse(reply["expires_at"])
        assert maker.person and set(actions) <= maker.actions
        assert maker.ends is None or (ends is not None and ends <= maker.ends)
        for project in projects:
            assert {project, "*"} & set(maker.projects)
            mine = self.model.level(maker.person, project, now)
            assert set(actions) <= set(ACTIONS[:mine]) and (person or mine == 4)
        assert person in (None, maker.person), "an agent of somebody else"
        new = Key(person, projects, frozenset(actions), ends, reply["key_id"])
        self.model.keys[name] = new

    def rotate(self) -> None:
        who, name = self.anybody(), self.anybody()
        old, maker = self.model.keys[name], self.model.keys[who]
        hours = self.dice.choice((0, 1, 24))
        path = f"/keys/{old.key_id}/rotate"
        reply = self.asked(who, "POST", path, {"overlap_hours": hours})
        if reply is None:
            return
        assert maker.person and old.person in (None, maker.person)
        assert old.actions <= maker.actions and not old.revoked
        fresh = f"{name}r{self.steps}"
        self.door.keys[fresh] = reply["key"]
        self.model.keys[fresh] = Key(
            old.person, old.projects, old.actions, old.ends, reply["key_id"]
        )
        old.ends = parse(reply["replaced_ends_at"])
        assert old.ends <= self.now + hours * HOUR + HOUR

    def revoke(self) -> None:
        who, name = self.anybody(), self.anybody()
        if name in ("root", "olga", "vera") or self.dice.random() < 0.5:
            return
        key, maker = self.model.keys[name], self.model.keys[who]
        owned = all(self.model.level(maker.person or "", p, self.now) == 4 for p in key.projects)
        if self.asked(who, "DELETE", f"/keys/{key.key_id}") is not None:
            assert maker.person and (key.person == maker.person or owned)
            assert "own" in maker.actions or key.person == maker.person
            key.revoked = True

    def delete_project(self) -> None:
        who, project, _ = self.whoever()
        if self.dice.random() < 0.7:
            return
        allowed = self.model.owns(who, project, self.now)
        if self.asked(who, "DELETE", f"/projects/{project}", reason="r") is not None:
            assert allowed
            self.model.living.discard(project)

    def pay(self) -> None:
        until = self.dice.choice((None, None, self.now + DAY, self.now - DAY, self.now - 20 * DAY))
        bootstrap.tenants().set_tenant("acme", paid_until=until)
        self.model.paid_until = until

    def pass_time(self) -> None:
        self.service.clock += self.dice.choice((1, HOUR, DAY, 3 * DAY))


def run_walk(service: Service, chance: int, steps: int) -> int:
    """Walk; return how many steps it took. Raises at the first answer that is not the model's."""
    walk = Walk(service, chance)
    for _ in range(steps):
        walk.step()
    return walk.steps
