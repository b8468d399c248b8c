"""Use case: something was learnt and enters project memory as a candidate.

    find ──► same request before? answer it again        (one BatchGet, strongly consistent)
         ──► value retracted or forgotten before? refuse
         ──► very same statement alive? answer that fact
         ──► reserve one fact of the project's budget    (one conditional update)
         ──► add fact, revision 1, hash, key, answer     (one transaction)
             lost a race? find again

Round trips and capacity: design, storage.md.
"""

from __future__ import annotations

from muniment.domain import limits
from muniment.domain.budget import Admission, Profile
from muniment.domain.caller import Asked
from muniment.domain.errors import (
    Busy,
    DuplicateTombstone,
    IdempotencyMismatch,
    NotFound,
    Unprocessable,
)
from muniment.domain.intake import Answer, Birth, Found, Idempotency, Intake, Raced, Written
from muniment.domain.moments import rfc3339
from muniment.verbs.drafts import Writing, draft
from muniment.verbs.fields import Statement
from muniment.verbs.ports import Facts

TRIES = 8  # lost races before the caller is asked to come back


class RecordFact(Writing):
    """Body of POST /facts. On the repo layer five fields are required (row C-49g)."""

    statement: Statement


def record_fact(
    facts: Facts, asked: Asked, ask: RecordFact, birth: Birth, idempotency: Idempotency | None
) -> Written:
    """Store the fact, or answer the one that is there already.

    Raises Unprocessable, NotAllowed, TooLarge, DuplicateTombstone, IdempotencyMismatch,
    HardLimit, Busy. Rows M-101, W-45a, W-45b, W-45c.
    """
    _complete(ask)
    return store(facts, asked, Intake(draft(ask, ask.statement, asked, birth), idempotency))


def _complete(ask: RecordFact) -> None:
    """Refuse a fact for the repo layer that lacks one of its five fields (rows C-12, C-49g)."""
    if ask.layer != "repo":
        return
    for field in ("subject", "citations", "reason"):
        if not getattr(ask, field):
            raise Unprocessable(
                f"a fact on the repo layer needs '{field}'",
                field=f"body.{field}",
                hint="repo facts outlive tasks: give subject, citations and reason, or use "
                "POST /remember for a quick note",
            )


def store(facts: Facts, asked: Asked, intake: Intake) -> Written:
    """Bring the intake into the table exactly once, or answer what stands in its way."""
    reserved: Admission | None = None
    try:
        for _ in range(TRIES):
            found = facts.find(intake)
            try:
                if known := _known(facts, asked, intake, found):
                    return known
                profile = _admissible(asked, intake, found)
                if reserved is None:
                    kind = intake.head.newest.content.kind
                    reserved = facts.reserve(asked.caller.tenant, asked.project, kind, profile)
                facts.add(intake, found, reserved)
            except Raced:
                continue
            admission, reserved = reserved, None
            return Written(intake.head, admission)
        raise Busy("too many writers on this fact at once; nothing was stored")
    finally:
        if reserved is not None:  # refused or lost after the reservation: give the fact back
            facts.give_back(asked.caller.tenant, asked.project)


def _known(facts: Facts, asked: Asked, intake: Intake, found: Found) -> Written | None:
    """Return the answer that stands already: of the same request, or of the same statement."""
    tenant = asked.caller.tenant
    if found.answered:
        return _again(facts, tenant, intake, found.answered)
    if found.grave or not (found.twin and found.twin.is_live(asked.now)):
        return None
    head = facts.head(tenant, found.twin.fact_id)
    if head is None or not head.is_live(asked.now):
        raise Raced
    if intake.idempotency:
        request = intake.idempotency.request
        revision = head.newest.number
        facts.answer(intake, Answer(request, head.fact_id, revision, Admission(), repeat=True))
    return Written(head, Admission(), repeat=True)


def _again(facts: Facts, tenant: str, intake: Intake, answer: Answer) -> Written:
    if intake.idempotency is None or intake.idempotency.request != answer.request:
        raise IdempotencyMismatch(
            "this idempotency key was used for another request; nothing was written",
            field="header.X-Idempotency-Key",
            hint="use a new key for a new request",
            fact_id=answer.fact_id,
        )
    head = facts.as_of_revision(tenant, answer.fact_id, answer.revision)
    return Written(head, answer.admission, repeat=answer.repeat, replayed=True)


def _admissible(asked: Asked, intake: Intake, found: Found) -> Profile:
    """Return the project's profile. Raises what forbids this fact here and now."""
    content = intake.head.newest.content
    if found.profile is None:
        raise NotFound("no such project")
    if found.missing:
        raise Unprocessable(
            f"derived_from names facts that do not exist: {', '.join(found.missing)}",
            field="body.derived_from",
            actual=found.missing[0],
        )
    if found.grave:
        raise DuplicateTombstone(
            f"this value was {found.grave.state} before: {found.grave.reason}",
            field="body",
            fact_id=found.grave.fact_id,
            hint="a person with the action 'review' can reopen it",
        )
    if content.expires_at is not None and content.expires_at <= asked.now:
        raise Unprocessable(
            "expires_at lies in the past",
            field="body.expires_at",
            limit=rfc3339(asked.now),
            actual=rfc3339(content.expires_at),
        )
    if found.members is not None and found.members >= limits.KEY_MEMBERS:
        raise Unprocessable(
            f"the fact_key has {found.members} live facts already",
            field="body.fact_key",
            limit=limits.KEY_MEMBERS,
            actual=found.members,
        )
    return found.profile
