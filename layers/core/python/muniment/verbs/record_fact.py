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

from dataclasses import replace

from muniment.domain.advice import check_fits
from muniment.domain.authority import check_succession, gives_way_at_once, superseded
from muniment.domain.budget import Admission
from muniment.domain.caller import Action, Asked
from muniment.domain.change import Change
from muniment.domain.corroboration import corroborated, corroborates, says_the_same
from muniment.domain.errors import (
    Busy,
    DuplicateTombstone,
    NotFound,
    Unprocessable,
)
from muniment.domain.fact import DEFAULT_CATEGORY, GONE, Category, Head, Kind
from muniment.domain.guard.screen import SecretPolicy, secret_found
from muniment.domain.intake import (
    Answer,
    Birth,
    Found,
    Grave,
    Idempotency,
    Intake,
    OutcomeUnknown,
    Raced,
    Settings,
    Written,
)
from muniment.domain.moments import rfc3339
from muniment.domain.resemblance import Near, near_duplicates
from muniment.domain.standing import kind_of
from muniment.verbs.changing import around, replay
from muniment.verbs.drafts import Writing, draft
from muniment.verbs.fields import Statement
from muniment.verbs.neighbours import Neighbours
from muniment.verbs.ports import Budgets, Facts
from muniment.verbs.room import Room

TRIES = 8  # lost races before the caller is asked to come back


class RecordFact(Writing):
    """Body of POST /facts. On the repo layer five fields are required (row C-49g)."""

    statement: Statement


def record_fact(
    facts: Facts,
    budgets: Budgets,
    neighbours: Neighbours,
    asked: Asked,
    ask: RecordFact,
    birth: Birth,
    idempotency: Idempotency | None,
) -> Written:
    """Store the fact, or answer the one that is there already.

    Raises Unprocessable, NotAllowed, TooLarge, DuplicateTombstone, IdempotencyMismatch,
    HardLimit, Busy. Rows M-101, W-45a, W-45b, W-45c.
    """
    _complete(ask, kind_of(ask.kind, asked.caller))
    intake = intake_of(neighbours, ask, ask.statement, asked, birth, idempotency)
    return store(facts, budgets, asked, intake)


def intake_of(
    neighbours: Neighbours,
    ask: Writing,
    text: str,
    asked: Asked,
    birth: Birth,
    idempotency: Idempotency | None,
) -> Intake:
    """Return the fact on its way in. Only a reviewer reopens what was found wrong."""
    if ask.reopen:
        asked.caller.allow(Action.REVIEW)
    head = draft(ask, text, asked, birth)
    return Intake(head, idempotency, ask.reopen, neighbours.of(head))


def _complete(ask: RecordFact, kind: Kind) -> None:
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
    if ask.category is None and kind not in DEFAULT_CATEGORY:
        raise Unprocessable(
            f"a fact of kind '{kind}' on the repo layer needs a category",
            field="body.category",
            limit=", ".join(Category),
            hint="give a category, or record it on the task layer",
        )


def store(facts: Facts, budgets: Budgets, asked: Asked, intake: Intake) -> Written:
    """Bring the intake into the table exactly once, or answer what stands in its way.

    Where it stays open whether the fact was written its room stays taken: a count that is too
    high is healed at night, one that is too low would let the project outgrow its ceiling.
    """
    room = Room(budgets, asked, intake.head.newest.content.kind)
    try:
        for _ in range(TRIES):
            found = facts.find(intake)
            try:
                if known := _known(facts, asked, intake, found):
                    room.leave()
                    return known
                admission = room.take(_admissible(asked, intake, found))
                near = _near(intake, found, asked.now)
                facts.add(intake, found.twin, _entry(intake, found, admission, near, asked.now))
            except Raced:
                continue
            return Written(intake.head, admission, near=near)
        raise Busy("too many writers on this fact at once; nothing was stored", retry_after=1)
    except OutcomeUnknown:
        raise
    except Exception:
        room.leave()
        raise


