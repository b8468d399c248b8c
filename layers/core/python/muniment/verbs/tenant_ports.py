"""What the verbs need of a tenant's projects, people and keys. Adapters fulfil it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from muniment.domain.budget import Profile
from muniment.domain.keys import ApiKey
from muniment.domain.membership import Member
from muniment.domain.plans import Plan
from muniment.domain.projects import Deleted, Held, Project


class Members(Protocol):
    """People, agents and integrations of a tenant. Reads are strongly consistent."""

    def member(self, tenant: str, principal: str) -> Member | None:
        """Return who is known under that name."""

    def members(self, tenant: str) -> list[Member]:
        """Return all, in order of their names."""

    def keep(self, tenant: str, *changed: Member, needing: Member | None = None) -> None:
        """Store members, all or none, while `needing` stays as it was read. Raises Busy."""


class Keys(Members, Protocol):
    """API keys. Their secrets are stored nowhere."""

    def add_key(self, key: ApiKey, sha256: str, *people: Member) -> None:
        """Store a key, its principal if new, and people as they became. Raises Conflict, Busy."""

    def keys(self, tenant: str) -> list[ApiKey]:
        """Return all, revoked and expired ones too, in order of creation."""

    def key(self, tenant: str, key_id: str) -> ApiKey | None:
        """Return one."""

    def rotate(self, old: ApiKey, new: ApiKey, sha256: str, old_ends: int) -> None:
        """Store the new key and let the old one end then. Raises Conflict, NotFound."""

    def revoke(self, tenant: str, key_id: str, now: int) -> ApiKey:
        """Close a key at once, and return it. Raises NotFound."""


class Projects(Protocol):
    def plan(self, tenant: str) -> Plan:
        """Return what the tenant pays for. Raises NotFound."""

    def create_project(
        self,
        tenant: str,
        project: str,
        profile: Profile,
        now: int,
        said: Mapping[str, Any] | None = None,
    ) -> None:
        """Raises Conflict if there is or ever was one of that id. `said`: settings and names."""

    def project(self, tenant: str, project: str) -> Project | None:
        """Return it unless it is deleted."""

    def projects(self, tenant: str) -> list[Project]:
        """Return all that are not deleted, in order of their ids."""

    def set_project(self, tenant: str, project: str, chosen: Mapping[str, Any]) -> Project:
        """Change settings and names; None takes a name away. Raises NotFound."""

    def delete_project(self, tenant: str, project: str, *, by: str, reason: str, now: int) -> None:
        """Hide it at once and note it for the sweep. Raises NotFound."""


class Holds(Protocol):
    """Deleted projects, and the ledger of held facts that outlive them."""

    def to_sweep(self) -> list[Deleted]:
        """Return deleted projects of all tenants whose facts are still to be forgotten."""

    def swept(self, tenant: str, project: str, now: int) -> None:
        """Note that nothing is left to forget."""

    def list_hold(self, tenant: str, held: Held) -> None:
        """Write a held fact into the ledger; a second time changes nothing."""

    def holds(self, tenant: str) -> list[Held]:
        """Return the ledger, released ones too."""

    def release_hold(self, tenant: str, held: Held, *, by: str, reason: str, now: int) -> None:
        """Note who released it and why; the first release stays."""
