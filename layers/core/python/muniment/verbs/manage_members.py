"""Use cases: who may do what in a project (domain.membership has the roles).

A change counts at the member's next request, and at the next one of their agents.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from muniment.domain import limits
from muniment.domain.caller import EVERYWHERE, Asked
from muniment.domain.errors import Unprocessable
from muniment.domain.membership import (
    Member,
    Membership,
    Role,
    check_person,
    granted,
    other_owner,
)
from muniment.domain.projects import PRINCIPAL
from muniment.verbs.fields import Moment
from muniment.verbs.screened import Screened
from muniment.verbs.tenant_ports import Members

PrincipalName = Annotated[str, Field(pattern=rf"^{PRINCIPAL.pattern}$")]


class SetMember(Screened):
    """Body of PUT /projects/{project}/members/{principal}. `until`: the end of the role."""

    role: Role
    until: Moment | None = None


def list_members(members: Members, asked: Asked) -> list[Member]:
    """Return the people who have a role in the project, also by a role in all of them."""
    known = members.members(asked.caller.tenant)
    return [m for m in known if asked.project in m.roles or EVERYWHERE in m.roles]


def set_member(members: Members, asked: Asked, principal: str, ask: SetMember) -> Member:
    """Give a person a role here, whoever they were before.

    A new name becomes a person of the tenant. Raises Unprocessable for an agent, a bad name or an
    end that has passed, Conflict where the last owner would go, Busy if members changed meanwhile.
    """
    if not PRINCIPAL.fullmatch(principal):
        raise Unprocessable(
            "this can be nobody's name",
            field="path.principal",
            limit=PRINCIPAL.pattern,
            actual=principal if len(principal) <= limits.TOLD else len(principal),
        )
    if ask.until is not None and ask.until <= asked.now:
        raise Unprocessable("this moment has passed", field="body.until")
    tenant, known = asked.caller.tenant, members.members(asked.caller.tenant)
    person = next((m for m in known if m.principal == principal), Member(principal))
    check_person(person)
    role = Membership(ask.role, ask.until, asked.caller.principal, asked.now)
    changed = person.with_role(asked.project, role)
    members.keep(tenant, changed, needing=_needed(known, person, changed, asked))
    return changed


def remove_member(members: Members, asked: Asked, principal: str) -> None:
    """Take a person's role here away; their keys open nothing here from then on.

    Raises NotFound, Conflict for the last owner, Busy if members changed meanwhile.
    """
    known = members.members(asked.caller.tenant)
    person = granted(known, principal, asked.project)
    changed = person.with_role(asked.project, None)
    members.keep(asked.caller.tenant, changed, needing=_needed(known, person, changed, asked))


def _needed(known: list[Member], before: Member, after: Member, asked: Asked) -> Member | None:
    """Return the other owner that this change relies on; None if it takes no owner away."""
    project, now = asked.project, asked.now
    if not before.owns_for_good(project, now) or after.owns_for_good(project, now):
        return None
    return other_owner(known, project, before.principal, now)
