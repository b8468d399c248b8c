"""The chain of revisions: whoever changes one link breaks every later one (rules 1, 10).

    digest_n = HMAC-SHA256(fact's salt, canonical content_n)
    chain_n  = SHA-256(chain_n-1, digest_n, who, why, when, trust, state, hold, successor)

The chain holds digests, not content: an erase can empty the content and burn the salt, and the
chain still verifies while nobody can guess what was there.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence
from dataclasses import asdict, replace

from muniment.domain.fact import Author, Content, Revision, State, Trust

START = ""  # the chain before revision 1


def canonical(content: Content) -> bytes:
    """Return the one byte string that stands for this content: sorted JSON, UTF-8."""
    said = asdict(content)
    if not content.redactions:  # digests made before there were redactions stay right
        del said["redactions"]
    plain = json.dumps(said, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return plain.encode("utf-8", "surrogatepass")


def digest_of(content: Content, salt: bytes) -> str:
    return hmac.new(salt, canonical(content), hashlib.sha256).hexdigest()


def chain_of(previous: str, revision: Revision) -> str:
    """Return the link of `revision` behind `previous`. Parts are length-prefixed."""
    who = f"{revision.author.principal}/{revision.author.kind}/{revision.author.operator or ''}"
    parts = (
        previous,
        str(revision.number),
        revision.digest,
        who,
        revision.reason,
        str(revision.recorded_at),
        revision.trust,
        revision.state,
        "held" if revision.legal_hold else "",
        revision.superseded_by or "",
    )
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()


def link(
    previous: Revision | None,
    content: Content,
    *,
    trust: Trust,
    state: State,
    author: Author,
    reason: str,
    now: int,
    salt: bytes,
    legal_hold: bool | None = None,
    superseded_by: str | None = None,
) -> Revision:
    """Return the revision that follows `previous` (None: the first). `now` is Unix milliseconds.

    A legal hold goes on until `legal_hold` says otherwise.
    """
    held = bool(previous and previous.legal_hold) if legal_hold is None else legal_hold
    loose = Revision(
        number=previous.number + 1 if previous else 1,
        content=content,
        trust=trust,
        state=state,
        author=author,
        reason=reason,
        recorded_at=now,
        digest=digest_of(content, salt),
        chain="",
        legal_hold=held,
        superseded_by=superseded_by,
    )
    return replace(loose, chain=chain_of(previous.chain if previous else START, loose))


def broken_link(revisions: Sequence[Revision], salt: bytes | None) -> int | None:
    """Return the number of the first revision that does not verify, or None.

    `revisions` are all of one fact in order from 1. Without the salt (erased) only the chain is
    checked, not the content.
    """
    before = START
    for number, revision in enumerate(revisions, start=1):
        known = salt is not None and not revision.redacted
        forged = known and digest_of(revision.content, salt or b"") != revision.digest
        if revision.number != number or forged or chain_of(before, revision) != revision.chain:
            return number
        before = revision.chain
    return None
