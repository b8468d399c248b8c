"""Who may do what in which project: a person's role there, and never more than their key.

    reader    read
    member    read  write
    reviewer  read  write  review
    owner     read  write  review  own

    what a request may  =  actions of its key  and  actions of its person's role
    person of a key     =  a human: themself · an agent: its operator · an integration: nobody

An integration's key was made by an owner and is all it has. A role in EVERYWHERE counts in every
project of the tenant; of two roles the greater one counts, so no owner of one project can shut
out an owner of all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from muniment.domain.caller import EVERYWHERE, Action, Caller, PrincipalKind
from muniment.domain.errors import Conflict, NotAllowed, NotFound, Unprocessable


class Role(StrEnum):
    READER = "reader"
    MEMBER = "member"
    REVIEWER = "reviewer"
    OWNER = "owner"

    @property
    def actions(self) -> frozenset[Action]:
        return frozenset(ACTIONS[: list(Role).index(self) + 1])


ACTIONS = (Action.READ, Action.WRITE, Action.REVIEW, Action.OWN)
NOTHING: frozenset[Action] = frozenset()


@dataclass(frozen=True, slots=True)
class Membership:
    """One role. `until`: Unix milliseconds, None: no end. `by` granted it."""

    role: Role
    until: int | None = None
    by: str = ""
    at: int = 0

    def is_live(self, now: int) -> bool:
        return self.until is None or now < self.until


@dataclass(frozen=True, slots=True)
class Member:
    """A principal of the tenant. `roles` by project id or EVERYWHERE; only people have any."""

    principal: str
    kind: PrincipalKind = PrincipalKind.HUMAN
    operator: str | None = None
    roles: Mapping[str, Membership] = field(default_factory=dict)
    version: int = 0

    def role_in(self, project: str, now: int) -> Role | None:
        """Return the greatest role that counts in the project now."""
        held = (self.roles.get(where) for where in (project, EVERYWHERE))
        live = [one.role for one in held if one is not None and one.is_live(now)]
        return max(live, key=list(Role).index, default=None)

    def actions_in(self, project: str, now: int) -> frozenset[Action]:
        role = self.role_in(project, now)
        return role.actions if role else NOTHING

    def owns_for_good(self, project: str, now: int) -> bool:
        """Tell whether the project has an owner in this person who will not lapse."""
        roles = (self.roles.get(where) for where in (project, EVERYWHERE))
        return any(one is not None and one.role is Role.OWNER and not one.until for one in roles)

    def with_role(self, project: str, granted: Membership | None) -> Member:
        """Return the member with that role in the project; None takes it away."""
        others = {where: role for where, role in self.roles.items() if where != project}
        return replace(self, roles=others | ({project: granted} if granted else {}))


def least_role(actions: Iterable[Action]) -> Role:
    """Return the smallest role that allows these actions."""
    wanted = set(actions)
    return next(role for role in Role if wanted <= role.actions)


def check_everywhere(caller: Caller) -> None:
    """Raise NotAllowed unless the key opens the whole tenant: what no single project decides."""
    if not caller.everywhere:
        raise NotAllowed(
            "this key opens single projects; this needs one that opens all of them",
            hint="muniment key create --project '*' makes one for an owner of '*'",
        )


def check_person(member: Member) -> None:
    """Raise Unprocessable for an agent or an integration: they have keys, not roles."""
    if member.kind is not PrincipalKind.HUMAN:
        raise Unprocessable(
            f"{member.principal} is known as {member.kind}: only people have roles",
            field="path.principal",
            limit="a person",
            actual=str(member.kind),
        )


def other_owner(members: Iterable[Member], project: str, principal: str, now: int) -> Member:
    """Return an owner beside `principal`. Raises Conflict: a project is never left alone."""
    for member in members:
        if member.principal != principal and member.owns_for_good(project, now):
            return member
    raise Conflict(
        f"{principal} is the last owner of project {project}",
        hint="make somebody else an owner first, for good: a role with an end does not count",
    )


def granted(members: Iterable[Member], principal: str, project: str) -> Member:
    """Return the member who has a role in that project. Raises NotFound."""
    for member in members:
        if member.principal == principal and project in member.roles:
            return member
    raise NotFound(f"no such member in project {project}")
