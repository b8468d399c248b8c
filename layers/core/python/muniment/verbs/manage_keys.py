"""Use cases: API keys over the API (rows W-06, W-27, W-28; domain.granting says who may what).

A key's secret is in the answer that makes it and nowhere else, so these answers can not be repeated
by an idempotency key: who lost one revokes the key and makes another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from muniment.domain import granting, limits
from muniment.domain.caller import EVERYWHERE, Action, Caller, PrincipalKind
from muniment.domain.errors import NotFound, Unprocessable
from muniment.domain.keys import ApiKey, Made, compose, fingerprint
from muniment.domain.membership import Member
from muniment.domain.moments import DAY, HOUR
from muniment.verbs.fields import Slug
from muniment.verbs.manage_members import PrincipalName
from muniment.verbs.screened import Screened
from muniment.verbs.tenant_ports import Keys, Projects

Names = Annotated[tuple[Slug | str, ...], Field(min_length=1, max_length=limits.KEY_PROJECTS)]


class CreateKey(Screened):
    """Body of POST /keys. `projects`: ids, or ["*"] for all; `expires_in_days` absent: never."""

    principal: PrincipalName
    kind: PrincipalKind
    operator: PrincipalName | None = None
    projects: Names
    actions: Annotated[tuple[Action, ...], Field(min_length=1, max_length=len(Action))]
    expires_in_days: Annotated[int, Field(ge=1, le=limits.KEY_DAYS, strict=True)] | None = None


class RotateKey(Screened):
    """Body of POST /keys/{key_id}/rotate. `overlap_hours`: how long the old secret still works."""

    overlap_hours: Annotated[int, Field(ge=0, le=limits.OVERLAP_HOURS, strict=True)] = (
        limits.OVERLAP_HOURS_DEFAULT
    )


@dataclass(frozen=True, slots=True)
class Chance:
    """What only chance can give a new key."""

    key_id: str
    secret: str


def create_key(
    keys: Keys, projects: Projects, caller: Caller, ask: CreateKey, chance: Chance, now: int
) -> Made:
    """Make a key. Raises NotAllowed, NotFound, Unprocessable, Conflict: nothing is stored then."""
    granting.check_sense(ask.kind, ask.operator, ask.actions, ask.principal)
    wanted = ApiKey(
        key_id=chance.key_id,
        tenant=caller.tenant,
        principal=ask.principal,
        kind=ask.kind,
        operator=ask.operator,
        projects=_named(ask.projects),
        actions=frozenset(ask.actions),
        created_at=now,
        expires_at=None if ask.expires_in_days is None else now + ask.expires_in_days * DAY,
        made_by=caller.principal,
    )
    maker = _maker(keys, caller)
    person = keys.member(caller.tenant, wanted.person) if wanted.person else None
    if wanted.person and person is None:
        raise NotFound(f"no such person {wanted.person}", hint="give them a role first")
    granting.check_may_make(caller, wanted, maker, person, keys.keys(caller.tenant))
    for project in wanted.projects:
        if project != EVERYWHERE and projects.project(caller.tenant, project) is None:
            raise NotFound(f"no such project {project}")
    return _stored(keys, wanted, chance)


def list_keys(keys: Keys, caller: Caller, now: int) -> list[ApiKey]:
    """Return one's own keys, one's agents', and those that open a project one owns."""
    maker = _maker(keys, caller)
    known = keys.keys(caller.tenant)
    return [key for key in known if granting.may_see(caller, key, maker, now)]


def rotate_key(
    keys: Keys, caller: Caller, key_id: str, ask: RotateKey, chance: Chance, now: int
) -> Made:
    """Give a key a new secret; the old one works on for the overlap.

    Rights and end stay as they are. Raises NotFound, NotAllowed, Conflict if it is closed already
    or was rotated before: then the newer one is to be rotated.
    """
    old = _seen(keys, caller, key_id, now)
    granting.check_may_rotate(caller, old, _maker(keys, caller), now)
    new = replace(old, key_id=chance.key_id, created_at=now, made_by=caller.principal)
    ends = now + ask.overlap_hours * HOUR
    old_ends = ends if old.expires_at is None else min(ends, old.expires_at)
    text = compose(chance.key_id, chance.secret)
    keys.rotate(old, new, fingerprint(text), old_ends)
    return Made(new, text, old.key_id, old_ends)


def revoke_key(keys: Keys, caller: Caller, key_id: str, now: int) -> ApiKey:
    """Close a key at once; again changes nothing. Raises NotFound, NotAllowed."""
    key = _seen(keys, caller, key_id, now)
    granting.check_may_revoke(caller, key, _maker(keys, caller), now)
    return keys.revoke(caller.tenant, key_id, now)


def _stored(keys: Keys, key: ApiKey, chance: Chance) -> Made:
    text = compose(chance.key_id, chance.secret)
    keys.add_key(key, fingerprint(text))
    return Made(key, text)


def _maker(keys: Keys, caller: Caller) -> Member:
    """Return the caller as stored; who is unknown has no roles."""
    return keys.member(caller.tenant, caller.principal) or Member(caller.principal, caller.kind)


def _seen(keys: Keys, caller: Caller, key_id: str, now: int) -> ApiKey:
    """Return the key if the caller may see it. Raises NotFound in the same words otherwise."""
    key = keys.key(caller.tenant, key_id) if len(key_id) <= limits.IDENTIFIER else None
    if key is None or not granting.may_see(caller, key, _maker(keys, caller), now):
        raise NotFound("no such key")
    return key


def _named(projects: tuple[str, ...]) -> tuple[str, ...]:
    """Return the projects, each once; all of them is said by "*" alone."""
    names = tuple(dict.fromkeys(projects))
    if EVERYWHERE in names and len(names) > 1:
        raise Unprocessable('"*" opens all projects: it stands alone', field="body.projects")
    return names
