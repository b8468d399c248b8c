"""Use case: keep this text. Only `content` is needed; the server fills in the rest (row W-13)."""

from __future__ import annotations

from muniment.domain.caller import Asked
from muniment.domain.intake import Birth, Idempotency, Written
from muniment.verbs.drafts import Writing
from muniment.verbs.fields import LongContent
from muniment.verbs.neighbours import Neighbours
from muniment.verbs.ports import Facts
from muniment.verbs.record_fact import intake_of, store


class Remember(Writing):
    """Body of POST /remember."""

    content: LongContent


def remember(
    facts: Facts,
    neighbours: Neighbours,
    asked: Asked,
    ask: Remember,
    birth: Birth,
    idempotency: Idempotency | None,
) -> Written:
    """Store the text as a fact. Refusals as record_fact, without the five fields (row D-14)."""
    return store(facts, asked, intake_of(neighbours, ask, ask.content, asked, birth, idempotency))
