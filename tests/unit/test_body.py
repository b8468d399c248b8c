"""Bodies before anything looks at their fields."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.api.body import check_json, text_of
from muniment.domain import limits
from muniment.domain.errors import Malformed, TooLarge


def encoded(raw: bytes) -> dict[str, object]:
    return {"body": base64.b64encode(raw).decode(), "isBase64Encoded": True}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "{",
        "nonsense",
        "[]",
        '"text"',
        "12",
        "null",
        "true",
        '{"a": 1} {"b": 2}',
        '{"a": 1, "a": 2}',
        '{"a": {"b": 1, "b": 1}}',
        '{"a": [{"b": 1, "b": 1}]}',
        '{"a": NaN}',
        '{"a": Infinity}',
        '{"a": -Infinity}',
        '{"a": 1e999}',
        '{"a": -1e999}',
        '{"a": ' + "9" * 5_000 + "}",
        '{"a": 12345678901234567890}',
        '{"a": ' + "[" * 10 + "]" * 10 + "}",
        '{"a":' * 11 + "1" + "}" * 11,
        '{"a":' + "[" * 100_000 + "]" * 100_000 + "}",
        "{'a': 1}",
        '{"a": 1,}',
        '\ufeff{"a": 1}',
    ],
    ids=lambda text: text[:24],
)
def test_given_what_parsers_read_differently_when_checked_then_it_is_refused_with_its_limit(
    text: str,
):
    with pytest.raises(Malformed) as refused:
        check_json(text)
    assert str(refused.value.more["field"]).startswith("body")
    assert refused.value.more["limit"]


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"a": "\\ud800"}',
        '{"a": 0.5, "b": -1, "c": 1E3, "d": [null, true]}',
        '{"a":' * 9 + "[1]" + "}" * 9,
        '  {"ключ": "значение"}  ',
    ],
)
def test_given_one_plain_object_when_checked_then_it_passes(text: str):
    check_json(text)


def test_given_a_long_name_twice_when_refused_then_little_of_it_is_told_back():
    name = "secret" * 50
    with pytest.raises(Malformed) as refused:
        check_json(f'{{"{name}": 1, "{name}": 2}}')
    assert name[:41] not in f"{refused.value.detail}{refused.value.more}"


def test_given_broken_utf8_when_read_then_the_first_wrong_byte_is_named():
    with pytest.raises(Malformed) as refused:
        text_of(encoded(b'{"a": "\xd0\xff"}'))
    assert refused.value.more["actual"] == "0xd0 at byte 7"
    assert refused.value.more["limit"] == "UTF-8"


def test_given_what_is_no_base64_when_read_then_it_is_refused():
    for body in ("a", "é", "====="):
        with pytest.raises(Malformed):
            text_of({"body": body, "isBase64Encoded": True})


def test_given_a_body_at_its_limit_when_read_then_one_byte_more_is_too_large():
    assert text_of(encoded(b"x" * limits.BODY_BYTES))
    for event in (encoded(b"x" * (limits.BODY_BYTES + 1)), {"body": "ж" * 131_073}):
        with pytest.raises(TooLarge) as refused:
            text_of(event)
        assert refused.value.more["limit"] == limits.BODY_BYTES
        assert refused.value.more["actual"] > limits.BODY_BYTES


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_given_any_text_when_read_either_way_then_it_arrives_as_it_was(text: str):
    assert text_of(encoded(text.encode())) == text_of({"body": text}) == text
    assert text_of({"body": None}) == text_of({}) == ""
