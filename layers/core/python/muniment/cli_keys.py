"""`muniment key create|list|rotate|revoke` and `muniment member set|list|remove`.

A key's secret is printed once, when it is made, and stored nowhere. A key that the operator makes
gives its person the roles it needs; the API gives a key only to who has them.
"""

from __future__ import annotations

import argparse
import secrets
from dataclasses import replace
from typing import Any

from muniment import bootstrap
from muniment.adapters.dynamo_tenants import OPERATOR
from muniment.cli_shown import check_name, distinct, said, shown, tell, tell_all
from muniment.domain import limits
from muniment.domain.caller import EVERYWHERE, Action, PrincipalKind
from muniment.domain.errors import Conflict, NotFound, Unprocessable
from muniment.domain.granting import check_sense
from muniment.domain.keys import ApiKey, compose, draw, fingerprint
from muniment.domain.membership import Member, Membership, Role, check_person, granted
from muniment.domain.moments import DAY, HOUR, rfc3339
from muniment.domain.projects import PRINCIPAL

Asked = argparse.Namespace


def add_parser(commands: Any) -> None:
    """Add the commands to argparse's subparsers."""
    key = commands.add_parser("key", help="API keys").add_subparsers(required=True)
    create = key.add_parser("create", help="make a key; its secret is shown once")
    create.add_argument("--tenant", required=True)
    create.add_argument("--principal", required=True, help="who acts with it")
    create.add_argument("--kind", required=True, choices=list(PrincipalKind))
    create.add_argument("--operator", help="the person an agent works for")
    create.add_argument(
        "--project", action="append", required=True, dest="projects", help="'*': all of them"
    )
    create.add_argument(
        "--action", action="append", required=True, dest="actions", choices=list(Action)
    )
    create.add_argument("--expires-in", type=int, metavar="DAYS")
    said(create, create_key)

    listed = key.add_parser("list", help="list keys, without secrets")
    listed.add_argument("--tenant", required=True)
    said(listed, list_keys)

    rotated = key.add_parser("rotate", help="give a key a new secret; the old one ends later")
    rotated.add_argument("--tenant", required=True)
    rotated.add_argument("--overlap", type=int, metavar="HOURS", default=24)
    rotated.add_argument("key_id", help="the part between the underscores")
    said(rotated, rotate_key)

    revoked = key.add_parser("revoke", help="close a key at once")
    revoked.add_argument("--tenant", required=True)
    revoked.add_argument("key_id", help="the part between the underscores")
    said(revoked, revoke_key)
    _add_member_parser(commands)


def _add_member_parser(commands: Any) -> None:
    member = commands.add_parser("member", help="people and roles").add_subparsers(required=True)
    setting = member.add_parser("set", help="give a person a role")
    setting.add_argument("principal")
    setting.add_argument("--role", required=True, choices=list(Role))
    setting.add_argument("--days", type=int, help="how long the role lasts; absent: no end")
    removing = member.add_parser("remove", help="take a person's role away")
    removing.add_argument("principal")
    for parser, run in ((setting, set_member), (removing, remove_member)):
        parser.add_argument("--tenant", required=True)
        parser.add_argument("--project", required=True, help="'*': all of them")
        said(parser, run)
    listed = member.add_parser("list", help="people of a tenant and their roles")
    listed.add_argument("--tenant", required=True)
    said(listed, list_members)


def create_key(asked: Asked) -> int:
    operators = [asked.operator] if asked.operator else []
    check_name("principal", PRINCIPAL, asked.principal, *operators)
    kind, actions = PrincipalKind(asked.kind), frozenset(Action(a) for a in asked.actions)
    check_sense(kind, asked.operator, actions, asked.principal)
    if asked.expires_in is not None and not 1 <= asked.expires_in <= limits.KEY_DAYS:
        raise Unprocessable(f"--expires-in is 1 to {limits.KEY_DAYS} days, not {asked.expires_in}")
    now = bootstrap.now()
    text, key = new_key(
        tenant=asked.tenant,
        principal=asked.principal,
        kind=kind,
        operator=asked.operator,
        projects=distinct(asked.projects),
        actions=actions,
        created_at=now,
        expires_at=None if asked.expires_in is None else now + asked.expires_in * DAY,
    )
    bootstrap.tenants().enrol(key, fingerprint(text))
    tell(asked, shown(key) | {"key": text})
    return 0


