"""Lists of facts: the filters, one line, one page; and one fact whole."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.domain.contradiction import Members
from muniment.domain.fact import Author, Category, Head, Kind, Revision, State, Subject, Trust
from muniment.domain.place import Layer, Place, ValidAt


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Exact matches; `min_trust`: that class and stronger. `now` (Unix ms) hides the expired."""

    now: int
    kind: Kind | None = None
    state: State | None = None
    min_trust: Trust | None = None
    subject_id: str | None = None
    scope: str | None = None

    @property
    def trusts(self) -> tuple[Trust, ...]:
        least = self.min_trust or Trust.MODEL_OUTPUT
        return tuple(trust for trust in Trust if trust.rank >= least.rank)

    def admit(self, head: Head) -> bool:
        """Tell whether a head passes: the same rule that a query to the table carries."""
        content = head.newest.content
        return (
            head.is_live(self.now)
            and self.kind in (None, content.kind)
            and self.state in (None, head.newest.state)
            and head.newest.trust in self.trusts
            and self.subject_id in (None, content.subject and content.subject.id)
            and self.scope in (None, content.scope)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What a list shows of one fact: enough to choose it, not the statement."""

    fact_id: str
    revision: int
    name: str
    description: str
    kind: Kind
    category: Category | None
    subject: Subject | None
    layer: Layer
    valid_at: ValidAt
    trust: Trust
    state: State
    author: Author
    recorded_at: int
    expires_at: int | None
    fact_key: str | None = None

    @classmethod
    def of(cls, head: Head) -> Line:
        newest, content = head.newest, head.newest.content
        return cls(
            fact_id=head.fact_id,
            revision=newest.number,
            name=content.name,
            description=content.description,
            kind=content.kind,
            category=content.category,
            subject=content.subject,
            layer=head.cell.layer,
            valid_at=head.cell.place.valid_at,
            trust=newest.trust,
            state=newest.state,
            author=head.author,
            recorded_at=newest.recorded_at,
            expires_at=content.expires_at,
            fact_key=content.fact_key,
        )


@dataclass(frozen=True, slots=True)
class ListItem:
    """A line, and the lines that contradict it."""

    line: Line
    opposed: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    items: tuple[ListItem, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """`next` is where the following page starts; None at the end."""

    lines: tuple[Line, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class IdPage:
    fact_ids: tuple[str, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class MembersPage:
    keys: tuple[Members, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class About:
    """Whose timeline: a subject in one workspace, of public facts or of one person's."""

    place: Place
    subject: Subject
    until: int


@dataclass(frozen=True, slots=True)
class Event:
    """One revision in a timeline."""

    fact_id: str
    revision: Revision


@dataclass(frozen=True, slots=True)
class EventPage:
    events: tuple[Event, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One link as seen from a fact: `type` and the fact at the other end."""

    type: str
    other: str


@dataclass(frozen=True, slots=True)
class History:
    """Revisions in order from 1. `sources` are those of derived_from that are still there."""

    head: Head
    revisions: tuple[Revision, ...]
    links: tuple[LinkRow, ...]
    sources: tuple[str, ...] = ()
