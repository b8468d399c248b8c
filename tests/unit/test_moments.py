"""Moments: Unix milliseconds inside, RFC 3339 in UTC outside (cases D19, D20)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.moments import DAY, HOUR, hour, parse, rfc3339

FIRST, LAST = parse("0001-01-01T00:00:00Z"), parse("9999-12-31T23:59:59.999Z")
moments = st.integers(FIRST, LAST)


@given(moments)
def test_given_a_moment_when_written_and_read_then_it_is_the_same(moment: int):
    assert parse(rfc3339(moment)) == moment


@given(moments, moments)
def test_given_two_moments_when_written_then_text_order_is_time_order(one: int, other: int):
    assert (rfc3339(one) < rfc3339(other)) == (one < other)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2026-12-01T12:30:00+03:00", "2026-12-01T09:30:00Z"),
        ("2026-12-01T00:10:00-00:30", "2026-12-01T00:40:00Z"),
        ("2026-12-01t09:30:00z", "2026-12-01T09:30:00Z"),
        ("2026-12-01T09:30:00.0019Z", "2026-12-01T09:30:00.001Z"),
        ("2026-12-01T09:30Z", "2026-12-01T09:30:00Z"),
    ],
)
def test_given_another_way_to_write_it_when_read_then_it_is_the_same_moment(text: str, same: str):
    assert parse(text) == parse(same)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-12-01",
        "2026-12-01T09:30:00",
        "2026-12-01 09:30:00Z",
        "2026-W49-2T09:30:00Z",
        "2026-335T09:30:00Z",
        "2026-13-01T09:30:00Z",
        "2026-02-30T09:30:00Z",
        "2026-12-01T25:00:00Z",
        "2026-12-01T09:30:00+3",
        "2026-12-01T09:30:00,5Z",
        "2026-12-01T09:30:00Z\n",
        "٢٠٢٦-12-01T09:30:00Z",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "1796083200000",
        "tomorrow",
    ],
)
def test_given_no_moment_with_a_zone_when_read_then_it_is_refused_without_its_text(text: str):
    with pytest.raises(ValueError) as refused:
        parse(text)
    assert not text or text not in str(refused.value)


def test_given_a_time_without_a_zone_when_read_then_the_refusal_says_so():
    with pytest.raises(ValueError, match="no time zone"):
        parse("2026-12-01T09:30:00")


def test_given_a_moment_when_its_hour_is_asked_then_the_whole_hour_has_one_name():
    start = parse("2026-12-01T02:00:00Z")
    assert hour(start) == hour(start + HOUR - 1) == "2026-12-01T02"
    assert hour(start + HOUR) == "2026-12-01T03"
    assert DAY == 24 * HOUR == 86_400_000
