"""Read your writes: a write hands out a token, a read that shows it sees at least that write."""

from __future__ import annotations

from muniment.domain.errors import Malformed
from muniment.domain.fact import Head
from muniment.domain.sealed import seal, unseal

PURPOSE = "consistency"


def token_of(secret: str, head: Head) -> str:
    """Return the token of the revision that `head` shows."""
    place = head.cell.place
    return seal(secret, PURPOSE, [place.tenant, place.project, head.fact_id, head.newest.number])


def fact_ids(secret: str, tenant: str, project: str, token: str | None) -> list[str]:
    """Return the fact ids the token speaks of. Raises Malformed for a foreign or changed one."""
    if token is None:
        return []
    try:
        its_tenant, its_project, fact_id, _ = unseal(secret, PURPOSE, token)
    except ValueError:
        its_tenant = its_project = fact_id = None
    if (its_tenant, its_project) != (tenant, project) or not isinstance(fact_id, str):
        raise Malformed(
            "this consistency token was not handed out for this project",
            field="body.consistency_token",
            hint="send the token of a write to the same project, unchanged",
        )
    return [fact_id]
