"""The search index of a laptop: FTS5 for words and identifiers, numpy for the vectors.

The cell token stands inside the MATCH and the filters inside the same statement, so both act
before the cut at DEPTH. A cell without matching entries costs a lookup, not a scan.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

from muniment.adapters import tokens
from muniment.adapters.sqlite_file import TenantFiles
from muniment.adapters.sqlite_vectors import ProjectVectors, Ranked, packed
from muniment.domain.errors import IndexUnavailable
from muniment.domain.place import Scope
from muniment.domain.search import DEPTH, Entry, Hit, Proposal, Question, Vectors

PROJECTS = 16  # whose vectors stay in memory: 3.6 KB a fact
IDS = 500  # ids in one statement
_PLAIN = re.compile("[a-z0-9а-я]+")


class SqliteIndex:
    """The index of muniment.verbs.ports in a folder of files. `close()` ends its connections."""

    def __init__(self, folder: Path) -> None:
        self._files = TenantFiles(folder)
        self._vectors: dict[tuple[str, str], ProjectVectors] = {}
        self.close = self._files.close

    def write(self, entries: Sequence[tuple[Entry, Vectors | None]]) -> None:
        refused: list[str] = []
        for tenant in dict.fromkeys(entry.cell.place.tenant for entry, _ in entries):
            mine = [pair for pair in entries if pair[0].cell.place.tenant == tenant]
            with self._files.writing(tenant) as base:
                refused += [entry.fact_id for entry, found in mine if not _put(base, entry, found)]
            if any(entry.gone for entry, _ in mine):
                self._files.scrub(tenant)
        if refused:
            raise IndexUnavailable(f"vectors of a wrong shape or zero: {', '.join(refused)}")

    def propose(self, scope: Scope, question: Question, vectors: Vectors | None) -> Proposal:
        cells = scope.tokens()
        if not cells or not self._files.exists(scope.tenant):
            return Proposal({})
        with self._files.reading(scope.tenant) as base:
            lists = {
                table: _matches(base, table, cells, some, question)
                for table, some in (
                    ("words", tokens.query_words(question.text)),
                    ("idents", tokens.query_idents(question.text)),
                )
            }
            if vectors is not None:
                held = self._held(scope.tenant, scope.project)
                held.refresh(base)
                ids = _allowed(base, cells, vectors.identity, question)
                for name, ranked in held.nearest(ids, vectors, DEPTH).items():
                    lists[name] = _hits(base, ranked)
        return Proposal(lists)

    def revisions(self, tenant: str, project: str, fact_ids: Sequence[str]) -> Mapping[str, int]:
        if not self._files.exists(tenant):
            return {}
        found: dict[str, int] = {}
        with self._files.reading(tenant) as base:
            for start in range(0, len(fact_ids), IDS):
                some = fact_ids[start : start + IDS]
                found |= base.execute(
                    "SELECT fact_id, revision FROM entries"
                    f" WHERE project = ? AND fact_id IN ({_marks(some)})",
                    (project, *some),
                ).fetchall()
        return found

    def _held(self, tenant: str, project: str) -> ProjectVectors:
        """Return the project's vectors; the one not asked for longest makes room."""
        held = self._vectors.pop((tenant, project), None) or ProjectVectors(project)
        self._vectors[tenant, project] = held
        if len(self._vectors) > PROJECTS:
            self._vectors.pop(next(iter(self._vectors)))
        return held


def _put(base: sqlite3.Connection, entry: Entry, vectors: Vectors | None) -> bool:
    """Store the entry unless as late a revision is there. False: its vectors cannot be stored."""
    held = base.execute(
        "SELECT revision FROM entries WHERE project = ? AND fact_id = ?",
        (entry.cell.place.project, entry.fact_id),
    ).fetchone()
    if held and held[0] >= entry.revision:
        return True
    if entry.gone:
        _put_row(base, entry, None)
        return True
    blobs = packed(vectors) if vectors else None
    if vectors and not blobs:
        return False
    row = _put_row(base, entry, vectors.identity if vectors else None)
    _put_tokens(base, row, entry)
    if blobs:
        base.execute("INSERT INTO vectors VALUES (?, ?, ?)", (row, *blobs))
    return True


