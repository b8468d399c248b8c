"""What every line of memory says about itself, in one wording for all readers (rows M-21, M-32).

The same list stands in search results, in context text and on the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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


def labels(
    head: Head,
    now: int,
    *,
    against: Sequence[str] = (),
    conflict: bool = False,
    stale: bool = False,
) -> list[str]:
    """Return the labels of a fact at `now` (Unix milliseconds), most important first.

    `against` are the facts that contradict it; `conflict` and `stale` as domain.judgement has it.
    """
    newest = head.newest
    found = [f"trust: {newest.trust}", f"state: {newest.state}"]
    if newest.state.has_authority:
        found.append("authority")
    elif newest.trust.is_claim:
        found.append("claim")
    if newest.content.kind is Kind.SUMMARY:
        found.append("summary")
    if against:
        word = "disputed" if newest.state is State.DISPUTED else "conflict"
        found.append(f"{word} with {', '.join(against)}")
    elif conflict:
        found.append("conflict")
    if stale:
        found.append("stale")
    if head.self_published:
        found.append("self-published")
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
