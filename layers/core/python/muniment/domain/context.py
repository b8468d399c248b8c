"""What an agent is given before it acts: blocks of labelled facts, bounded by tokens (rule 16).

    preamble
    <<<project-memory 5c0e…>>>
    | ## task …            what this plan knows
    | ## session …         what this conversation knows
    | ## objective
    | ## contradictions    both sides of each, as one item
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
from dataclasses import dataclass, replace

from muniment.domain.envelope import BAR, PREAMBLE, closing, inert, opening, quoted
from muniment.domain.fact import Citation, Revision
from muniment.domain.judgement import Judged
from muniment.domain.place import Coordinates, Layer
from muniment.domain.tokens import weight

FRAME = 60.0  # tokens of the answer's own field names, ids and numbers
AGAINST = f"\n{BAR}contradicted by\n"
EXCERPT_MARK = " … (excerpt)"
EXCERPT_LEAST = 20.0  # tokens below which an excerpt says too little
DROPPED = 10  # ids of facts that did not fit, at most
TELLING = 200  # tokens of budget for each id that is told
ID = weight('"01KBB0000000000000000000ZZ",')  # tokens of one id in `dropped`


@dataclass(frozen=True, slots=True)
class Shown:
    """One fact as it is shown, together with those that contradict it.

    `labels` are part of the record, since they depend on the moment. `cut` is how many characters
    of the statement are shown; None: it is whole.
    """

    fact_id: str
    revision: Revision
    layer: Layer
    labels: tuple[str, ...]
    cut: int | None = None
    opposed: tuple[Shown, ...] = ()

    @classmethod
    def of(cls, judged: Judged, now: int) -> Shown:
        """Return a judged fact with the other sides of its contradiction, each with its labels."""
        mine, *others = (
            cls(
                side.fact_id,
                side.newest,
                side.cell.layer,
                tuple(judged.turned(side).labels(now)),
            )
            for side in judged.sides()
        )
        return replace(mine, opposed=tuple(others))

    def sides(self) -> tuple[Shown, ...]:
        return (self, *self.opposed)

    def cut_at(self, length: int) -> Shown:
        """Return it with the statement of every side cut to that many characters."""
        return replace(
            self, cut=length, opposed=tuple(other.cut_at(length) for other in self.opposed)
        )


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
    cut: int | None = None
    opposed: tuple[ServedFact, ...] = ()


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
    if shown.opposed:
        return 3, "## contradictions: show a person both sides, do not choose"
    if shown.revision.state.has_authority:
        return 4, "## project facts published by a person (authority)"
    if shown.revision.trust.is_claim:
        return 6, "## claims: not checked by a person"
    return 5, "## project facts not yet reviewed"


def render(offered: Sequence[Shown], boundary: str, budget: int) -> Context:
    """Return the context of `offered` (best first) within `budget` tokens.

    The bound holds for the whole answer as JSON, not for the text alone (case D41). What does not
    fit whole is cut to an excerpt with a citation, one at most, and sets `overflow`; what does
    not fit at all is named in `dropped` (case D40).
    """
    room = budget - FRAME - sum(map(_cost, (PREAMBLE, opening(boundary), closing(boundary))))
    shown, dropped = _packed(offered, room)
    if _is_cut(shown) or dropped:
        told = min(DROPPED, max(1, budget // TELLING))
        shown, dropped = _packed(offered, room - told * ID)
        dropped = dropped[:told]
    shown.sort(key=lambda one: block_of(one)[0])  # stable: best first inside a block
    return compose(shown, boundary, overflow=_is_cut(shown) or bool(dropped), dropped=dropped)


def compose(
    shown: Sequence[Shown], boundary: str, *, overflow: bool, dropped: Sequence[str]
) -> Context:
    """Return the context of these facts in this order: the same input gives the same bytes."""
    lines, last = [PREAMBLE, opening(boundary)], ""
    for one in shown:
        if (heading := block_of(one)[1]) != last:
            lines.append(BAR + heading)
            last = heading
        lines.append(_entry(one))
    if not shown:
        lines.append(BAR + "nothing fitting is remembered")
    text = "\n".join([*lines, closing(boundary)])
    taken = FRAME + _cost(text) + sum(map(_item_cost, shown)) + len(dropped) * ID
    return Context(text, math.ceil(taken), tuple(shown), overflow, tuple(dropped))


def _packed(offered: Sequence[Shown], room: float) -> tuple[list[Shown], list[str]]:
    """Return what fits into `room` tokens, best first, one of them cut; and the ids of the rest."""
    shown: list[Shown] = []
    dropped: list[str] = []
    headings: set[str] = set()
    for one in offered:
        heading = block_of(one)[1]
        left = room - _item_cost(one) - (0 if heading in headings else _cost(BAR + heading))
        fitting = one if _cost(_entry(one)) <= left else None
        if fitting is None and not _is_cut(shown):
            fitting = _excerpt(one, left)
        if fitting is None:
            dropped += [side.fact_id for side in one.sides()]
            continue
        room = left - _cost(_entry(fitting))
        headings.add(heading)
        shown.append(fitting)
    return shown, dropped


def _is_cut(shown: Sequence[Shown]) -> bool:
    return any(one.cut is not None for one in shown)


def _entry(shown: Shown) -> str:
    """Return the text of a fact and of all that contradict it: never one side alone (M-31)."""
    return AGAINST.join(map(_side, shown.sides()))


def _side(shown: Shown) -> str:
    """The server's line about the fact holds no stored text; everything stored is quoted."""
    content, cut = shown.revision.content, shown.cut
    about = "; ".join((f"fact {shown.fact_id} r{shown.revision.number}", *shown.labels))
    stored = [f"{content.name}: {content.description}"]
    if cut is not None and cut < len(content.statement):
        stored = [f"{content.name}: {content.statement[:cut].rstrip()}{EXCERPT_MARK}"]
    elif not content.description.startswith(content.statement):
        stored.append(content.statement)
    if content.source_id:
        stored.append(f"source: {content.source_id}")
    stored += map(_citation, content.citations if cut is None else content.citations[:1])
    return f"{BAR}{inert(' '.join(about.split()))}\n{quoted(chr(10).join(stored))}"


def _citation(citation: Citation) -> str:
    if not citation.quote:
        return f"cites {citation.locator}"
    return f'cites "{citation.quote}" at {citation.locator}'


def _excerpt(shown: Shown, room: float) -> Shown | None:
    """Return the fact cut so that it costs at most `room`; None where that says too little."""
    if room - _cost(_entry(shown.cut_at(0))) < EXCERPT_LEAST * len(shown.sides()):
        return None
    low, high = 0, max(len(side.revision.content.statement) for side in shown.sides())
    while low < high:  # the longest beginning that fits
        middle = (low + high + 1) // 2
        if _cost(_entry(shown.cut_at(middle))) <= room:
            low = middle
        else:
            high = middle - 1
    return shown.cut_at(low)


def _cost(text: str) -> float:
    """Return the tokens that `text` and a line break take inside a JSON string."""
    return weight(json.dumps(text + "\n", ensure_ascii=False)) - weight('""')


def _item_cost(shown: Shown) -> float:
    """Return what a fact costs beside its entry: ids and revisions in `items`."""
    sides = [{"fact_id": s.fact_id, "revision": s.revision.number} for s in shown.sides()]
    return weight(json.dumps(sides))