def _put_row(base: sqlite3.Connection, entry: Entry, identity: str | None) -> int:
    """Write the row with a new change number, clear what hung on it, and return its id."""
    project = entry.cell.place.project
    fields = {
        "fact_id": entry.fact_id,
        "revision": entry.revision,
        "cell": None if entry.gone else entry.token,
        "kind": None if entry.gone else entry.kind,
        "state": None if entry.gone else entry.state,
        "trust": entry.trust,
        "subject_id": None if entry.gone else entry.subject_id,
        "scope": None if entry.gone else entry.scope,
        "expires_at": entry.expires_at,
        "identity": identity,
    }
    names = ", ".join(fields)
    row: int = base.execute(
        f"INSERT INTO entries (project, change, {names}) SELECT ?1, 1 + coalesce("
        f"(SELECT max(change) FROM entries WHERE project = ?1), 0), {_marks(fields)} WHERE true"
        f" ON CONFLICT (project, fact_id) DO UPDATE SET (change, {names})"
        f" = (excluded.change, {', '.join(f'excluded.{name}' for name in fields)}) RETURNING id",
        (project, *fields.values()),
    ).fetchone()[0]
    for table, key in (("words", "rowid"), ("idents", "rowid"), ("vectors", "id")):
        base.execute(f"DELETE FROM {table} WHERE {key} = ?", (row,))
    return row


def _put_tokens(base: sqlite3.Connection, row: int, entry: Entry) -> None:
    found = {"words": tokens.words(entry.text), "idents": tokens.idents(entry.text)}
    for table, some in found.items():
        base.execute(
            f"INSERT INTO {table} (rowid, cell, tokens) VALUES (?, ?, ?)",
            (row, entry.token, " ".join(map(_term, some))),
        )


def _matches(
    base: sqlite3.Connection,
    table: str,
    cells: Sequence[str],
    some: Sequence[str],
    question: Question,
) -> list[Hit]:
    """Return the best entries of `table` in those cells that hold any of the tokens."""
    if not some:
        return []
    condition, values = _conditions(question)
    # CROSS JOIN fixes the order: the text match first, never once for each entry. The cell's
    # own weight is 0, it selects and does not rank.
    rows = base.execute(
        f"SELECT e.fact_id, e.revision, -bm25({table}, 0.0, 1.0) AS score"
        f" FROM {table} CROSS JOIN entries AS e ON e.id = {table}.rowid"
        f" WHERE {table} MATCH ? AND {condition} ORDER BY score DESC, e.fact_id LIMIT {DEPTH}",
        (f"cell : ({_any(cells)}) AND tokens : ({_any(map(_term, some))})", *values),
    )
    return [Hit(*row) for row in rows]


def _allowed(
    base: sqlite3.Connection, cells: Sequence[str], identity: str, question: Question
) -> list[int]:
    """Return the ids of all entries that the vector lists may name."""
    condition, values = _conditions(question)
    rows = base.execute(
        f"SELECT e.id FROM entries AS e WHERE e.cell IN ({_marks(cells)})"
        f" AND e.identity = ? AND {condition}",
        (*cells, identity, *values),
    )
    return [row[0] for row in rows]


def _hits(base: sqlite3.Connection, ranked: Ranked) -> list[Hit]:
    found = base.execute(
        f"SELECT id, fact_id, revision FROM entries WHERE id IN ({_marks(ranked)})",
        [row for row, _ in ranked],
    )
    named = {row: (fact_id, revision) for row, fact_id, revision in found}
    return [Hit(*named[row], score) for row, score in ranked]


def _conditions(question: Question) -> tuple[str, list[object]]:
    """Return the question's filters as a condition on `e`, and its values."""
    wanted: dict[str, object] = {
        "(e.expires_at IS NULL OR e.expires_at > ?)": question.now,
        "e.trust >= ?": question.min_trust,
    }
    exact = {name: getattr(question, name) for name in ("kind", "subject_id", "scope")}
    wanted |= {f"e.{name} = ?": value for name, value in exact.items() if value is not None}
    return " AND ".join(wanted), list(wanted.values())


def _term(token: str) -> str:
    """Write what FTS5's tokenizer would cut or fold as one plain word."""
    return token if _PLAIN.fullmatch(token) else "x" + token.encode().hex()


def _any(terms: Sequence[str] | map[str]) -> str:
    return " OR ".join(f'"{term}"' for term in terms)


def _marks(values: Sequence[object] | Mapping[str, object]) -> str:
    return ", ".join("?" * len(values))
