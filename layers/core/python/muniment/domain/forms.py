"""Three forms of a statement, never mixed (rule 6).

    exact       finds repeats            case, digits, symbols kept
    same value  decides conflict, graves case, width and look-alike letters folded
    similarity  reports near duplicates  token sets, Jaccard

`-v` and `-V`, `>= 3.11` and `<= 3.11`, `-1` and `1`, 10² and 102 are four pairs of different
statements in the exact form. Same value folds case, so it keeps only the last three apart.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

NEAR = 0.85  # Jaccard from which two facts are reported as near duplicates

QUOTES = str.maketrans("«»“”„‟‘’‚‛", '""""""' + "''''")
HARD_BLANKS = str.maketrans("\u00a0\u2007\u202f", "   ")  # NBSP and its kin
CODE_SPAN = re.compile(r"(`[^`]*`)")
BLANKS = re.compile(r"\s+")
TOKEN = re.compile(r"[^\W_]+")

# Cyrillic letters that look like Latin ones in most typefaces, and the reverse direction is
# the same map: both sides are folded to the Latin letter.
LOOK_ALIKES = str.maketrans("авекмнорстухіјѕԁԛԝһ", "abekmhopctyxijsdqwh")
INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000e0000-\U000e0fff]"
)


def _visible(text: str) -> str:
    """Drop what no reader sees: zero width, bidi, soft hyphen, controls, variation selectors."""
    return "".join(c for c in text if c.isspace() or not INVISIBLE.match(c))


def exact(text: str) -> str:
    """Return the form whose SHA-256 finds a repeat of the very same statement.

    Invisible characters out, typographic quotes and NBSP folded, NFC, blanks folded outside
    code spans, ends trimmed. Case, digits and symbols stay as they are.
    """
    # NFC comes last: what is invisible may stand between a letter and its accent.
    seen = unicodedata.normalize("NFC", _visible(text).translate(HARD_BLANKS).translate(QUOTES))
    parts = CODE_SPAN.split(seen)
    folded = [p if i % 2 else BLANKS.sub(" ", p) for i, p in enumerate(parts)]
    return "".join(folded).strip()


def same_value(text: str) -> str:
    """Return the form that decides whether two statements say the same value.

    Exact form, then width folded (superscripts kept apart from digits), case folded, Latin and
    Cyrillic look-alikes folded, outer punctuation off; inner symbols stay. A statement of nothing
    but punctuation stays whole.
    """
    narrow = unicodedata.normalize("NFKD", "".join(map(_no_superscript, exact(text))))
    letters = unicodedata.normalize("NFD", narrow.casefold())  # accents apart, so that а́ is á
    alike = unicodedata.normalize("NFKC", letters.translate(LOOK_ALIKES))
    folded = BLANKS.sub(" ", alike).strip()
    return _without_outer_punctuation(folded) or folded


def _no_superscript(character: str) -> str:
    """Write 10² as 10^2, which is not 102."""
    raised = unicodedata.decomposition(character).startswith("<super>")
    return f"^{character}" if raised else character


def _without_outer_punctuation(text: str) -> str:
    """Cut sentence punctuation and quotes at both ends; signs, slashes and dashes stay."""
    return text.strip(" \t\n.,;:!?…\"'`")


def fingerprint(form: str) -> str:
    """Return the lower-case hexadecimal SHA-256 of a form."""
    return hashlib.sha256(form.encode("utf-8", "surrogatepass")).hexdigest()


def similarity(one: str, other: str) -> float:
    """Return the Jaccard index (0..1) of the token sets; punctuation separates tokens.

    Call it with `subject|statement`. With punctuation deleted instead of replaced by blanks the
    reference pair scores .815 and is missed (acceptance, measured vectors, 4).
    """
    a, b = _tokens(one), _tokens(other)
    return len(a & b) / len(a | b) if a or b else 1.0


def _tokens(text: str) -> frozenset[str]:
    return frozenset(TOKEN.findall(exact(text).lower()))
