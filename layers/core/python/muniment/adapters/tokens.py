"""What a text is found by: stems of its words, and identifiers whole, in parts and joined.

    «Ключ AUTH-4291 лежит в vault/prod.yaml»
    words    ключ auth 4291 леж vault prod yaml
    idents   =auth-4291 auth 4291 +auth4291 =vault/prod.yaml vault prod yaml =prod.yaml …

Both engines index these tokens as they are, so both rank alike; no analyzer of theirs is used.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import Stemmer

TOKEN_LENGTH = 120  # characters; Lucene cuts a token at 255 units, SQLite does not
QUERY_TOKENS = 512  # distinct tokens a question; OpenSearch refuses more than 1,024 clauses

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_WORD = re.compile(r"[^\W_]+")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_CHUNK = re.compile(r"[^\s\x00-\x1f\ud800-\udfff,;«»\"“”()\[\]{}<>`|]+")
_EDGES = ".,:;!?…—–-'’"
_SEPARATOR = re.compile(r"[-_./:@#=+~*\\]")
_INNER_CAPITAL = re.compile(r"[a-zа-яё][A-ZА-ЯЁ]")
_CASES = re.compile("U+(?=Ul)|U?l+|U+|d+")  # HTTPServer2 = UUUUUUllllld -> HTTP Server 2
_NEIGHBOURS = (1, 2, 3, 4)  # words that may be one identifier: "pii scrubber" is PiiScrubber

_RUSSIAN, _ENGLISH = Stemmer.Stemmer("russian"), Stemmer.Stemmer("english")

_STOP = frozenset(
    """
    а без более больше будет будто бы был была были было быть в вам вас вдруг ведь во вот
    впрочем все всегда всего всех всю вы где да даже два для до другой его ее ей ему если есть
    еще ж же за зачем здесь и из или им иногда их к как какая какие каких какое какой каком
    какую когда конечно кто куда ли лучше между меня мне много может можно мой моя мы на над
    надо наконец нас не него нее ней нельзя нет ни нибудь никогда ним них ничего но ну о об
    один он она они опять от отчего перед по под после потом потому почему почти при про раз
    разве с сам свою себе себя сейчас сколько со совсем так такой там тебя тем теперь то тогда
    того тоже только том тот три тут ты у уж уже хорошо хоть чего чем через что чтоб чтобы чуть
    эти это этого этой этом этот эту я

    a about after again all an and any are as at be before between both but by can could did
    did't do does don down during each few for from had has have he her here his how i if in
    into is it its may me might more most must my no nor not of on once only or other our out
    over own s same she should so some such t than that the their them then there these they
    this to too under until up us very was we were what when where which while who why will
    with would you your
    """.split()
)


def words(text: str) -> list[str]:
    """Return the stems of the words of `text` in their order, stop words left out."""
    return [_stem(word) for word in _plain(text) if word not in _STOP]


def idents(text: str) -> list[str]:
    """Return the tokens of every identifier in `text`, in order.

    `=` marks a whole identifier (and a path's last part), `+` one joined without separators;
    bare tokens are its parts.
    """
    return [token[:TOKEN_LENGTH] for chunk in _chunks(text) for token in _forms(chunk)]


def query_words(text: str) -> list[str]:
    """Return the distinct tokens to ask the list of words for."""
    return _distinct(words(text))


def query_idents(text: str) -> list[str]:
    """Return the distinct tokens to ask the list of identifiers for.

    Any word may be an identifier (`=word`), and so may neighbours (`+twowords`).
    """
    plain = _plain(text)
    joined = (
        "".join(plain[start : start + size])
        for size in _NEIGHBOURS
        for start in range(len(plain) - size + 1)
    )
    guesses = [f"={word}" for word in plain] + [f"+{word}" for word in joined]
    return _distinct(idents(text) + [guess[:TOKEN_LENGTH] for guess in guesses])


class Tokens:
    """The lexicon of muniment.verbs.ports."""

    def coverage(self, query: str, texts: Sequence[str]) -> list[tuple[float, float]]:
        """Return for each text the share (0..1) of the query's words and identifiers in it.

        A query without words, or without identifiers, has 0 of them everywhere.
        """
        asked = set(words(query)), set(idents(query))
        return [
            (_share(asked[0], set(words(text))), _share(asked[1], set(idents(text))))
            for text in texts
        ]


def _share(asked: set[str], found: set[str]) -> float:
    return len(asked & found) / len(asked) if asked else 0.0


def _visible(text: str) -> str:
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def _folded(text: str) -> str:
    return text.lower().replace("ё", "е")


def _plain(text: str) -> list[str]:
    return [word[:TOKEN_LENGTH] for word in _WORD.findall(_folded(_visible(text)))]


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    if _CYRILLIC.search(word):
        return str(_RUSSIAN.stemWord(word))
    return str(_ENGLISH.stemWord(word)) if word.isalpha() else word


def _chunks(text: str) -> Iterator[str]:
    """Yield what looks like an identifier: a separator, a capital or a digit inside a word."""
    for found in _CHUNK.findall(_visible(text)):
        chunk = found.strip(_EDGES)
        if len(chunk) > 1 and (
            _SEPARATOR.search(chunk) or _INNER_CAPITAL.search(chunk) or _mixes_digits(chunk)
        ):
            yield chunk


def _mixes_digits(chunk: str) -> bool:
    return any(c.isdecimal() for c in chunk) and any(c.isalpha() for c in chunk)


def _forms(chunk: str) -> Iterator[str]:
    whole = _folded(chunk)
    yield f"={whole}"
    parts = [_folded(part) for word in _WORD.findall(chunk) for part in _humps(word)]
    yield from (part for part in parts if len(part) > 1 or part.isdecimal())
    tail = whole.replace("\\", "/").rsplit("/", 1)[-1]
    if tail and tail != whole:
        yield f"={tail}"
    if "." in tail:
        yield f"={tail.split('.', 1)[0]}"
    if len(parts) > 1:
        yield "+" + "".join(parts)


def _humps(word: str) -> Iterator[str]:
    cases = "".join("U" if c.isupper() else "d" if c.isdecimal() else "l" for c in word)
    for hump in _CASES.finditer(cases):
        yield word[hump.start() : hump.end()]


def _distinct(tokens: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(tokens))[:QUERY_TOKENS]
