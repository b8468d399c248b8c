"""Use case: keep this text. Only `content` is needed; the server fills in the rest (row W-13)."""

from __future__ import annotations

from typing import Any

from muniment.domain.caller import Asked
from muniment.domain.guard.screen import SecretPolicy
from muniment.domain.intake import Birth, Idempotency, Written
from muniment.verbs.drafts import Writing
from muniment.verbs.fields import LongContent
from muniment.verbs.neighbours import Neighbours
from muniment.verbs.ports import Budgets, Facts
from muniment.verbs.record_fact import intake_of, store


class Remember(Writing):
    """Body of POST /remember."""

    content: LongContent

    @classmethod
    def secret_policy_of(cls, sent: dict[str, Any]) -> SecretPolicy:
        """Placeholders replace secrets, unless the caller asks for the repo layer or for more.

        The repo layer never takes a placeholder either (row C-87); a quick note that lands
        there because no layer was named keeps the promise of this verb (row W-43).
        """
        strict = sent.get("layer") == "repo" or sent.get("secret_policy") == SecretPolicy.REJECT
        return SecretPolicy.REJECT if strict else SecretPolicy.REDACT


def remember(
    facts: Facts,
    budgets: Budgets,
    neighbours: Neighbours,
    asked: Asked,
    ask: Remember,
    birth: Birth,
    idempotency: Idempotency | None,
) -> Written:
    """Store the text as a fact. Refusals as record_fact, without the five fields (row D-14)."""
    intake = intake_of(neighbours, ask, ask.content, asked, birth, idempotency)
    return store(facts, budgets, asked, intake)
