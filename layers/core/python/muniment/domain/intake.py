"""A new fact on its way in, and what the table already knew when it arrived."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.domain.budget import Admission, Allowance, Profile
from muniment.domain.contradiction import Members
from muniment.domain.fact import Head
from muniment.domain.resemblance import Near


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
    near: tuple[Near, ...] | None = ()


@dataclass(frozen=True, slots=True)
class Intake:
    """A complete new head with its first revision, and the request that brings it.

    `candidates` are facts that may say nearly the same; None: nobody could look.
    """

    head: Head
    idempotency: Idempotency | None
    reopen: bool = False
    candidates: tuple[str, ...] | None = ()


@dataclass(frozen=True, slots=True)
class Twin:
    """The fact that holds, or once held, the very same statement in the cell.

    Whether it still does is for its head to say. Each new holder counts `version` up, so a slow
    writer notices a fact that came and went meanwhile.
    """

    fact_id: str
    version: int


@dataclass(frozen=True, slots=True)
class Grave:
    """Why a value may not come back, and the fact that carried it (rule 6)."""

    fact_id: str
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What a project's owner chose.

    solo_publish              an author may publish their own fact; it is labelled so
    repo_revise               facts on the repo layer may be revised, not only superseded
    repo_strict               the repo layer refuses what it only warns of (domain.advice)
    publish_on_corroboration  an independent source publishes, as policy (row D-11)
    secret_policy             by_verb, or reject: no verb stores placeholders (row D-01)
    extra_…                   what an operator added to the maxima of the profile (row M-91)
    """

    profile: Profile
    solo_publish: bool = False
    repo_revise: bool = False
    repo_strict: bool = False
    publish_on_corroboration: bool = False
    secret_policy: str = "by_verb"
    extra_facts: int = 0
    extra_summary_units: int = 0
    extra_embedding_units: int = 0

    @property
    def allowance(self) -> Allowance:
        return Allowance(
            self.profile.max_facts + self.extra_facts,
            self.profile.max_summary_units + self.extra_summary_units,
            self.profile.max_embedding_units + self.extra_embedding_units,
        )


@dataclass(frozen=True, slots=True)
class Found:
    """`settings` is None where the project does not exist, `members` where no key was given.

    `missing` holds those ids of `derived_from` and `supersedes` that the project does not have.
    """

    settings: Settings | None
    answered: Answer | None
    twin: Twin | None
    grave: Grave | None
    members: Members | None
    superseded: Head | None
    missing: tuple[str, ...]
    candidates: tuple[Head, ...] = ()


@dataclass(frozen=True, slots=True)
class Situation:
    """What a change of one fact starts from; `head` is None where the tenant has no such fact."""

    head: Head | None
    settings: Settings | None
    answered: Answer | None


class OutcomeUnknown(Exception):
    """The table did not answer: what was to be written may be there or not."""


class Raced(Exception):
    """Another request wrote first: look again and decide anew."""


@dataclass(frozen=True, slots=True)
class Written:
    """The fact as this request left it. `repeat`: it was there; `replayed`: so was the request."""

    head: Head
    admission: Admission
    repeat: bool = False
    replayed: bool = False
    near: tuple[Near, ...] | None = ()
