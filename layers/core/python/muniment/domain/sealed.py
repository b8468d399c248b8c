"""Small texts that we hand out and must recognise again: cursors and consistency tokens.

    base64url( 16 bytes of HMAC-SHA256(key, purpose, payload) + payload as JSON )

Sealed, not secret: whoever holds one can read it, nobody can make or change one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from typing import Any

MARK = 16  # bytes


def seal(key: str, purpose: str, payload: Any) -> str:
    """Return `payload` (JSON values) sealed for one purpose. The same input gives the same text."""
    body = json.dumps(payload, sort_keys=True, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(_mark(key, purpose, body) + body).decode().rstrip("=")


def unseal(key: str, purpose: str, sealed: str) -> Any:
    """Return the payload. Raises ValueError if we did not seal it for that purpose."""
    try:
        raw = base64.b64decode(sealed + "=" * (-len(sealed) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("not sealed by us") from None
    mark, body = raw[:MARK], raw[MARK:]
    if not hmac.compare_digest(mark, _mark(key, purpose, body)):
        raise ValueError("not sealed by us")
    return json.loads(body)


def _mark(key: str, purpose: str, body: bytes) -> bytes:
    said = f"{len(purpose)}:{purpose}".encode() + body
    return hmac.new(key.encode(), said, hashlib.sha256).digest()[:MARK]
