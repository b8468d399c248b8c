"""`muniment tenant create`, `project create|set`, `key create|list|revoke`.

A key's secret is printed once, when it is made, and stored nowhere.
"""

from __future__ import annotations

import argparse
import json
import re
import secrets
from typing import Any

from muniment import bootstrap, cli_budget
from muniment.domain import limits
from muniment.domain.budget import Profile
from muniment.domain.caller import Action, PrincipalKind
from muniment.domain.errors import NotFound, Unprocessable
from muniment.domain.keys import (
    ALPHABET,
    ID_LENGTH,
    SECRET_LENGTH,
    ApiKey,
    compose,
    fingerprint,
)
from muniment.domain.moments import DAY, rfc3339
from muniment.domain.plans import Plan

Asked = argparse.Namespace
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
PRINCIPAL = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
SETTINGS = ("solo_publish", "repo_revise", "publish_on_corroboration")
COMMON = "common"
ID_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"


def add_parser(commands: Any) -> None:
    """Add the commands to argparse's subparsers."""
    tenant = commands.add_parser("tenant", help="customer accounts").add_subparsers(required=True)
    create = tenant.add_parser("create", help="make a tenant, its projects and its first key")
    create.add_argument("tenant")
    create.add_argument("--person", default="owner", help="the first person (default: owner)")
    _projects(create)
    _said(create, create_tenant)

    project = commands.add_parser("project", help="projects").add_subparsers(required=True)
    added = project.add_parser("create", help="make a project of a tenant")
    added.add_argument("--tenant", required=True)
    _projects(added)
    _said(added, create_project)
    chosen = project.add_parser("set", help="choose settings of a project")
    chosen.add_argument("project")
    chosen.add_argument("--tenant", required=True)
    for name in SETTINGS:
        chosen.add_argument(f"--{name.replace('_', '-')}", choices=["on", "off"])
    _said(chosen, set_project)
    cli_budget.add_parser(project)
    _add_key_parser(commands)


def _add_key_parser(commands: Any) -> None:
    key = commands.add_parser("key", help="API keys").add_subparsers(required=True)
    create = key.add_parser("create", help="make a key; its secret is shown once")
    create.add_argument("--tenant", required=True)
    create.add_argument("--principal", required=True, help="who acts with it")
    create.add_argument("--kind", required=True, choices=list(PrincipalKind))
    create.add_argument("--operator", help="the person an agent works for")
    create.add_argument("--project", action="append", required=True, dest="projects")
    create.add_argument(
        "--action", action="append", required=True, dest="actions", choices=list(Action)
    )
    create.add_argument("--expires-in", type=int, metavar="DAYS")
    _said(create, create_key)

    listed = key.add_parser("list", help="list keys, without secrets")
    listed.add_argument("--tenant", required=True)
    _said(listed, list_keys)

    revoked = key.add_parser("revoke", help="close a key at once")
    revoked.add_argument("--tenant", required=True)
    revoked.add_argument("key_id", help="the part between the underscores")
    _said(revoked, revoke_key)