def _known(facts: Facts, asked: Asked, intake: Intake, found: Found) -> Written | None:
    """Return the answer that stands already: of the same request, or of the same statement."""
    if found.settings is None:
        return None  # the project was deleted a moment ago: nothing of it is told any more
    if found.answered:
        return replay(facts, asked.caller.tenant, intake.idempotency, found.answered)
    if found.twin is None:
        return None
    twin = facts.head(asked.caller.tenant, found.twin.fact_id)
    if twin is None or not twin.is_live(asked.now) or not says_the_same(twin, intake.head):
        return None  # it moved on, expired or was taken back: the statement is free again
    if corroborates(intake.head, twin):
        members, rivals = around(facts, twin)
        change = corroborated(
            twin, intake.head, found.settings, asked.now, members=members, rivals=rivals
        )
        return _confirmed(facts, intake, change, twin)
    return _confirmed(facts, intake, None, twin)


def _confirmed(facts: Facts, intake: Intake, change: Change | None, twin: Head) -> Written:
    """Answer the fact that is there, and keep that answer; a corroboration changes it first."""
    head = change.head(twin.fact_id) if change else twin
    answer = Answer("", head.fact_id, head.newest.number, Admission(), repeat=True)
    request = intake.idempotency
    kept = [(request, replace(answer, request=request.request))] if request else []
    if change:
        facts.carry_out(replace(change, answers=tuple(kept)))
    elif request:
        facts.answer(head.cell.place, *kept[0], now=intake.head.newest.recorded_at)
    return Written(head, Admission(), repeat=True)


def _admissible(asked: Asked, intake: Intake, found: Found) -> Settings:
    """Return the project's settings. Raises what forbids this fact here and now."""
    content = intake.head.newest.content
    if found.settings is None:
        raise NotFound("no such project")
    if content.redactions and found.settings.secret_policy == SecretPolicy.REJECT:
        raise secret_found(content.redactions[0])
    check_fits(intake.head, found.settings)
    if found.missing:
        field = "supersedes" if content.supersedes in found.missing else "derived_from"
        raise Unprocessable(
            f"{field} names facts that do not exist: {', '.join(found.missing)}",
            field=f"body.{field}",
            actual=found.missing[0],
        )
    if found.superseded:
        check_succession(found.superseded, intake.head)
    if found.grave and not intake.reopen:
        raise buried(found.grave)
    if intake.reopen and found.grave is None:
        raise Unprocessable("there is nothing to reopen: this value is free", field="body.reopen")
    if content.expires_at is not None and content.expires_at <= asked.now:
        raise Unprocessable(
            "expires_at lies in the past",
            field="body.expires_at",
            limit=rfc3339(asked.now),
            actual=rfc3339(content.expires_at),
        )
    return found.settings


def buried(grave: Grave) -> DuplicateTombstone:
    """Return the refusal of a value that was found wrong before (rule 6)."""
    return DuplicateTombstone(
        f"this value was {grave.state} before: {grave.reason}",
        field="body",
        fact_id=grave.fact_id,
        hint="a person with the action 'review' can send it with reopen: true",
    )


def _near(intake: Intake, found: Found, now: int) -> tuple[Near, ...] | None:
    if intake.candidates is None:
        return None
    return near_duplicates(intake.head, found.candidates, now)


def _entry(
    intake: Intake,
    found: Found,
    admission: Admission,
    near: tuple[Near, ...] | None,
    now: int,
) -> Change:
    """Return what changes beside the new fact: its key, what it supersedes, the answer."""
    head, steps = intake.head, []
    old = found.superseded
    if old and old.newest.state not in GONE and gives_way_at_once(old, head):
        steps.append(superseded(old, by=head, now=now))
    members = found.members and found.members.after([head, *(s.after for s in steps)], now)
    kept = []
    if request := intake.idempotency:
        answer = Answer(
            request.request, head.fact_id, head.newest.number, admission, repeat=False, near=near
        )
        kept.append((request, answer))
    return Change(steps=tuple(steps), members=(members,) if members else (), answers=tuple(kept))
