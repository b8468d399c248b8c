"""The data folder: its lock, its secrets, and when it may be deleted."""

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from local.folder import MARKER, DataFolder, Unusable

ROOT = Path(__file__).resolve().parents[2]
HOLDER = """
import sys, time
from collections.abc import Iterator
from pathlib import Path
from local.folder import DataFolder
folder = DataFolder(Path(sys.argv[1]))
folder.open()
folder.claim()
folder.announce({"url": "http://127.0.0.1:1"})
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that runs on `tmp_path / "data"`."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "data")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_given_a_running_cloud_when_another_claims_then_it_learns_who_runs(
    holder: subprocess.Popen[str], tmp_path: Path
) -> None:
    folder = DataFolder(tmp_path / "data")
    folder.open()

    with pytest.raises(Unusable, match=f"process {holder.pid}, http://127.0.0.1:1"):
        folder.claim()

    assert (folder.running() or {})["pid"] == holder.pid


def test_given_a_running_cloud_when_stopped_then_its_process_ends(
    holder: subprocess.Popen[str], tmp_path: Path
) -> None:
    folder = DataFolder(tmp_path / "data")

    assert folder.stop() == holder.pid
    assert holder.wait(5) == -signal.SIGTERM
    assert folder.stop() is None


def test_given_a_killed_cloud_when_its_pid_is_another_programs_by_now_then_that_one_lives(
    tmp_path: Path,
) -> None:
    folder = DataFolder(tmp_path / "data")
    folder.open()
    (folder / "running.json").write_text(json.dumps({"pid": os.getpid()}))

    assert folder.running() is None
    assert folder.stop() is None  # else this test would end here
    folder.claim()


def test_given_no_folder_when_asked_then_nothing_runs_and_nothing_is_made(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")

    assert folder.running() is None
    assert folder.stop() is None
    assert not folder.path.exists()


def test_given_a_folder_of_others_when_opened_or_deleted_then_it_is_refused(
    tmp_path: Path,
) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    folder = DataFolder(tmp_path)

    with pytest.raises(Unusable, match="holds other files"):
        folder.open()
    with pytest.raises(Unusable, match=MARKER):
        folder.delete()

    assert (tmp_path / "letter.txt").read_text() == "dear"


def test_given_our_folder_when_deleted_then_it_is_gone(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    folder.open()
    folder.delete()

    assert not folder.path.exists()


def test_given_a_secret_when_read_twice_then_it_is_the_same_and_only_ours_to_read(
    tmp_path: Path,
) -> None:
    folder = DataFolder(tmp_path / "data")
    folder.open()

    first = folder.secret("signing_key")

    assert folder.secret("signing_key") == first
    assert len(first) > 30
    assert stat.S_IMODE((folder / "signing_key").stat().st_mode) == 0o600


def test_given_a_process_that_ignores_the_signal_when_stopped_then_it_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("local.folder.STOP_SECONDS", 0.2)
    stubborn = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n{HOLDER}"
    process = subprocess.Popen(
        [sys.executable, "-c", stubborn, str(tmp_path / "data")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    began = time.monotonic()

    assert DataFolder(tmp_path / "data").stop() == process.pid

    assert process.wait(5) == -signal.SIGKILL
    assert time.monotonic() - began < 5
    process.stdout.close()
