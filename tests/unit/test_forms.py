"""Rule 6: what makes two statements a repeat, the same value, or near duplicates."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.forms import NEAR, exact, fingerprint, same_value, similarity

DIFFERENT_ALWAYS = [
    (">= 3.11", "<= 3.11"),
    ("-1", "1"),
    ("10²", "102"),
    ("10ⁿ", "10n"),
    ("x₁ + 2", "x1 - 2"),
    ("+5 °C", "-5 °C"),
    ("a != b", "a == b"),
    ("$HOME", "HOME"),
    ("C#", "C"),
    ("C++", "C"),
    ("~/notes", "/notes"),
    ("50%", "50"),
    ("--force", "force"),
    ("*.py", "py"),
    ("порт 8080", "порт 8081"),
    ("не трогать main", "трогать main"),
    ("a/b", "a\\b"),
    ("rotate a b", "rotate ab"),
]
SAME_VALUE_ONLY = [
    ("run with -v", "run with -V"),
    ("Деньги в копейках", "деньги в КОПЕЙКАХ"),
    ("STRASSE", "straße"),
    ("ＡＰＩ ｋｅｙ", "API key"),
    ("AUTH", "АUТН"),  # two of the second's letters are Cyrillic
    ("схема", "cxeмa"),
    ("ё", "ë"),  # Cyrillic and Latin
    ("Use tabs.", "Use tabs"),
    ("«Use tabs»", "Use tabs!"),
    ("`make up`", "make up"),
]
REPEATS = [
    ("caf\u00e9", "cafe\u0301"),
    ("\u0439", "\u0438\u0306"),
    ("cafe\u200d\u0301", "caf\u00e9"),  # a joiner between a letter and its accent
    ("a\u00a0b", "a b"),
    ("10\u202f000 rows", "10 000 rows"),
    ("to\u200bken", "token"),
    ("\ufefftoken", "token"),
    ("co\u00adoperate", "cooperate"),
    ("left\u202eright", "leftright"),
    ("\u2066isolated\u2069", "isolated"),
    ("tag\U000e0041\U000e007f", "tag"),
    ("«quoted»", '"quoted"'),
    ("“quoted”", "„quoted‟"),
    ("it’s", "it's"),
    ("a \t\n  b", "a b"),
    ("  trimmed \n", "trimmed"),
    ("`a\u00a0b`", "`a b`"),
    ("\u2764\ufe0f", "\u2764"),
]
texts = st.text(
    st.one_of(
        st.sampled_from(
            "aBвЁй²ⁿ½`\"'«».!- \t\n\u0301\u0306\u0308\u200d\u00ad\u00a0\ufe0fİßſΣ\u0345"
        ),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=12,
)


@pytest.mark.parametrize(("one", "other"), DIFFERENT_ALWAYS)
def test_given_other_signs_when_compared_then_no_form_makes_them_one(one: str, other: str):
    assert exact(one) != exact(other)
    assert same_value(one) != same_value(other)


@pytest.mark.parametrize(("one", "other"), SAME_VALUE_ONLY)
def test_given_other_letters_of_the_same_meaning_when_compared_then_value_is_the_same_text_is_not(
    one: str, other: str
):
    assert exact(one) != exact(other)
    assert same_value(one) == same_value(other)


@pytest.mark.parametrize(("one", "other"), REPEATS)
def test_given_what_no_reader_can_tell_apart_when_compared_then_it_is_a_repeat(
    one: str, other: str
):
    assert exact(one) == exact(other)
    assert same_value(one) == same_value(other)


def test_given_a_code_span_when_folded_then_its_blanks_stay():
    assert exact("run   `a  b\n  c`   now") == "run `a  b\n  c` now"
    assert exact("`a  b`") != exact("`a b`")
    assert exact("an open ` tick   is no span") == "an open ` tick is no span"


def test_given_only_punctuation_when_made_a_value_then_it_does_not_vanish():
    assert same_value("!!!") != same_value("???")
    assert same_value("...") != ""


@given(texts)
def test_given_any_text_when_folded_twice_then_nothing_more_changes(text: str):
    assert exact(exact(text)) == exact(text)
    assert same_value(same_value(text)) == same_value(text)


@given(texts)
def test_given_a_repeat_when_made_a_value_then_it_is_the_same_value(text: str):
    assert same_value(exact(text)) == same_value(text)


@given(texts)
def test_given_either_normal_form_when_folded_then_the_forms_agree(text: str):
    assert exact(unicodedata.normalize("NFD", text)) == exact(unicodedata.normalize("NFC", text))


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc", "Zs"]), min_size=1))
def test_given_visible_ascii_when_folded_then_exact_keeps_every_character(text: str):
    assert exact(text) == text


def test_given_a_form_when_fingerprinted_then_it_is_sha256_in_hexadecimal():
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert fingerprint("") == empty


def test_given_the_same_words_in_another_order_when_compared_then_they_are_near():
    one, other = "billing|Rotate the key, then restart.", "billing|then restart: rotate THE key"
    assert similarity(one, other) == 1.0 >= NEAR


def test_given_punctuation_between_words_when_compared_then_it_separates_them():
    assert similarity("a|uses retries/backoff", "a|uses retries backoff") == 1.0
    assert similarity("one two", "three four") == 0.0
    assert similarity("", "") == 1.0
