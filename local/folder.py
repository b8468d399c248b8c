"""The data folder: what a local cloud keeps, who runs on it, and when it may be deleted.

```
.muniment/
  muniment-data    marks the folder as ours; `make reset` refuses a folder without it
  running.json     pid and addresses; locked for as long as a local cloud runs on the folder
  items.sqlite     DynamoDB's items        search/    the search index
  signing_key, key mode 600                *.log      emulator, functions
  usage.json       calls of each tenant this month
```
"""

import fcntl
import json
import os
import secrets
import shutil
import signal
import time
from pathlib import Path
from typing import Any

MARKER = "muniment-data"
MARKER_TEXT = "Data of a Muniment local cloud. `make reset` deletes this whole folder.\n"
STOP_SECONDS = 20


class Unusable(Exception):
    """The folder cannot be used; the message says why and what to do."""


class DataFolder:
    """A data folder. Only `open` changes the disk before `claim` succeeded."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._lock: int | None = None

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def open(self) -> None:
        """Create the folder and its marker. Raises Unusable for a folder with others' files."""
        if self.path.exists() and not self._is_ours():
            if not self.path.is_dir() or any(self.path.iterdir()):
                raise Unusable(
                    f"{self.path} holds other files; choose another folder: DATA=.muniment make up"
                )
        (self.path / "search").mkdir(parents=True, exist_ok=True)
        self.path.chmod(0o711)  # not 700: as root, OpenSearch's node runs as nobody below it
        (self.path / MARKER).write_text(MARKER_TEXT)

    def claim(self) -> None:
        """Become the one process that runs on this folder. Raises Unusable if another does."""
        descriptor = os.open(self / "running.json", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            other = self.running() or {}
            raise Unusable(
                f"already running on {self.path}: process {other.get('pid', '?')}, "
                f"{other.get('url', 'starting')}; stop it with: make down"
            ) from None
        self._lock = descriptor
        self.announce({})

    def announce(self, facts: dict[str, Any]) -> None:
        """Write who runs here and at which addresses; needs `claim`."""
        assert self._lock is not None
        text = json.dumps({"pid": os.getpid(), **facts}, indent=1).encode()
        os.pwrite(self._lock, text, 0)
        os.ftruncate(self._lock, len(text))

    def running(self) -> dict[str, Any] | None:
        """Return what the running local cloud announced, or None if none runs.

        A pid alone may be another program's by now; the lock cannot: it ends with its process.
        """
        try:
            descriptor = os.open(self / "running.json", os.O_RDWR)
        except OSError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return None
        except BlockingIOError:
            return _announced(descriptor)
        finally:
            os.close(descriptor)

    def stop(self) -> int | None:
        """Stop the local cloud that runs here; return its pid, or None if none ran."""
        pid = (self.running() or {}).get("pid")
        if pid is None:
            return None
        os.kill(pid, signal.SIGTERM)
        end = time.monotonic() + STOP_SECONDS
        while self.running():
            if time.monotonic() > end:
                os.kill(pid, signal.SIGKILL)  # its children end with it, see lifeline
            time.sleep(0.05)
        return int(pid)

    def delete(self) -> None:
        """Delete the folder. Raises Unusable if it is missing or not marked as ours."""
        if not self._is_ours():
            raise Unusable(f"{self.path} is no data folder of ours (no {MARKER} in it): kept")
        shutil.rmtree(self.path)

    def secret(self, name: str) -> str:
        """Return the secret kept in a file of mode 600; made at the first call."""
        if not (self / name).exists():
            self.keep_secret(name, secrets.token_urlsafe(32))
        return (self / name).read_text().strip()

    def keep_secret(self, name: str, value: str) -> Path:
        """Write a secret with mode 600, whole or not at all; return its file."""
        file, draft = self / name, self / f"{name}.draft"
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as out:
            out.write(value + "\n")
        draft.replace(file)
        return file

    def _is_ours(self) -> bool:
        return (self.path / MARKER).is_file()


def _announced(descriptor: int) -> dict[str, Any]:
    try:
        facts: dict[str, Any] = json.loads(os.pread(descriptor, 65536, 0))
        return facts
    except ValueError:
        return {}  # read between its first two writes
