"""One SQLite file a tenant, for several processes at once.

    entries   one row a fact: revision, cell, what the filters need   (a tombstone: cell is NULL)
    words     FTS5: cell token | stems                                rowid = entries.id
    idents    FTS5: cell token | identifiers                          rowid = entries.id
    vectors   float16 blobs                                           id = entries.id

WAL: readers never wait for writers, writers queue, and a killed process loses nothing that it
had written. The index can always be filled again from the table, so a file of another VERSION
is left alone and a new one begun.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from muniment.domain.errors import IndexUnavailable

VERSION = 1  # of SCHEMA
READ_WAIT = 1_500  # milliseconds for a lock
WRITE_WAIT = 10_000
SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
  id INTEGER PRIMARY KEY, project TEXT NOT NULL, fact_id TEXT NOT NULL, revision INTEGER NOT NULL,
  change INTEGER NOT NULL, cell TEXT, kind TEXT, state TEXT, trust INTEGER, subject_id TEXT,
  scope TEXT, expires_at INTEGER, identity TEXT, UNIQUE (project, fact_id));
CREATE INDEX IF NOT EXISTS by_change ON entries (project, change);
CREATE INDEX IF NOT EXISTS by_cell
  ON entries (cell, identity, trust, expires_at, kind, subject_id, scope);
CREATE TABLE IF NOT EXISTS vectors (id INTEGER PRIMARY KEY, e5 BLOB NOT NULL, use BLOB NOT NULL);
CREATE VIRTUAL TABLE IF NOT EXISTS words
  USING fts5 (cell, tokens, tokenize = 'unicode61 remove_diacritics 0');
CREATE VIRTUAL TABLE IF NOT EXISTS idents
  USING fts5 (cell, tokens, tokenize = 'unicode61 remove_diacritics 0');
"""


class TenantFiles:
    """Connections of this process to the files of one folder. `close()` ends them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[tuple[int, str], sqlite3.Connection] = {}
        self._lock = threading.RLock()
        self.close = weakref.finalize(self, _close, self._open)

    def exists(self, tenant: str) -> bool:
        return self._file(tenant).exists()

    @contextmanager
    def reading(self, tenant: str) -> Iterator[sqlite3.Connection]:
        """Yield one unchanging view of the tenant's file."""
        with self._transaction(tenant, "DEFERRED", READ_WAIT) as base:
            yield base

    @contextmanager
    def writing(self, tenant: str) -> Iterator[sqlite3.Connection]:
        """Yield a connection whose changes are kept together, or not at all."""
        with self._transaction(tenant, "IMMEDIATE", WRITE_WAIT) as base:
            yield base

    def scrub(self, tenant: str) -> None:
        """Overwrite what was deleted: until then FTS5's segments and the log keep the words."""
        with self.writing(tenant) as base:
            for table in ("words", "idents"):
                base.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
        with self._lock:
            self._connection(tenant).execute("PRAGMA wal_checkpoint (TRUNCATE)").fetchall()

    @contextmanager
    def _transaction(self, tenant: str, mode: str, wait: int) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                base = self._connection(tenant)
                base.execute(f"PRAGMA busy_timeout = {wait}")
                base.execute(f"BEGIN {mode}")
                with _ended(base):
                    yield base
            except (sqlite3.Error, OSError) as error:
                raise IndexUnavailable(f"the tenant's index cannot be used: {error}") from error

    def _connection(self, tenant: str) -> sqlite3.Connection:
        key = (os.getpid(), tenant)  # a connection must not cross a fork
        if key not in self._open:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._open[key] = _connect(self._file(tenant))
        return self._open[key]

    def _file(self, tenant: str) -> Path:
        """A hash names the file: a tenant's id cannot leave the folder, nor meet another's."""
        name = hashlib.sha256(tenant.encode()).hexdigest()[:32]
        return self._folder / f"{name}-{VERSION}.sqlite"


@contextmanager
def _ended(base: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        if base.in_transaction:
            base.execute("ROLLBACK")
        raise


def _close(connections: dict[tuple[int, str], sqlite3.Connection]) -> None:
    for (process, _), connection in connections.items():
        if process == os.getpid():
            connection.close()
    connections.clear()


def _connect(file: Path) -> sqlite3.Connection:
    base = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    try:
        base.execute(f"PRAGMA busy_timeout = {WRITE_WAIT}")
        _enter_wal(base)
        base.execute("PRAGMA synchronous = NORMAL")
        base.execute("PRAGMA secure_delete = ON")
        base.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT;")
    except BaseException:
        base.close()
        raise
    return base


def _enter_wal(base: sqlite3.Connection, patience: float = 5.0) -> None:
    """Two processes that open a new file at once collide here, and SQLite does not wait itself."""
    end = time.monotonic() + patience
    while True:
        try:
            base.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
