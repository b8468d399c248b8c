"""ULIDs: 26 characters that sort by time (48 bits of milliseconds, 80 random bits)."""

from __future__ import annotations

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32
LENGTH = 26  # characters
RANDOM_BYTES = 10


def ulid(now: int, chance: bytes) -> str:
    """Return the ULID of a moment (Unix milliseconds) and RANDOM_BYTES random bytes."""
    number = now << (8 * RANDOM_BYTES) | int.from_bytes(chance[:RANDOM_BYTES], "big")
    return "".join(ALPHABET[number >> (5 * at) & 31] for at in reversed(range(LENGTH)))
