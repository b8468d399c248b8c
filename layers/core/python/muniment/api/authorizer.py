"""What the authorizer answers API Gateway.

    no key ──────────────► raises Unauthorized ► 401
    not a key of ours, expired, revoked ► Deny ► 403
    live key ► Allow the whole stage, with the caller as flat strings

The policy covers the stage, not one route: what a key may do is checked by each verb. There is no
cache, so a revoked key is closed at its next request (docs/decisions/0001).
"""

from __future__ import annotations

from typing import Any, Protocol

from muniment.domain.keys import ApiKey, fingerprint, is_well_formed


class Keys(Protocol):
    def find(self, sha256: str) -> ApiKey | None:
        """Return the key stored under that hash."""

    def plan_of(self, tenant: str) -> tuple[str, str]:
        """Return the tenant's plan of calls and its usage key, empty where it has none."""


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
    if key is None or not key.is_live(now):
        return _policy("Deny", "nobody", stage)
    plan, usage_key = keys.plan_of(key.tenant)
    allowed = {**_policy("Allow", key.principal, stage), "context": _context(key, plan)}
    return {**allowed, "usageIdentifierKey": usage_key} if usage_key else allowed


def _key_text(headers: dict[str, str]) -> str | None:
    """Return the key of either header; some MCP clients can send only `Authorization`."""
    sent = {name.lower(): value.strip() for name, value in headers.items()}
    scheme, _, bearer = sent.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and bearer.strip():
        return bearer.strip()
    return sent.get("x-api-key") or None


def _context(key: ApiKey, plan: str) -> dict[str, str]:
    """Return the caller; API Gateway passes flat strings only."""
    return {
        "tenant": key.tenant,
        "principal": key.principal,
        "kind": key.kind,
        "operator": key.operator or "",
        "projects": ",".join(key.projects),
        "actions": ",".join(sorted(key.actions)),
        "key_id": key.key_id,
        "plan": plan,
    }


def _policy(effect: str, principal: str, resource: str) -> dict[str, Any]:
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": resource}
    document = {"Version": "2012-10-17", "Statement": [statement]}
    return {"principalId": principal, "policyDocument": document}
