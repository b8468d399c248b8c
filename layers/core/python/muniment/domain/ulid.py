"""ULIDs: 26 characters that sort by time (48 bits of milliseconds, 80 random bits)."""

from __future__ import annotations

import re

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32
LENGTH = 26  # characters
RANDOM_BYTES = 10
FORM = re.compile(rf"[0-7][{ALPHABET}]{{{LENGTH - 1}}}")


def ulid(now: int, chance: bytes) -> str:
    """Return the ULID of a moment (Unix milliseconds) and RANDOM_BYTES random bytes."""
    number = now << (8 * RANDOM_BYTES) | int.from_bytes(chance[:RANDOM_BYTES], "big")
    return "".join(ALPHABET[number >> (5 * at) & 31] for at in reversed(range(LENGTH)))


def is_ulid(text: str) -> bool:
    """Tell whether the text can be an id of ours: nothing else is looked up."""
    return bool(FORM.fullmatch(text))
