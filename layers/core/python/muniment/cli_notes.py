"""`muniment import-notes DIR`: record a folder of Markdown notes through the HTTP API.

    DIR ──> read_folder ──> notes ──> NotesClient.remember, one after another ──> report
                    └────> refused, skipped ─────────────────────────────────────┘

A run can be stopped and repeated at any point: each note carries an idempotency key made of its
path and its bytes, and an exact repeat is answered with the fact that is already there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from muniment.cli_notes_client import Answer, BadAddress, NotesClient, ServiceStopped
from muniment.cli_notes_fields import Note
from muniment.cli_notes_folder import broken_links, double_names, read_folder
from muniment.cli_notes_results import ImportReport, Outcome, Refusal, Result, printable

KEY_VARIABLE = "MUNIMENT_KEY"
USAGE_ERROR = 2
_WORDS = {
    Outcome.RECORDED: "recorded",
    Outcome.ALREADY_THERE: "already there",
    Outcome.REFUSED: "could not be taken",
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `import-notes` to the operator command; its parsed arguments go to `run`."""
    parser = subparsers.add_parser(
        "import-notes",
        help="record a folder of Markdown notes",
        description="Record a folder of Markdown notes with frontmatter. A second run adds nothing."
        " Exit code: 0 all taken, 1 some notes not taken, 2 wrong use or no connection.",
    )
    parser.add_argument("folder", metavar="DIR", type=Path, help="the folder of notes")
    parser.add_argument("--url", required=True, help="the service, such as http://127.0.0.1:4600")
    parser.add_argument("--key-file", type=Path, help=f"file of the API key (else ${KEY_VARIABLE})")
    parser.add_argument("--project", help="the project, if the key opens several")
    parser.add_argument("--workspace", help="the workspace inside the project")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Import the folder, print the report on stdout and return the exit code.

    Takes what `add_parser` parses. Progress goes to stderr.
    """
    progress = Progress(sys.stderr)
    try:
        report = import_notes(args, progress)
    except UsageError as error:
        print(printable(f"muniment import-notes: {error}"), file=sys.stderr)
        return USAGE_ERROR
    finally:
        progress.clear()
    print(json.dumps(report.as_json(), indent=2) if args.json else report.as_text())
    return report.exit_code()


class UsageError(Exception):
    """The command cannot begin: wrong folder, no key, unusable URL."""


def import_notes(args: argparse.Namespace, progress: Progress) -> ImportReport:
    """Read the folder and send its notes; raises UsageError when nothing can be begun."""
    if not args.folder.is_dir():
        raise UsageError(f"{args.folder} is not a folder")
    client = _client(args, progress)
    folder = read_folder(args.folder)
    if not folder.notes and not folder.results:
        raise UsageError(f"there are no notes (*.md) in {args.folder}")
    report = ImportReport(str(args.folder), args.url, folder.results, broken_links(folder.notes))
    try:
        _send_all(client, folder.notes, args.workspace or "", report, progress)
    finally:
        client.close()
    return report


def _client(args: argparse.Namespace, progress: Progress) -> NotesClient:
    try:
        return NotesClient(
            args.url,
            _read_key(args.key_file),
            project=args.project,
            workspace=args.workspace,
            say=progress.say,
        )
    except BadAddress as error:
        raise UsageError(str(error)) from None


def _read_key(key_file: Path | None) -> str:
    if key_file is None:
        key = os.environ.get(KEY_VARIABLE, "")
        if not key:
            raise UsageError(f"give the API key with --key-file or in {KEY_VARIABLE}")
        return key.strip()
    try:
        return key_file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise UsageError(f"cannot read the key file {key_file}") from None


def _send_all(
    client: NotesClient, notes: list[Note], workspace: str, report: ImportReport, progress: Progress
) -> None:
    doubles = double_names(notes)
    left = list(notes)
    try:
        for number, note in enumerate(notes, 1):
            progress.begin(number, len(notes), note.file)
            answer = client.remember(note.body, note.idempotency_key(workspace))
            result = result_of(note, answer)
            if note.file in doubles:
                result = replace(result, warnings=(*result.warnings, doubles[note.file]))
            report.results.append(result)
            left.pop(0)
            progress.end(result)
    except ServiceStopped as stopped:
        report.stopped = stopped.refusal
    except KeyboardInterrupt:
        report.stopped = Refusal("interrupted", "the command was interrupted")
        report.interrupted = True
    report.results += [Result(note.file, Outcome.NOT_SENT, note.name) for note in left]


def result_of(note: Note, answer: Answer) -> Result:
    """Return what the service's answer means for the note."""
    if answer.status >= 300:
        refusal = answer.refusal()
        return Result(note.file, Outcome.REFUSED, note.name, None, refusal, note.warnings)
    fact = answer.body["fact"]
    outcome = Outcome.ALREADY_THERE if answer.replayed else Outcome.RECORDED
    fact_id = str(fact.get("fact_id") or "") or None
    warnings = note.warnings + _difference(note, fact)
    return Result(note.file, outcome, note.name, fact_id, None, warnings)


def _difference(note: Note, fact: dict[str, object]) -> tuple[str, ...]:
    """Tell when the text was already there, but said by another file or under other fields."""
    source, source_hash = fact.get("source_id"), fact.get("source_hash")
    if source and source != note.body["source_id"]:
        return (f"its text is already recorded, from {source}: the two notes are one fact",)
    if source_hash and source_hash != note.body["source_hash"]:
        return ("its text is already recorded; what changed in the frontmatter was not taken",)
    return ()


class Progress:
    """What the operator sees meanwhile: one line that changes on a terminal, plain lines else."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._live = stream, stream.isatty()
        self._at = ""

    def begin(self, number: int, total: int, file: str) -> None:
        """Show which note is being sent."""
        self._at = printable(f"{number}/{total} {file}")
        if self._live:
            self._stream.write(f"\r\x1b[K{self._at}")
            self._stream.flush()

    def end(self, result: Result) -> None:
        """Tell what became of it, where lines are kept."""
        if not self._live:
            print(f"{self._at}: {_WORDS[result.outcome]}", file=self._stream, flush=True)

    def say(self, text: str) -> None:
        """Tell of something unusual on a line of its own."""
        self.clear()
        print(printable(f"{self._at}: {text}"), file=self._stream, flush=True)

    def clear(self) -> None:
        """Take the changing line away."""
        if self._live:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
