"""The authorizer function on the real table: keys as the operator made them."""

from __future__ import annotations

from typing import Any

import pytest

from functions.auth.authorize import handler
from muniment import bootstrap
from muniment.domain.caller import Action, PrincipalKind
from muniment.domain.keys import ApiKey, compose, fingerprint
from muniment.domain.moments import DAY
from tests.builders import CONTEXT, NOW
from tests.functional.conftest import Service

ARN = "arn:aws:execute-api:eu-central-1:1:api1/live/GET/api/v1/project-memory/facts"


def decided(**headers: str) -> dict[str, Any]:
    event = {"type": "REQUEST", "methodArn": ARN, "headers": headers}
    answer: dict[str, Any] = handler(event, CONTEXT)
    return answer


def authorized(text: str) -> Any:
    """Return the caller that the function vouches for; None where it denies."""
    answer = decided(Authorization=f"Bearer {text}")
    allowed = answer["policyDocument"]["Statement"][0]["Effect"] == "Allow"
    return answer["context"] if allowed else None


def a_key(service: Service, **changes: Any) -> str:
    text = compose("k" * 10, "S" * 32)
    said = {
        "key_id": "k" * 10,
        "tenant": "acme",
        "principal": "olga",
        "kind": PrincipalKind.HUMAN,
        "operator": None,
        "projects": ("backend", "web"),
        "actions": frozenset({Action.READ}),
        "created_at": NOW,
        "expires_at": NOW + DAY,
    }
    bootstrap.tenants().enrol(ApiKey(**(said | changes)), fingerprint(text))
    return text


def test_given_a_stored_key_when_asked_then_its_caller_can_call_a_verb(service: Service):
    caller = authorized(a_key(service))
    assert caller["projects"] == "backend,web"
    assert caller["operator"] == ""
    reply = service.list(caller=caller, projects=caller["projects"], project="web")
    assert reply.status == 200
    assert service.remember("x", caller=caller).status == 403


def test_given_a_stored_key_when_it_expires_or_is_revoked_then_it_is_denied_at_once(
    service: Service,
):
    text = a_key(service)
    assert authorized(text)
    service.now += DAY
    assert authorized(text) is None
    service.now -= 1
    assert authorized(text)
    bootstrap.tenants().revoke("acme", "k" * 10, service.now)
    assert authorized(text) is None


def test_given_no_key_when_asked_then_the_gateway_answers_401(service: Service):
    with pytest.raises(Exception, match=r"^Unauthorized$"):
        decided()


def test_given_an_unknown_or_mistyped_key_when_asked_then_it_is_denied(service: Service):
    a_key(service)
    assert authorized(compose("k" * 10, "T" * 32)) is None
    reads: list[Any] = []
    service.patch.setattr(service.client, "get_item", lambda **ask: reads.append(ask))
    assert authorized(compose("k" * 10, "S" * 32)[:-1] + "!") is None
    assert reads == []
