"""The types of request fields: what a string, a name, a moment may be, and how it is refused.

Every refusal names the field; the limit and the actual value go with it where there is one.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from muniment.domain import limits
from muniment.domain.forms import exact
from muniment.domain.moments import parse

# Characters that a reader cannot see but a machine obeys: controls, bidirectional marks,
# language tags, halves of surrogate pairs.
HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
FACT_ID = r"^[0-9A-HJKMNP-TV-Z]{26}$"


class Ask(BaseModel):
    """Base of all request bodies: unknown fields are refused, nothing is coerced silently."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Nothing(Ask):
    """Query of the verbs that take none."""


class Where(Ask):
    """Query of every verb: which of the key's projects, which workspace in it."""

    project: Annotated[str, Field(max_length=limits.IDENTIFIER)] | None = None
    workspace: Annotated[
        str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=limits.IDENTIFIER)
    ] = "default"


def _plain(text: str) -> str:
    if found := HIDDEN.search(text):
        raise PydanticCustomError(
            "hidden_character",
            "holds the character {actual} at position {position}; hidden characters are refused",
            {
                "actual": f"U+{ord(found[0]):04X}",
                "position": found.start(),
                "limit": "visible characters",
            },
        )
    return text


def _not_blank(text: str) -> str:
    if not exact(text):
        raise PydanticCustomError(
            "blank",
            "must say something: it holds only blanks or invisible characters",
            {"limit": "at least 1 visible character", "actual": len(text)},
        )
    return text


def _one_line(text: str) -> str:
    if "\n" in text or "\r" in text:
        lines = len(text.splitlines())
        raise PydanticCustomError(
            "one_line", "must be one line", {"limit": "1 line", "actual": f"{lines} lines"}
        )
    return text


def _moment(value: Any) -> int:
    if not isinstance(value, str):
        raise PydanticCustomError(
            "moment",
            "must be an RFC 3339 time such as 2026-12-01T09:30:00Z",
            {"limit": "RFC 3339 text with a time zone", "actual": type(value).__name__},
        )
    try:
        return parse(value)
    except ValueError as error:
        raise PydanticCustomError(
            "moment",
            "must be an RFC 3339 time such as 2026-12-01T09:30:00Z: {why}",
            {
                "why": str(error),
                "limit": "RFC 3339 text with a time zone",
                "actual": ascii(value) if len(value) <= limits.TOLD else f"{len(value)} characters",
            },
        ) from None


def _one_spelling(text: str) -> str:
    """Refuse a second spelling of what looks the same: joiners, accents written apart."""
    if text != exact(text):
        raise PydanticCustomError(
            "hidden_character",
            "holds invisible characters, or accents apart from their letters",
            {"limit": "visible characters in Unicode form NFC", "actual": len(text)},
        )
    return text


def _share(value: float) -> float:
    """Round to what the table can hold and what anybody means; -0 is 0."""
    return abs(round(value, 6))


Plain = Annotated[str, AfterValidator(_plain)]
Said = Annotated[Plain, AfterValidator(_not_blank)]
Statement = Annotated[Said, Field(min_length=1, max_length=limits.STATEMENT)]
LongContent = Annotated[Said, Field(min_length=1, max_length=limits.CONTENT)]
Reason = Annotated[Said, Field(min_length=1, max_length=limits.REASON)]
Description = Annotated[
    Said, AfterValidator(_one_line), Field(min_length=1, max_length=limits.DESCRIPTION)
]
Query = Annotated[Said, Field(min_length=1, max_length=limits.QUERY)]
Label = Annotated[Said, AfterValidator(_one_line), Field(max_length=limits.LABEL)]
Name = Annotated[
    str, Field(pattern=r"^[^\W_][\w.-]*$", max_length=limits.NAME), AfterValidator(_one_spelling)
]
FactKey = Annotated[
    str,
    Field(pattern=r"^[^\W_][\w.:/-]*$", max_length=limits.LABEL),
    AfterValidator(_one_spelling),
]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=limits.IDENTIFIER)]
PlaceName = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=limits.IDENTIFIER)
]
Thread = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]*$", max_length=limits.THREAD)]
FactId = Annotated[str, Field(pattern=FACT_ID)]
SourceId = Annotated[Said, AfterValidator(_one_line), Field(max_length=limits.SOURCE_ID)]
SourceHash = Annotated[Said, AfterValidator(_one_line), Field(max_length=limits.SOURCE_HASH)]
Quote = Annotated[Said, Field(max_length=limits.QUOTE)]
Locator = Annotated[Said, AfterValidator(_one_line), Field(max_length=limits.LOCATOR)]
Moment = Annotated[
    int, BeforeValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})
]
Share = Annotated[float, Strict(), Field(ge=0, le=1), AfterValidator(_share)]
Count = Annotated[int, Strict()]
Flag = Annotated[bool, Strict()]
