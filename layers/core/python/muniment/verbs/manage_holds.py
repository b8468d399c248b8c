"""Use cases: facts under legal hold whose project was deleted (rows M-49, M-50, D-23).

    project deleted ──► sweep ──► ledger ──► release, with a reason ──► the fact is forgotten

The ledger concerns the whole tenant, so it takes a key of all projects.
"""

from __future__ import annotations

from muniment.domain.authority import author_of
from muniment.domain.caller import Asked, Caller
from muniment.domain.errors import Busy, NotFound
from muniment.domain.fact import GONE, Head, State
from muniment.domain.intake import Raced
from muniment.domain.membership import check_everywhere
from muniment.domain.projects import HeldFact
from muniment.domain.ulid import is_ulid
from muniment.verbs.changing import TRIES, leave
from muniment.verbs.hold_fact import set_hold
from muniment.verbs.ports import Facts
from muniment.verbs.publish_fact import Reasoned
from muniment.verbs.tenant_ports import Holds

HEADS = 100  # of one BatchGet


class ReleaseHold(Reasoned):
    """Body of POST /holds/{fact_id}/release."""


def list_holds(holds: Holds, facts: Facts, caller: Caller) -> list[HeldFact]:
    """Return the ledger, released lines too. Raises NotAllowed for a key of single projects."""
    check_everywhere(caller)
    lines = holds.holds(caller.tenant)
    heads: dict[str, Head] = {}
    for at in range(0, len(lines), HEADS):
        heads |= facts.heads(caller.tenant, [line.fact_id for line in lines[at : at + HEADS]])
    return [HeldFact(line, heads.get(line.fact_id)) for line in lines]


def release_hold(
    holds: Holds, facts: Facts, asked: Asked, fact_id: str, ask: ReleaseHold
) -> HeldFact:
    """Release a hold and forget its fact, as the deletion of its project asked.

    May be repeated: what broke off half way is finished. Raises NotFound, NotAllowed.
    """
    check_everywhere(asked.caller)
    tenant = asked.caller.tenant
    lines = holds.holds(tenant) if is_ulid(fact_id) else []
    line = next((line for line in lines if line.fact_id == fact_id), None)
    if line is None:
        raise NotFound("no such fact in the ledger of holds")
    head = _let_go(facts, asked, fact_id, ask.reason)
    holds.release_hold(tenant, line, by=asked.caller.principal, reason=ask.reason, now=asked.now)
    done = next(line for line in holds.holds(tenant) if line.fact_id == fact_id)
    return HeldFact(done, head)


def _let_go(facts: Facts, asked: Asked, fact_id: str, reason: str) -> Head | None:
    """Take the hold off, then forget the fact; each is one transaction."""
    by, tenant = author_of(asked.caller), asked.caller.tenant
    for _ in range(TRIES):
        head = facts.head(tenant, fact_id)
        if head is None or not (head.legal_hold or head.newest.state not in GONE):
            return head
        try:
            if head.legal_hold:
                change = set_hold(head, False, by=by, reason=reason, now=asked.now)
            else:
                change = leave(facts, head, State.FORGOTTEN, by=by, reason=reason, now=asked.now)
            facts.carry_out(change)
        except Raced:
            continue
    raise Busy("somebody is at work on this fact; try again", retry_after=1)
