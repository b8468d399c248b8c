"""Use case: read one revision, byte for byte as it was, for ever (row M-53)."""

from __future__ import annotations

from muniment.domain.caller import Asked
from muniment.domain.errors import NotFound
from muniment.domain.fact import Revision
from muniment.verbs.changing import known_form, visible
from muniment.verbs.ports import Facts


def get_revision(facts: Facts, asked: Asked, fact_id: str, number: int) -> Revision:
    """Return revision `number`. Raises NotFound for facts and revisions alike."""
    try:
        then, now = facts.then_and_now(asked.caller.tenant, known_form(fact_id, asked), number)
    except NotFound:
        return visible(None, asked).newest
    visible(now, asked)  # forgotten since means gone
    return then.newest
