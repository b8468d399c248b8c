"""Every code that a problem can have, explained: what GET /problems/{code} tells.

A test holds this table, docs/api.md, the refusals of the domain and the gateway's answers together.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import NamedTuple

from pydantic import BaseModel

from muniment.domain.errors import NotFound

ROUTE = "/problems/"  # below the base address of the API


class Explained(NamedTuple):
    """`again`: may the very same request be sent once more?"""

    status: int
    when: str
    again: bool


class ProblemView(BaseModel):
    code: str
    status: int
    title: str
    when: str
    retry: bool


def explained(code: str) -> ProblemView:
    """Return what is known of a code. Raises NotFound."""
    if (known := KNOWN.get(code)) is None:
        raise NotFound("no such problem code", hint="docs/api.md lists all codes under Refusals")
    title = HTTPStatus(known.status).phrase
    return ProblemView(
        code=code, status=known.status, title=title, when=known.when, retry=known.again
    )


KNOWN = {
    "malformed": Explained(
        400,
        "the body is not JSON, or a field has the wrong type or is unknown",
        False,
    ),
    "refused": Explained(400, "not used by itself: the root of the others", False),
    "cursor_mismatch": Explained(400, "the cursor belongs to another query", False),
    "project_required": Explained(400, "the key opens several projects and none was chosen", False),
    "unauthorized": Explained(401, "no key was sent", False),
    "access_denied": Explained(403, "the key is unknown, expired or revoked", False),
    "not_allowed": Explained(
        403,
        "the key or the person's role lacks the action, or this principal may not do it",
        False,
    ),
    "no_plan": Explained(403, "the customer is in no usage plan, or just moves into another", True),
    "read_only": Explained(
        403,
        "the subscription lapsed: for 14 days memory can be read, nothing can be written",
        False,
    ),
    "subscription_closed": Explained(
        403, "the subscription ended; facts and holds are kept", False
    ),
    "self_review": Explained(403, "an author may not approve their own fact", False),
    "not_found": Explained(
        404,
        "no such fact, revision, context or project that this key can see",
        False,
    ),
    "no_route": Explained(404, "no such method and path", False),
    "create_only": Explained(
        405, "the repo layer is not edited: a correction is a new fact", False
    ),
    "conflict": Explained(
        409,
        "the name is taken, the key is closed, or it would take the last owner away",
        False,
    ),
    "stale_claim": Explained(409, "another reviewer holds the claim, or it lapsed", False),
    "stale_revision": Explained(409, "the fact changed since the caller read it", False),
    "wrong_state": Explained(409, "the fact's state does not allow this step", False),
    "idempotency_mismatch": Explained(
        409, "the idempotency key was used for another request", False
    ),
    "duplicate_tombstone": Explained(
        409,
        "the value was retracted, rejected or forgotten before",
        False,
    ),
    "too_large": Explained(413, "the body or the whole fact has too many bytes", False),
    "out_of_bounds": Explained(422, "a field has the right type and is beyond its limit", False),
    "unprocessable": Explained(
        422,
        "the fields are right one by one and make no sense together",
        False,
    ),
    "secret_found": Explained(
        422,
        "the guard saw what looks like a secret; detector names the kind, nothing of it is told",
        False,
    ),
    "injection_found": Explained(422, "the guard saw an order to whoever reads the fact", False),
    "raw_dump": Explained(
        422, "the guard saw a raw log, a whole conversation or a whole file", False
    ),
    "not_for_repo": Explained(
        422,
        "a strict project does not keep this on its repo layer; actual says what it is",
        False,
    ),
    "legal_hold": Explained(423, "a legal hold keeps the fact as it is", False),
    "hard_limit": Explained(
        429,
        "the project's ceiling of facts is reached; reading goes on, see GET /budget",
        False,
    ),
    "throttled": Explained(
        429,
        "more requests a minute than the customer's plan allows; see Retry-After",
        True,
    ),
    "quota_exceeded": Explained(
        429,
        "the requests of the customer's plan are used up for this calendar month (UTC); "
        "see Retry-After",
        True,
    ),
    "internal": Explained(500, "something broke on our side (502 from the gateway)", True),
    "authorizer_failure": Explained(500, "the key could not be checked", True),
    "busy": Explained(503, "too many writers at once; see Retry-After", True),
    "timeout": Explained(
        503,
        "the function took too long; a write may have been carried out: use an idempotency key",
        True,
    ),
}
