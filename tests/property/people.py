"""Who acts in the property tests, and what they can say."""

from __future__ import annotations

import unicodedata

from tests.property.model_facts import Text, Who
from tests.property.service import Caller, agent, person

READ = "read"
EVERYBODY: dict[str, Caller] = {
    "olga": person("olga", "read,write,review,own"),
    "rita": person("rita"),
    "rolf": person("rolf"),
    "rosa": person("rosa"),
    "coder": agent("coder", "olga"),
    "builder": agent("builder", "rita"),
    "guest": person("guest", READ),
}
WRITERS = ("olga", "rita", "rolf", "rosa", "coder", "builder")
REVIEWERS = ("olga", "rita", "rolf", "rosa")

HOMOGLYPHS = str.maketrans("aeopcxyABEKMHOPCTX", "аеорсхуАВЕКМНОРСТХ")
_VALUES = {
    "8080": ("The café's port is 8080.", "THE CAFÉ'S PORT is 8080", "The café’s port is 8080."),
    "9090": (
        "The café's port is 9090.",
        "The café's port is 9090!",
        "The café's\u00a0port is 9090.",
    ),
    "9091": (
        "The café's port is 9091.",
        "the café's port is ９０９１",
        "The café's port is 909\u200b1.",
    ),
}


def who(name: str) -> Who:
    caller = EVERYBODY[name]
    actions = frozenset(caller["actions"].split(","))
    return Who(name, caller["kind"], caller.get("operator", name), actions)


def _texts() -> list[Text]:
    """Of each value: as it is, said differently, and exactly the same in other characters."""
    found = []
    for value, (plain, other, same) in _VALUES.items():
        found += [Text(plain, plain, value), Text(other, other, value), Text(same, plain, value)]
    return found


TEXTS = _texts()


def surfaces(statement: str) -> dict[str, str]:
    """Return other ways to write the same value, by name (case D30)."""
    return {
        "case": statement.swapcase(),
        "full width": "".join(_wide(c) for c in statement),
        "zero width": "\u200b".join(statement),
        "soft hyphen": "\u00ad".join(statement),
        "homoglyphs": statement.translate(HOMOGLYPHS),
        "decomposed": unicodedata.normalize("NFD", statement),
        "blanks and quotes": statement.replace(" ", "\u00a0").replace("'", "’"),
        "outer punctuation": f"«{statement.rstrip('.')}!»",
    }


def _wide(c: str) -> str:
    return chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c
