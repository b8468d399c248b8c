"""`muniment tenant create|set|show` and `muniment project create|set|top-up`."""

from __future__ import annotations

import argparse
from typing import Any

from muniment import bootstrap, cli_budget
from muniment.cli_keys import new_key
from muniment.cli_shown import check_name, distinct, said, shown, tell
from muniment.domain.budget import Profile
from muniment.domain.caller import EVERYWHERE, Action, PrincipalKind
from muniment.domain.errors import NotFound, Unprocessable
from muniment.domain.keys import fingerprint
from muniment.domain.membership import Member, Membership, Role
from muniment.domain.moments import parse
from muniment.domain.plans import PROJECTS, Plan
from muniment.domain.projects import PRINCIPAL, SLUG, check_project_id
from muniment.domain.subscription import told

Asked = argparse.Namespace
SETTINGS = ("solo_publish", "repo_revise", "repo_strict", "publish_on_corroboration")
NEVER = "never"


def add_parser(commands: Any) -> None:
    """Add the commands to argparse's subparsers."""
    tenant = commands.add_parser("tenant", help="customer accounts").add_subparsers(required=True)
    create = tenant.add_parser("create", help="make a tenant, its projects and its first key")
    create.add_argument("tenant")
    create.add_argument("--person", default="owner", help="the first person (default: owner)")
    _projects(create)
    said(create, create_tenant)
    chosen = tenant.add_parser("set", help="what a tenant pays for, and until when")
    chosen.add_argument("tenant")
    chosen.add_argument("--plan", choices=list(Plan))
    chosen.add_argument("--paid-until", metavar="TIME", help=f"2027-01-01T00:00:00Z, or {NEVER}")
    said(chosen, set_tenant)
    shown_ = tenant.add_parser("show", help="plan and state of a tenant's subscription")
    shown_.add_argument("tenant")
    said(shown_, show_tenant)

    project = commands.add_parser("project", help="projects").add_subparsers(required=True)
    added = project.add_parser("create", help="make a project of a tenant")
    added.add_argument("--tenant", required=True)
    _projects(added)
    said(added, create_project)
    setting = project.add_parser("set", help="choose settings of a project")
    setting.add_argument("project")
    setting.add_argument("--tenant", required=True)
    for name in SETTINGS:
        setting.add_argument(f"--{name.replace('_', '-')}", choices=["on", "off"])
    setting.add_argument("--secret-policy", choices=["by_verb", "reject"])
    said(setting, set_project)
    cli_budget.add_parser(project)


def _projects(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", action="append", required=True, dest="projects")
    parser.add_argument("--profile", choices=list(Profile), default=Profile.STANDARD)


def create_tenant(asked: Asked) -> int:
    """Make it all: the person is an owner of every project, the key opens the named ones."""
    check_name("tenant", SLUG, asked.tenant)
    check_name("person", PRINCIPAL, asked.person)
    projects = _checked_projects(asked.projects)
    now, tenants = bootstrap.now(), bootstrap.tenants()
    plan = Plan(asked.profile)
    if len(projects) > PROJECTS[plan]:
        raise Unprocessable(f"the plan '{plan}' has {PROJECTS[plan]} projects, not {len(projects)}")
    tenants.create_tenant(asked.tenant, now, plan, _enrolled(asked.tenant, plan))
    for project in projects:
        tenants.create_project(asked.tenant, project, Profile(asked.profile), now)
    text, key = new_key(
        tenant=asked.tenant,
        principal=asked.person,
        kind=PrincipalKind.HUMAN,
        operator=None,
        projects=projects,
        actions=frozenset(Action),
        created_at=now,
    )
    owner = Membership(Role.OWNER, None, key.made_by, now)
    tenants.keep(asked.tenant, Member(asked.person).with_role(EVERYWHERE, owner))
    tenants.enrol(key, fingerprint(text))
    tell(asked, shown(key) | {"project": projects[0], "key": text})
    return 0


def set_tenant(asked: Asked) -> int:
    """Move a tenant into another plan, or say until when it has paid."""
    chosen: dict[str, Any] = {}
    tenants = bootstrap.tenants()
    tenants.plan(asked.tenant)  # NotFound before anything is enrolled
    if asked.plan:
        plan = Plan(asked.plan)
        chosen |= {"plan": str(plan), "usage_key": _enrolled(asked.tenant, plan)}
    if asked.paid_until:
        chosen["paid_until"] = None if asked.paid_until == NEVER else _moment(asked.paid_until)
    if not chosen:
        raise Unprocessable("name what to set: --plan or --paid-until")
    tenants.set_tenant(asked.tenant, **chosen)
    return show_tenant(asked)


def show_tenant(asked: Asked) -> int:
    tenants = bootstrap.tenants()
    state = told(tenants.paid_until(asked.tenant), bootstrap.now())
    names = [project.project for project in tenants.projects(asked.tenant)]
    plan = str(tenants.plan(asked.tenant))
    tell(asked, {"tenant": asked.tenant, "plan": plan, **state, "projects": names})
    return 0


def create_project(asked: Asked) -> int:
    projects, tenants = _checked_projects(asked.projects), bootstrap.tenants()
    if not tenants.has_tenant(asked.tenant):
        raise NotFound(f"no such tenant {asked.tenant}")
    for project in projects:
        tenants.create_project(asked.tenant, project, Profile(asked.profile), bootstrap.now())
    tell(asked, {"tenant": asked.tenant, "projects": list(projects)})
    return 0


def set_project(asked: Asked) -> int:
    chosen: dict[str, bool | str] = {
        name: getattr(asked, name) == "on" for name in SETTINGS if getattr(asked, name)
    }
    if asked.secret_policy:
        chosen["secret_policy"] = asked.secret_policy
    if not chosen:
        raise Unprocessable(f"name a setting: {', '.join(SETTINGS)}, secret_policy")
    bootstrap.tenants().set_project(asked.tenant, asked.project, chosen)
    tell(asked, {"tenant": asked.tenant, "project": asked.project, **chosen})
    return 0


def _enrolled(tenant: str, plan: Plan) -> str | None:
    """Return the tenant's usage key in that plan; None where no usage plans are deployed."""
    plans = bootstrap.usage_plans()
    return plans.enroll(tenant, plan) if plans else None


def _moment(text: str) -> int:
    try:
        return parse(text)
    except ValueError as error:
        raise Unprocessable(f"--paid-until {text}: {error}", field="paid_until") from None


def _checked_projects(projects: list[str]) -> tuple[str, ...]:
    """Return the names of new projects, each once."""
    for project in projects:
        check_project_id(project)
    return distinct(projects)
