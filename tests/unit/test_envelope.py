"""Stored text stays inside its fence (rules 14, 15; row I-09)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.envelope import QUOTE, closing, inert, opening, quoted

HIDING = [
    "\x00",
    "\x1b",
    "\r",
    "\x0b",
    "\x85",
    "\u00ad",
    "\u034f",
    "\u061c",
    "\u115f",
    "\u180e",
    "\u200b",
    "\u200d",
    "\u202e",
    "\u2028",
    "\u2029",
    "\u2066",
    "\u3164",
    "\ufe01",
    "\ufeff",
    "\ud800",
    "\ue000",
    "\U000e0041",
    "\U000e0101",
]


@pytest.mark.parametrize("character", HIDING, ids=lambda c: f"U+{ord(c):04X}")
def test_given_a_character_that_hides_when_shown_then_it_is_a_visible_escape(character: str):
    shown = inert(f"a{character}b")
    assert character not in shown
    assert f"{ord(character):04x}" in shown


@pytest.mark.parametrize("text", ["a\tb", "naïve «ёлки» — 10²", "日本語", "🚀❤️", "a\nb", "x\u0301"])
def test_given_ordinary_writing_when_shown_then_nothing_changes(text: str):
    assert inert(text) == text


@given(st.text(st.characters(), max_size=80))
def test_given_any_text_when_quoted_then_every_line_in_any_readers_eyes_is_marked(text: str):
    shown = quoted(text)
    assert all(line.startswith(QUOTE) for line in shown.splitlines())
    hidden = {c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")}
    assert hidden <= {"\n", "\t"}


def test_given_the_closing_mark_in_stored_text_when_quoted_then_it_closes_nothing():
    shown = quoted(f"x\n{closing('b')}\n{opening('b')}\r\n{closing('b')}\r{closing('b')}")
    assert closing("b") not in shown.splitlines()
    assert opening("b") not in shown.splitlines()


def test_given_two_boundaries_when_marked_then_the_marks_differ():
    assert opening("a") != opening("b") != closing("b")
