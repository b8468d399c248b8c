"""Entries, vectors and questions for the index contract. Name only what the test is about."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from muniment.adapters.embedder import E5_DIMENSIONS, IDENTITY, USE_DIMENSIONS
from muniment.domain.place import PUBLIC, Cell, Coordinates, Scope
from muniment.domain.search import LISTS, Entry, Proposal, Question, Vectors
from tests.builders import NOW, a_cell
from tests.contract.conftest import Engine

TEXT = "rotate the signing key AUTH-4291"


def an_entry(fact_id: str = "f1", **changes: Any) -> Entry:
    cell: Cell = changes.pop("cell", None) or a_cell()
    ordinary = {"revision": 1, "text": TEXT, "kind": "note", "state": "candidate", "trust": 2}
    return Entry(fact_id=fact_id, cell=cell, **{**ordinary, **changes})


def a_tombstone(fact_id: str = "f1", *, revision: int, cell: Cell | None = None) -> Entry:
    return Entry(fact_id=fact_id, revision=revision, cell=cell or a_cell(), gone=True)


def pointing(angle: float = 0.0, identity: str = IDENTITY) -> Vectors:
    """Return vectors `angle` radians away from those of angle 0."""
    start = [math.cos(angle), math.sin(angle)]
    return Vectors(
        identity,
        start + [0.0] * (E5_DIMENSIONS - 2),
        start + [0.0] * (USE_DIMENSIONS - 2),
    )


def scattered(count: int, angle: float) -> list[Vectors]:
    """Return `count` different vectors, all about `angle` away from those of angle 0.

    A graph of many equal vectors falls apart; no real store holds such.
    """
    axis = np.zeros(E5_DIMENSIONS)
    axis[:2] = math.cos(angle), math.sin(angle)
    noise = np.random.default_rng(0).normal(scale=0.02, size=(count, E5_DIMENSIONS))
    rest = [0.0] * (USE_DIMENSIONS - E5_DIMENSIONS)
    return [Vectors(IDENTITY, row, [*row, *rest]) for row in (axis + noise).tolist()]


def a_scope(**changes: Any) -> Scope:
    """Changes: tenant, project, workspace, owners, coordinates."""
    ordinary = {
        "tenant": "acme",
        "project": "backend",
        "workspace": "default",
        "owners": (PUBLIC,),
        "coordinates": Coordinates(),
    }
    return Scope(**{**ordinary, **changes})


def a_question(text: str = TEXT, **changes: Any) -> Question:
    return Question(text=text, **{"now": NOW, **changes})


def store(engine: Engine, *entries: Entry, vectors: Vectors | None = None) -> None:
    engine.index.write([(entry, None if entry.gone else vectors) for entry in entries])
    engine.settle()


def found(proposal: Proposal) -> dict[str, list[str]]:
    """Return list name -> fact ids, for every one of the four lists."""
    return {name: [hit.fact_id for hit in proposal.lists.get(name, ())] for name in LISTS}


def ask(engine: Engine, within: Scope | None = None, /, **changes: Any) -> dict[str, list[str]]:
    question = a_question(**changes)
    return found(engine.index.propose(within or a_scope(), question, pointing()))


def everywhere(*fact_ids: str) -> dict[str, list[str]]:
    return {name: list(fact_ids) for name in LISTS}
