"""Passwords as people tell them are found; what is only said of passwords passes (row M-105)."""

import random

import pytest

from muniment.domain.guard.plausible import is_plausible_alone, is_plausible_code
from muniment.domain.guard.secrets import find_secrets
from tests.guard.corpora import corpus
from tests.guard.secret_samples import Sample, spoken

SEED = 5
RECALL = 0.9


def _is_covered(sample: Sample) -> bool:
    start = sample.text.index(sample.secret)
    end = start + len(sample.secret)
    return any(s.start <= start and end <= s.end for s in find_secrets(sample.text))


def test_given_wordings_of_people_when_screened_then_nine_of_ten_passwords_are_covered():
    drawn = list(spoken(random.Random(SEED), each=3))
    assert len(drawn) >= 300
    missed = [sample.text for sample in drawn if not _is_covered(sample)]
    assert len(missed) <= (1 - RECALL) * len(drawn), missed


def test_given_what_is_said_of_passwords_when_screened_then_it_passes():
    assert [text for text in corpus("secret_mentions") if find_secrets(text)] == []


@pytest.mark.parametrize("text", ["creds: deploy / {}", "use {} as the password", "пасс -> {}"])
@pytest.mark.parametrize(
    ("value", "is_found"),
    [
        ("Zk4" + "!vQ9-w", True),
        ("worker-12", False),
        ("3f2a91" + "bc77d0", False),  # a commit
        ("v2.14.0", False),
        ("2024-05-12", False),
    ],
)
def test_given_a_value_far_from_its_name_when_screened_then_only_a_drawn_one_counts(
    text, value, is_found
):
    assert bool(find_secrets(text.format(value))) is is_found


@pytest.mark.parametrize(
    ("value", "expected"),
    [("80" + "4819", True), ("2024", False), ("1111", False), ("JY1U" + "87RN", True)],
)
def test_given_a_code_when_judged_then_years_and_repeated_digits_are_none(value, expected):
    assert is_plausible_code(value) is expected


def test_given_a_digest_when_judged_alone_then_it_is_no_password():
    assert not is_plausible_alone("abdf7528-51de-4b39-80a7-86f0538971dc")
