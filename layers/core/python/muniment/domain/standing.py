"""What a new fact may count for. Authority is granted, never claimed (rule 2)."""

from __future__ import annotations

from muniment.domain.caller import Caller, PrincipalKind
from muniment.domain.errors import NotAllowed
from muniment.domain.fact import EPHEMERAL, PROTECTED, Kind, Trust
from muniment.domain.limits import EPHEMERAL_DAYS
from muniment.domain.moments import DAY

SEEN_BY_THE_PLATFORM = (Kind.COMMIT, Kind.DEPLOYMENT, Kind.INCIDENT)


def kind_of(asked: Kind | None, caller: Caller) -> Kind:
    """Return the kind of a new fact: what was asked, if this principal may write it.

    An agent's word for a protected kind would dodge the budget (row I-08), and commits come from
    integrations only (row D-13): both raise NotAllowed.
    """
    if asked is None:
        return Kind.OBSERVATION if caller.kind is PrincipalKind.AGENT else Kind.NOTE
    if asked in PROTECTED and caller.kind is PrincipalKind.AGENT:
        raise NotAllowed(
            f"an agent may not write the kind '{asked}'",
            field="body.kind",
            hint="record it as an observation; a person can turn it into more",
        )
    if asked is Kind.COMMIT and caller.kind is not PrincipalKind.INTEGRATION:
        raise NotAllowed("only an integration may write the kind 'commit'", field="body.kind")
    return asked


def trust_of(caller: Caller, kind: Kind) -> Trust:
    """Return the trust class the server gives, whatever the body says (rows M-22, M-101)."""
    if caller.kind is PrincipalKind.HUMAN:
        return Trust.HUMAN
    if caller.kind is PrincipalKind.AGENT:
        return Trust.AGENT
    if kind is Kind.VERDICT:
        return Trust.VERDICT
    return Trust.SYSTEM if kind in SEEN_BY_THE_PLATFORM else Trust.IMPORTED


def expiry_of(asked: int | None, kind: Kind, now: int) -> int | None:
    """Return when the fact leaves results, Unix milliseconds: ephemeral kinds within 14 days."""
    if kind not in EPHEMERAL:
        return asked
    latest = now + EPHEMERAL_DAYS * DAY
    return min(asked, latest) if asked is not None else latest
