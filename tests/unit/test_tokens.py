"""The estimate that budgets are counted in."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.tokens import tokens, weight


@given(st.text(), st.text())
def test_given_two_texts_when_joined_then_their_weights_add_up(one: str, other: str):
    assert weight(one + other) == pytest.approx(weight(one) + weight(other))


@given(st.text())
def test_given_a_text_when_estimated_then_the_started_token_counts(text: str):
    assert tokens(text) == math.ceil(weight(text))


def test_given_the_same_length_when_estimated_then_cyrillic_costs_more_and_emoji_most():
    assert weight("deploy") < weight("деплой") < weight("🚀" * 6)


def test_given_an_identifier_when_estimated_then_it_costs_more_than_prose():
    assert weight("AUTH-4291_X") > weight("authorised ")
