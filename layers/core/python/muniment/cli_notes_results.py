"""What happened to each note of an import, and how an operator is told.

read folder ──> Result(refused, skipped) ─┐
                                          ├──> ImportReport ──> text (stdout) or JSON (stdout)
send note ────> Result(recorded, …) ──────┘         └─────────> exit code
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """What became of one file."""

    RECORDED = "recorded"
    ALREADY_THERE = "already_there"
    REFUSED = "refused"
    SKIPPED = "skipped"
    NOT_SENT = "not_sent"


@dataclass(frozen=True)
class Refusal:
    """Why a note was not taken, in the words that a problem of the API has."""

    code: str
    detail: str
    field: str | None = None
    limit: Any = None
    actual: Any = None
    hint: str | None = None

    def line(self) -> str:
        """Return the reason on one line, without the hint."""
        parts = {"field": self.field, "limit": self.limit, "actual": self.actual}
        known = ", ".join(f"{name} {value}" for name, value in parts.items() if value is not None)
        return f"{self.code}: {self.detail}" + (f" ({known})" if known else "")


@dataclass(frozen=True)
class Result:
    """The outcome for one file; `file` is relative to the folder, with `/` between its parts."""

    file: str
    outcome: Outcome
    name: str | None = None
    fact_id: str | None = None
    refusal: Refusal | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class BrokenLink:
    """A `[[target]]` that names no note of the folder."""

    file: str
    target: str


@dataclass
class ImportReport:
    """Everything one run did; `stopped` says why it ended early, if it did."""

    folder: str
    url: str
    results: list[Result] = field(default_factory=list)
    broken_links: list[BrokenLink] = field(default_factory=list)
    stopped: Refusal | None = None
    interrupted: bool = False

    def having(self, outcome: Outcome) -> list[Result]:
        """Return the results with this outcome, in order of the files' paths."""
        return sorted((r for r in self.results if r.outcome is outcome), key=lambda r: r.file)

    def exit_code(self) -> int:
        """Return 0 all taken, 1 some refused, 2 stopped early, 130 interrupted."""
        if self.interrupted:
            return 130
        if self.stopped:
            return 2
        return 1 if self.having(Outcome.REFUSED) else 0

    def as_json(self) -> dict[str, Any]:
        """Return the whole report as plain values; counts are keyed by outcome."""
        ordered = sorted(self.results, key=lambda result: result.file)
        return {
            "folder": self.folder,
            "url": self.url,
            "counts": {outcome.value: len(self.having(outcome)) for outcome in Outcome},
            "stopped": asdict(self.stopped) if self.stopped else None,
            "notes": [asdict(result) for result in ordered],
            "broken_links": [asdict(link) for link in self.broken_links],
        }

    def as_text(self) -> str:
        """Return the report for a reader at a terminal; it ends without a line break."""
        lines = [
            *_refused_lines(self.having(Outcome.REFUSED)),
            *_skipped_lines(self.having(Outcome.SKIPPED)),
            *_warning_lines(self.results),
            *_link_lines(self.broken_links),
            self._counts_line(),
            *self._stop_lines(),
        ]
        return printable("\n".join(lines))

    def _counts_line(self) -> str:
        skipped = len(self.having(Outcome.SKIPPED))
        return (
            f"{len(self.having(Outcome.RECORDED))} recorded, "
            f"{len(self.having(Outcome.ALREADY_THERE))} already there, "
            f"{len(self.having(Outcome.REFUSED))} could not be taken"
            + (f", {skipped} skipped" if skipped else "")
        )

    def _stop_lines(self) -> list[str]:
        if not self.stopped:
            return []
        lines = [
            f"Stopped early: {self.stopped.line()}",
            f"  {len(self.having(Outcome.NOT_SENT))} notes were not sent. Nothing is lost: run the "
            "same command again and it goes on from there.",
        ]
        return lines + _hint_lines(self.stopped)


def _refused_lines(refused: list[Result]) -> list[str]:
    lines = ["Could not be taken:"] if refused else []
    for result in refused:
        if result.refusal:
            lines += [f"  {result.file}: {result.refusal.line()}", *_hint_lines(result.refusal)]
    return lines


def _hint_lines(refusal: Refusal) -> list[str]:
    return [f"    hint: {refusal.hint}"] if refusal.hint else []


def _skipped_lines(skipped: list[Result]) -> list[str]:
    reasons = [f"  {r.file}: {r.refusal.detail}" for r in skipped if r.refusal]
    return ["Skipped:", *reasons] if reasons else []


def _warning_lines(results: list[Result]) -> list[str]:
    warnings = [f"  {r.file}: {text}" for r in results for text in r.warnings]
    return ["Worth a look:", *sorted(warnings)] if warnings else []


def _link_lines(links: list[BrokenLink]) -> list[str]:
    lines = [f"  {link.file}: [[{link.target}]]" for link in links]
    return ["Links to notes that are not in this folder:", *lines] if lines else []


def printable(text: str) -> str:
    """Escape what could move the cursor or hide text: names and answers come from elsewhere."""
    return "".join(
        char if char == "\n" or char.isprintable() else ascii(char)[1:-1] for char in text
    )
