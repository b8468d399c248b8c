"""How much of a model's window a text takes: one estimate, stated, for budgets and answers.

Every character has a weight by its class; the sum is rounded up. It is additive, so that a
budget can be filled piece by piece. Cyrillic costs more than ASCII, as it does in the models'
own tokenizers; identifiers cost more than prose.
"""

from __future__ import annotations

import math
from collections import Counter

LOWER, UPPER, DIGIT, BLANK, SIGN, CYRILLIC, OTHER = 0.28, 0.5, 0.5, 0.05, 0.6, 0.45, 1.2


def _weight(character: str) -> float:
    if character.isascii():
        if character.islower():
            return LOWER
        if character.isupper():
            return UPPER
        if character.isdigit():
            return DIGIT
        return BLANK if character in " \n" else SIGN
    return CYRILLIC if "\u0400" <= character <= "\u04ff" else OTHER


def weight(text: str) -> float:
    """Return the unrounded estimate: weight(a + b) == weight(a) + weight(b)."""
    return sum(_weight(character) * n for character, n in Counter(text).items())


def tokens(text: str) -> int:
    """Return the estimated number of tokens."""
    return math.ceil(weight(text))
