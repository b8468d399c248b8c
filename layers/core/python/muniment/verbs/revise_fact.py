"""Use case: correct a fact. The old revision stays as it was; the new one is a candidate again."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from muniment.domain import limits
from muniment.domain.advice import check_fits
from muniment.domain.authority import (
    author_of,
    check_expected,
    check_live,
    check_may_remove,
    consequences,
)
from muniment.domain.caller import Asked
from muniment.domain.change import Change, Step
from muniment.domain.contradiction import value_of
from muniment.domain.errors import CreateOnly, Malformed, TooLarge, Unprocessable
from muniment.domain.fact import Citation, Content, Evidence, Head, State
from muniment.domain.forms import exact
from muniment.domain.history import canonical, link
from muniment.domain.intake import Idempotency, Settings, Twin, Written
from muniment.domain.place import Layer
from muniment.domain.standing import expiry_of, trust_of
from muniment.verbs.changing import around, change_fact
from muniment.verbs.drafts import AskedCitation
from muniment.verbs.fields import (
    Count,
    Description,
    Label,
    Moment,
    Plain,
    Reason,
    Share,
    SourceHash,
    SourceId,
    Statement,
)
from muniment.verbs.ports import Facts
from muniment.verbs.record_fact import buried
from muniment.verbs.screened import Screened


class ReviseFact(Screened):
    """Body of POST /facts/{fact_id}/revisions: the fields that change, and why.

    `expected_revision` (or the header If-Match) is the revision the caller read.
    """

    reason: Reason
    expected_revision: Annotated[Count, Field(ge=1)] | None = None
    statement: Statement | None = None
    description: Description | None = None
    attributes: (
        Annotated[
            dict[
                Annotated[Plain, Field(min_length=1, max_length=limits.ATTRIBUTE_NAME)],
                Annotated[Plain, Field(max_length=limits.ATTRIBUTE_VALUE)],
            ],
            Field(max_length=limits.ATTRIBUTES),
        ]
        | None
    ) = None
    citations: Annotated[list[AskedCitation], Field(max_length=limits.CITATIONS)] | None = None
    source_id: SourceId | None = None
    source_hash: SourceHash | None = None
    source_revision: Label | None = None
    confidence: Share | None = None
    evidence: Evidence | None = None
    scope: Label | None = None
    tags: Annotated[list[Label], Field(max_length=limits.TAGS)] | None = None
    observed_at: Moment | None = None
    expires_at: Moment | None = None


def revise_fact(
    facts: Facts, asked: Asked, fact_id: str, ask: ReviseFact, request: Idempotency | None
) -> Written:
    """Append a revision (rows M-52, D-03).

    Raises CreateOnly on the repo layer, StaleRevision with the present revision, NotWaiting for
    what left results, DuplicateTombstone for a value found wrong before.
    """
    expected = asked.if_match if ask.expected_revision is None else ask.expected_revision
    if expected is None:
        raise Malformed(
            "say which revision you read: expected_revision or the header If-Match",
            field="body.expected_revision",
            limit="required",
        )

    def decide(head: Head, settings: Settings) -> Change | tuple[Change, Twin | None]:
        check_expected(head, expected, "body.expected_revision")
        check_live(head, asked.now)
        check_may_remove(head, asked.caller)
        if head.cell.layer is Layer.REPO and not settings.repo_revise:
            raise CreateOnly(
                "facts on the repo layer are not edited",
                hint=f"record the corrected fact with supersedes: {head.fact_id}",
            )
        change, twin = _revised(facts, asked, ask, head)
        check_fits(change.head(fact_id), settings)
        return change, twin

    return change_fact(facts, asked, fact_id, request, decide)


def _revised(facts: Facts, asked: Asked, ask: ReviseFact, head: Head) -> tuple[Change, Twin | None]:
    content, by = _content(ask, head, asked.now), author_of(asked.caller)
    later = link(
        head.newest,
        content,
        trust=trust_of(asked.caller, content.kind),
        state=State.CANDIDATE,
        author=by,
        reason=ask.reason,
        now=asked.now,
        salt=head.salt,
    )
    after = replace(
        head,
        newest=later,
        editor=by,
        worded_at=asked.now,
        queued_at=asked.now,
        corroborations=(),
        self_published=False,
    )
    twin = _free(facts, head, after, asked.now)
    members, rivals = around(facts, head)
    step = Step(head, after, (later,))
    change = consequences([step], members=members, rivals=rivals, by=by, now=asked.now)
    said_anew = exact(content.statement) != exact(head.newest.content.statement)
    return replace(change, twin_of=after if said_anew else None), twin


def _free(facts: Facts, before: Head, after: Head, now: int) -> Twin | None:
    """Return what held the new statement. Raises if it may not be said, or is said already."""
    if exact(before.newest.content.statement) == exact(after.newest.content.statement):
        return None
    twin, grave = facts.standing_in_the_way(after)
    if grave and value_of(before) != value_of(after):
        raise buried(grave)
    if twin and twin.fact_id != after.fact_id:
        other = facts.head(after.cell.place.tenant, twin.fact_id)
        same = other and exact(other.newest.content.statement) == exact(
            after.newest.content.statement
        )
        if other and same and other.is_live(now):
            raise Unprocessable(
                f"fact {other.fact_id} says exactly this already",
                field="body.statement",
                fact_id=other.fact_id,
            )
    return twin


def _content(ask: ReviseFact, head: Head, now: int) -> Content:
    """Return the content with the given fields changed. Raises Unprocessable, TooLarge."""
    old = head.newest.content
    given: dict[str, Any] = {
        name: getattr(ask, name)
        for name in ask.model_fields_set - {"reason", "expected_revision", "citations", "tags"}
        if getattr(ask, name) is not None
    }
    if ask.citations is not None:
        given["citations"] = tuple(Citation(c.quote, c.locator) for c in ask.citations)
    if ask.tags is not None:
        given["tags"] = tuple(dict.fromkeys(ask.tags))
    if ask.expires_at is not None:
        if ask.expires_at <= now:
            raise Unprocessable("expires_at lies in the past", field="body.expires_at")
        given["expires_at"] = expiry_of(ask.expires_at, old.kind, now)
    kept = tuple(r for r in old.redactions if r.field.split(".")[0] not in given)
    content = replace(old, redactions=kept, **given)
    if content == old:
        raise Unprocessable("nothing changes: name at least one field with a new value")
    if content.source_hash and not content.source_id:
        raise Unprocessable("a source_hash needs its source_id", field="body.source_hash")
    if (size := len(canonical(content))) > limits.ITEM_BYTES:
        raise TooLarge(
            f"the whole fact takes {size} bytes of UTF-8",
            field="body",
            limit=limits.ITEM_BYTES,
            actual=size,
        )
    return content
