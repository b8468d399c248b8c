"""Proofs that formats carry with them: check digits, and texts that must decode.

Each takes the whole token and tells whether its proof holds. Sources: GitHub's post on its token
formats (CRC-32 in base 62), npm's token format (the same), RFC 7519 and 7515 (JWT header), BIP 173
(bech32, of age keys), RFC 7617 (Basic), Discord's developer documentation (id before the dot).
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Callable

from muniment.domain.keys import is_well_formed

Check = Callable[[str], bool]

BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
BECH32_STEPS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
CHECK_LENGTH = 6  # characters of base 62 hold 32 bits


def base62(number: int, length: int) -> str:
    """Return the number in base 62, most significant digit first, padded with zeros."""
    digits = ""
    for _ in range(length):
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return digits


def has_crc_tail(token: str) -> bool:
    """Tell whether the last six characters are the CRC-32 of what stands behind the prefix."""
    body = token.partition("_")[2]
    head, tail = body[:-CHECK_LENGTH], body[-CHECK_LENGTH:]
    return base62(zlib.crc32(head.encode()), CHECK_LENGTH) == tail


def is_our_key(token: str) -> bool:
    return is_well_formed(token)


def is_age_key(token: str) -> bool:
    """Tell whether the bech32 checksum of AGE-SECRET-KEY-1… holds."""
    prefix, _, data = token.lower().rpartition("1")
    spread = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
    values = [BECH32.find(c) for c in data]
    return -1 not in values and _polymod(spread + values) == 1


def _polymod(values: list[int]) -> int:
    check = 1
    for value in values:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for bit, step in enumerate(BECH32_STEPS):
            check ^= step if top >> bit & 1 else 0
    return check


def decoded(text: str) -> str | None:
    """Return what base64 of either alphabet says, if that is printable ASCII; else None."""
    plain = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        found = base64.b64decode(plain[: len(plain) - (len(plain) % 4 == 1)] + "==")
    except binascii.Error:
        return None
    if not found.isascii():
        return None
    said = found.decode("ascii")
    return said if said.translate(LINE_ENDS).isprintable() else None


LINE_ENDS = {9: " ", 10: " ", 13: " "}


def is_jwt(token: str) -> bool:
    """Tell whether the first part is a JSON object that names an algorithm."""
    header = decoded(token.split(".")[0])
    try:
        said = json.loads(header or "")
    except ValueError:
        return False
    return isinstance(said, dict) and bool({"alg", "typ", "enc", "kid"} & said.keys())


def is_user_and_password(token: str) -> bool:
    """Tell whether it decodes to `user:password`, as Basic and Docker's auth do."""
    user, colon, password = (decoded(token) or "").partition(":")
    return bool(colon and len(password) >= 3 and len(user) < 200)


def is_numbered(token: str) -> bool:
    """Tell whether the part before the first dot decodes to a number of 15 digits or more."""
    said = decoded(token.split(".")[0]) or ""
    return said.isdigit() and len(said) >= 15
