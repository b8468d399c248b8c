"""What callers see. A field leaves the service only if it is named here; absent says null."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer

from muniment.domain.fact import Author, Content, Head, Revision
from muniment.domain.labels import verify_before_use
from muniment.domain.moments import rfc3339
from muniment.domain.place import PUBLIC, Cell, ValidAt

CONFLICT = "conflict"
NULL = {"type": "null"}
UNVERIFIED = "unverified"  # rows W-31, W-34: no status says that a fact is true


def _tell_absent(schema: dict[str, Any]) -> None:
    """Say of a view what it does: what is absent is left out, nothing is ever null."""
    optional = [name for name, field in schema["properties"].items() if NULL in _choices(field)]
    for name in optional:
        choices = [choice for choice in schema["properties"][name].pop("anyOf") if choice != NULL]
        schema["properties"][name] |= choices[0] if len(choices) == 1 else {"anyOf": choices}
        schema["properties"][name].pop("default", None)
    schema["required"] = [name for name in schema.get("required", ()) if name not in optional]


def _choices(field: dict[str, Any]) -> list[Any]:
    return list(field.get("anyOf", ()))


class View(BaseModel):
    model_config = ConfigDict(json_schema_extra=_tell_absent)

    @model_serializer(mode="wrap")
    def _without_absent(self, serialize: SerializerFunctionWrapHandler):  # type: ignore[no-untyped-def]
        return {name: value for name, value in serialize(self).items() if value is not None}


class AuthorView(View):
    principal: str
    kind: str
    operator: str | None

    @classmethod
    def of(cls, author: Author) -> AuthorView:
        return cls(principal=author.principal, kind=author.kind, operator=author.operator)


class SubjectView(View):
    type: str
    id: str


class CitationView(View):
    quote: str | None
    locator: str


class LinkView(View):
    type: str
    target: str


class ValidAtView(View):
    workplace: str | None
    machine: str | None

    @classmethod
    def of(cls, valid_at: ValidAt) -> ValidAtView | None:
        if not str(valid_at):
            return None
        return cls(workplace=valid_at.workplace, machine=valid_at.machine)


class RedactionView(View):
    """Where a placeholder stands for what the guard took for a secret."""

    field: str
    detector: str


class ContentView(View):
    """What the writer said. Lengths in characters, moments in RFC 3339."""

    kind: str
    category: str | None
    subject: SubjectView | None
    name: str
    description: str
    statement: str
    attributes: dict[str, str]
    citations: list[CitationView]
    source_id: str | None
    source_hash: str | None
    source_revision: str | None
    fact_key: str | None
    supersedes: str | None
    derived_from: list[str]
    links: list[LinkView]
    confidence: float
    evidence: str | None
    scope: str | None
    tags: list[str]
    observed_at: str | None
    expires_at: str | None
    redactions: list[RedactionView]


def _content(content: Content) -> dict[str, Any]:
    subject, redactions = content.subject, content.redactions
    return {
        "kind": content.kind,
        "category": content.category,
        "subject": SubjectView(type=subject.type, id=subject.id) if subject else None,
        "name": content.name,
        "description": content.description,
        "statement": content.statement,
        "attributes": dict(content.attributes),
        "citations": [
            CitationView(quote=c.quote or None, locator=c.locator) for c in content.citations
        ],
        "source_id": content.source_id,
        "source_hash": content.source_hash,
        "source_revision": content.source_revision,
        "fact_key": content.fact_key,
        "supersedes": content.supersedes,
        "derived_from": list(content.derived_from),
        "links": [LinkView(type=link.type, target=link.target) for link in content.links],
        "confidence": content.confidence,
        "evidence": content.evidence,
        "scope": content.scope,
        "tags": list(content.tags),
        "observed_at": moment(content.observed_at),
        "expires_at": moment(content.expires_at),
        "redactions": [RedactionView(field=r.field, detector=r.detector) for r in redactions],
    }


def moment(at: int | None) -> str | None:
    return None if at is None else rfc3339(at)


class FactView(ContentView):
    """A fact as its newest revision has it, with all that stands beside it."""

    fact_id: str
    revision: int
    project: str
    workspace: str
    audience: str
    layer: str
    session: str | None
    task: str | None
    valid_at: ValidAtView | None
    trust: str
    state: str
    status: str
    author: AuthorView
    reason: str
    recorded_at: str
    legal_hold: bool
    superseded_by: str | None
    verify_before_use: bool

    @classmethod
    def of(cls, head: Head, status: str = UNVERIFIED) -> FactView:
        newest = head.newest
        return cls(
            **_content(newest.content),
            **_whereabouts(head.cell),
            fact_id=head.fact_id,
            revision=newest.number,
            trust=newest.trust,
            state=newest.state,
            status=status,
            author=AuthorView.of(head.author),
            reason=newest.reason,
            recorded_at=rfc3339(newest.recorded_at),
            legal_hold=head.legal_hold,
            superseded_by=head.superseded_by,
            verify_before_use=verify_before_use(newest.content),
        )


def _whereabouts(cell: Cell) -> dict[str, Any]:
    place = cell.place
    return {
        "project": place.project,
        "workspace": place.workspace,
        "audience": "public" if place.owner == PUBLIC else "private",
        "layer": cell.layer,
        "session": cell.thread if cell.layer == "session" else None,
        "task": cell.thread if cell.layer == "task" else None,
        "valid_at": ValidAtView.of(place.valid_at),
    }


class RevisionView(ContentView):
    """One immutable snapshot. `chain` is the hash that the next revision builds on."""

    revision: int
    trust: str
    state: str
    author: AuthorView
    reason: str
    recorded_at: str
    digest: str
    chain: str
    legal_hold: bool
    superseded_by: str | None

    @classmethod
    def of(cls, revision: Revision) -> RevisionView:
        return cls(
            **_content(revision.content),
            revision=revision.number,
            trust=revision.trust,
            state=revision.state,
            author=AuthorView.of(revision.author),
            reason=revision.reason,
            recorded_at=rfc3339(revision.recorded_at),
            digest=revision.digest,
            chain=revision.chain,
            legal_hold=revision.legal_hold,
            superseded_by=revision.superseded_by,
        )
