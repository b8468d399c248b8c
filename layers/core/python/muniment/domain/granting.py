"""Which keys a person may make, renew and close, and for whom.

    whose key                      make                            rotate   revoke
    their own, their own agents'   yes                             yes      yes
    an integration's               an owner of all its projects    the same the same
    another person's               an owner: that person's first   no       the same
    another person's agent's       no                              no       the same

Whoever holds a key is its principal: could an owner make a second key of somebody, they would read
that person's private facts and approve their own. No key makes a key that opens or outlives more
than itself, and none closes one that may more (rows W-27, W-28, I-03).
"""

from __future__ import annotations

from collections.abc import Iterable

from muniment.domain import limits
from muniment.domain.caller import EVERYWHERE, Action, Caller, PrincipalKind
from muniment.domain.errors import Conflict, NotAllowed, NotFound, Unprocessable
from muniment.domain.keys import ApiKey
from muniment.domain.membership import Member
from muniment.domain.moments import rfc3339


def check_sense(
    kind: PrincipalKind, operator: str | None, actions: Iterable[Action], principal: str
) -> None:
    """Refuse keys that could mean nothing or too much."""
    if (kind is PrincipalKind.AGENT) != (operator is not None):
        raise Unprocessable(
            "an agent needs an operator, the person it works for; nobody else has one",
            field="operator",
        )
    if operator == principal:
        raise Unprocessable("an agent is not its own operator", field="operator")
    people_only = {Action.REVIEW, Action.OWN} & set(actions)
    if kind is not PrincipalKind.HUMAN and people_only:
        raise Unprocessable(
            f"only people may have the action '{min(people_only)}'", field="actions"
        )


def check_may_make(
    caller: Caller, wanted: ApiKey, maker: Member, person: Member | None, known: Iterable[ApiKey]
) -> None:
    """Raise NotAllowed, NotFound, Unprocessable or Conflict unless the caller may make the key.

    `maker` is the caller, `person` whom the key acts for (None for an integration), as stored;
    `known` are the tenant's keys.
    """
    if caller.kind is not PrincipalKind.HUMAN:
        raise NotAllowed("only a person makes keys")
    known = list(known)
    if len([key for key in known if key.is_live(wanted.created_at)]) >= limits.KEYS:
        raise Conflict(f"the tenant has {limits.KEYS} live keys: revoke some", limit=limits.KEYS)
    _check_opens(caller, wanted)
    _check_whose(caller, wanted, maker, known)
    _check_no_more(caller, wanted)
    for project in wanted.projects:
        allowed = (person or maker).actions_in(project, wanted.created_at)
        if too_much := sorted(wanted.actions - allowed):
            raise Unprocessable(
                f"the role of {(person or maker).principal} in {project} has no '{too_much[0]}'",
                field="body.actions",
                limit=", ".join(sorted(allowed)) or "no role there",
                actual=", ".join(sorted(wanted.actions)),
            )


def check_may_rotate(caller: Caller, key: ApiKey, maker: Member, now: int) -> None:
    """Raise NotAllowed unless the caller may have a new secret of this key. Conflict if closed."""
    if caller.kind is not PrincipalKind.HUMAN:
        raise NotAllowed("only a person rotates keys")
    if not key.is_live(now):
        raise Conflict("this key is revoked or expired: make a new one")
    if key.person != caller.principal and not (
        key.kind is PrincipalKind.INTEGRATION and _owns(caller, maker, key.projects, now)
    ):
        raise NotAllowed("a key is rotated by the person it belongs to, who gets its secret")
    _check_opens(caller, key)
    _check_no_more(caller, key)


def check_may_revoke(caller: Caller, key: ApiKey, maker: Member, now: int) -> None:
    """Raise NotAllowed unless the caller may close this key."""
    if caller.kind is not PrincipalKind.HUMAN:
        raise NotAllowed("only a person revokes keys")
    if key.person != caller.principal and not _owns(caller, maker, key.projects, now):
        raise NotAllowed(
            "this key opens a project that you do not own",
            hint="take away its person's role in your project instead",
        )
    if Action.OWN in caller.actions:
        return
    at_work = [key.actions & maker.actions_in(project, now) for project in key.projects]
    if too_much := sorted(frozenset().union(*at_work) - caller.actions):
        # a leaked key must not shut its owner out
        raise NotAllowed(
            f"a key closes no key that may more than itself: yours has no action '{too_much[0]}'"
        )


def may_see(caller: Caller, key: ApiKey, maker: Member, now: int) -> bool:
    """Tell whether the key is listed: one's own, and those that open a project one owns."""
    if caller.kind is not PrincipalKind.HUMAN:
        return False
    return key.person == caller.principal or any(
        _owns(caller, maker, (project,), now) for project in key.projects
    )


def _check_whose(caller: Caller, wanted: ApiKey, maker: Member, known: list[ApiKey]) -> None:
    if wanted.person == caller.principal:
        return
    if not _owns(caller, maker, wanted.projects, wanted.created_at):
        raise NotAllowed("only an owner of every project it opens makes a key for somebody else")
    if wanted.kind is PrincipalKind.AGENT:
        raise NotAllowed("an agent's key is made by its operator: it reads that person's memory")
    if wanted.kind is PrincipalKind.HUMAN and any(
        wanted.principal in (key.principal, key.operator) for key in known
    ):
        raise NotAllowed(
            f"{wanted.principal} has had a key: the next is theirs to make",
            hint="they make or rotate it themself; an operator of the service helps who lost it",
        )


def _check_opens(caller: Caller, wanted: ApiKey) -> None:
    """Raise unless the caller's own key opens all projects of the wanted one."""
    closed = [project for project in wanted.projects if project not in caller.projects]
    if not closed or caller.everywhere:
        return
    if EVERYWHERE in closed:
        raise NotAllowed(MORE, field="body.projects")
    raise NotFound(f"no such project {closed[0]}", field="body.projects")


def _check_no_more(caller: Caller, wanted: ApiKey) -> None:
    """Raise unless the caller's own key may and outlives all that the wanted one does."""
    if too_much := sorted(wanted.actions - caller.actions):
        raise NotAllowed(f"{MORE}: yours has no action '{too_much[0]}'", field="body.actions")
    if caller.key_ends is not None and (
        wanted.expires_at is None or wanted.expires_at > caller.key_ends
    ):
        raise NotAllowed(
            f"{MORE}: yours ends at {rfc3339(caller.key_ends)}", field="body.expires_at"
        )


def _owns(caller: Caller, maker: Member, projects: Iterable[str], now: int) -> bool:
    """Tell whether the caller, with this very key, is an owner of all these projects."""
    return Action.OWN in caller.actions and all(
        (caller.everywhere or project in caller.projects)
        and Action.OWN in maker.actions_in(project, now)
        for project in projects
    )


MORE = "a key makes no key that opens more than itself"
