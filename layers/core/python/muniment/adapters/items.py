"""Facts as items of the table, there and back. Their keys: adapters.keyspace."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from muniment.adapters.keyspace import (
    cell_key,
    head_key,
    project_pk,
    revision_key,
    source_pk,
    subject_pk,
)
from muniment.domain.caller import PrincipalKind
from muniment.domain.fact import (
    GONE,
    WAITING,
    Author,
    Category,
    Citation,
    Claim,
    Content,
    Corroboration,
    Evidence,
    Head,
    Kind,
    Link,
    Revision,
    State,
    Subject,
    Trust,
)
from muniment.domain.guard.redaction import Redaction
from muniment.domain.limits import EXPIRY_SHARDS
from muniment.domain.moments import hour, parse, rfc3339
from muniment.domain.place import PUBLIC, Cell, Layer, Place, ValidAt

Item = dict[str, Any]

DEFAULT_CONFIDENCE = 0.5


def content_item(content: Content) -> Item:
    """Return the content flat; what is absent or default is left out to keep items small."""
    subject = content.subject
    return {
        "statement": content.statement,
        "kind": str(content.kind),
        "name": content.name,
        "description": content.description,
        "category": content.category and str(content.category),
        "subject_type": subject and subject.type,
        "subject_id": subject and subject.id,
        "attributes": dict(content.attributes) or None,
        "citations": [{"quote": c.quote, "locator": c.locator} for c in content.citations],
        "source_id": content.source_id,
        "source_hash": content.source_hash,
        "source_revision": content.source_revision,
        "fact_key": content.fact_key,
        "supersedes": content.supersedes,
        "derived_from": list(content.derived_from),
        "links": [{"type": link.type, "target": link.target} for link in content.links],
        "confidence": Decimal(repr(content.confidence)),
        "evidence": content.evidence and str(content.evidence),
        "scope": content.scope,
        "tags": list(content.tags),
        "observed_at": content.observed_at,
        "expires_at": content.expires_at,
        "redactions": [{"field": r.field, "detector": r.detector} for r in content.redactions],
    }


def content_of(item: Mapping[str, Any]) -> Content:
    get = item.get
    return Content(
        statement=get("statement", ""),  # an erased revision has none of these
        kind=Kind(item["kind"]),
        name=get("name", "erased"),
        description=get("description", ""),
        category=Category(item["category"]) if "category" in item else None,
        subject=Subject(item["subject_type"], item["subject_id"]) if "subject_id" in item else None,
        attributes=get("attributes", {}),
        citations=tuple(Citation(c["quote"], c["locator"]) for c in get("citations", ())),
        source_id=get("source_id"),
        source_hash=get("source_hash"),
        source_revision=get("source_revision"),
        fact_key=get("fact_key"),
        supersedes=get("supersedes"),
        derived_from=tuple(get("derived_from", ())),
        links=tuple(Link(link["type"], link["target"]) for link in get("links", ())),
        confidence=float(get("confidence", DEFAULT_CONFIDENCE)),
        evidence=Evidence(item["evidence"]) if "evidence" in item else None,
        scope=get("scope"),
        tags=tuple(get("tags", ())),
        observed_at=_number(get("observed_at")),
        expires_at=_number(get("expires_at")),
        redactions=tuple(Redaction(r["field"], r["detector"]) for r in get("redactions", ())),
    )


def revision_item(head: Head, revision: Revision) -> Item:
    """Return a revision with its place in the timeline of its subject."""
    place, subject = head.cell.place, revision.content.subject
    pk, sk = revision_key(place.tenant, head.fact_id, revision.number)
    happened = f"{rfc3339(revision.recorded_at)}#{head.fact_id}#{revision.number:010}"
    timeline = {"about": subject_pk(place, subject), "happened": happened} if subject else {}
    return {"pk": pk, "sk": sk, **_standing_item(revision), **timeline}


def _standing_item(revision: Revision) -> Item:
    author = revision.author
    return {
        **content_item(revision.content),
        "revision": revision.number,
        "trust": str(revision.trust),
        "state": str(revision.state),
        "author": author.principal,
        "author_kind": str(author.kind),
        "operator": author.operator,
        "reason": revision.reason,
        "recorded_at": revision.recorded_at,
        "legal_hold": revision.legal_hold or None,
        "superseded_by": revision.superseded_by,
        "redacted": revision.redacted or None,
        "digest": bytes.fromhex(revision.digest),
        "chain": bytes.fromhex(revision.chain),
    }


def revision_of(item: Mapping[str, Any]) -> Revision:
    return Revision(
        number=int(item["revision"]),
        content=content_of(item),
        trust=Trust(item["trust"]),
        state=State(item["state"]),
        author=_author(item),
        reason=item["reason"],
        recorded_at=int(item["recorded_at"]),
        digest=bytes(item["digest"]).hex(),
        chain=bytes(item["chain"]).hex(),
        legal_hold=item.get("legal_hold", False),
        superseded_by=item.get("superseded_by"),
        redacted=item.get("redacted", False),
    )


def _author(item: Mapping[str, Any]) -> Author:
    return Author(item["author"], PrincipalKind(item["author_kind"]), item.get("operator"))


def head_item(head: Head) -> Item:
    """Return the head with its index keys. What left results has none, so no index lists it."""
    place, newest = head.cell.place, head.newest
    pk, sk = head_key(place.tenant, head.fact_id)
    return {
        "pk": pk,
        "sk": sk,
        "fact_id": head.fact_id,
        "tenant": place.tenant,
        "project": place.project,
        "workspace": place.workspace,
        "owner": place.owner,
        "valid_workplace": place.valid_at.workplace,
        "valid_machine": place.valid_at.machine,
        "layer": str(head.cell.layer),
        "thread": head.cell.thread,
        **_standing_item(newest),
        "first_author": None if head.author == newest.author else _author_item(head.author),
        "editor": None if head.editor == newest.author else _author_item(head.editor),
        "salt": head.salt,
        "self_published": head.self_published or None,
        "corroborations": [[c.principal, c.source_id] for c in head.corroborations],
        "compressed_into": head.compressed_into,
        **_index_keys(head),
    }


def _author_item(author: Author) -> Item:
    item = {"author": author.principal, "author_kind": str(author.kind)}
    return item | ({"operator": author.operator} if author.operator else {})


def _index_keys(head: Head) -> Item:
    newest, place = head.newest, head.cell.place
    pk = project_pk(place.tenant, place.project)
    worded_at = newest.recorded_at if head.worded_at is None else head.worded_at
    keys: Item = {"recent": f"{pk}#{hour(worded_at)}", "written_at": rfc3339(worded_at)}
    if newest.state in GONE:
        return keys
    if newest.content.source_id:
        keys["source"] = source_pk(place.tenant, place.project, newest.content.source_id)
    keys["cell"] = cell_key(head.cell)
    if newest.state in WAITING and place.owner == PUBLIC:
        waiting_since = newest.recorded_at if head.queued_at is None else head.queued_at
        keys |= {"queue": pk, "queued_at": rfc3339(waiting_since)}
    if (ends := newest.content.expires_at) is not None:
        shard = zlib.crc32(head.fact_id.encode()) % EXPIRY_SHARDS
        keys |= {"due": f"{hour(ends)}#{shard}", "due_at": rfc3339(ends)}
    return keys


def head_of(item: Mapping[str, Any]) -> Head:
    valid_at = ValidAt(item.get("valid_workplace"), item.get("valid_machine"))
    place = Place(
        item["tenant"], item["project"], item["workspace"], item.get("owner", ""), valid_at
    )
    return Head(
        fact_id=item["fact_id"],
        cell=Cell(place, Layer(item["layer"]), item.get("thread", "")),
        newest=revision_of(item),
        author=_author(item.get("first_author", item)),
        editor=_author(item.get("editor", item)),
        salt=bytes(item["salt"]) if "salt" in item else b"",
        worded_at=parse(item["written_at"]) if "written_at" in item else None,
        queued_at=parse(item["queued_at"]) if "queued_at" in item else None,
        claim=_claim(item.get("claim")),
        generation=int(item.get("generation", 0)),
        self_published=item.get("self_published", False),
        corroborations=tuple(Corroboration(*pair) for pair in item.get("corroborations", ())),
        compressed_into=item.get("compressed_into"),
    )


def _claim(item: Mapping[str, Any] | None) -> Claim | None:
    return Claim(item["holder"], int(item["expires_at"])) if item else None


def _number(value: Any) -> int | None:
    return None if value is None else int(value)


def absent(value: Any) -> bool:
    """Tell whether a value is not stored at all: absent says the same."""
    return value is None or value in ("", b"", (), [])


def same(one: Any, other: Any) -> bool:
    return bool(one == other) or (absent(one) and absent(other))
