"""Who asks, as the authorizer vouched for them, and what stands in the headers."""

from __future__ import annotations

from typing import Any

from muniment.domain import limits
from muniment.domain.caller import Action, Caller, PrincipalKind
from muniment.domain.errors import Malformed, Unprocessable
from muniment.domain.guard.screen import screen
from muniment.domain.subscription import Subscription

Event = dict[str, Any]


def caller_of(event: Event) -> Caller:
    """Return the caller that the authorizer vouched for; nothing of it is from the request."""
    said = event["requestContext"]["authorizer"]
    return Caller(
        tenant=said["tenant"],
        principal=said["principal"],
        kind=PrincipalKind(said["kind"]),
        operator=said.get("operator") or None,
        projects=tuple(name for name in said["projects"].split(",") if name),
        actions=frozenset(Action(action) for action in said["actions"].split(",") if action),
        key_id=said.get("key_id") or "",
        key_ends=int(said["key_ends"]) if said.get("key_ends") else None,
    )


def subscription_of(event: Event) -> Subscription:
    """Return the state of the tenant's subscription at this request."""
    return Subscription(event["requestContext"]["authorizer"]["subscription"])


def _headers(event: Event) -> dict[str, str]:
    return {name.lower(): value for name, value in (event.get("headers") or {}).items()}


def if_match(event: Event) -> int | None:
    """Return the revision of the header If-Match, as an ETag has it: 3 or "3"."""
    sent = _headers(event).get("if-match")
    if sent is None:
        return None
    number = sent.strip().strip('"')
    if not number.isascii() or not number.isdigit():
        raise Malformed(
            "If-Match must be the number of a revision",
            field="header.If-Match",
            limit="a whole number",
            actual=sent if len(sent) <= limits.TOLD else f"{len(sent)} characters",
        )
    return int(number)


def idempotency_key(event: Event) -> str | None:
    headers = _headers(event)
    key: str | None = headers.get("x-idempotency-key") or headers.get("idempotency-key")
    if key is not None and len(key) > limits.IDEMPOTENCY_KEY:
        raise Unprocessable(
            f"the idempotency key has {len(key)} characters",
            field="header.X-Idempotency-Key",
            limit=limits.IDEMPOTENCY_KEY,
            actual=len(key),
        )
    screen(key, "header.X-Idempotency-Key")
    return key
