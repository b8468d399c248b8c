"""Raw dumps: a log, a whole conversation, a whole file instead of one fact (rows M-106 to M-108).

Decided by the shape of the lines, never by words: a short quote, a command block, a list of
decisions or a table of a few rows pass.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

SHORT = 240  # characters: no dump is shorter
LOG_LINES = 8  # lines that look like a log
TURNS = 4  # of a conversation, by two voices or more
CODE_LINES = 40
DIFF_LINES = 30
ROWS = 30  # of comma- or tab-separated values
DOCUMENT_LINES = 60  # of JSON or YAML
BLOB = 500  # characters of base64 without a blank
VARIETY = 24  # different characters in a blob, at least: hexadecimal has 16
MOST = 0.6  # share of the lines that must look alike

_STAMP = (
    r"^\s*[\[(]?(?:\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|"
    r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d\d/[A-Z][a-z]{2}/\d{4}:)"
)
_LEVEL = r"^\s*[\[<]?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b[\]>]?[:\s\[]"
_FRAME = r'^\s*(?:at \S+\(|at \S+ \(|File "[^"]+", line \d+|\.\.\. \d+ more|goroutine \d+)'
_ACCESS = r'^\S+ \S+ \S+ \[[^\]]+\] "(?:GET|POST|PUT|DELETE|HEAD|PATCH)'
_JSON_LOG = r'^\s*\{"(?:time|ts|timestamp|level|msg|@timestamp)"'
_VOICE = (
    r"^\s*(?:[-*>]\s+)?(?:\*\*)?(?:\[[^\]\n]{4,25}\]\s*)?"
    r"([^\W\d_][\w .'-]{0,24}?)(?:\*\*)?\s?:\s+\S"
)
_CODE = (  # lines of programs
    r"^\s*(?:def |class |import |from \S+ import|return\b|if .*[:{]$|for .*[:{]$|while .*[:{]$|"
    r"else\b|elif |try\b|except\b|catch\b|public |private |protected |static |func |fn |let |"
    r"const |var |#include|package |use |namespace |end$|[})\]];?,?$|@\w+|\w[\w.]*\(.*\)[;{]?$|"
    r"[\w.\[\]\"']+\s*[-+*/]?=[^=].*|.*[;{]$)"
)
_DIFF = r"^(?:[-+](?![-+ ]{2})|@@ |diff --git|index [0-9a-f]{7}|--- |\+\+\+ )"
_ENTRY = r'^\s*(?:"[^"]+"\s*:|- \w|[\w.-]+:(?:\s|$)|[\[\]{}],?$|"[^"]*",?$)'
_BLOB = r"[A-Za-z0-9+/=_-]{" + str(BLOB) + ",}"
_CERTIFICATE = r"-----BEGIN [A-Z ]+-----"
NOT_VOICES = frozenset(  # labels that come in pairs without anybody speaking
    "note todo example http https why decision consequences pros cons plus minus before after "
    "given when then expected actual good bad step input output yes no за против плюс минус "
    "было стало плюсы минусы пример шаг дано когда тогда ожидали получили хорошо плохо".split()
)


def find_dump(text: str) -> str | None:
    """Return `log`, `conversation` or `file` for a raw dump, None for anything else."""
    if len(text) < SHORT:
        return None
    lines = [line for line in text.splitlines() if line.strip()]
    if _is_log(lines):
        return "log"
    if _is_conversation(lines):
        return "conversation"
    return "file" if _is_file(text, lines) else None


def _is_log(lines: Sequence[str]) -> bool:
    if len(lines) < LOG_LINES:
        return False
    looks = _count("|".join((_STAMP, _LEVEL, _FRAME, _ACCESS, _JSON_LOG)), lines)
    return looks >= LOG_LINES and looks >= MOST * len(lines)


def _is_conversation(lines: Sequence[str]) -> bool:
    """Tell whether two voices or more take turns; a list of labelled points repeats none."""
    found = [match[1].casefold() for line in lines if (match := _known(_VOICE).match(line))]
    voices = [voice for voice in found if voice not in NOT_VOICES]
    speaking = {voice for voice in voices if voices.count(voice) > 1}
    turns = [voice for voice in voices if voice in speaking]
    changes = sum(before != after for before, after in pairwise(turns))
    return len(speaking) > 1 and len(turns) >= TURNS and changes >= TURNS - 1


def _is_file(text: str, lines: Sequence[str]) -> bool:
    if _known(_CERTIFICATE).search(text) or _has_blob(text):
        return True
    return any(
        len(lines) > least and _count(form, lines) >= max(MOST * len(lines), least)
        for form, least in ((_CODE, CODE_LINES), (_DIFF, DIFF_LINES), (_ENTRY, DOCUMENT_LINES))
    ) or _is_table(lines)


def _has_blob(text: str) -> bool:
    """Tell whether bytes stand there as text; a run of one letter or a ruler is no blob."""
    found = _known(_BLOB).search(text)
    return found is not None and len(set(found[0])) > VARIETY


def _is_table(lines: Sequence[str]) -> bool:
    """Tell whether nearly all of many lines have the same number of separators, two or more."""
    for mark in (",", ";", "\t"):
        counts = [line.count(mark) for line in lines]
        usual = max(set(counts), key=counts.count)
        if usual >= 2 and counts.count(usual) > max(ROWS, MOST * len(lines)):
            return True
    return False


def _count(form: str, lines: Sequence[str]) -> int:
    match = _known(form).match
    return sum(match(line) is not None for line in lines)


@cache
def _known(form: str) -> re.Pattern[str]:
    return re.compile(form)
