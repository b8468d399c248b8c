"""How facts lie in the table: keys, and items there and back (design, storage.md).

    T#{t}#F#{fact}              HEAD             newest revision, salt, index keys
    T#{t}#F#{fact}              R#{n:010}        immutable snapshot
    T#{t}#F#{fact}              L#{type}#{fact}  one link
    T#{t}#P#{p}#H#{cell}#{sha}  HASH             fact that holds the very same statement
    T#{t}#P#{p}#X#{place}#{sha} GONE             why a value may not come back
    T#{t}#P#{p}#K#{place}#{key} KEY              live facts of a fact_key

Every part of a key is checked against a charset without "#" before it gets here.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from muniment.domain.caller import PrincipalKind
from muniment.domain.fact import (
    GONE,
    WAITING,
    Author,
    Category,
    Citation,
    Content,
    Evidence,
    Head,
    Kind,
    Link,
    Revision,
    State,
    Subject,
    Trust,
)
from muniment.domain.intake import Intake
from muniment.domain.moments import hour, rfc3339
from muniment.domain.place import Cell, Layer, Place, ValidAt

Item = dict[str, Any]
Key = tuple[str, str]

IDENTITY = (  # of a head: what no revision ever changes
    "fact_id",
    "tenant",
    "project",
    "workspace",
    "owner",
    "valid_workplace",
    "valid_machine",
    "layer",
    "thread",
    "salt",
)
SHARDS = 8  # of one hour of expiry, so that a sweep has no hot partition


def project_pk(tenant: str, project: str) -> str:
    return f"T#{tenant}#P#{project}"


def fact_pk(tenant: str, fact_id: str) -> str:
    return f"T#{tenant}#F#{fact_id}"


def head_key(tenant: str, fact_id: str) -> Key:
    return fact_pk(tenant, fact_id), "HEAD"


def revision_key(tenant: str, fact_id: str, number: int) -> Key:
    return fact_pk(tenant, fact_id), f"R#{number:010}"


def cell_key(cell: Cell) -> str:
    return f"{project_pk(cell.place.tenant, cell.place.project)}#C#{cell.key}"


def hash_key(intake: Intake) -> Key:
    cell = intake.head.cell
    pk = project_pk(cell.place.tenant, cell.place.project)
    return f"{pk}#H#{cell.key}#{intake.exact}", "HASH"


def grave_key(intake: Intake) -> Key:
    place = intake.head.cell.place
    return f"{project_pk(place.tenant, place.project)}#X#{place.key}#{intake.value}", "GONE"


def fact_key_key(intake: Intake) -> Key | None:
    place, fact_key = intake.head.cell.place, intake.head.newest.content.fact_key
    if fact_key is None:
        return None
    return f"{project_pk(place.tenant, place.project)}#K#{place.key}#{fact_key}", "KEY"


def idempotency_key(intake: Intake) -> Key | None:
    request, place = intake.idempotency, intake.head.cell.place
    if request is None:
        return None
    pk = project_pk(place.tenant, place.project)
    return f"{pk}#I#{request.principal}#{request.verb}#{request.key}", "IDEM"


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
        "derived_from": list(content.derived_from),
        "links": [{"type": link.type, "target": link.target} for link in content.links],
        "confidence": Decimal(repr(content.confidence)),
        "evidence": content.evidence and str(content.evidence),
        "scope": content.scope,
        "tags": list(content.tags),
        "observed_at": content.observed_at,
        "expires_at": content.expires_at,
    }


def content_of(item: Mapping[str, Any]) -> Content:
    get = item.get
    return Content(
        statement=item["statement"],
        kind=Kind(item["kind"]),
        name=item["name"],
        description=item["description"],
        category=Category(item["category"]) if "category" in item else None,
        subject=Subject(item["subject_type"], item["subject_id"]) if "subject_id" in item else None,
        attributes=get("attributes", {}),
        citations=tuple(Citation(c["quote"], c["locator"]) for c in get("citations", ())),
        source_id=get("source_id"),
        source_hash=get("source_hash"),
        source_revision=get("source_revision"),
        fact_key=get("fact_key"),
        derived_from=tuple(get("derived_from", ())),
        links=tuple(Link(link["type"], link["target"]) for link in get("links", ())),
        confidence=float(item["confidence"]),
        evidence=Evidence(item["evidence"]) if "evidence" in item else None,
        scope=get("scope"),
        tags=tuple(get("tags", ())),
        observed_at=_number(get("observed_at")),
        expires_at=_number(get("expires_at")),
    )


def revision_item(tenant: str, fact_id: str, revision: Revision) -> Item:
    pk, sk = revision_key(tenant, fact_id, revision.number)
    return {"pk": pk, "sk": sk, **_standing_item(revision)}


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
        "salt": head.salt,
        "legal_hold": head.legal_hold or None,
        "superseded_by": head.superseded_by,
        "compressed_into": head.compressed_into,
        **_index_keys(head),
    }


def _author_item(author: Author) -> Item:
    item = {"author": author.principal, "author_kind": str(author.kind)}
    return item | ({"operator": author.operator} if author.operator else {})


def _index_keys(head: Head) -> Item:
    newest, place = head.newest, head.cell.place
    pk = project_pk(place.tenant, place.project)
    keys: Item = {
        "recent": f"{pk}#{hour(newest.recorded_at)}",
        "written_at": rfc3339(newest.recorded_at),
    }
    if newest.state in GONE:
        return keys
    keys["cell"] = cell_key(head.cell)
    if newest.state in WAITING:
        keys |= {"queue": pk, "queued_at": rfc3339(newest.recorded_at)}
    if (ends := newest.content.expires_at) is not None:
        shard = zlib.crc32(head.fact_id.encode()) % SHARDS
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
        salt=bytes(item["salt"]) if "salt" in item else b"",
        legal_hold=item.get("legal_hold", False),
        superseded_by=item.get("superseded_by"),
        compressed_into=item.get("compressed_into"),
    )


def _number(value: Any) -> int | None:
    return None if value is None else int(value)
