"""What only the SQLite index has to prove: many processes, a killed one, files that went bad."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.adapters.sqlite_index import SqliteIndex
from muniment.domain.errors import IndexUnavailable
from tests.builders import a_cell
from tests.contract.conftest import Engine
from tests.contract.index_entries import (
    a_question,
    a_scope,
    an_entry,
    ask,
    found,
    pointing,
    store,
)

WRITER = """
import sys
from pathlib import Path
from muniment.adapters.sqlite_index import SqliteIndex
from tests.contract.index_entries import an_entry, pointing

folder, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
index = SqliteIndex(folder)
for n in range(count):
    index.write([(an_entry(f"{name}{n:05}"), pointing())])
    print(f"{name}{n:05}", flush=True)
index.close()
"""


def writer(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "search"


@pytest.fixture
def index(folder: Path) -> Iterator[SqliteIndex]:
    opened = SqliteIndex(folder)
    yield opened
    opened.close()


def test_given_three_processes_that_write_at_once_then_nothing_is_lost_and_readers_go_on(
    index: SqliteIndex, folder: Path
) -> None:
    writers = [writer(folder, name, 60) for name in "abc"]
    reads = 0
    while any(process.poll() is None for process in writers):
        lists = found(index.propose(a_scope(), a_question(), pointing()))
        assert len(lists["words"]) == len(lists["e5"])
        reads += 1
    for process in writers:
        process.communicate()
        assert process.returncode == 0
    written = [f"{name}{n:05}" for name in "abc" for n in range(60)]
    assert reads > 5
    assert len(index.revisions("acme", "backend", written)) == 180


def test_given_a_writer_killed_again_and_again_then_every_acknowledged_entry_is_found(
    index: SqliteIndex, folder: Path
) -> None:
    acknowledged: list[str] = []
    for turn in "abc":
        with writer(folder, turn, 100_000) as process:
            assert process.stdout
            acknowledged.append(process.stdout.readline().strip())
            time.sleep(0.1)
            process.send_signal(signal.SIGKILL)
            acknowledged += process.stdout.read().split()
    assert len(acknowledged) > 3
    assert set(index.revisions("acme", "backend", acknowledged)) == set(acknowledged)
    index.write([(an_entry("after", text="unlike the others"), pointing())])
    lists = found(index.propose(a_scope(), a_question("unlike"), pointing()))
    assert lists["words"] == ["after"]


def test_given_vectors_in_memory_when_another_process_writes_then_its_entries_are_found(
    index: SqliteIndex, folder: Path
) -> None:
    index.write([(an_entry("mine"), pointing(1.0))])
    assert found(index.propose(a_scope(), a_question(), pointing()))["e5"] == ["mine"]
    other = SqliteIndex(folder)
    other.write([(an_entry("theirs"), pointing(0.5))])
    other.write([(an_entry("mine", revision=2), pointing(0.1))])
    other.close()
    assert found(index.propose(a_scope(), a_question(), pointing()))["e5"] == ["mine", "theirs"]


def test_given_more_entries_than_first_loaded_then_the_vectors_in_memory_grow(
    sqlite_engine: Engine,
) -> None:
    for size in (1, 2, 5, 40):
        names = [f"{size}-{n}" for n in range(size)]
        store(sqlite_engine, *(an_entry(name) for name in names), vectors=pointing(1 / size))
        assert ask(sqlite_engine)["e5"][:size] == names


@pytest.mark.parametrize("tenant", ["../../outside", "/outside", "a/b", "..", "ТЕНАНТ", "a" * 300])
def test_given_any_tenant_id_then_its_file_stays_in_the_folder(
    index: SqliteIndex, folder: Path, tmp_path: Path, tenant: str
) -> None:
    index.write([(an_entry(cell=a_cell(tenant=tenant)), None)])
    assert index.revisions(tenant, "backend", ["f1"]) == {"f1": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["search"]
    assert all(path.is_file() for path in folder.iterdir())


def test_given_an_unknown_tenant_when_asked_then_no_file_appears(
    index: SqliteIndex, folder: Path
) -> None:
    assert index.propose(a_scope(), a_question(), pointing()).lists == {}
    assert not folder.exists()


def test_given_a_damaged_file_then_the_index_is_unavailable(
    index: SqliteIndex, folder: Path
) -> None:
    index.write([(an_entry(), pointing())])
    index.close()
    for file in folder.iterdir():
        file.write_bytes(b"no database" * 1_000)
    again = SqliteIndex(folder)
    for use in (
        lambda: again.propose(a_scope(), a_question(), None),
        lambda: again.write([(an_entry(revision=2), None)]),
        lambda: again.revisions("acme", "backend", ["f1"]),
    ):
        with pytest.raises(IndexUnavailable):
            use()
    again.close()


def test_given_a_folder_that_cannot_be_made_then_the_index_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    index = SqliteIndex(tmp_path / "file" / "search")
    with pytest.raises(IndexUnavailable):
        index.write([(an_entry(), None)])
    index.close()
