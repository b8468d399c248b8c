"""The guard at the door: every string of a request, keys of objects included (rule 14).

    request ─► secrets?  refuse, or put placeholders in their place   (rows M-105, W-43, D-01)
            ─► orders to the reader?  refuse                           (row W-44)
            ─► log, conversation, whole file?  refuse                  (rows M-106 to M-108)

A refusal names field and detector and nothing of what was found there.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from muniment.domain.errors import InjectionFound, RawDump, SecretFound
from muniment.domain.guard.dumps import find_dump
from muniment.domain.guard.injection import find_injection
from muniment.domain.guard.redaction import Redaction
from muniment.domain.guard.secrets import redact

REJECTED = "Memory rejected by Security Guard: "
DUMPS = {
    "log": "a raw log",
    "conversation": "a whole conversation",
    "file": "a whole file",
}


class SecretPolicy(StrEnum):
    """What becomes of a secret: the request is refused, or a placeholder is stored."""

    REJECT = "reject"
    REDACT = "redact"


def screen(
    value: Any, field: str, policy: SecretPolicy = SecretPolicy.REJECT
) -> tuple[Any, tuple[Redaction, ...]]:
    """Return `value` without secrets, and where placeholders stand now.

    `value` is JSON-like: text, numbers, lists, objects; `field` is its path. Raises SecretFound
    (policy reject), then InjectionFound, then RawDump.
    """
    found: list[Redaction] = []
    clean = _without_secrets(value, field, found)
    if found and policy is SecretPolicy.REJECT:
        raise secret_found(found[0])
    for path, text in _texts(clean, field):
        if detector := find_injection(text):
            raise InjectionFound(
                f"{REJECTED}{path} tries to steer whoever reads it ({detector})",
                field=path,
                detector=detector,
                hint="say what is true of the project; memory is read as data, never as orders",
            )
        if dump := find_dump(text):
            raise RawDump(
                f"{REJECTED}{path} holds {DUMPS[dump]}",
                field=path,
                detector=dump,
                hint="store one fact, with a short quote and a pointer to where the rest lies",
            )
    return clean, tuple(found)


def secret_found(redaction: Redaction) -> SecretFound:
    return SecretFound(
        f"{REJECTED}{redaction.field} holds what looks like a secret ({redaction.detector})",
        field=redaction.field,
        detector=redaction.detector,
        hint="say where the secret is kept, not what it is; if it was real, replace it",
    )


def untold(value: Any) -> Any:
    """Return `value` fit to be told back in a refusal: secrets replaced."""
    return _without_secrets(value, "", [])


def _without_secrets(value: Any, field: str, found: list[Redaction], name: str = "") -> Any:
    """`name` is the attribute whose value it is: `{"db_password": "…"}` tells by its name."""
    if isinstance(value, str):
        clean, detectors = redact(value, name)
        found.extend(Redaction(field, detector) for detector in detectors)
        return clean
    if isinstance(value, list):
        return [_without_secrets(v, f"{field}.{n}", found) for n, v in enumerate(value)]
    if isinstance(value, dict):
        named = field.endswith(".attributes")
        kept: dict[str, Any] = {}
        for sent, entry in value.items():
            key = _free(_without_secrets(sent, field, found), kept)
            name = sent if named else ""
            kept[key] = _without_secrets(entry, f"{field}.{key}", found, name)
        return kept
    return value


def _free(name: str, taken: dict[str, Any]) -> str:
    """Return the name, numbered if another secret got the same placeholder: nothing is lost."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def _texts(value: Any, field: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, list):
        for number, entry in enumerate(value):
            yield from _texts(entry, f"{field}.{number}")
    elif isinstance(value, dict):
        for name, entry in value.items():
            yield field, str(name)
            yield from _texts(entry, f"{field}.{name}")
