"""What the authorizer answers API Gateway.

    no key ──────────────► raises Unauthorized ► 401
    not a key of ours, expired, revoked ► Deny ► 403
    live key ► Allow the whole stage, with the caller as flat strings:
               subscription   active, grace, closed
               projects       the chosen one if it is open, else none; all of the key's if none is
                              chosen yet
               actions        those of the key that the person's role there has, too

A project is chosen by the path, by ?project= or by a key that opens only one. It is open if the key
names it, it exists, and the key's person has a role in it; otherwise it is as if it were not there.

The policy covers the stage, not one route: each verb checks what it needs of this. There is no
cache: a revoked key, a removed member, a deleted project are gone at the next request
(docs/decisions/0001).
"""

from __future__ import annotations

from typing import Any, Protocol

from muniment.domain.caller import EVERYWHERE, Action
from muniment.domain.keys import ApiKey, KeyStanding, fingerprint, is_well_formed
from muniment.domain.membership import NOTHING
from muniment.domain.projects import SLUG
from muniment.domain.subscription import subscription


class Keys(Protocol):
    def find(self, sha256: str) -> ApiKey | None:
        """Return the key stored under that hash."""

    def standing(self, key: ApiKey, project: str | None) -> KeyStanding | None:
        """Return it in one strongly consistent BatchGet; None where there is no such tenant."""


QUERY = "queryStringParameters"
NO_PROJECT = "-"  # what no project can be called


class Unauthorized(Exception):
    """API Gateway answers 401 to exactly this message, and 500 to any other."""

    def __init__(self) -> None:
        super().__init__("Unauthorized")


def policy(event: dict[str, Any], keys: Keys, now: int) -> dict[str, Any]:
    """Return the policy for a request event. Raises Unauthorized without a key."""
    text = _key_text(event.get("headers") or {})
    if text is None:
        raise Unauthorized
    key = keys.find(fingerprint(text)) if is_well_formed(text) else None
    stage = "/".join(event["methodArn"].split("/")[:2]) + "/*"
    chosen = _chosen(event, key) if key and key.is_live(now) else None
    standing = keys.standing(key, chosen) if key and key.is_live(now) else None
    if key is None or standing is None:
        return _policy("Deny", "nobody", stage)
    context = _context(key, standing, chosen, now)
    allowed = {**_policy("Allow", key.principal, stage), "context": context}
    usage_key = standing.usage_key
    return {**allowed, "usageIdentifierKey": usage_key} if usage_key else allowed


def _chosen(event: dict[str, Any], key: ApiKey) -> str | None:
    """Return the project this request is about, if it says so; the path says it loudest."""
    named = [(event.get(at) or {}).get("project") for at in ("pathParameters", QUERY)]
    said = next((project for project in named if project is not None), None)
    if said is None:
        alone = len(key.projects) == 1 and EVERYWHERE not in key.projects
        return key.projects[0] if alone else None
    return said if SLUG.fullmatch(said) else NO_PROJECT


def _opened(
    key: ApiKey, standing: KeyStanding, chosen: str | None, now: int
) -> tuple[tuple[str, ...], frozenset[Action]]:
    """Return the projects that this request may choose, and what it may do there."""
    if chosen is None:
        if EVERYWHERE not in key.projects or key.person is None:
            return key.projects, key.actions
        everywhere = standing.member.actions_in(EVERYWHERE, now) if standing.member else NOTHING
        return key.projects, key.actions & everywhere
    if not standing.exists or not {chosen, EVERYWHERE} & set(key.projects):
        return (), key.actions
    if key.person is None:
        return (chosen,), key.actions
    role = standing.member.role_in(chosen, now) if standing.member else None
    return ((chosen,), key.actions & role.actions) if role else ((), key.actions)


def _key_text(headers: dict[str, str]) -> str | None:
    """Return the key of either header; some MCP clients can send only `Authorization`."""
    sent = {name.lower(): value.strip() for name, value in headers.items()}
    scheme, _, bearer = sent.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and bearer.strip():
        return bearer.strip()
    return sent.get("x-api-key") or None


def _context(key: ApiKey, standing: KeyStanding, chosen: str | None, now: int) -> dict[str, str]:
    """Return the caller; API Gateway passes flat strings only."""
    projects, actions = _opened(key, standing, chosen, now)
    return {
        "tenant": key.tenant,
        "principal": key.principal,
        "kind": key.kind,
        "operator": key.operator or "",
        "projects": ",".join(projects),
        "actions": ",".join(sorted(actions)),
        "subscription": subscription(standing.paid_until, now),
        "key_id": key.key_id,
        "key_ends": "" if key.expires_at is None else str(key.expires_at),
        "plan": standing.plan,
    }


def _policy(effect: str, principal: str, resource: str) -> dict[str, Any]:
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": resource}
    document = {"Version": "2012-10-17", "Statement": [statement]}
    return {"principalId": principal, "policyDocument": document}
