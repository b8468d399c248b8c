"""A request to write a fact with one text in one of its fields: every field that holds text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def bodies(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of each field and a body that holds the text there and nowhere else."""
    for name in (
        "statement",
        "content",
        "name",
        "description",
        "reason",
        "scope",
        "fact_key",
        "source_id",
        "source_hash",
        "source_revision",
        "session",
        "task",
        "supersedes",
        "a_field_nobody_knows",
    ):
        yield name, {"kind": "note", name: text}
    yield "tags", {"tags": ["deploy", text]}
    yield "derived_from", {"derived_from": [text]}
    yield "attribute name", {"attributes": {text: "yes"}}
    yield "attribute value", {"attributes": {"owner": text}}
    yield "quote", {"citations": [{"quote": text, "locator": "docs/a.md:3"}]}
    yield "locator", {"citations": [{"quote": "as we said", "locator": text}]}
    yield "link type", {"links": [{"type": text, "target": "fact:1"}]}
    yield "link target", {"links": [{"type": "see", "target": text}]}
    yield "subject type", {"subject": {"type": text, "id": "staging"}}
    yield "subject id", {"subject": {"type": "host", "id": text}}
    yield "workplace", {"valid_at": {"workplace": text}}
    yield "machine", {"valid_at": {"workplace": "lab", "machine": text}}


def texts(value: Any) -> Iterator[str]:
    """Yield every string of a JSON-like value, names included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for entry in value:
            yield from texts(entry)
    elif isinstance(value, dict):
        for name, entry in value.items():
            yield name
            yield from texts(entry)
