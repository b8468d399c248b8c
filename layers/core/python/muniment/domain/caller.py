"""Who is asking, and what their key opens. Taken from the authorizer alone, never from a body."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from muniment.domain.errors import NotAllowed, NotFound, ProjectRequired

EVERYWHERE = "*"  # in place of a project: all of the tenant


class Action(StrEnum):
    READ = "read"
    WRITE = "write"
    REVIEW = "review"
    OWN = "own"


class PrincipalKind(StrEnum):
    HUMAN = "human"
    AGENT = "agent"
    INTEGRATION = "integration"


@dataclass(frozen=True, slots=True)
class Caller:
    """`operator` is the person an agent works for; only agents have one.

    `projects` are those this request may choose from; the authorizer has left out what is deleted
    and where the person has no role. `key_ends`: Unix milliseconds, None: never.
    """

    tenant: str
    principal: str
    kind: PrincipalKind
    operator: str | None
    projects: tuple[str, ...]
    actions: frozenset[Action]
    key_id: str = ""
    key_ends: int | None = None

    @property
    def person(self) -> str | None:
        """The person whose private facts this caller may address; an integration has none."""
        return {
            PrincipalKind.HUMAN: self.principal,
            PrincipalKind.AGENT: self.operator,
            PrincipalKind.INTEGRATION: None,
        }[self.kind]

    @property
    def everywhere(self) -> bool:
        """Tell whether the key opens the whole tenant and no project was chosen."""
        return EVERYWHERE in self.projects

    def owner(self, field: str) -> str:
        """Return the person whose private facts are meant; NotAllowed where there is none."""
        if self.person is None:
            raise NotAllowed(
                "an integration works for no person, so it has no private memory", field=field
            )
        return self.person

    def allow(self, action: Action) -> None:
        """Raise NotAllowed unless the key has that action (rows M-96 to M-99)."""
        if action not in self.actions:
            raise NotAllowed(
                f"this key, or your role in the project, has no action '{action}'",
                hint=f"use a key with the action '{action}', of a person whose role has it",
            )

    def project(self, chosen: str | None) -> str:
        """Return the project of this request.

        A key bound to one project needs no choice. Raises ProjectRequired when several are
        open, NotFound for any project the key does not open, existing or not (row W-27).
        """
        if chosen is None:
            if len(self.projects) == 1 and not self.everywhere:
                return self.projects[0]
            if not self.projects:
                raise NotFound("no such project")
            raise ProjectRequired(
                "this key opens several projects: choose one",
                field="query.project",
                hint="GET /projects lists them"
                if self.everywhere
                else "one of: " + ", ".join(self.projects),
            )
        if chosen not in self.projects or chosen == EVERYWHERE:
            raise NotFound("no such project")
        return chosen


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: who, in which project and workspace, when (Unix milliseconds).

    `idempotency_key` is what the caller sent, if anything; `if_match` the revision it read.
    """

    caller: Caller
    project: str
    workspace: str
    now: int
    idempotency_key: str | None = None
    if_match: int | None = None
