"""Cursors and tokens: recognised again, or refused."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.sealed import seal, unseal

payloads = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc"), inner, max_size=3),
    max_leaves=6,
)


@given(payloads)
def test_given_a_payload_when_sealed_and_opened_then_it_is_the_same(payload):
    assert unseal("key", "cursor", seal("key", "cursor", payload)) == payload


def test_given_the_same_payload_when_sealed_again_then_the_text_is_the_same():
    one = seal("key", "cursor", {"a": 1, "b": 2})
    assert one == seal("key", "cursor", {"b": 2, "a": 1})


@pytest.mark.parametrize(("key", "purpose"), [("other", "cursor"), ("key", "consistency")])
def test_given_another_key_or_purpose_when_opened_then_it_is_refused(key: str, purpose: str):
    with pytest.raises(ValueError, match="not sealed by us"):
        unseal(key, purpose, seal("key", "cursor", [1]))


def test_given_any_byte_changed_when_opened_then_it_is_refused():
    sealed = seal("key", "cursor", {"after": "0:01J", "query": {"tenant": "acme"}})
    raw = base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
    for at in range(len(raw)):
        changed = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
        with pytest.raises(ValueError, match="not sealed by us"):
            unseal("key", "cursor", base64.urlsafe_b64encode(changed).decode())


@given(st.text(max_size=60))
def test_given_any_text_when_opened_then_it_is_refused(text: str):
    with pytest.raises(ValueError, match="not sealed by us"):
        unseal("key", "cursor", text)


def test_given_purpose_and_payload_that_run_together_when_sealed_then_the_marks_differ():
    assert seal("key", "p", 12)[:20] != seal("key", "p1", 2)[:20]
