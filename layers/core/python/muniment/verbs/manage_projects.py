"""Use cases: a tenant's projects: make, list, set, hand over, delete (rows W-24 to W-28, N-26).

Making one concerns the whole tenant, so it takes a key of all projects; the rest takes a key of the
project. Deleting is one flip (row D-23): from then on nothing of it is served, the sweep follows.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from muniment.domain import limits
from muniment.domain.budget import Profile
from muniment.domain.caller import Asked, Caller
from muniment.domain.errors import Conflict, NotFound, Unprocessable
from muniment.domain.membership import Member, Membership, Role, check_everywhere, check_person
from muniment.domain.plans import PROJECTS, Plan
from muniment.domain.projects import Project, check_project_id
from muniment.verbs.fields import Description, Flag, Plain, Reason, Slug
from muniment.verbs.screened import Screened
from muniment.verbs.tenant_ports import Members, Projects

DisplayName = Annotated[Description, Field(max_length=limits.DISPLAY_NAME)]
Repository = Annotated[Plain, Field(min_length=1, max_length=limits.REPOSITORY)]


class SetProject(Screened):
    """Body of PATCH /projects/{project}: what is named is set, the rest stays.

    `display_name` and `repository` are for people and identify nothing; null takes one away.
    """

    display_name: DisplayName | None = None
    repository: Repository | None = None
    solo_publish: Flag | None = None
    repo_revise: Flag | None = None
    repo_strict: Flag | None = None
    publish_on_corroboration: Flag | None = None
    secret_policy: Literal["by_verb", "reject"] | None = None


class CreateProject(SetProject):
    """Body of POST /projects. `profile`: at most the tenant's plan, which is the default."""

    project: Slug
    profile: Profile | None = None


class TransferProject(Screened):
    """Body of POST /projects/{project}/transfer. `keep_role`: what the giver is from then on."""

    to: Annotated[str, Field(min_length=1, max_length=limits.IDENTIFIER)]
    keep_role: Role | None = Role.MEMBER
    reason: Reason


class DeleteProject(Screened):
    """Query of DELETE /projects/{project}."""

    FIELD: ClassVar[str] = "query"
    reason: Reason


def create_project(projects: Projects, caller: Caller, ask: CreateProject, now: int) -> Project:
    """Raises NotAllowed, Unprocessable beyond the plan, Conflict for an id that was given."""
    check_everywhere(caller)
    check_project_id(ask.project, "body.project")
    plan = projects.plan(caller.tenant)
    profile = ask.profile or Profile(plan)
    if list(Profile).index(profile) > list(Plan).index(plan):
        raise Unprocessable(
            f"the plan '{plan}' has no projects of profile '{profile}'",
            field="body.profile",
            limit=str(plan),
            actual=str(profile),
        )
    if (count := len(projects.projects(caller.tenant))) >= PROJECTS[plan]:
        raise Conflict(
            f"the plan '{plan}' has {PROJECTS[plan]} projects, and you have {count}",
            limit=PROJECTS[plan],
            actual=count,
            hint="delete one, or ask for a larger plan",
        )
    projects.create_project(caller.tenant, ask.project, profile, now, _said(ask, set_only=True))
    return _found(projects, caller.tenant, ask.project)


def list_projects(
    projects: Projects, members: Members, caller: Caller, now: int
) -> list[tuple[Project, Role | None]]:
    """Return the projects that this key opens, each with the role of its person."""
    person = caller.person
    mine = members.member(caller.tenant, person) if person else None
    found = [
        (project, mine.role_in(project.project, now) if mine else None)
        for project in projects.projects(caller.tenant)
        if caller.everywhere or project.project in caller.projects
    ]
    return [(project, role) for project, role in found if role or person is None]


def read_project(projects: Projects, asked: Asked) -> Project:
    """Raises NotFound."""
    return _found(projects, asked.caller.tenant, asked.project)


def set_project(projects: Projects, asked: Asked, ask: SetProject) -> Project:
    """Change settings and names. Raises Unprocessable if nothing is named, NotFound."""
    chosen = _said(ask, set_only=False)
    if not chosen:
        raise Unprocessable("name at least one setting", field="body", limit=1, actual=0)
    changed = {"changed_by": asked.caller.principal, "changed_at": asked.now}
    return projects.set_project(asked.caller.tenant, asked.project, {**chosen, **changed})


def transfer_project(members: Members, asked: Asked, ask: TransferProject) -> Member:
    """Hand the project over in one step, and return its new owner.

    An owner of all projects gives nothing up. Raises NotFound for nobody of the tenant,
    Unprocessable for an agent or for oneself, Busy if members changed meanwhile.
    """
    tenant, me = asked.caller.tenant, asked.caller.principal
    known = members.members(tenant)
    to = next((member for member in known if member.principal == ask.to), None)
    if to is None:
        raise NotFound(f"no such person {ask.to}", field="body.to")
    check_person(to)
    if to.principal == me:
        raise Unprocessable("the project is yours already", field="body.to")
    mine = next((m for m in known if m.principal == me and asked.project in m.roles), None)
    new = Membership(Role.OWNER, None, me, asked.now)
    left = Membership(ask.keep_role, None, me, asked.now) if ask.keep_role else None
    changed = [to.with_role(asked.project, new)]
    if mine:
        changed.append(mine.with_role(asked.project, left))
    members.keep(tenant, *changed)
    return changed[0]


def delete_project(projects: Projects, asked: Asked, ask: DeleteProject) -> None:
    """Hide the project at once, for good. Raises NotFound."""
    projects.delete_project(
        asked.caller.tenant,
        asked.project,
        by=asked.caller.principal,
        reason=ask.reason,
        now=asked.now,
    )


def _said(ask: SetProject, *, set_only: bool) -> dict[str, object]:
    """Return what was named: settings, and names; `set_only`: without what is null."""
    named = ask.model_dump(mode="json", exclude_unset=True, exclude={"project", "profile"})
    flags = [name for name, value in named.items() if value is None and name not in NULLABLE]
    if flags:
        raise Unprocessable(f"{flags[0]} can not be null", field=f"body.{flags[0]}")
    return {n: v for n, v in named.items() if v is not None or not set_only}


def _found(projects: Projects, tenant: str, project: str) -> Project:
    if (found := projects.project(tenant, project)) is None:
        raise NotFound("no such project")
    return found


NULLABLE = ("display_name", "repository")
