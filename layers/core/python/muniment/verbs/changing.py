"""What all verbs have in common that change a fact: read, decide, write, again if it moved on.

situation ──► same request before? answer it again      (one BatchGet)
          ──► the fact's key, if it has one              (one Get, and rivals if any stand)
          ──► decide: a rule of the domain
          ──► carry out                                  (one transaction)
              somebody was faster? from the start
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from muniment.domain.authority import transition
from muniment.domain.budget import Admission
from muniment.domain.caller import Action, Asked
from muniment.domain.change import Change, Held
from muniment.domain.contradiction import Members
from muniment.domain.errors import Busy, DuplicateTombstone, IdempotencyMismatch, NotFound
from muniment.domain.fact import Author, Head, State
from muniment.domain.intake import Answer, Idempotency, Raced, Settings, Twin, Written
from muniment.domain.place import PUBLIC
from muniment.domain.ulid import is_ulid
from muniment.verbs.ports import Facts

TRIES = 12  # lost races before the caller is asked to come back
Decide = Callable[[Head, Settings], Change | tuple[Change, Twin | None]]


def change_fact(
    facts: Facts, asked: Asked, fact_id: str, request: Idempotency | None, decide: Decide
) -> Written:
    """Carry out what `decide` makes of the fact as it is. Raises NotFound, Busy, its refusals."""
    tenant, fact_id = asked.caller.tenant, known_form(fact_id, asked)
    for _ in range(TRIES):
        seen = facts.situation(tenant, asked.project, fact_id, request, asked.now)
        if seen.settings is None:
            raise NotFound("no such project")
        if seen.answered:
            return replay(facts, tenant, request, seen.answered)
        decided = decide(visible(seen.head, asked), seen.settings)
        change, twin = decided if isinstance(decided, tuple) else (decided, None)
        head = change.head(fact_id)
        try:
            facts.carry_out(answered(change, head, request), twin)
        except Raced:
            continue
        return Written(head, Admission())
    raise Busy("too many writers on this fact at once; nothing was stored", retry_after=1)


def known_form(fact_id: str, asked: Asked) -> str:
    """Return the id. Raises NotFound for a text that can be no id, as for an unknown one."""
    return fact_id if is_ulid(fact_id) else visible(None, asked).fact_id


def visible(head: Head | None, asked: Asked) -> Head:
    """Return the head if the caller may see it.

    Raises NotFound in the same words for an id that never was, another project's, another
    person's and a forgotten one, whose trail only an owner reads (rules 10 and 19, case D06).
    """
    absent = NotFound(f"no such fact in project {asked.project}")
    if head is None:
        raise absent
    place = head.cell.place
    if place.project != asked.project or place.owner not in (PUBLIC, asked.caller.person):
        raise absent
    if head.newest.state is State.FORGOTTEN and Action.OWN not in asked.caller.actions:
        raise absent
    return head


def around(facts: Facts, head: Head) -> tuple[Members | None, Sequence[Head]]:
    """Return the members of the fact's key, and the heads of those that stand published."""
    fact_key = head.newest.content.fact_key
    if fact_key is None:
        return None, ()
    members = facts.members(head.cell.place, fact_key)
    rivals = [fact_id for fact_id in members.standing() if fact_id != head.fact_id]
    if not rivals:
        return members, ()
    heads = facts.heads(head.cell.place.tenant, rivals)
    return members, [heads[fact_id] for fact_id in rivals if fact_id in heads]


def leave(
    facts: Facts,
    head: Head,
    state: State,
    *,
    by: Author,
    reason: str,
    now: int,
    held: Held | None = None,
) -> Change:
    """Return the change that takes a fact out of results, with all that follows for its key."""
    members, rivals = around(facts, head)
    return transition(
        head, (state,), by=by, reason=reason, now=now, members=members, rivals=rivals, held=held
    )


def answered(change: Change, head: Head, request: Idempotency | None) -> Change:
    """Return the change with its answer kept in the same transaction (rule 20)."""
    if request is None:
        return change
    answer = Answer(request.request, head.fact_id, head.newest.number, Admission(), repeat=False)
    return replace(change, answers=((request, answer),))


def replay(facts: Facts, tenant: str, request: Idempotency | None, answer: Answer) -> Written:
    """Return the same answer again.

    Raises IdempotencyMismatch for another request, DuplicateTombstone for a fact that was
    forgotten since: its words are not said again, not even to who wrote them.
    """
    if request is None or request.request != answer.request:
        raise IdempotencyMismatch(
            "this idempotency key was used for another request; nothing was written",
            field="header.X-Idempotency-Key",
            hint="use a new key for a new request",
            fact_id=answer.fact_id,
        )
    head, present = facts.then_and_now(tenant, answer.fact_id, answer.revision)
    if present.newest.state is State.FORGOTTEN and present.newest != head.newest:
        raise DuplicateTombstone(
            "what this request wrote was forgotten since",
            field="header.X-Idempotency-Key",
            fact_id=answer.fact_id,
        )
    return Written(head, answer.admission, answer.repeat, replayed=True, near=answer.near)
