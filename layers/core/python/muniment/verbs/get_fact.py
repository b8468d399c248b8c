"""Use case: show one fact whole, with every revision and the links around it (rows M-37, M-38)."""

from __future__ import annotations

from muniment.domain.caller import Asked
from muniment.domain.errors import NotFound
from muniment.domain.listing import History
from muniment.domain.place import PUBLIC
from muniment.verbs.ports import Facts


def get_fact(facts: Facts, asked: Asked, fact_id: str) -> History:
    """Return head, revisions and links.

    Raises NotFound in the same words for an id that never was, another project's and another
    person's (row I-12, case D06).
    """
    history = facts.history(asked.caller.tenant, fact_id)
    if history is None:
        raise NotFound(f"no such fact in project {asked.project}")
    place = history.head.cell.place
    if place.project != asked.project or place.owner not in (PUBLIC, asked.caller.person):
        raise NotFound(f"no such fact in project {asked.project}")
    return history
