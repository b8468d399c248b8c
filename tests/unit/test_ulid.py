"""Ids that sort by time."""

from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.ulid import LENGTH, is_ulid, ulid

moments = st.integers(0, 2**48 - 1)
chances = st.binary(min_size=10, max_size=10)


@given(moments, chances)
def test_given_a_moment_and_chance_when_made_then_it_is_an_id_of_ours(moment: int, chance: bytes):
    made = ulid(moment, chance)
    assert len(made) == LENGTH
    assert is_ulid(made)


@given(st.tuples(moments, chances), st.tuples(moments, chances))
def test_given_two_ids_when_sorted_then_time_comes_first_and_chance_tells_them_apart(one, other):
    assert (ulid(*one) < ulid(*other)) == (one < other)


def test_given_a_known_moment_when_made_then_it_is_the_known_id():
    assert ulid(1_469_918_176_385, bytes(10)) == "01ARYZ6S410000000000000000"


@given(st.text(max_size=30))
def test_given_any_text_when_asked_then_only_ids_of_ours_are_taken(text: str):
    assert is_ulid(text) == (
        len(text) == LENGTH
        and text[0] in "01234567"
        and set(text) <= set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    )


def test_given_what_could_leave_a_key_when_asked_then_it_is_no_id():
    for text in (
        "01ARYZ6S41" + "#" * 16,
        "01ARYZ6S410000000000000000\n",
        "8" + "0" * 25,
        "x" * 3000,
    ):
        assert not is_ulid(text)
