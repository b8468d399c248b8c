"""Where everything lies in the table: keys, and nothing but keys (design, storage.md).

    T#{t}#F#{fact}              HEAD             newest revision, salt, index keys
    T#{t}#F#{fact}              R#{n:010}        immutable snapshot
    T#{t}#F#{fact}              L#{type}#{fact}  one link
    T#{t}#P#{p}#H#{cell}#{sha}  HASH             fact that holds the very same statement
    T#{t}#P#{p}#X#{place}#{sha} GONE             why a value may not come back
    T#{t}#P#{p}#K#{place}#{key} KEY              live facts of a fact_key

Every part of a key is checked against a charset without "#" before it gets here.
"""

from __future__ import annotations

from muniment.domain.fact import Head, Subject
from muniment.domain.forms import exact, fingerprint
from muniment.domain.intake import Idempotency
from muniment.domain.place import Cell, Place

Key = tuple[str, str]


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


def hash_key(head: Head) -> Key:
    cell = head.cell
    pk = project_pk(cell.place.tenant, cell.place.project)
    return f"{pk}#H#{cell.key}#{fingerprint(exact(head.newest.content.statement))}", "HASH"


def grave_key(place: Place, value: str) -> Key:
    return f"{project_pk(place.tenant, place.project)}#X#{place.key}#{value}", "GONE"


def members_key(place: Place, fact_key: str) -> Key:
    return f"{project_pk(place.tenant, place.project)}#K#{place.key}#{fact_key}", "KEY"


def idempotency_key(tenant: str, project: str, request: Idempotency) -> Key:
    pk = project_pk(tenant, project)
    return f"{pk}#I#{request.principal}#{request.verb}#{request.key}", "IDEM"


def source_pk(tenant: str, project: str, source_id: str) -> str:
    return f"{project_pk(tenant, project)}#O#{fingerprint(source_id)}"


def subject_pk(place: Place, subject: Subject) -> str:
    """Return the partition of one subject's timeline. Type and id are length-prefixed."""
    named = fingerprint(f"{len(subject.type)}:{subject.type}{subject.id}")
    return f"{project_pk(place.tenant, place.project)}#B#{place.workspace}#{place.owner}#{named}"