def _projects(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", action="append", required=True, dest="projects")
    parser.add_argument("--profile", choices=list(Profile), default=Profile.STANDARD)


def _said(parser: argparse.ArgumentParser, run: Any) -> None:
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    parser.set_defaults(run=run)


def create_tenant(asked: Asked) -> int:
    _check("tenant", SLUG, asked.tenant)
    _check("person", PRINCIPAL, asked.person)
    projects = _checked_projects(asked.projects)
    now, tenants = bootstrap.now(), bootstrap.tenants()
    plan, plans = Plan(asked.profile), bootstrap.usage_plans()
    usage_key = plans.enroll(asked.tenant, plan) if plans else None
    tenants.create_tenant(asked.tenant, now, plan, usage_key)
    for project in projects:
        tenants.create_project(asked.tenant, project, Profile(asked.profile), now)
    text, key = _new_key(
        tenant=asked.tenant,
        principal=asked.person,
        kind=PrincipalKind.HUMAN,
        operator=None,
        projects=projects,
        actions=frozenset(Action),
        created_at=now,
    )
    tenants.add_key(key, fingerprint(text))
    _tell(asked, _shown(key) | {"project": projects[0], "key": text})
    return 0


def create_project(asked: Asked) -> int:
    projects, tenants = _checked_projects(asked.projects), bootstrap.tenants()
    if not tenants.has_tenant(asked.tenant):
        raise NotFound(f"no such tenant {asked.tenant}")
    for project in projects:
        tenants.create_project(asked.tenant, project, Profile(asked.profile), bootstrap.now())
    _tell(asked, {"tenant": asked.tenant, "projects": list(projects)})
    return 0


def set_project(asked: Asked) -> int:
    chosen = {name: getattr(asked, name) == "on" for name in SETTINGS if getattr(asked, name)}
    if not chosen:
        raise Unprocessable(f"name a setting: {', '.join(SETTINGS)}")
    bootstrap.tenants().set_project(asked.tenant, asked.project, chosen)
    _tell(asked, {"tenant": asked.tenant, "project": asked.project, **chosen})
    return 0


def create_key(asked: Asked) -> int:
    _check("principal", PRINCIPAL, asked.principal, *([asked.operator] if asked.operator else []))
    _check_sense(asked)
    projects, now = _distinct(asked.projects), bootstrap.now()
    expires_at = None if asked.expires_in is None else now + asked.expires_in * DAY
    text, key = _new_key(
        tenant=asked.tenant,
        principal=asked.principal,
        kind=PrincipalKind(asked.kind),
        operator=asked.operator,
        projects=projects,
        actions=frozenset(Action(action) for action in asked.actions),
        created_at=now,
        expires_at=expires_at,
    )
    bootstrap.tenants().add_key(key, fingerprint(text))
    _tell(asked, _shown(key) | {"key": text})
    return 0


def list_keys(asked: Asked) -> int:
    keys = [_shown(key) for key in bootstrap.tenants().keys(asked.tenant)]
    if asked.json:
        print(json.dumps(keys))
        return 0
    for key in keys:
        print("  ".join(f"{name}={_worded(value)}" for name, value in key.items()))
    return 0


def revoke_key(asked: Asked) -> int:
    bootstrap.tenants().revoke(asked.tenant, asked.key_id, bootstrap.now())
    _tell(asked, {"key_id": asked.key_id, "state": "revoked"})
    return 0


def _check(name: str, form: re.Pattern[str], *values: str) -> None:
    for value in values:
        if not form.fullmatch(value):
            raise Unprocessable(f"{name} '{value}' must match {form.pattern}", field=name)


def _distinct(projects: list[str]) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(projects))
    if len(found) > limits.KEY_PROJECTS:
        raise Unprocessable(f"a key opens at most {limits.KEY_PROJECTS} projects, not {len(found)}")
    return found


def _checked_projects(projects: list[str]) -> tuple[str, ...]:
    """Return the names of new projects, each once."""
    _check("project", SLUG, *projects)
    if COMMON in projects:
        raise Unprocessable(f"the name '{COMMON}' is kept for facts about no single project")
    return _distinct(projects)


def _check_sense(asked: Asked) -> None:
    """Refuse keys that could mean nothing or too much."""
    if (asked.kind == PrincipalKind.AGENT) != (asked.operator is not None):
        raise Unprocessable(
            "an agent needs --operator, the person it works for; nobody else has one"
        )
    people_only = {Action.REVIEW, Action.OWN} & set(asked.actions)
    if asked.kind != PrincipalKind.HUMAN and people_only:
        raise Unprocessable(f"only people may have the action '{min(people_only)}'")
    if asked.expires_in is not None and not 1 <= asked.expires_in <= limits.KEY_DAYS:
        raise Unprocessable(f"--expires-in is 1 to {limits.KEY_DAYS} days, not {asked.expires_in}")


def _new_key(**said: Any) -> tuple[str, ApiKey]:
    key_id = "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))
    secret = "".join(secrets.choice(ALPHABET) for _ in range(SECRET_LENGTH))
    return compose(key_id, secret), ApiKey(key_id=key_id, **said)


def _shown(key: ApiKey) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "tenant": key.tenant,
        "key_id": key.key_id,
        "principal": key.principal,
        "kind": str(key.kind),
        "operator": key.operator,
        "projects": list(key.projects),
        "actions": sorted(key.actions),
        "created_at": rfc3339(key.created_at),
        "expires_at": key.expires_at and rfc3339(key.expires_at),
        "revoked_at": key.revoked_at and rfc3339(key.revoked_at),
    }
    return {name: value for name, value in shown.items() if value is not None}


def _tell(asked: Asked, answer: dict[str, Any]) -> None:
    if asked.json:
        print(json.dumps(answer))
        return
    width = max(map(len, answer))
    for name, value in answer.items():
        print(f"{name:{width}}  {_worded(value)}")


def _worded(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)
