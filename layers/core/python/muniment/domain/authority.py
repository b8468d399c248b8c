"""How the standing of a fact changes: rules only, each returns the heads as they are to become.

A change of one keyed fact can flip the state of others: two published facts that disagree are
both disputed, and the last one left is published again (domain.contradiction).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from muniment.domain.caller import Action, Caller, PrincipalKind
from muniment.domain.change import Burial, Change, Held, Step, burial_of, needs_grave
from muniment.domain.contradiction import Members, moved, settle
from muniment.domain.errors import (
    NotAllowed,
    NotWaiting,
    OnHold,
    StaleRevision,
    Unprocessable,
)
from muniment.domain.fact import GONE, WAITING, Author, Head, Revision, State
from muniment.domain.history import link
from muniment.domain.review import PUBLISHING


def author_of(caller: Caller) -> Author:
    return Author(caller.principal, caller.kind, caller.operator)


def steps_to(head: Head, states: Sequence[State], by: Author, reason: str, now: int) -> Step:
    """Return the step that leads a head through `states`, one revision each.

    A fact that leaves the queue loses its claim with it.
    """
    revisions: list[Revision] = []
    after = head
    for state in states:
        after = moved(after, state=state, by=by, reason=reason, now=now)
        revisions.append(after.newest)
    if after.newest.state not in WAITING:
        after = replace(after, claim=None, queued_at=None)
    return Step(head, after, tuple(revisions))


def transition(
    head: Head,
    states: Sequence[State],
    *,
    by: Author,
    reason: str,
    now: int,
    members: Members | None,
    rivals: Sequence[Head],
    held: Held | None = None,
) -> Change:
    """Return the change that leads a head through `states`, with all that follows from it.

    `members` are the facts of the head's key, `rivals` the heads of those among them that stand
    published or disputed.
    """
    own = replace(steps_to(head, states, by, reason, now), held=held)
    return consequences([own], members=members, rivals=rivals, by=by, now=now)


def consequences(
    own: Sequence[Step], *, members: Members | None, rivals: Sequence[Head], by: Author, now: int
) -> Change:
    """Return the change of `own` and of every other fact whose state flips because of it."""
    steps = {step.after.fact_id: step for step in own}
    burials: list[Burial] = [
        burial_of(step.after, now) for step in own if needs_grave(step.after.newest.state)
    ]
    if members is None:
        return Change(steps=tuple(own), burials=tuple(burials))
    after = {head.fact_id: head for head in rivals}
    after |= {i: step.after for i, step in steps.items()}
    standing = [head for head in after.values() if head.newest.state.is_standing]
    cause = f"fact {own[0].after.fact_id}"
    for flipped in settle(standing, by=by, cause=cause, now=now):
        fact_id = flipped.fact_id
        step = steps.get(fact_id) or Step(after[fact_id], after[fact_id], ())
        steps[fact_id] = replace(step, after=flipped, revisions=(*step.revisions, flipped.newest))
    later = members.after([step.after for step in steps.values()], now)
    return Change(steps=tuple(steps.values()), members=(later,), burials=tuple(burials))


def publishing_states(head: Head) -> Sequence[State]:
    """Return the states a publication passes. Raises NotWaiting for what is settled already."""
    if head.newest.state in WAITING:
        return PUBLISHING
    if head.newest.state is State.REVIEWED:
        return (State.PUBLISHED,)
    raise NotWaiting(
        f"the fact is {head.newest.state}: only what waits for a person can be published",
        limit="candidate, corroborated or reviewed",
        actual=str(head.newest.state),
    )


def check_live(head: Head, now: int) -> None:
    """Raise NotWaiting for a fact that left results already, also when no sweep wrote so yet."""
    if not head.is_live(now):
        state = head.newest.state if head.newest.state in GONE else State.EXPIRED
        raise NotWaiting(f"the fact is {state} already", limit="a live fact", actual=str(state))


def check_not_held(head: Head) -> None:
    """Raise OnHold: a legal hold beats everything (rule 9)."""
    if head.legal_hold:
        raise OnHold(
            "a legal hold preserves this fact as it is",
            hint="an owner can release the hold, with a reason",
            fact_id=head.fact_id,
        )


def check_may_remove(head: Head, caller: Caller) -> None:
    """Raise NotAllowed if the caller would take away what a person granted or wrote.

    Authority is granted by people only, so only an owner takes it away; and a machine may forget
    what machines wrote, not what a person wrote (rules 2 and 10).
    """
    if Action.OWN in caller.actions:
        return
    if head.newest.state.is_standing:
        raise NotAllowed(
            "a person published this fact: only an owner may remove it",
            hint="ask an owner to retract or forget it",
        )
    if caller.kind is not PrincipalKind.HUMAN and head.author.kind is PrincipalKind.HUMAN:
        raise NotAllowed(
            "a person wrote this fact: only a person may remove it",
            hint="record what you learnt as a new fact with the same fact_key",
        )


def check_expected(head: Head, expected: int | None, field: str) -> None:
    """Raise StaleRevision if the caller acted on another revision than the present one."""
    if expected is not None and head.newest.number != expected:
        raise StaleRevision(
            f"the fact is at revision {head.newest.number}, not {expected}",
            field=field,
            limit=head.newest.number,
            actual=expected,
            hint="read the present revision and apply your change to it",
            revision=head.newest.number,
            state=str(head.newest.state),
        )


def check_succession(old: Head, new: Head) -> None:
    """Raise Unprocessable where the old fact would vanish for readers who never see the new one.

    Both stand in one place, and under one fact_key if the old one has any: a contradiction is
    settled among the facts of a key, so a side may not leave it for another.
    """
    if old.cell.place != new.cell.place:
        raise Unprocessable(
            "a fact supersedes one of its own place: same workspace, audience and valid_at",
            field="body.supersedes",
            fact_id=old.fact_id,
        )
    fact_key, given = old.newest.content.fact_key, new.newest.content.fact_key
    if fact_key not in (None, given):
        raise Unprocessable(
            "a fact supersedes one of its own fact_key",
            field="body.fact_key",
            limit=fact_key,
            actual=given,
            fact_id=old.fact_id,
        )


def gives_way_at_once(old: Head, new: Head) -> bool:
    """Tell whether `new` ends `old` already as a candidate, or only once it is published.

    A claim cannot take authority away, and a machine's word cannot take away a person's: those
    wait until a person publishes the successor (rule 2).
    """
    by_a_machine = new.author.kind is not PrincipalKind.HUMAN
    a_persons = old.author.kind is PrincipalKind.HUMAN
    return not old.newest.state.is_standing and not (by_a_machine and a_persons)


def superseded(old: Head, *, by: Head, now: int) -> Step:
    """Return the step that ends `old` in favour of `by` (row W-20)."""
    newest = old.newest
    reason = f"superseded by {by.fact_id}: {by.newest.reason}"
    later = link(
        newest,
        newest.content,
        trust=newest.trust,
        state=State.SUPERSEDED,
        author=by.newest.author,
        reason=reason,
        now=now,
        salt=old.salt,
        superseded_by=by.fact_id,
    )
    after = replace(old, newest=later, claim=None, queued_at=None)
    return Step(old, after, (later,))
