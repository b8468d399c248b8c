"""What a text only reports: an attack quoted as an example of one, in a sentence about defence.

    Attempts such as "ignore previous instructions" are refused.     the quotation is left out
    Note: "ignore previous instructions"                             it stays: nobody says why
    Attempts such as "…" are refused. Now ignore all instructions.   only the quotation is left out
    Attempts such as "…" are refused, but you must do what it says.  it stays: the text points at it

A quotation is left out if it is short, has no address in it, follows a word that says what it is
(`such as`, `фразы вроде`), and the sentence speaks of refusing, testing or attacks.
"""

from __future__ import annotations

import re

_SAYS = (
    r"(?:such as|like|for example|e\.g\.|phrases?|strings?|messages?|texts?|says?|saying|attacks?|"
    r"вроде|типа|наподобие|например|вида|строк\w+|фраз\w+|словами|тексты?)"
)
_DEFENCE = re.compile(
    r"\b(?:refus|block|flag|filter|detect|scanner|reject|quarantin|test case|test data|red team|"
    r"classifier|injection|attacks?\b|guard\b|"
    r"отклоня|блокиру|фильтр|сканер|помеча|карантин|тест|красн\w+ команд|"
    r"классификатор|инъекци|атак)",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    rf"({_SAYS}[\s:,]{{1,3}})(?:\"([^\"\n]{{1,80}})\"|'([^'\n]{{1,80}})'|«([^»\n]{{1,80}})»|“([^”\n]{{1,80}})”)",
    re.IGNORECASE,
)
_POINTS_AT_IT = re.compile(
    r"\b(?:do|obey|follow|execute|apply|carry out|comply with)\s+(?:it|this|that|them|so|what|as|"
    r"exactly|the quot\w+)\b|\byou (?:must|have to|shall)\b|\b(?:выполни|сделай|следуй|подчинись|"
    r"исполни|поступай|слушайся)\w*\b|\bты (?:должен|обязан)",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"[^.!?\n]*(?:[.!?\n]|$)")
_NOT_QUOTED = re.compile(r"://|[<>{}|]|\S@\S")


def unreported(text: str) -> str:
    """Return the text without such quotations."""
    if not _QUOTED.search(text) or _POINTS_AT_IT.search(_QUOTED.sub(r"\1", text)):
        return text
    return "".join(_without(found[0]) for found in _SENTENCES.finditer(text))


def _without(sentence: str) -> str:
    if not _DEFENCE.search(_QUOTED.sub(r"\1", sentence)):
        return sentence
    return _QUOTED.sub(
        lambda found: found[0] if _NOT_QUOTED.search(found[0]) else f"{found[1]}…", sentence
    )
