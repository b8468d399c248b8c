"""Which facts are worth comparing with a new one: the index proposes a few, by words alone."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.domain.errors import IndexUnavailable
from muniment.domain.fact import Head
from muniment.domain.place import Coordinates, Layer, Scope
from muniment.domain.search import Question
from muniment.verbs.ports import SearchIndex

CANDIDATES = 3  # heads read beside a write: it must stay as cheap as it is


@dataclass(frozen=True, slots=True)
class Neighbours:
    index: SearchIndex

    def of(self, head: Head) -> tuple[str, ...] | None:
        """Return ids of facts that may say nearly the same; None while the index is away."""
        text = " ".join((_subject(head), head.newest.content.statement))
        question = Question(text=text, now=head.newest.recorded_at)
        try:
            proposal = self.index.propose(_scope(head), question, None)
        except IndexUnavailable:
            return None
        hits = proposal.lists.get("words", ())
        return tuple(hit.fact_id for hit in hits[:CANDIDATES])


def _subject(head: Head) -> str:
    subject = head.newest.content.subject
    return subject.id if subject else ""


def _scope(head: Head) -> Scope:
    """Return the scope of readers who stand where the fact is true."""
    place, layer, thread = head.cell.place, head.cell.layer, head.cell.thread
    here = Coordinates(
        place.valid_at.workplace,
        place.valid_at.machine,
        session=thread if layer is Layer.SESSION else None,
        task=thread if layer is Layer.TASK else None,
    )
    return Scope(place.tenant, place.project, place.workspace, (place.owner,), here)
