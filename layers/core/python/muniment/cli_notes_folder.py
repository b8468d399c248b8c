"""Find the notes of a folder and read them, without leaving the folder.

Hidden files, INDEX.md and MEMORY.md are passed over in silence (contents lists are generated),
a README.md without frontmatter is reported as skipped, and whatever else is called *.md is either
a note or a refusal with its reason: no file is lost quietly.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from muniment.cli_notes_fields import Note, note_of
from muniment.cli_notes_frontmatter import UnreadableNote, parse_note
from muniment.cli_notes_results import BrokenLink, Outcome, Refusal, Result

MAX_FILE_BYTES = 1_048_576
CONTENTS_LISTS = {"index.md", "memory.md"}
NOTE_SUFFIXES = {".md", ".markdown"}
_CODE = re.compile(r"^(```|~~~).*?(?:^\1|\Z)|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[\[([^\[\]\s|#][^\[\]\n|#]*)")


@dataclass
class Folder:
    """The notes that can be sent, in order of their paths, and what became of the other files."""

    notes: list[Note] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    def set_aside(self, file: str, outcome: Outcome, refusal: Refusal) -> None:
        """Note that this file is not sent, and why."""
        self.results.append(Result(file, outcome, refusal=refusal))


def read_folder(root: Path) -> Folder:
    """Read every note below `root`; nothing is raised for a single bad file."""
    folder = Folder()
    for path in _note_paths(root, folder):
        _read_into(folder, root, path)
    return folder


def _note_paths(root: Path, folder: Folder) -> list[Path]:
    found: list[Path] = []

    def cannot_list(error: OSError) -> None:
        place = _relative(root, Path(str(error.filename)))
        folder.set_aside(place, Outcome.REFUSED, _unreadable(error))

    for place, folders, files in os.walk(root, onerror=cannot_list):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in folders:
            _report_linked_folder(folder, root, Path(place, name))
        found += [Path(place, name) for name in files if _is_note_name(name)]
    return sorted(found, key=lambda path: _relative(root, path))


def _report_linked_folder(folder: Folder, root: Path, path: Path) -> None:
    if path.is_symlink():  # os.walk does not enter it
        refusal = Refusal("linked_folder", "a link to a folder is not followed")
        folder.set_aside(_relative(root, path), Outcome.SKIPPED, refusal)


def _is_note_name(name: str) -> bool:
    is_note = Path(name).suffix.lower() in NOTE_SUFFIXES
    return is_note and not name.startswith(".") and name.lower() not in CONTENTS_LISTS


def _relative(root: Path, path: Path) -> str:
    """Return the path inside the folder; composed (NFC), so that it is one path on every system."""
    return unicodedata.normalize("NFC", path.relative_to(root).as_posix())


def _read_into(folder: Folder, root: Path, path: Path) -> None:
    file = _relative(root, path)
    try:
        _refuse_odd_name(file)
        data = _read_bytes(root, path)
        fields, body = parse_note(_decode(data))
        folder.notes.append(note_of(file, data, fields, body))
    except UnreadableNote as unreadable:
        refusal = unreadable.refusal
        is_readme = refusal.code == "no_frontmatter" and path.name.lower() == "readme.md"
        folder.set_aside(file, Outcome.SKIPPED if is_readme else Outcome.REFUSED, refusal)
    except OSError as error:
        folder.set_aside(file, Outcome.REFUSED, _unreadable(error))


def _unreadable(error: OSError) -> Refusal:
    return Refusal("unreadable_file", error.strerror or "the file cannot be read")


def _refuse_odd_name(file: str) -> None:
    try:
        file.encode()
    except UnicodeEncodeError:
        refusal = Refusal("bad_file_name", "the file's name is not UTF-8", hint="rename the file")
        raise UnreadableNote(refusal) from None


def _read_bytes(root: Path, path: Path) -> bytes:
    real = Path(os.path.realpath(path, strict=True))
    if not real.is_relative_to(os.path.realpath(root)):
        raise UnreadableNote(Refusal("link_out_of_folder", "the file is a link out of the folder"))
    status = real.stat()
    if not stat.S_ISREG(status.st_mode):  # opening a named pipe would wait for ever
        raise UnreadableNote(Refusal("not_a_file", "it is not an ordinary file"))
    _refuse_big(status.st_size)
    return real.read_bytes()


def _refuse_big(size: int) -> None:
    if size > MAX_FILE_BYTES:
        raise UnreadableNote(
            Refusal(
                "file_too_big",
                "the file has more bytes than a note may have",
                limit=MAX_FILE_BYTES,
                actual=size,
                hint="one thought, one small note: split it",
            )
        )


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableNote(
            Refusal(
                "not_utf8",
                f"line {line}: byte {error.start} is not UTF-8",
                hint="save the file as UTF-8",
            )
        ) from None


def broken_links(notes: list[Note]) -> list[BrokenLink]:
    """Return the `[[targets]]` (outside code) that no note of these is named by."""
    names = {note.name for note in notes}
    return [
        BrokenLink(note.file, target)
        for note in notes
        for target in linked_names(note.content)
        if target not in names
    ]


def linked_names(text: str) -> list[str]:
    """Return the targets of `[[name]]`, `[[name|words]]` and `[[name#part]]`, each once."""
    targets = (target.strip() for target in _LINK.findall(_CODE.sub(" ", text)))
    return list(dict.fromkeys(targets))


def double_names(notes: list[Note]) -> dict[str, str]:
    """Return a warning per file whose name another file of the folder has as well."""
    counts = Counter(note.name for note in notes)
    return {
        note.file: f"another note here is named {note.name} too; a link cannot tell them apart"
        for note in notes
        if counts[note.name] > 1
    }
