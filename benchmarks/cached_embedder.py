"""An embedder that remembers: a benchmark embeds the same thousands of texts at every run."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from muniment.adapters.embedder import LocalEmbedder
from muniment.domain.search import Vectors

BATCH = 64


class CachedEmbedder:
    """LocalEmbedder with a file of what it said. Another identity is another cache."""

    identity = LocalEmbedder.identity

    def __init__(self, file: Path) -> None:
        self._real = LocalEmbedder()
        file.parent.mkdir(parents=True, exist_ok=True)
        self._base = sqlite3.connect(file)
        self._base.execute("CREATE TABLE IF NOT EXISTS said (text TEXT PRIMARY KEY, vectors TEXT)")

    def close(self) -> None:
        self._base.close()

    def passages(self, texts: Sequence[str]) -> list[Vectors | None]:
        found: list[Vectors | None] = []
        for start in range(0, len(texts), BATCH):
            found += self._known("p", texts[start : start + BATCH], self._real.passages)
        return found

    def query(self, text: str) -> Vectors | None:
        return self._known("q", [text], lambda texts: [self._real.query(texts[0])])[0]

    def _known(
        self,
        role: str,
        texts: Sequence[str],
        embed: Callable[[Sequence[str]], list[Vectors | None]],
    ) -> list[Vectors | None]:
        keys = {text: self._key(role, text) for text in texts}
        marks = ", ".join("?" * len(keys))
        said = dict(
            self._base.execute(
                f"SELECT text, vectors FROM said WHERE text IN ({marks})", list(keys.values())
            ).fetchall()
        )
        missing = [text for text, key in keys.items() if key not in said]
        if missing:
            rows = [
                (keys[text], json.dumps([list(v.e5), list(v.use)] if v else None))
                for text, v in zip(missing, embed(missing), strict=True)
            ]
            with self._base:
                self._base.executemany("INSERT OR REPLACE INTO said VALUES (?, ?)", rows)
            said |= dict(rows)
        return [self._vectors(said[keys[text]]) for text in texts]

    def _key(self, role: str, text: str) -> str:
        return hashlib.sha256(f"{self.identity}\n{role}\n{text}".encode()).hexdigest()

    def _vectors(self, said: str) -> Vectors | None:
        both = json.loads(said)
        return Vectors(self.identity, both[0], both[1]) if both else None
