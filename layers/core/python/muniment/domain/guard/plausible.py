"""Whether a value that has the name of a credential can be one.

The further it stands from its name, the more it must show. A value made of words, a version, an
algorithm, a variable or a placeholder is none; entropy is asked last, and never alone.
"""

from __future__ import annotations

from muniment.domain.guard.entropy import entropy, is_wordy
from muniment.domain.guard.lazy import pattern
from muniment.domain.guard.placeholders import (
    is_blanked,
    is_empty_word,
    is_reference,
    is_technical,
)
from muniment.domain.guard.rules_named import NAMED

# How far the value stands from its name: rules_names.py draws it.
DIRECT, TOLD, BARE = 0, 1, 2

LEAST = 6  # characters of a password
LEAST_PLAIN = 20  # characters of a value of letters only
PASSWORD_LENGTH = (6, 6, 8)  # characters at least, by manner
HASH = r"[0-9a-f-]{7,}|[0-9A-Z]{26}"  # commits, digests, UUID, ULID
LONGEST_PIN, LEAST_CODE = 8, 8  # characters
DRAWN_LENGTH = (8, 12, 16)  # characters at least, by manner
ENTROPY = 2.5  # bits a character, of a value with digits
LETTERS_ENTROPY = 3.5  # bits a character, of a value of letters


def judge(value: str, context: str, is_password: bool, manner: int) -> str | None:
    """Return the detector of a named value, None if it can well be something else.

    `context`: what stands before the value, in lower case, with _ for blanks and hyphens.
    """
    if len(value) < LEAST or (value.isalpha() and len(value) < LEAST_PLAIN):
        return None
    if is_blanked(value) or is_reference(value) or is_empty_word(value):
        return None
    if detector := _of_service(value, context):
        return detector
    if is_technical(value) and not (is_password and value.isdigit()):
        return None
    if is_password:
        return "password" if _is_password(value, manner) else None
    return "assigned-secret" if _is_drawn(value, manner) else None


def is_plausible_password(value: str) -> bool:
    """Tell whether a value that stands where a password must stand could be one."""
    return judge(value, "", True, DIRECT) is not None


def is_plausible_alone(value: str) -> bool:
    """Tell whether a value that stands far from its name could be a password all the same."""
    value = value.rstrip(".,:")
    if pattern(HASH).fullmatch(value):
        return False
    return judge(value, "", True, BARE) is not None


def is_plausible_code(value: str) -> bool:
    """Tell whether it could be a PIN or a code: digits alone, or letters and digits."""
    if value.isdigit():
        return len(value) <= LONGEST_PIN and len(set(value)) > 2 and not value.startswith("20")
    return len(value) >= LEAST_CODE and not is_technical(value) and sum(map(str.isdigit, value)) > 0


def _of_service(value: str, context: str) -> str | None:
    for rule in NAMED:
        if any(name in context for name in rule.names.split()):
            if pattern(rule.value).fullmatch(value):
                return rule.detector
    return None


def _is_password(value: str, manner: int) -> bool:
    digits = sum(c.isdigit() for c in value)
    letters = sum(c.isalpha() for c in value)
    signs = len(value) - digits - letters
    if len(value) < PASSWORD_LENGTH[manner] or not (digits or manner is DIRECT):
        return False
    if is_wordy(value):  # hunter2 is one, prod-db-2 and 8-64 are not
        enough = digits >= 3 and letters >= 4 if manner is BARE else digits and letters
        return signs == 0 and bool(enough)
    if manner is BARE:
        return digits > 0 and letters >= 3 and (signs > 0 or _has_both_cases(value))
    return bool(letters and digits) or (letters > 2 and signs > 0) or digits >= LEAST


def _is_drawn(value: str, manner: int) -> bool:
    digits = sum(c.isdigit() for c in value)
    letters = sum(c.isalpha() and c.isascii() for c in value)
    length = len(value)
    if is_wordy(value):
        return manner is DIRECT and value.isalnum() and digits >= 1 and length >= 8
    if length < DRAWN_LENGTH[manner] or letters < 2 or letters + digits < length * 0.6:
        return False
    if (digits >= 2 or (digits and _has_both_cases(value))) and entropy(value) >= ENTROPY:
        return True
    return length >= LEAST_PLAIN and _has_both_cases(value) and entropy(value) >= LETTERS_ENTROPY


def _has_both_cases(value: str) -> bool:
    return value.lower() != value and value.upper() != value
