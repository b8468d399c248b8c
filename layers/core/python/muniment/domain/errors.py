"""Every way Muniment refuses a request.

    Refused
      Malformed               the request has not the shape it must have
        CursorMismatch        the cursor belongs to another query
        ProjectRequired       the key opens several projects and none was chosen
      TooLarge                the body exceeds what a request may weigh
      Unprocessable           the shape is right, the meaning is not
        SecretFound           the guard saw what looks like a secret
        InjectionFound        the guard saw an order to whoever reads it
        RawDump               the guard saw a log, a conversation or a whole file
        NotForRepo            a strict project does not keep this on its repo layer
      NotAllowed              the caller's key or role does not allow the verb
        SelfReview            an author may not approve their own fact
        ReadOnly              the subscription lapsed: nothing can be written
        SubscriptionClosed    the subscription ended: nothing is served
      CreateOnly              this layer is not edited: a correction is a new fact
      OnHold                  a legal hold keeps the fact as it is
      NotFound                the caller can see no such thing (also: another project's)
      Conflict                the caller acted on a state that has since moved
        StaleClaim            another reviewer holds the claim, or it lapsed
        StaleRevision         the fact changed since the caller read it
        NotWaiting            the fact's state does not allow this step
        IdempotencyMismatch   the idempotency key was used for another request
        DuplicateTombstone    the value was retracted, rejected or forgotten before
      HardLimit               the project's ceiling is reached
      Busy                    too many writers at once; the same request may be sent again

A refusal says what happened in the domain; muniment.api.problems says what that is
called in HTTP (acceptance rows D-45, M-68).
"""

from __future__ import annotations

from typing import ClassVar


class Refused(Exception):
    """Base of all refusals.

    `code` is part of the API and never changes once released. `detail` is for people.
    `field` is the path of the offending field, `limit` and `actual` are in the unit that
    `detail` names, `hint` says what to do instead. Nothing of the stored content is in it.
    """

    code: ClassVar[str] = "refused"
    retry: ClassVar[bool] = False

    def __init__(
        self,
        detail: str,
        *,
        field: str | None = None,
        limit: int | float | str | None = None,
        actual: int | float | str | None = None,
        hint: str | None = None,
        **more: object,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        told = {"field": field, "limit": limit, "actual": actual, "hint": hint, **more}
        self.more = {name: value for name, value in told.items() if value is not None}


class Malformed(Refused):
    code = "malformed"


class CursorMismatch(Malformed):
    code = "cursor_mismatch"


class ProjectRequired(Malformed):
    code = "project_required"


class TooLarge(Refused):
    code = "too_large"


class Unprocessable(Refused):
    code = "unprocessable"


class SecretFound(Unprocessable):
    code = "secret_found"


class InjectionFound(Unprocessable):
    code = "injection_found"


class RawDump(Unprocessable):
    code = "raw_dump"


class NotForRepo(Unprocessable):
    code = "not_for_repo"


class NotAllowed(Refused):
    code = "not_allowed"


class SelfReview(NotAllowed):
    code = "self_review"


class ReadOnly(NotAllowed):
    code = "read_only"


class SubscriptionClosed(NotAllowed):
    code = "subscription_closed"


class CreateOnly(Refused):
    code = "create_only"


class OnHold(Refused):
    code = "legal_hold"


class NotFound(Refused):
    code = "not_found"


class Conflict(Refused):
    code = "conflict"


class StaleClaim(Conflict):
    code = "stale_claim"


class StaleRevision(Conflict):
    code = "stale_revision"


class NotWaiting(Conflict):
    code = "wrong_state"


class IdempotencyMismatch(Conflict):
    code = "idempotency_mismatch"


class DuplicateTombstone(Conflict):
    code = "duplicate_tombstone"


class HardLimit(Refused):
    code = "hard_limit"


class Busy(Refused):
    code = "busy"
    retry = True


class IndexUnavailable(Exception):
    """The search index did not answer. Not a refusal: reads go on without it, degraded."""
