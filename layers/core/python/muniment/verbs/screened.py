"""Requests that pass the guard before anything else sees them (rule 14, row I-10).

    raw body ─► guard ─► field checks ─► verb
                  └─► refused: nothing of it was hashed, logged, stored or told back

Every request that writes derives from Screened; a test holds that.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from pydantic import ModelWrapValidatorHandler, PrivateAttr, model_validator

from muniment.domain.guard.redaction import Redaction
from muniment.domain.guard.screen import SecretPolicy, screen
from muniment.verbs.fields import Ask


class Screened(Ask):
    """Base of requests whose strings are kept somewhere. `FIELD` is where it stands."""

    FIELD: ClassVar[str] = "body"
    _redactions: tuple[Redaction, ...] = PrivateAttr(default=())

    @classmethod
    def secret_policy_of(cls, sent: dict[str, Any]) -> SecretPolicy:
        """Return what becomes of secrets in this request; looser than reject is an exception."""
        return SecretPolicy.REJECT

    @property
    def redactions(self) -> tuple[Redaction, ...]:
        return self._redactions

    @model_validator(mode="wrap")
    @classmethod
    def _pass_the_guard(cls, sent: Any, check: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(sent, dict):
            return check(sent)
        clean, redactions = screen(sent, cls.FIELD, cls.secret_policy_of(sent))
        ask = check(clean)
        ask._redactions = redactions
        return ask
