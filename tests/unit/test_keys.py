"""API keys: their form, their checksum, their life."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.caller import Action, PrincipalKind
from muniment.domain.keys import ALPHABET, ApiKey, compose, fingerprint, is_well_formed
from tests.builders import NOW

ID_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
composed = st.builds(
    compose,
    st.text(ID_ALPHABET, min_size=10, max_size=10),
    st.text(ALPHABET, min_size=32, max_size=32),
)
KEY = ApiKey(
    key_id="k" * 10,
    tenant="acme",
    principal="coder",
    kind=PrincipalKind.AGENT,
    operator="olga",
    projects=("backend",),
    actions=frozenset({Action.READ}),
    created_at=NOW,
)


@given(composed)
def test_given_a_new_key_when_checked_then_it_is_well_formed(text: str):
    assert is_well_formed(text)
    assert len(text) == 53


@given(composed, st.integers(0, 52), st.sampled_from(ALPHABET))
def test_given_one_character_mistyped_when_checked_then_it_is_not(text: str, at: int, other: str):
    mistyped = text[:at] + other + text[at + 1 :]
    assert is_well_formed(mistyped) == (mistyped == text)


@pytest.mark.parametrize("text", ["", "mun_", "mun_a_b", "Bearer x", "mun_" + "a" * 49, "ключ"])
def test_given_noise_when_checked_then_it_is_no_key(text: str):
    assert not is_well_formed(text)


def test_given_blanks_or_a_line_end_around_a_key_when_checked_then_it_is_no_key():
    text = compose("a" * 10, "B" * 32)
    assert not is_well_formed(text + "\n")
    assert not is_well_formed(" " + text)


def test_given_a_key_when_fingerprinted_then_nothing_of_it_shows():
    text = compose("a" * 10, "B" * 32)
    assert len(fingerprint(text)) == 64
    assert "BBBB" not in fingerprint(text)


def test_given_an_end_when_it_comes_then_the_key_is_dead_to_the_millisecond():
    key = replace(KEY, expires_at=NOW)
    assert key.is_live(NOW - 1)
    assert not key.is_live(NOW)


def test_given_no_end_when_revoked_then_the_key_is_dead():
    assert KEY.is_live(NOW * 10)
    assert not replace(KEY, revoked_at=NOW).is_live(NOW)


def test_given_a_key_when_asked_for_its_caller_then_it_is_the_principal_not_the_key():
    caller = KEY.caller
    assert (caller.principal, caller.person, caller.tenant) == ("coder", "olga", "acme")
