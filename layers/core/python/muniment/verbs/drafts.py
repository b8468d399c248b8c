"""What the two writing verbs have in common: the fields, and the fact they describe."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field

from muniment.domain import limits
from muniment.domain.caller import Asked
from muniment.domain.errors import TooLarge, Unprocessable
from muniment.domain.fact import (
    DEFAULT_CATEGORY,
    Author,
    Category,
    Citation,
    Content,
    Evidence,
    Head,
    Kind,
    Link,
    State,
    Subject,
)
from muniment.domain.guard.redaction import Redaction
from muniment.domain.history import canonical, link
from muniment.domain.intake import Birth
from muniment.domain.place import PUBLIC, Cell, Layer, Place, ValidAt
from muniment.domain.standing import expiry_of, kind_of, trust_of
from muniment.verbs.fields import (
    Ask,
    Description,
    FactId,
    FactKey,
    Flag,
    Label,
    Locator,
    Moment,
    Name,
    PlaceName,
    Plain,
    Quote,
    Reason,
    Share,
    SourceHash,
    SourceId,
    Thread,
)
from muniment.verbs.screened import Screened

NOTE_LINK = re.compile(r"\[\[([^\[\]|#\n]{1,100})(?:[|#][^\[\]\n]*)?\]\]")
SENTENCE = re.compile(r"(?<=[.!?…])\s")
NAME_WORDS = 6  # words of a name that we make ourselves
MARKDOWN = re.compile(r"^(?:[#>*-]+\s+)+")  # marks of a heading, quote or list: "-1" has none


class AskedCitation(Ask):
    quote: Quote = ""
    locator: Locator


class AskedSubject(Ask):
    type: Label
    id: Label


class AskedLink(Ask):
    type: Name
    target: Locator


class AskedValidity(Ask):
    workplace: PlaceName | None = None
    machine: PlaceName | None = None


class Writing(Screened):
    """Fields of a new fact beside its text. All optional; `remember` needs no others (row W-13)."""

    kind: Kind | None = None
    category: Category | None = None
    subject: AskedSubject | None = None
    name: Name | None = None
    description: Description | None = None
    layer: Literal["repo", "task", "session"] = "repo"
    session: Thread | None = None
    task: Thread | None = None
    valid_at: AskedValidity = AskedValidity()
    audience: Literal["public", "private"] = "public"
    attributes: Annotated[
        dict[
            Annotated[Plain, Field(min_length=1, max_length=limits.ATTRIBUTE_NAME)],
            Annotated[Plain, Field(max_length=limits.ATTRIBUTE_VALUE)],
        ],
        Field(max_length=limits.ATTRIBUTES),
    ] = Field(default_factory=dict)
    citations: Annotated[list[AskedCitation], Field(max_length=limits.CITATIONS)] = Field(
        default_factory=list
    )
    source_id: SourceId | None = None
    source_hash: SourceHash | None = None
    source_revision: Label | None = None
    fact_key: FactKey | None = None
    supersedes: FactId | None = None
    reopen: Flag = False
    derived_from: Annotated[list[FactId], Field(max_length=limits.DERIVED_FROM)] = Field(
        default_factory=list
    )
    links: Annotated[list[AskedLink], Field(max_length=limits.LINKS)] = Field(default_factory=list)
    confidence: Share = 0.5
    evidence: Evidence | None = None
    scope: Label | None = None
    tags: Annotated[list[Label], Field(max_length=limits.TAGS)] = Field(default_factory=list)
    reason: Reason | None = None
    observed_at: Moment | None = None
    expires_at: Moment | None = None
    secret_policy: Literal["by_verb", "reject"] = "by_verb"


def draft(ask: Writing, text: str, asked: Asked, birth: Birth) -> Head:
    """Return the head that the request would become: revision 1, candidate (rows M-101, W-31).

    Raises Unprocessable or NotAllowed, naming the field; TooLarge above limits.ITEM_BYTES.
    """
    _agrees(ask)
    content = _content(ask, text, kind_of(ask.kind, asked.caller), asked.now)
    if (size := len(canonical(content))) > limits.ITEM_BYTES:
        raise TooLarge(
            f"the whole fact takes {size} bytes of UTF-8",
            field="body",
            limit=limits.ITEM_BYTES,
            actual=size,
        )
    author = Author(asked.caller.principal, asked.caller.kind, asked.caller.operator)
    first = link(
        None,
        content,
        trust=trust_of(asked.caller, content.kind),
        state=State.CANDIDATE,
        author=author,
        reason=ask.reason or "recorded",
        now=asked.now,
        salt=birth.salt,
    )
    cell = _cell(ask, asked)
    return Head(
        fact_id=birth.fact_id,
        cell=cell,
        newest=first,
        author=author,
        editor=author,
        salt=birth.salt,
        worded_at=asked.now,
        queued_at=asked.now,
    )


def _agrees(ask: Writing) -> None:
    """Refuse fields that make no sense together (rows W-41c, rule 18)."""
    if ask.source_hash and not ask.source_id:
        raise Unprocessable(
            "a source_hash says nothing without the source_id it belongs to",
            field="body.source_hash",
            hint="send source_id too",
        )
    if ask.valid_at.workplace and ask.valid_at.machine:
        raise Unprocessable(
            "a fact is valid at a workplace or on a machine, not both",
            field="body.valid_at",
            limit="one of workplace, machine",
            actual="both",
        )
    for field, layer in (("session", Layer.SESSION), ("task", Layer.TASK)):
        if (getattr(ask, field) is not None) != (ask.layer == layer):
            raise Unprocessable(
                f"'{field}' belongs to the layer '{layer}', and that layer needs it",
                field=f"body.{field}",
                actual=f"layer {ask.layer}",
            )


def _content(ask: Writing, text: str, kind: Kind, now: int) -> Content:
    named = [Link("mentions", target.strip()) for target in NOTE_LINK.findall(text)]
    given = [Link(link.type, link.target) for link in ask.links]
    first_line = MARKDOWN.sub("", text.strip().splitlines()[0].strip())
    return Content(
        statement=text,
        kind=kind,
        name=ask.name or _slug(ask.subject.id if ask.subject else first_line),
        description=ask.description or SENTENCE.split(first_line)[0][: limits.DESCRIPTION],
        category=ask.category or DEFAULT_CATEGORY.get(kind),
        subject=Subject(ask.subject.type, ask.subject.id) if ask.subject else None,
        attributes=dict(ask.attributes),
        citations=tuple(Citation(c.quote, c.locator) for c in ask.citations),
        source_id=ask.source_id,
        source_hash=ask.source_hash,
        source_revision=ask.source_revision,
        fact_key=ask.fact_key,
        supersedes=ask.supersedes,
        derived_from=tuple(dict.fromkeys(ask.derived_from)),
        links=tuple(dict.fromkeys(given + named))[: limits.LINKS],
        confidence=ask.confidence,
        evidence=ask.evidence,
        scope=ask.scope,
        tags=tuple(dict.fromkeys(ask.tags)),
        observed_at=ask.observed_at,
        expires_at=expiry_of(ask.expires_at, kind, now),
        redactions=tuple(_told(r) for r in ask.redactions),
    )


def _told(redaction: Redaction) -> Redaction:
    """Return where the placeholder stands in the fact: `body.content.…` is its statement."""
    _, root, *rest = redaction.field.split(".")
    name = "statement" if root == "content" else root
    return Redaction(".".join([name, *rest]), redaction.detector)


def _slug(text: str) -> str:
    words = re.findall(r"[^\W_]+", text.lower())[:NAME_WORDS]
    return "-".join(words)[: limits.NAME].rstrip("-") or "fact"


def _cell(ask: Writing, asked: Asked) -> Cell:
    owner = asked.caller.owner("body.audience") if ask.audience == "private" else PUBLIC
    valid_at = ValidAt(ask.valid_at.workplace, ask.valid_at.machine)
    place = Place(asked.caller.tenant, asked.project, asked.workspace, owner, valid_at)
    return Cell(place, Layer(ask.layer), ask.session or ask.task or "")
