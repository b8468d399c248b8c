"""The whole way of a request: real key ──► authorizer ──► handler, as API Gateway would lead it."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from typing import Any

from functions.auth.authorize import handler as authorize
from muniment import bootstrap
from muniment.cli_keys import new_key
from muniment.domain.budget import Profile
from muniment.domain.caller import EVERYWHERE, Action, PrincipalKind
from muniment.domain.keys import fingerprint
from muniment.domain.membership import Member, Membership, Role
from tests.builders import CONTEXT, an_event
from tests.functional.conftest import Reply, Service
from tests.template import TEMPLATE, handler_file

BASE = "/api/v1/project-memory"
ALL = ",".join(Action)


@dataclass
class Door:
    """`keys` holds the text of each key by a name of our own."""

    service: Service
    keys: dict[str, str]
    tenant: str = "acme"

    def ask(
        self,
        who: str,
        method: str,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        **query: str,
    ) -> Reply:
        """Send a request with the key called `who`; `who` may also be the text of a key."""
        context = self.passed(who, method, path, query)
        if context is None:
            return Reply(403, {"code": "access_denied"}, {}, "")
        event = an_event(method, path, body, query=query, headers=headers or {})
        event["requestContext"]["authorizer"] = context
        route = _route(method, path)
        module = ".".join(handler_file(route.function).with_suffix("").parts)
        answer = importlib.import_module(module).handler(event, CONTEXT)
        headers = {name: values[0] for name, values in answer["multiValueHeaders"].items()}
        return Reply(answer["statusCode"], json.loads(answer["body"]), headers, answer["body"])

    def passed(self, who: str, method: str, path: str, query: dict[str, str]) -> Any:
        """Return what the authorizer tells of the caller; None where it denies."""
        found = _route(method, path).pattern.fullmatch(BASE + path)
        event = {
            "methodArn": f"arn:aws:execute-api:eu-central-1:1:api1/live/{method}{BASE}{path}",
            "headers": {"Authorization": f"Bearer {self.keys.get(who, who)}"},
            "queryStringParameters": query or None,
            "pathParameters": (found.groupdict() if found else None) or None,
        }
        answer = authorize(event, CONTEXT)
        allowed = answer["policyDocument"]["Statement"][0]["Effect"] == "Allow"
        return answer["context"] if allowed else None

    def give(self, name: str, projects: str, actions: str = ALL, **said: Any) -> str:
        """Let the operator make a key without touching anybody's roles. Return its id.

        Said: principal (default: `name`), kind, operator, expires_at.
        """
        kind = PrincipalKind(said.pop("kind", PrincipalKind.HUMAN))
        text, key = new_key(
            tenant=self.tenant,
            principal=said.pop("principal", name),
            kind=kind,
            operator=said.pop("operator", None),
            projects=tuple(projects.split(",")),
            actions=frozenset(Action(action) for action in actions.split(",")),
            created_at=self.service.now,
            **said,
        )
        bootstrap.tenants().add_key(key, fingerprint(text))
        self.keys[name] = text
        return key.key_id

    def role(self, principal: str, project: str, role: str, until: int | None = None) -> None:
        """Let the operator give a role."""
        tenants = bootstrap.tenants()
        person = tenants.member(self.tenant, principal) or Member(principal)
        granted = Membership(Role(role), until, "operator", self.service.now)
        tenants.keep(self.tenant, person.with_role(project, granted))

    def make(self, who: str, **body: Any) -> Reply:
        """Ask for a key; remember its text under the name of its principal."""
        reply = self.ask(who, "POST", "/keys", body)
        if reply.status == 201:
            self.keys[body["principal"]] = reply.body["key"]
        return reply


def _route(method: str, path: str) -> Any:
    fitting = [
        r for r in TEMPLATE.routes if r.method == method and r.pattern.fullmatch(BASE + path)
    ]
    return min(fitting, key=lambda route: route.path.count("{"))


def a_door(service: Service, tenant: str = "acme") -> Door:
    """Return a tenant with people in every role of project backend, and an owner of all.

    root (*, owner) · olga (owner) · vera (reviewer) · mark (member) · rita (reader) · ida (none)
    """
    door = Door(service, {}, tenant)
    for principal, project, role in (
        ("root", EVERYWHERE, "owner"),
        ("olga", "backend", "owner"),
        ("vera", "backend", "reviewer"),
        ("mark", "backend", "member"),
        ("rita", "backend", "reader"),
    ):
        door.role(principal, project, role)
        door.give(principal, project)
    bootstrap.tenants().keep(tenant, Member("ida"))
    door.give("ida", "backend")
    return door


def a_project(tenant: str, project: str, now: int) -> None:
    bootstrap.tenants().create_project(tenant, project, Profile.TRIAL, now)
