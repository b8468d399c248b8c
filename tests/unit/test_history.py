"""The chain of revisions: nothing in it can be changed unnoticed (rules 1, 10)."""

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.caller import PrincipalKind
from muniment.domain.fact import Author, Citation, Content, Kind, Link, Revision, State, Trust
from muniment.domain.history import broken_link, canonical, link
from tests.builders import NOW, SALT, a_content

OLGA = Author("olga", PrincipalKind.HUMAN)
OTHER: dict[str, Any] = {  # of every field of a revision, a value that differs from the chain below
    "number": 9,
    "content": a_content("Something else."),
    "trust": Trust.VERDICT,
    "state": State.RETRACTED,
    "author": Author("olga", PrincipalKind.AGENT, "boss"),
    "reason": "another reason",
    "recorded_at": NOW + 7,
    "digest": "0" * 64,
    "chain": "f" * 64,
    "legal_hold": True,
    "superseded_by": "01J00000000000000000000009",
}


def a_chain(length: int = 4, salt: bytes = SALT) -> list[Revision]:
    chain: list[Revision] = []
    for number in range(1, length + 1):
        chain.append(
            link(
                chain[-1] if chain else None,
                a_content(f"Statement {number}."),
                trust=Trust.HUMAN,
                state=State.CANDIDATE,
                author=OLGA,
                reason=f"reason {number}",
                now=NOW + number,
                salt=salt,
            )
        )
    return chain


def test_given_a_chain_when_verified_then_no_link_is_broken():
    assert broken_link(a_chain(), SALT) is None
    assert broken_link([], SALT) is None


@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("name", [f.name for f in fields(Revision) if f.name != "redacted"])
def test_given_any_field_changed_when_verified_then_the_chain_breaks_at_that_number(
    name: str, at: int
):
    chain = a_chain()
    assert getattr(chain[at], name) != OTHER[name]
    chain[at] = replace(chain[at], **{name: OTHER[name]})
    assert broken_link(chain, SALT) == at + 1


def test_given_a_quote_taken_out_by_an_erase_when_verified_then_only_the_content_is_not_compared():
    chain = a_chain()
    emptied = replace(chain[1].content, citations=())
    chain[1] = replace(chain[1], content=emptied, redacted=True)
    assert broken_link(chain, SALT) is None
    chain[1] = replace(chain[1], reason="another")
    assert broken_link(chain, SALT) == 2


@pytest.mark.parametrize("name", [field.name for field in fields(Content)])
def test_given_any_field_of_the_content_changed_when_verified_then_the_chain_breaks(name: str):
    others = {
        "statement": "Statement 2!",
        "kind": Kind.RULE,
        "attributes": {"a": "b"},
        "citations": (Citation("q", "l"),),
        "links": (Link("t", "x"),),
        "confidence": 0.51,
        "observed_at": 1,
        "expires_at": 1,
        "derived_from": ("01J00000000000000000000001",),
        "tags": ("t",),
    }
    chain = a_chain()
    content = replace(chain[1].content, **{name: others.get(name, "x")})
    assert content != chain[1].content
    chain[1] = replace(chain[1], content=content)
    assert broken_link(chain, SALT) == 2


def test_given_a_revision_left_out_or_swapped_when_verified_then_the_chain_breaks_there():
    one, two, three, four = a_chain()
    assert broken_link([one, three, four], SALT) == 2
    assert broken_link([one, three, two, four], SALT) == 2
    assert broken_link([two, three], SALT) == 1


def test_given_content_and_salt_erased_when_verified_then_the_chain_still_holds():
    chain = [replace(revision, content=a_content("")) for revision in a_chain()]
    assert broken_link(chain, None) is None
    assert broken_link(chain, SALT) == 1
    chain[2] = replace(chain[2], reason="forged")
    assert broken_link(chain, None) == 3


def test_given_another_salt_when_verified_then_the_content_does_not():
    assert broken_link(a_chain(), bytes(32)) == 1


@given(st.dictionaries(st.text(), st.text(), max_size=6), st.randoms())
def test_given_attributes_in_another_order_when_written_out_then_the_bytes_are_the_same(
    attributes, random
):
    pairs = list(attributes.items())
    random.shuffle(pairs)
    assert canonical(a_content(attributes=attributes)) == canonical(
        a_content(attributes=dict(pairs))
    )


def test_given_parts_that_run_together_when_linked_then_the_chains_differ():
    def chained(principal: str, reason: str) -> str:
        author = Author(principal, PrincipalKind.HUMAN)
        return link(
            None,
            a_content(),
            trust=Trust.HUMAN,
            state=State.CANDIDATE,
            author=author,
            reason=reason,
            now=NOW,
            salt=SALT,
        ).chain

    assert chained("ab", "c") != chained("a", "bc")
