"""A new fact on its way in, and what the table already knew when it arrived."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.domain.budget import Admission, Profile
from muniment.domain.fact import Head
from muniment.domain.forms import exact, fingerprint, same_value


@dataclass(frozen=True, slots=True)
class Birth:
    """What only chance can give a new fact: a ULID and 32 random bytes of salt."""

    fact_id: str
    salt: bytes


@dataclass(frozen=True, slots=True)
class Idempotency:
    """One request that may arrive more than once (rule 20).

    `key` and `request` are lower-case hexadecimal hashes: neither the caller's key nor the body
    is stored. `until` is Unix milliseconds.
    """

    principal: str
    verb: str
    key: str
    request: str
    until: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered to a request: ids, not bodies, so that it stays small."""

    request: str
    fact_id: str
    revision: int
    admission: Admission
    repeat: bool


@dataclass(frozen=True, slots=True)
class Intake:
    """A complete new head with its first revision, and the request that brings it."""

    head: Head
    idempotency: Idempotency | None

    @property
    def exact(self) -> str:
        """Hash that finds an exact repeat within the cell."""
        return fingerprint(exact(self.head.newest.content.statement))

    @property
    def value(self) -> str:
        """Hash that finds the grave of the same value within the place."""
        return fingerprint(same_value(self.head.newest.content.statement))


@dataclass(frozen=True, slots=True)
class Twin:
    """The fact that holds, or held, the very same statement in the cell. `expires_at`: Unix ms."""

    fact_id: str
    principal: str
    gone: bool
    version: int
    expires_at: int | None

    def is_live(self, now: int) -> bool:
        return not self.gone and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True)
class Grave:
    """Why a value may not come back, and the fact that carried it (rule 6)."""

    fact_id: str
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """`profile` is None where the project does not exist. `members` counts live facts of the key.

    `missing` holds those ids of `derived_from` that the project does not have.
    """

    profile: Profile | None
    answered: Answer | None
    twin: Twin | None
    grave: Grave | None
    members: int | None
    missing: tuple[str, ...]


class Raced(Exception):
    """Another request wrote first: look again and decide anew."""


@dataclass(frozen=True, slots=True)
class Written:
    """The fact as this request left it. `repeat`: it was there; `replayed`: so was the request."""

    head: Head
    admission: Admission
    repeat: bool = False
    replayed: bool = False
