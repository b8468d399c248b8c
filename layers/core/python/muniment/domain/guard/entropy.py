"""How random a text looks. Entropy never decides alone: it is a second look at what has a name.

entropy      bits a character, 0..log2(distinct characters)
is_wordy     segments a person would type: prod-db-2, oauth2, accessToken, secret/data/app
is_mixed     digits and both cases, as a drawn value of 20 characters or more nearly always is
"""

from __future__ import annotations

import math
from collections import Counter

from muniment.domain.guard.lazy import pattern

CAMEL = r"[A-Z]{0,4}[a-z]{2,24}(?:\d{0,5}(?:[A-Z][a-z]{2,24}|[A-Z]{2,4}[a-z]{3,24})){0,5}[A-Z]{0,4}"
WORD = rf"(?:{CAMEL}|[a-z]{{1,24}}|[A-Z]{{1,24}}|[A-Za-z]{{0,24}}[А-яЁё][A-Za-zА-яЁё]{{0,24}})"
SEGMENT = rf"(?:\d{{0,3}}{WORD}\d{{0,5}}|\d{{1,4}}|v\d{{1,8}})"
BREAK = r"[-_./:@,=#|\s]+"
WORDY = rf"[/.~@_(]{{0,3}}{SEGMENT}(?:{BREAK}{SEGMENT})*+[-_./:\s]?"
VOWELS = "[aeiouyAEIOUYаеёиоуыэюя]"


def entropy(text: str) -> float:
    """Return Shannon's entropy of the text's own characters, in bits a character."""
    total = len(text)
    shares = (count / total for count in Counter(text).values())
    return -sum(share * math.log2(share) for share in shares)


def is_mixed(text: str) -> bool:
    """Tell whether digits, capitals and small letters all occur."""
    return any(map(str.isdigit, text)) and text != text.lower() and text != text.upper()


def is_wordy(text: str) -> bool:
    """Tell whether the text is made of words and short numbers, as names and paths are."""
    if not pattern(WORDY).fullmatch(text):
        return False
    letters = sum(c.isalpha() for c in text)
    return letters < 12 or len(pattern(VOWELS).findall(text)) * 6 >= letters
