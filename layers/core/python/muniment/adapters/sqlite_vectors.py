"""The vectors of one project in memory, kept up with the file by what has changed since.

Every write gives its entry a `change` number higher than all before it, so a reader that
remembers the highest one it saw loads only what is new. Which rows may answer is decided by SQL
in the same view of the file; this only ranks them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from muniment.adapters.embedder import E5_DIMENSIONS, USE_DIMENSIONS
from muniment.domain.search import Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHUNK = 2_000  # rows read at once
FEW = 4  # a scope smaller than a FEWth of the project is ranked by itself

Ranked = list[tuple[int, float]]  # entry id, cosine


def packed(vectors: Vectors) -> tuple[bytes, bytes] | None:
    """Return both vectors as float16 bytes; None where their length or direction is wrong."""
    import numpy as np

    both = [np.asarray(one, dtype=np.float16) for one in (vectors.e5, vectors.use)]
    shapes = [one.shape for one in both] == [(E5_DIMENSIONS,), (USE_DIMENSIONS,)]
    if not shapes or not all(np.isfinite(one).all() and one.any() for one in both):
        return None
    return both[0].tobytes(), both[1].tobytes()


class ProjectVectors:
    def __init__(self, project: str) -> None:
        import numpy as np

        self._project, self._seen, self._size = project, 0, 0
        self._row = np.full(0, -1, dtype=np.int64)  # entry id -> row of both matrices
        self._e5 = np.zeros((0, E5_DIMENSIONS), dtype=np.float32)
        self._use = np.zeros((0, USE_DIMENSIONS), dtype=np.float32)

    def refresh(self, base: sqlite3.Connection) -> None:
        """Load what has changed in the file since the last time."""
        cursor = base.execute(
            "SELECT e.change, e.id, v.e5, v.use FROM entries AS e LEFT JOIN vectors AS v"
            " ON v.id = e.id WHERE e.project = ? AND e.change > ? ORDER BY e.change",
            (self._project, self._seen),
        )
        while rows := cursor.fetchmany(CHUNK):
            self._take([row for row in rows if row[2] is not None])
            self._seen = rows[-1][0]

    def nearest(self, ids: Sequence[int], vectors: Vectors, depth: int) -> dict[str, Ranked]:
        """Rank the entries of those ids: list name -> at most `depth`, best first."""
        import numpy as np

        keys = np.array(ids, dtype=np.int64)
        rows = self._row[keys]
        ranked: dict[str, Ranked] = {}
        for name, held, asked in (("e5", self._e5, vectors.e5), ("use", self._use, vectors.use)):
            query = np.asarray(asked, dtype=np.float32)
            few = FEW * len(rows) < self._size
            scores = held[rows] @ query if few else (held[: self._size] @ query)[rows]
            best = np.lexsort((keys, -scores))[:depth]
            ranked[name] = [(ids[at], float(scores[at])) for at in best]
        return ranked

    def _take(self, rows: Sequence[Any]) -> None:
        import numpy as np

        if not rows:
            return
        ids = np.array([row[1] for row in rows], dtype=np.int64)
        self._row = _grown(self._row, int(ids.max()) + 1, -1)
        new = ids[self._row[ids] < 0]
        self._row[new] = np.arange(self._size, self._size + len(new))
        self._size += len(new)
        self._e5 = _grown(self._e5, self._size, 0)
        self._use = _grown(self._use, self._size, 0)
        self._e5[self._row[ids]] = _unpacked([row[2] for row in rows], E5_DIMENSIONS)
        self._use[self._row[ids]] = _unpacked([row[3] for row in rows], USE_DIMENSIONS)


def _unpacked(blobs: Sequence[bytes], dimensions: int) -> NDArray[np.float16]:
    import numpy as np

    return np.frombuffer(b"".join(blobs), dtype=np.float16).reshape(-1, dimensions)


def _grown(array: Any, size: int, fill: int) -> Any:
    """Return the array with room for `size` rows; doubling keeps many small writes cheap."""
    import numpy as np

    if size <= len(array):
        return array
    wider = np.full((max(size, 2 * len(array)), *array.shape[1:]), fill, dtype=array.dtype)
    wider[: len(array)] = array
    return wider
