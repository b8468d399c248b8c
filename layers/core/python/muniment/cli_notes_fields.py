"""Turn a note's frontmatter into the body of `remember`.

    name, description        as they are      updated, as_of     -> observed_at
    type or folder           -> kind          evidence           -> evidence
    type, if one of the four -> category      tags               -> tags
    path, bytes              -> source_id, source_hash, and the idempotency key

`evidence`, `type`, `updated`, `as_of` and `tags` may stand under `metadata:` as well.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import PurePosixPath
from typing import Any

from muniment.cli_notes_frontmatter import Fields, UnreadableNote, field_list, field_text
from muniment.cli_notes_results import Refusal
from muniment.domain.fact import Category, Evidence, Kind

KINDS = {
    "rule": Kind.RULE,
    "rules": Kind.RULE,
    "decision": Kind.DECISION,
    "decisions": Kind.DECISION,
    "howto": Kind.HOWTO,
    "product": Kind.PRODUCT,
    "incident": Kind.INCIDENT,
    "incidents": Kind.INCIDENT,
    "reference": Kind.HOWTO,
    "feedback": Kind.INCIDENT,
    "user": Kind.NOTE,
    "project": Kind.DECISION,
}
MAPPING_VERSION = "1"  # part of the idempotency key: change it with what `note_of` sends


@dataclass(frozen=True)
class Note:
    """A note ready to be sent; `body` is the JSON of `remember`, `warnings` what was left out."""

    file: str
    name: str
    content: str
    body: dict[str, Any]
    warnings: tuple[str, ...] = ()

    def idempotency_key(self, workspace: str) -> str:
        """Return the same key for the same file with the same bytes in the same workspace."""
        parts = (MAPPING_VERSION, workspace, self.file, self.body["source_hash"])
        return "note-" + hashlib.sha256("\0".join(parts).encode()).hexdigest()


def note_of(file: str, data: bytes, fields: Fields, content: str) -> Note:
    """Build the request for one note; `data` is the file's bytes, `content` its body.

    Raises UnreadableNote: `empty_body`, `no_name`, `bad_field`.
    """
    if not content:
        raise UnreadableNote(Refusal("empty_body", "there is no text after the frontmatter"))
    name = slug(field_text(fields, "name") or PurePosixPath(file).stem)
    note_type = (field_text(fields, "type", "metadata.type") or "").casefold()
    observed_at, date_warning = moment(
        field_text(fields, "updated", "as_of", "metadata.updated", "metadata.as_of")
    )
    evidence, evidence_warning = evidence_of(field_text(fields, "evidence", "metadata.evidence"))
    body = {
        "content": content,
        "name": name,
        "description": field_text(fields, "description"),
        "kind": kind_of(note_type, file),
        "category": note_type if note_type in set(Category) else None,
        "subject": {"type": "note", "id": name},
        "source_id": f"notes/{file}",
        "source_hash": "sha256:" + hashlib.sha256(data).hexdigest(),
        "observed_at": observed_at,
        "evidence": evidence,
        "tags": tags_of(fields) or None,
    }
    said = {key: value for key, value in body.items() if value is not None}
    return Note(file, name, content, said, tuple(filter(None, (date_warning, evidence_warning))))


def kind_of(note_type: str, file: str) -> Kind:
    """Return the kind that the note's type names, or else its nearest folder, or else `note`."""
    folders = reversed(PurePosixPath(file).parts[:-1])
    named = (KINDS.get(word.casefold()) for word in (note_type, *folders))
    return next((kind for kind in named if kind), Kind.NOTE)


def slug(name: str) -> str:
    """Return the name as a slug: lower case, letters and digits of any script, `-` between."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    words = re.sub(r"[^\w.]+", "-", folded).strip("-._")
    if not words:
        raise UnreadableNote(Refusal("no_name", "the name has no letter or digit", field="name"))
    return words


def moment(text: str | None) -> tuple[str | None, str | None]:
    """Return the date as RFC 3339 in UTC, or none, and a warning if it was not taken as it is."""
    if text is None:
        return None, None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return _exact_moment(text)
    return f"{day.isoformat()}T00:00:00.000Z", None


def _exact_moment(text: str) -> tuple[str | None, str | None]:
    try:
        when = datetime.fromisoformat(text)
        in_utc = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError):
        return None, f"the date {text!r} is not YYYY-MM-DD and was left out"
    warning = f"the time {text!r} names no zone and was taken as UTC" if not when.tzinfo else None
    return in_utc.isoformat(timespec="milliseconds").replace("+00:00", "Z"), warning


def evidence_of(text: str | None) -> tuple[str | None, str | None]:
    """Return the evidence if it is one of the four words, and else a warning."""
    if text is None or text.casefold() in set(Evidence):
        return (text and text.casefold()), None
    return None, f"evidence {text!r} is not one of {', '.join(Evidence)} and was left out"


def tags_of(fields: Fields) -> list[str]:
    """Return the tags, each once, without the `#` some people write."""
    written = field_list(fields, "tags") or field_list(fields, "metadata.tags")
    return list(dict.fromkeys(tag.lstrip("#") for tag in written if tag.lstrip("#")))
