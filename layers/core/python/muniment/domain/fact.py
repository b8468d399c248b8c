"""What a fact is made of: content that a writer gives, standing that only the server gives.

    Head ──── identity (fact_id, cell), what the newest revision says, legal hold, salt
      └─ Revision 1..n ──── Content + Standing + who, why, when, digest, chain

Three axes never mix (row M-20, M-26): `trust` is where authority could come from, `state` is
what may be acted on, `evidence` and `confidence` are only what the writer says of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from muniment.domain.caller import PrincipalKind
from muniment.domain.guard.redaction import Redaction
from muniment.domain.place import Cell


class Kind(StrEnum):
    REQUIREMENT = "requirement"
    DECISION = "decision"
    COMMIT = "commit"
    VERDICT = "verdict"
    DEPLOYMENT = "deployment"
    INCIDENT = "incident"
    RULE = "rule"
    HOWTO = "howto"
    PRODUCT = "product"
    NOTE = "note"
    OBSERVATION = "observation"
    TOOL_TRACE = "tool_trace"
    PROGRESS = "progress"
    MISSION_STEP = "mission_step"
    SUMMARY = "summary"


PROTECTED = (Kind.DECISION, Kind.VERDICT, Kind.DEPLOYMENT, Kind.INCIDENT)
EPHEMERAL = (Kind.TOOL_TRACE, Kind.PROGRESS, Kind.MISSION_STEP)


class Category(StrEnum):
    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"


DEFAULT_CATEGORY = {  # row D-18; the other kinds do not belong on the repo layer by themselves
    Kind.RULE: Category.PROJECT,
    Kind.DECISION: Category.PROJECT,
    Kind.REQUIREMENT: Category.PROJECT,
    Kind.PRODUCT: Category.PROJECT,
    Kind.HOWTO: Category.REFERENCE,
    Kind.INCIDENT: Category.FEEDBACK,
    Kind.NOTE: Category.REFERENCE,
    Kind.OBSERVATION: Category.REFERENCE,
}


class Trust(StrEnum):
    """Where authority could come from, strongest first. The last two are claims (row M-23)."""

    HUMAN = "human"
    VERDICT = "verdict"
    SYSTEM = "system"
    IMPORTED = "imported"
    AGENT = "agent"
    MODEL_OUTPUT = "model_output"

    @property
    def rank(self) -> int:
        """5 is the strongest, 0 the weakest."""
        return len(Trust) - 1 - list(Trust).index(self)

    @property
    def is_claim(self) -> bool:
        return self in (Trust.AGENT, Trust.MODEL_OUTPUT)


class State(StrEnum):
    CANDIDATE = "candidate"
    CORROBORATED = "corroborated"
    REVIEWED = "reviewed"
    PUBLISHED = "published"
    DISPUTED = "disputed"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    EXPIRED = "expired"
    FORGOTTEN = "forgotten"

    @property
    def has_authority(self) -> bool:
        return self is State.PUBLISHED

    @property
    def is_standing(self) -> bool:
        """Tell whether a person published it and nobody took that back: it can be disputed."""
        return self in (State.PUBLISHED, State.DISPUTED)


GONE = (State.SUPERSEDED, State.RETRACTED, State.EXPIRED, State.FORGOTTEN)  # history only
WAITING = (State.CANDIDATE, State.CORROBORATED)  # a reviewer has not decided yet


class Evidence(StrEnum):
    MEASURED = "measured"
    READ = "read"
    DECIDED = "decided"
    SOURCED = "sourced"


@dataclass(frozen=True, slots=True)
class Subject:
    type: str
    id: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A short quote and where the rest of it lies (row M-109)."""

    quote: str
    locator: str


@dataclass(frozen=True, slots=True)
class Link:
    """`target` is a fact id, a note's name or a pointer outside, as `type` has it."""

    type: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """All that a writer says. `observed_at` and `expires_at` are Unix milliseconds."""

    statement: str
    kind: Kind
    name: str
    description: str
    category: Category | None = None
    subject: Subject | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    citations: tuple[Citation, ...] = ()
    source_id: str | None = None
    source_hash: str | None = None
    source_revision: str | None = None
    fact_key: str | None = None
    supersedes: str | None = None
    derived_from: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    confidence: float = 0.5
    evidence: Evidence | None = None
    scope: str | None = None
    tags: tuple[str, ...] = ()
    observed_at: int | None = None
    expires_at: int | None = None
    redactions: tuple[Redaction, ...] = ()

    @property
    def text(self) -> str:
        """What is embedded and indexed: never the statement alone (search.md, measured)."""
        return "\n".join(part for part in (self.name, self.description, self.statement) if part)


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote a revision: a principal, never a key (row I-03)."""

    principal: str
    kind: PrincipalKind
    operator: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A reviewer's lease on a fact. `expires_at` is Unix milliseconds."""

    holder: str
    expires_at: int


@dataclass(frozen=True, slots=True)
class Corroboration:
    """Another principal said the very same from another source (rule 4)."""

    principal: str
    source_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """Immutable snapshot `number` of a fact. `recorded_at` is Unix milliseconds.

    `digest` and `chain` are lower-case hexadecimal SHA-256 (domain.history). `redacted`: an erase
    of another fact took a quote out of it, so its digest tells of what was there.
    """

    number: int
    content: Content
    trust: Trust
    state: State
    author: Author
    reason: str
    recorded_at: int
    digest: str
    chain: str
    legal_hold: bool = False
    superseded_by: str | None = None
    redacted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The newest revision and what lives beside it.

    `author` wrote the fact first, `editor` wrote its present content, at `worded_at`. `salt` is
    gone after an erase. `generation` counts the claims there ever were. `queued_at` is when the
    fact began to wait for a reviewer. Moments are Unix milliseconds.
    """

    fact_id: str
    cell: Cell
    newest: Revision
    author: Author
    editor: Author
    salt: bytes
    worded_at: int | None = None
    queued_at: int | None = None
    claim: Claim | None = None
    generation: int = 0
    corroborations: tuple[Corroboration, ...] = ()
    self_published: bool = False
    compressed_into: str | None = None

    @property
    def legal_hold(self) -> bool:
        return self.newest.legal_hold

    @property
    def superseded_by(self) -> str | None:
        return self.newest.superseded_by

    def is_live(self, now: int) -> bool:
        """Tell whether results may show it: expiry is a read rule, exact to the millisecond."""
        ends = self.newest.content.expires_at
        return self.newest.state not in GONE and (ends is None or now < ends)
