"""What an agent is given before it acts: blocks of labelled facts, bounded by tokens (rule 16).

    preamble
    <<<project-memory 5c0e…>>>
    | ## task …            what this plan knows
    | ## session …         what this conversation knows
    | ## objective
    | ## project facts     published by people
    | ## claims            nobody checked these
    | [1] fact 01J… r3; trust: human; state: published; authority
    |> name: description
    |> statement …
    <<<end of project-memory 5c0e…>>>

The same facts, labels, budget and boundary give the same bytes: a context can be replayed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from muniment.domain.envelope import BAR, PREAMBLE, closing, opening, quoted
from muniment.domain.fact import Citation, Head, Revision
from muniment.domain.place import Coordinates, Layer
from muniment.domain.tokens import weight

FRAME = 60.0  # tokens of the answer's own field names, ids and numbers
EXCERPT_MARK = " … (excerpt)"
EXCERPT_LEAST = 40.0  # tokens below which an excerpt says too little
DROPPED = 10  # ids of facts that did not fit, at most


@dataclass(frozen=True, slots=True)
class Shown:
    """One fact as it is shown: `labels` are part of the record, since they depend on the moment."""

    fact_id: str
    revision: Revision
    layer: Layer
    labels: tuple[str, ...]

    @classmethod
    def of(cls, head: Head, labels: Sequence[str]) -> Shown:
        return cls(head.fact_id, head.newest, head.cell.layer, tuple(labels))


@dataclass(frozen=True, slots=True)
class Context:
    """`shown` are the facts that fit, in order of the text; `dropped` those that did not."""

    text: str
    tokens: int
    shown: tuple[Shown, ...]
    overflow: bool
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServedFact:
    fact_id: str
    revision: int
    layer: Layer
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """The record of one context: enough to build it again, no text of any fact (row I-18)."""

    context_id: str
    tenant: str
    project: str
    principal: str
    owners: tuple[str, ...]
    coordinates: Coordinates
    budget: int
    boundary: str
    now: int
    shown: tuple[ServedFact, ...]
    overflow: bool
    dropped: tuple[str, ...]
    ignored: bool = False
    degraded: tuple[str, ...] = ()


def block_of(shown: Shown) -> tuple[int, str]:
    """Return rank and heading of the block a fact stands in (rows C-09, M-25)."""
    if shown.layer is Layer.TASK:
        return 0, "## this task"
    if shown.layer is Layer.SESSION:
        return 1, "## this session"
    if shown.layer is Layer.OBJECTIVE:
        return 2, "## objective"
    if shown.revision.state.has_authority:
        return 3, "## project facts published by a person (authority)"
    if shown.revision.trust.is_claim:
        return 5, "## claims: not checked by a person"
    return 4, "## project facts not yet reviewed"


def render(offered: Sequence[Shown], boundary: str, budget: int) -> Context:
    """Return the context of `offered` (best first) within `budget` tokens.

    The bound holds for the whole answer as JSON, not for the text alone (case D41). What does not
    fit whole is cut to an excerpt with its citations, one at most, and sets `overflow`; what does
    not fit at all is named in `dropped` (case D40).
    """
    room = budget - FRAME - sum(map(_cost, (PREAMBLE, opening(boundary), closing(boundary))))
    entries: list[_Entry] = []
    dropped: list[str] = []
    headings: set[str] = set()
    cut = False
    for shown in offered:
        fixed = _fixed_cost(shown, headings)
        entry = _entry(shown, shown.revision.content.statement)
        if fixed + _cost(entry) > room:
            entry = "" if cut else _excerpt(shown, room - fixed)
            cut = cut or bool(entry)
        if not entry:
            dropped.append(shown.fact_id)
            continue
        room -= fixed + _cost(entry)
        headings.add(block_of(shown)[1])
        entries.append(_Entry(shown, entry))
    entries.sort(key=lambda entry: block_of(entry.shown)[0])  # stable: by score inside a block
    return Context(
        text=_assemble(entries, boundary),
        tokens=math.ceil(budget - room),
        shown=tuple(entry.shown for entry in entries),
        overflow=bool(dropped) or cut,
        dropped=tuple(dropped[:DROPPED]),
    )


@dataclass(frozen=True, slots=True)
class _Entry:
    shown: Shown
    text: str


def _assemble(entries: Sequence[_Entry], boundary: str) -> str:
    lines, last = [PREAMBLE, opening(boundary)], ""
    for entry in entries:
        if (heading := block_of(entry.shown)[1]) != last:
            lines.append(BAR + heading)
            last = heading
        lines.append(entry.text)
    if not entries:
        lines.append(BAR + "nothing fitting is remembered")
    return "\n".join([*lines, closing(boundary)])


def _entry(shown: Shown, statement: str) -> str:
    """The server's line about the fact holds no stored text; everything stored is quoted."""
    content = shown.revision.content
    about = "; ".join((f"fact {shown.fact_id} r{shown.revision.number}", *shown.labels))
    stored = [f"{content.name}: {content.description}"]
    if not content.description.startswith(statement):
        stored.append(statement)
    if content.source_id:
        stored.append(f"source: {content.source_id}")
    stored += [_citation(citation) for citation in content.citations]
    return f"{BAR}{about}\n{quoted(chr(10).join(stored))}"


def _citation(citation: Citation) -> str:
    if not citation.quote:
        return f"cites {citation.locator}"
    return f'cites "{citation.quote}" at {citation.locator}'


def _excerpt(shown: Shown, room: float) -> str:
    """Return the entry cut so that it costs at most `room`; "" where that says too little."""
    left = room - _cost(_entry(shown, EXCERPT_MARK))
    if left < EXCERPT_LEAST:
        return ""
    statement = shown.revision.content.statement
    low, high = 0, len(statement)
    while low < high:  # the longest beginning that fits
        middle = (low + high + 1) // 2
        if _cost(quoted(statement[:middle])) <= left:
            low = middle
        else:
            high = middle - 1
    return _entry(shown, statement[:low].rstrip() + EXCERPT_MARK)


def _cost(text: str) -> float:
    """Return the tokens that `text` and a line break take inside a JSON string."""
    return weight(json.dumps(text + "\n", ensure_ascii=False)) - weight('""')


def _fixed_cost(shown: Shown, headings: set[str]) -> float:
    """Return what a fact costs beside its entry: its id in `items`, and a heading if it is new."""
    item = {"fact_id": shown.fact_id, "revision": shown.revision.number}
    heading = block_of(shown)[1]
    return weight(json.dumps(item) + ", ") + (
        _cost(BAR + heading) if heading not in headings else 0
    )
