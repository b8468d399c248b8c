"""Facts as the model knows them: who, what was said, and how it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

WAITING, STANDING = ("candidate", "corroborated"), ("published", "disputed")
GONE = ("superseded", "retracted", "expired", "forgotten")


@dataclass(frozen=True)
class Who:
    """A principal: `person` owns its private facts."""

    name: str
    kind: str
    person: str
    actions: frozenset[str]

    def may(self, action: str) -> bool:
        return action in self.actions


@dataclass(frozen=True)
class Text:
    """A statement, what it says exactly, and the value it says."""

    text: str
    exact: str
    value: str


@dataclass(frozen=True)
class Settings:
    solo_publish: bool = False
    repo_revise: bool = False
    publish_on_corroboration: bool = False


@dataclass
class Fact:
    fact_id: str
    owner: str
    layer: str
    key: str | None
    text: Text
    author: Who
    editor: Who
    queued_at: int
    source: str | None = None
    ends: int | None = None
    supersedes: str | None = None
    state: str = "candidate"
    revision: int = 1
    held: bool = False
    successor: str | None = None
    claim: tuple[str, int] | None = None
    generation: int = 0
    voices: list[tuple[str, str]] = field(default_factory=list)

    def snapshot(self) -> dict[str, Any]:
        """Return what the table must hold of it."""
        trust = "human" if self.editor.kind == "human" else "agent"
        return {
            "state": self.state,
            "revision": self.revision,
            "trust": trust,
            "statement": self.text.text,
            "editor": self.editor.name,
            "held": self.held,
            "successor": self.successor,
            "claim": self.claim,
            "generation": self.generation,
            "voices": [list(voice) for voice in self.voices],
        }

    def live(self, now: int) -> bool:
        return self.state not in GONE and (self.ends is None or now < self.ends)

    def move(self, *states: str) -> None:
        """Take on each state in turn, a revision each; what is settled leaves the queue."""
        self.revision += len(states)
        self.state = states[-1]
        if self.state not in WAITING:
            self.claim = None
