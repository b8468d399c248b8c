"""What every line of memory says about itself, in one wording for all readers (rows M-21, M-32).

The same list stands in search results, in context text and on the page.
"""

from __future__ import annotations

import re

from muniment.domain.fact import Content, Head, Kind, State
from muniment.domain.moments import DAY
from muniment.domain.place import ValidAt

# Names of files, functions, commands or flags: what may have moved since (rows C-21, C-71).
CODE = re.compile(
    r"""`[^`]+`                                  # a code span
      | \b[\w.-]+/[\w./-]+                       # a path
      | \b\w+\.(?:py|js|ts|php|go|rs|java|rb|c|h|cpp|sh|sql|md|ya?ml|toml|json|ini|conf|env)\b
      | \b[A-Za-z_]\w*\(\)                       # a function
      | (?<!\w)--[a-z][\w-]+                     # a flag
    """,
    re.VERBOSE,
)


def labels(head: Head, now: int) -> list[str]:
    """Return the labels of a fact at `now` (Unix milliseconds), most important first."""
    newest = head.newest
    found = [f"trust: {newest.trust}", f"state: {newest.state}"]
    if newest.state.has_authority:
        found.append("authority")
    if newest.trust.is_claim:
        found.append("claim")
    if newest.content.kind is Kind.SUMMARY:
        found.append("summary")
    return found + _ends(head, now) + _where(head.cell.place.valid_at) + _care(newest.content)


def _ends(head: Head, now: int) -> list[str]:
    newest, found = head.newest, []
    if newest.state is State.RETRACTED:
        found.append(f"retracted: {newest.reason}")
    if head.superseded_by:
        found.append(f"superseded by {head.superseded_by}")
    if head.legal_hold:
        found.append("legal hold")
    ends = newest.content.expires_at
    if ends is not None:
        found.append(f"expires in {-(-(ends - now) // DAY)} d" if now < ends else "expired")
    return found


def _where(valid_at: ValidAt) -> list[str]:
    return [f"valid only at {valid_at}"] if str(valid_at) else []


def _care(content: Content) -> list[str]:
    return ["verify before use"] if verify_before_use(content) else []


def verify_before_use(content: Content) -> bool:
    """Tell whether the fact names code, which may have moved since it was written."""
    return bool(CODE.search(content.statement))
