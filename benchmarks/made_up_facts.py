"""Facts of a made-up project, in any number, and the fast way to fill table and index with them.

Their words are as unequal as those of a language, so that a search meets short and long lists.
The vectors are random: what they cost is real, what they find is not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from benchmarks.local_table import NAME, PROJECT, TENANT
from muniment import bootstrap
from muniment.adapters import items
from muniment.adapters.dynamo_table import pack
from muniment.adapters.embedder import E5_DIMENSIONS, IDENTITY, USE_DIMENSIONS
from muniment.domain.caller import PrincipalKind
from muniment.domain.fact import Author, Content, Head, Kind, State, Trust
from muniment.domain.history import link
from muniment.domain.moments import DAY
from muniment.domain.place import EVERYWHERE, PUBLIC, Cell, Layer, Place
from muniment.domain.search import Vectors, entry_of
from muniment.verbs.ports import SearchIndex

SYLLABLES = "ba de fi go ku la me ni po ru sa te vi zo".split()
VOCABULARY = 4_000
LENGTH = 12  # words of a statement
AUTHOR = Author("olga", PrincipalKind.HUMAN)
CELL = Cell(Place(TENANT, PROJECT, "default", PUBLIC, EVERYWHERE), Layer.REPO)
PUT_BATCH, INDEX_BATCH = 25, 250


class Facts:
    """An endless, repeatable source of statements."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        fixed = random.Random(1)
        self._words = ["".join(fixed.choices(SYLLABLES, k=3)) for _ in range(VOCABULARY)]
        self._weights = list(accumulate(1 / (rank + 5) for rank in range(VOCABULARY)))

    def statement(self, words: int = LENGTH) -> str:
        return " ".join(self._chance.choices(self._words, cum_weights=self._weights, k=words))

    def heads(self, count: int) -> Iterator[Head]:
        """Yield published heads written a day ago: nothing of them is in the fresh tail."""
        then = bootstrap.now() - DAY
        for number in range(count):
            text, birth = self.statement(), bootstrap.birth(then + number)
            content = Content(
                statement=text, kind=Kind.NOTE, name=f"note-{number}", description=text[:60]
            )
            first = link(
                None,
                content,
                trust=Trust.HUMAN,
                state=State.PUBLISHED,
                author=AUTHOR,
                reason="made up",
                now=then + number,
                salt=birth.salt,
            )
            yield Head(
                fact_id=birth.fact_id,
                cell=CELL,
                newest=first,
                author=AUTHOR,
                editor=AUTHOR,
                salt=birth.salt,
            )


def fill(client: Any, heads: Sequence[Head]) -> None:
    """Put the heads into the table."""
    for start in range(0, len(heads), PUT_BATCH):
        some = heads[start : start + PUT_BATCH]
        requests = [{"PutRequest": {"Item": pack(items.head_item(head))}} for head in some]
        answer = client.batch_write_item(RequestItems={NAME: requests})
        assert not answer.get("UnprocessedItems"), "the emulator never throttles"


def fill_index(index: SearchIndex, heads: Sequence[Head]) -> None:
    """Put their entries with random vectors into the index."""
    chance = np.random.default_rng(1)
    for start in range(0, len(heads), INDEX_BATCH):
        some = heads[start : start + INDEX_BATCH]
        e5, use = (_directions(chance, len(some), size) for size in (E5_DIMENSIONS, USE_DIMENSIONS))
        index.write(
            [
                (entry_of(head), Vectors(IDENTITY, one, other))
                for head, one, other in zip(some, e5, use, strict=True)
            ]
        )


def _directions(chance: np.random.Generator, count: int, size: int) -> list[list[float]]:
    rows = chance.standard_normal((count, size))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found: list[list[float]] = rows.tolist()
    return found
