"""Where a fact lives, and what a reader may see of it.

    place = tenant + project + workspace + audience + valid_at      facts can contradict here
    cell  = place + layer (+ session or task id)                    facts are listed here
    scope = every cell that one reader may see                      nothing is read without it

A cell's key is a pure function of its parts (row N-30): the parts are checked against
charsets without "#", so two different cells never share a key (case D08).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum

PUBLIC = (
    ""  # the owner of public facts: nobody, because everybody with the project's key reads them
)


class Layer(StrEnum):
    SESSION = "session"
    TASK = "task"
    OBJECTIVE = "objective"
    REPO = "repo"


THREADED = (Layer.TASK, Layer.SESSION)  # layers whose facts belong to one task or session


@dataclass(frozen=True, slots=True)
class ValidAt:
    """Where a fact is true. Both absent: everywhere; never both (row N-10)."""

    workplace: str | None = None
    machine: str | None = None

    def __str__(self) -> str:
        if self.workplace:
            return f"workplace:{self.workplace}"
        return f"machine:{self.machine}" if self.machine else ""


EVERYWHERE = ValidAt()


@dataclass(frozen=True, slots=True)
class Place:
    """`owner` is the person a private fact belongs to, or PUBLIC."""

    tenant: str
    project: str
    workspace: str
    owner: str
    valid_at: ValidAt

    @property
    def key(self) -> str:
        return f"{self.workspace}#{self.owner}#{self.valid_at}"


@dataclass(frozen=True, slots=True)
class Cell:
    """`thread` is the session or task id on those two layers, otherwise empty."""

    place: Place
    layer: Layer
    thread: str = ""

    @property
    def key(self) -> str:
        return f"{self.place.key}#{self.layer}#{self.thread}"

    @property
    def token(self) -> str:
        """One word that stands for the whole cell in a search index, tenant and project included.

        Made of letters and digits only, so that no engine takes it apart and no part of a
        caller's text can ever look like it.
        """
        whole = f"{self.place.tenant}#{self.place.project}#{self.key}"
        return "c" + hashlib.sha256(whole.encode()).hexdigest()[:40]

    @property
    def past_token(self) -> str:
        """The word for what was here and left results: only questions about the past use it."""
        return "p" + self.token[1:]


@dataclass(frozen=True, slots=True)
class Coordinates:
    """What a reader knows about itself. Absent: only what is true everywhere (row I-16)."""

    workplace: str | None = None
    machine: str | None = None
    session: str | None = None
    task: str | None = None

    @property
    def places(self) -> tuple[ValidAt, ...]:
        """Validities that apply here; the others are false here, not merely distant (row N-41)."""
        here = [EVERYWHERE]
        if self.workplace:
            here.append(ValidAt(workplace=self.workplace))
        if self.machine:
            here.append(ValidAt(machine=self.machine))
        return tuple(here)

    def thread(self, layer: Layer) -> str | None:
        """Return the reader's session or task on that layer; None: none, so it sees nothing."""
        if layer is Layer.SESSION:
            return self.session
        return self.task if layer is Layer.TASK else ""


@dataclass(frozen=True, slots=True)
class Scope:
    """All that one request may read. `owners` holds PUBLIC, or a person, or both.

    `past` shows what was there once, too.
    """

    tenant: str
    project: str
    workspace: str
    owners: tuple[str, ...]
    coordinates: Coordinates = Coordinates()
    layers: tuple[Layer, ...] = tuple(Layer)
    past: bool = False

    def cells(self) -> tuple[Cell, ...]:
        """Every visible cell: at most 2 owners x 3 validities x 4 layers = 24."""
        return tuple(
            Cell(Place(self.tenant, self.project, self.workspace, owner, where), layer, thread)
            for owner in self.owners
            for layer in self.layers
            if (thread := self.coordinates.thread(layer)) is not None
            for where in self.coordinates.places
        )

    def tokens(self) -> list[str]:
        """Return the words that select these cells in a search index."""
        found = [cell.token for cell in self.cells()]
        return found + [cell.past_token for cell in self.cells()] if self.past else found

    def reaches(self, cell: Cell) -> bool:
        """Tell whether a contradiction may show it: every layer and thread of the same places.

        Facts of one place contradict each other whatever their layer (rule 5), so a session's
        fact that says otherwise is shown beside the project's.
        """
        place = cell.place
        within = (place.tenant, place.project, place.workspace)
        mine = within == (self.tenant, self.project, self.workspace)
        return mine and place.owner in self.owners and place.valid_at in self.coordinates.places

    def holds(self, cell: Cell) -> bool:
        """Tell whether a fact of that cell may be shown. Asked again after every index hit."""
        return cell in self.cells()
