"""A key becomes a policy, or the request ends here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from muniment.api.authorizer import Unauthorized, policy
from muniment.domain.caller import Action, PrincipalKind
from muniment.domain.keys import ApiKey, KeyStanding, compose, fingerprint
from muniment.domain.membership import Member, Membership, Role
from tests.builders import NOW

ARN = "arn:aws:execute-api:eu-central-1:123456789012:api1/live/POST/api/v1/project-memory/facts"
TEXT = compose("k" * 10, "S" * 32)
KEY = ApiKey(
    key_id="k" * 10,
    tenant="acme",
    principal="coder",
    kind=PrincipalKind.AGENT,
    operator="olga",
    projects=("backend", "web"),
    actions=frozenset({Action.WRITE, Action.READ}),
    created_at=NOW,
)
OLGA = Member("olga", roles={"backend": Membership(Role.OWNER), "web": Membership(Role.READER)})


class KeysInMemory:
    """The port `Keys`; `asked` is what was looked up, `standing_of` what the table says."""

    def __init__(self, key: ApiKey = KEY, **standing: Any) -> None:
        self.key = key
        self.asked: list[str] = []
        self.chosen: list[str | None] = []
        ordinary = {"plan": "trial", "usage_key": "u-1", "paid_until": None, "exists": True}
        self.known = ordinary | {"member": OLGA} | standing

    def find(self, sha256: str) -> ApiKey | None:
        self.asked.append(sha256)
        return self.key if sha256 == fingerprint(TEXT) else None

    def standing(self, key: ApiKey, project: str | None) -> KeyStanding | None:
        self.chosen.append(project)
        return KeyStanding(**self.known) if self.known["plan"] is not None else None


def decided(headers: dict[str, str] | None, keys: KeysInMemory | None = None) -> dict[str, Any]:
    return policy({"methodArn": ARN, "headers": headers}, keys or KeysInMemory(), NOW)


def effect(answer: dict[str, Any]) -> str:
    (statement,) = answer["policyDocument"]["Statement"]
    assert statement["Action"] == "execute-api:Invoke"
    assert statement["Resource"] == "arn:aws:execute-api:eu-central-1:123456789012:api1/live/*"
    return str(statement["Effect"])


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": f"Bearer {TEXT}"},
        {"authorization": f"bearer {TEXT}"},
        {"AUTHORIZATION": f"BEARER  {TEXT} "},
        {"X-Api-Key": TEXT},
        {"x-api-key": f" {TEXT} "},
        {"Authorization": "Basic b2xnYTpw", "X-Api-Key": TEXT},
    ],
)
def test_given_a_live_key_in_either_header_when_asked_then_the_whole_stage_is_open(headers):
    answer = decided(headers)
    assert effect(answer) == "Allow"
    assert answer["principalId"] == "coder"


def test_given_a_live_key_when_asked_then_the_context_is_flat_text_without_the_secret():
    context = decided({"X-Api-Key": TEXT})["context"]
    assert context == {
        "tenant": "acme",
        "principal": "coder",
        "kind": "agent",
        "operator": "olga",
        "projects": "backend,web",
        "actions": "read,write",
        "subscription": "active",
        "key_id": "k" * 10,
        "key_ends": "",
        "plan": "trial",
    }
    assert all(isinstance(value, str) for value in context.values())


@pytest.mark.parametrize(
    "headers",
    [
        None,
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer  "},
        {"Authorization": "Basic b2xnYTpw"},
        {"X-Api-Key": ""},
        {"X-Api-Key": "  "},
        {"Cookie": TEXT},
    ],
)
def test_given_no_key_when_asked_then_it_raises_the_word_that_gateways_answer_401_to(headers):
    keys = KeysInMemory()
    with pytest.raises(Unauthorized) as raised:
        decided(headers, keys)
    assert str(raised.value) == "Unauthorized"
    assert keys.asked == []


@pytest.mark.parametrize(
    "text", [TEXT[:-1] + "x", TEXT[:-1], TEXT.upper(), "mun_short", "ключ", "x" * 5_000]
)
def test_given_a_mistyped_key_when_asked_then_it_is_denied_without_a_read(text: str):
    keys = KeysInMemory()
    answer = decided({"X-Api-Key": text}, keys)
    assert effect(answer) == "Deny"
    assert "context" not in answer
    assert keys.asked == []


@pytest.mark.parametrize("change", [{"expires_at": NOW}, {"revoked_at": NOW}, {"revoked_at": 0}])
def test_given_an_expired_or_revoked_key_when_asked_then_it_is_denied(change: dict[str, int]):
    assert effect(decided({"X-Api-Key": TEXT}, KeysInMemory(replace(KEY, **change)))) == "Deny"


def test_given_a_well_formed_key_of_nobody_when_asked_then_it_is_denied_after_one_read():
    keys = KeysInMemory()
    unknown = compose("k" * 10, "T" * 32)
    assert effect(decided({"X-Api-Key": unknown}, keys)) == "Deny"
    assert keys.asked == [fingerprint(unknown)]


def test_given_a_key_that_expires_when_asked_before_then_it_is_open():
    keys = KeysInMemory(replace(KEY, expires_at=NOW + 1))
    assert effect(decided({"X-Api-Key": TEXT}, keys)) == "Allow"