def list_keys(asked: Asked) -> int:
    tell_all(asked, [shown(key) for key in bootstrap.tenants().keys(asked.tenant)])
    return 0


def rotate_key(asked: Asked) -> int:
    if not 0 <= asked.overlap <= limits.OVERLAP_HOURS:
        raise Unprocessable(f"--overlap is 0 to {limits.OVERLAP_HOURS} hours, not {asked.overlap}")
    now, tenants = bootstrap.now(), bootstrap.tenants()
    old = tenants.key(asked.tenant, asked.key_id)
    if old is None:
        raise NotFound(f"no such key {asked.key_id}")
    if not old.is_live(now):
        raise Conflict("this key is revoked or expired: make a new one")
    ends = min(now + asked.overlap * HOUR, old.expires_at or now + limits.KEY_DAYS * DAY)
    key_id, secret = draw(secrets.choice)
    new, text = (
        replace(old, key_id=key_id, created_at=now, made_by=OPERATOR),
        compose(key_id, secret),
    )
    tenants.rotate(old, new, fingerprint(text), ends)
    tell(asked, shown(new) | {"key": text, "replaces": old.key_id, "old_ends_at": rfc3339(ends)})
    return 0


def revoke_key(asked: Asked) -> int:
    bootstrap.tenants().revoke(asked.tenant, asked.key_id, bootstrap.now())
    tell(asked, {"key_id": asked.key_id, "state": "revoked"})
    return 0


def set_member(asked: Asked) -> int:
    check_name("principal", PRINCIPAL, asked.principal)
    tenants, now = bootstrap.tenants(), bootstrap.now()
    if not tenants.has_tenant(asked.tenant):
        raise NotFound(f"no such tenant {asked.tenant}")
    if asked.project != EVERYWHERE and tenants.project(asked.tenant, asked.project) is None:
        raise NotFound(f"no such project {asked.project}")
    if asked.days is not None and not 1 <= asked.days <= limits.KEY_DAYS:
        raise Unprocessable(f"--days is 1 to {limits.KEY_DAYS}, not {asked.days}")
    until = None if asked.days is None else now + asked.days * DAY
    person = tenants.member(asked.tenant, asked.principal) or Member(asked.principal)
    check_person(person)
    role = Membership(Role(asked.role), until, OPERATOR, now)
    tenants.keep(asked.tenant, person.with_role(asked.project, role))
    tell(asked, _role(person.principal, asked.project, role))
    return 0


def remove_member(asked: Asked) -> int:
    tenants = bootstrap.tenants()
    person = granted(tenants.members(asked.tenant), asked.principal, asked.project)
    tenants.keep(asked.tenant, person.with_role(asked.project, None))
    tell(asked, {"principal": asked.principal, "project": asked.project, "state": "removed"})
    return 0


def list_members(asked: Asked) -> int:
    members = bootstrap.tenants().members(asked.tenant)
    tell_all(asked, [_role(m.principal, p, role) for m in members for p, role in m.roles.items()])
    return 0


def new_key(**fields: Any) -> tuple[str, ApiKey]:
    """Return a new key and its text, made by the operator."""
    key_id, secret = draw(secrets.choice)
    return compose(key_id, secret), ApiKey(key_id=key_id, made_by=OPERATOR, **fields)


def _role(principal: str, project: str, role: Membership) -> dict[str, Any]:
    told = {"principal": principal, "project": project, "role": str(role.role)}
    return told | ({"until": rfc3339(role.until)} if role.until is not None else {})
