"""What an erase leaves of a head: who, when, why, and a chain that verifies."""

from __future__ import annotations

from dataclasses import fields, replace

from muniment.domain.caller import PrincipalKind
from muniment.domain.erasure import emptied, erased
from muniment.domain.fact import (
    Author,
    Category,
    Citation,
    Claim,
    Corroboration,
    Evidence,
    Kind,
    Link,
    State,
    Subject,
)
from muniment.domain.history import broken_link
from tests.builders import NOW, a_content, a_head

BY = Author("boris", PrincipalKind.HUMAN)
FULL = a_content(
    "A leaked word.",
    kind=Kind.INCIDENT,
    category=Category.FEEDBACK,
    subject=Subject("service", "billing"),
    attributes={"a": "b"},
    citations=(Citation("quote", "locator"),),
    source_id="a.md",
    source_hash="h",
    source_revision="r",
    fact_key="k",
    supersedes="S",
    derived_from=("D",),
    links=(Link("see", "target"),),
    confidence=0.9,
    evidence=Evidence.MEASURED,
    scope="s",
    tags=("t",),
    observed_at=NOW,
    expires_at=NOW + 1,
)


def test_given_full_content_when_emptied_then_nothing_but_the_kind_is_left() -> None:
    left, plain = emptied(FULL), a_content()
    assert left.kind is Kind.INCIDENT
    assert (left.statement, left.name, left.description) == ("", "erased", "")
    default = {f.name: getattr(plain, f.name) for f in fields(plain)}
    kept = {"kind", "statement", "name", "description"}
    assert all(getattr(left, name) == default[name] for name in default if name not in kept)


def test_given_a_head_when_erased_then_salt_claim_and_voices_go_and_the_chain_verifies() -> None:
    head = replace(
        a_head(content=FULL, state=State.PUBLISHED),
        claim=Claim("vera", NOW),
        queued_at=NOW,
        corroborations=(Corroboration("vera", "leaked-source.md"),),
    )
    after = erased(head, by=BY, reason="the law", now=NOW + 1, salt=b"x" * 32)
    assert (after.salt, after.claim, after.queued_at, after.corroborations) == (b"", None, None, ())
    newest = after.newest
    assert (newest.number, newest.state, newest.reason) == (2, State.FORGOTTEN, "the law")
    assert (newest.author, newest.recorded_at, newest.trust) == (BY, NOW + 1, head.newest.trust)
    emptied_first = replace(head.newest, content=emptied(FULL))
    assert broken_link([emptied_first, newest], None) is None
    other = erased(head, by=BY, reason="the law", now=NOW + 1, salt=b"y" * 32)
    assert other.newest.digest != newest.digest  # nobody can guess from it what was there
