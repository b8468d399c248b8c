"""What the verbs about projects, people, keys and the ledger of holds answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from aws_lambda_powertools.event_handler import Response
from pydantic import BaseModel

from muniment.api.views import FactView, View
from muniment.domain.caller import EVERYWHERE
from muniment.domain.keys import ApiKey, Made
from muniment.domain.membership import Member, Role
from muniment.domain.moments import rfc3339
from muniment.domain.projects import HeldFact, Project


class ProjectView(View):
    """`role`: what the person of this key is there; an integration has none."""

    project: str
    profile: str
    display_name: str | None
    repository: str | None
    solo_publish: bool
    repo_revise: bool
    repo_strict: bool
    publish_on_corroboration: bool
    secret_policy: str
    created_at: str
    role: str | None = None

    @classmethod
    def of(cls, project: Project, role: Role | None = None) -> ProjectView:
        settings = project.settings
        return cls(
            project=project.project,
            profile=settings.profile,
            display_name=project.display_name,
            repository=project.repository,
            solo_publish=settings.solo_publish,
            repo_revise=settings.repo_revise,
            repo_strict=settings.repo_strict,
            publish_on_corroboration=settings.publish_on_corroboration,
            secret_policy=settings.secret_policy,
            created_at=rfc3339(project.created_at),
            role=role,
        )


class ProjectsView(BaseModel):
    items: list[ProjectView]

    @classmethod
    def of(cls, found: Iterable[tuple[Project, Role | None]]) -> ProjectsView:
        return cls(items=[ProjectView.of(project, role) for project, role in found])


class DeletedView(BaseModel):
    """The project is gone for everybody; its facts are forgotten within hours, held ones listed."""

    project: str
    deleted: bool = True


class MemberView(View):
    """`everywhere`: the role counts in every project of the tenant."""

    principal: str
    role: str
    everywhere: bool
    until: str | None
    live: bool
    granted_by: str
    granted_at: str


class MembersView(BaseModel):
    items: list[MemberView]

    @classmethod
    def of(cls, members: Sequence[Member], project: str, now: int) -> MembersView:
        items = [
            member_view(member, where, now)
            for member in members
            for where in (project, EVERYWHERE)
            if where in member.roles
        ]
        return cls(items=items)


def member_view(member: Member, where: str, now: int) -> MemberView:
    role = member.roles[where]
    return MemberView(
        principal=member.principal,
        role=role.role,
        everywhere=where == EVERYWHERE,
        until=None if role.until is None else rfc3339(role.until),
        live=role.is_live(now),
        granted_by=role.by,
        granted_at=rfc3339(role.at),
    )


class RemovedView(BaseModel):
    principal: str
    removed: bool = True


class KeyView(View):
    """A key without its secret. `state`: live, expired or revoked."""

    key_id: str
    principal: str
    kind: str
    operator: str | None
    projects: list[str]
    actions: list[str]
    state: str
    created_at: str
    made_by: str | None
    expires_at: str | None
    revoked_at: str | None

    @classmethod
    def of(cls, key: ApiKey, now: int) -> KeyView:
        return cls(**said_of(key, now))


class MadeKeyView(KeyView):
    """`key` is shown this once. `replaces` works on until `replaced_ends_at`."""

    key: str
    replaces: str | None
    replaced_ends_at: str | None

    @classmethod
    def made(cls, made: Made, now: int) -> MadeKeyView:
        ends = None if made.old_ends is None else rfc3339(made.old_ends)
        said = said_of(made.key, now)
        return cls(**said, key=made.text, replaces=made.replaces, replaced_ends_at=ends)


CreatedProject = Response[ProjectView]
CreatedKey = Response[MadeKeyView]


def created(view: ProjectView | MadeKeyView) -> Response:  # type: ignore[type-arg]
    """Return 201 with what was made."""
    return Response(status_code=201, content_type="application/json", body=view)


class KeysView(BaseModel):
    items: list[KeyView]

    @classmethod
    def of(cls, keys: Iterable[ApiKey], now: int) -> KeysView:
        return cls(items=[KeyView.of(key, now) for key in keys])


def said_of(key: ApiKey, now: int) -> dict[str, Any]:
    live = "live" if key.is_live(now) else "expired"
    return {
        "key_id": key.key_id,
        "principal": key.principal,
        "kind": str(key.kind),
        "operator": key.operator,
        "projects": list(key.projects),
        "actions": sorted(key.actions),
        "state": live if key.revoked_at is None else "revoked",
        "created_at": rfc3339(key.created_at),
        "made_by": key.made_by or None,
        "expires_at": None if key.expires_at is None else rfc3339(key.expires_at),
        "revoked_at": None if key.revoked_at is None else rfc3339(key.revoked_at),
    }


class HoldView(View):
    """A held fact of a deleted project; `fact` as it is now."""

    project: str
    fact_id: str
    listed_at: str
    released_at: str | None
    released_by: str | None
    reason: str | None
    fact: FactView | None

    @classmethod
    def of(cls, found: HeldFact) -> HoldView:
        held, head = found.held, found.head
        return cls(
            project=held.project,
            fact_id=held.fact_id,
            listed_at=rfc3339(held.listed_at),
            released_at=None if held.released_at is None else rfc3339(held.released_at),
            released_by=held.released_by,
            reason=held.reason,
            fact=FactView.of(head) if head and held.released_at is None else None,
        )


class HoldsView(BaseModel):
    items: list[HoldView]

    @classmethod
    def of(cls, found: Iterable[HeldFact]) -> HoldsView:
        return cls(items=[HoldView.of(one) for one in found])
