"""Use case: how did it come to this? Every step of every fact about a subject, in order.

Publications, disputes and retractions stand beside what was recorded, each with who, when, why
(rows M-18, M-48; the third of the four tools, M-98).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from muniment.domain import limits
from muniment.domain.caller import Action, Asked
from muniment.domain.fact import State, Subject
from muniment.domain.listing import About, Event, EventPage
from muniment.domain.place import EVERYWHERE, PUBLIC, Place
from muniment.verbs.cursors import opened, sealed
from muniment.verbs.fields import Label, Moment, Where
from muniment.verbs.ports import Facts


class ReadTimeline(Where):
    """Query of GET /timeline. `as_of` shows what had happened by then, that moment included."""

    subject_type: Label
    subject_id: Label
    audience: Literal["public", "private"] = "public"
    as_of: Moment | None = None
    limit: Annotated[int, Field(ge=1, le=limits.PAGE)] = limits.PAGE_DEFAULT
    cursor: Annotated[str, Field(max_length=1_000)] | None = None


def read_timeline(facts: Facts, asked: Asked, ask: ReadTimeline, secret: str) -> EventPage:
    """Return one page of events, oldest first."""
    owner = asked.caller.owner("query.audience") if ask.audience == "private" else PUBLIC
    place = Place(asked.caller.tenant, asked.project, asked.workspace, owner, EVERYWHERE)
    until = asked.now if ask.as_of is None else ask.as_of
    about = About(place, Subject(ask.subject_type, ask.subject_id), until)
    query = {
        "verb": "timeline",
        "in": [place.tenant, place.project, place.key],
        "about": [ask.subject_type, ask.subject_id],
        "as_of": ask.as_of,
    }
    after = opened(secret, query, ask.cursor)
    events: list[Event] = []
    while True:
        page = facts.timeline(about, after, ask.limit - len(events))
        events += _told(facts, asked, page.events)
        after = page.next
        if after is None or len(events) >= ask.limit:
            return EventPage(tuple(events), sealed(secret, query, after))


def _told(facts: Facts, asked: Asked, events: Sequence[Event]) -> list[Event]:
    """Return the events without those of forgotten facts, whose trail only an owner reads."""
    if not events or Action.OWN in asked.caller.actions:
        return list(events)
    heads = facts.heads(asked.caller.tenant, sorted({event.fact_id for event in events}))
    gone = {i for i, head in heads.items() if head.newest.state is State.FORGOTTEN}
    return [event for event in events if event.fact_id not in gone]
