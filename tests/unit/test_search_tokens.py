"""What a text is found by."""

import pytest

from muniment.adapters.tokens import (
    QUERY_TOKENS,
    Tokens,
    idents,
    query_idents,
    query_words,
    words,
)

SPECIAL = r"""+ - = && || > < ! ( ) { } [ ] ^ " ~ * ? : \ / @ # % ' « » “ ” ` | ; , . _"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Выкатываем бэкенд", ["выкатыва", "бэкенд"]),
        ("выкатывает бэкенды", ["выкатыва", "бэкенд"]),
        ("Deployments are deployed", ["deploy", "deploy"]),
        ("ещё ёлка", ["елк"]),  # «ещё» is a stop word in both spellings
        ("AUTH-4291", ["auth", "4291"]),
        ("Größe 中文", ["größe", "中文"]),
        ("", []),
        ("и в во не the of to", []),
    ],
)
def test_words_are_stems_without_stop_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_given_two_spellings_of_one_text_then_its_words_are_the_same() -> None:
    composed, decomposed = "Йод и ёж", "И\u0306од и е\u0308ж"
    assert words(composed) == words(decomposed) == ["йод", "еж"]
    assert words("ｆｕｌｌ ﬁne") == words("full fine")
    assert words("вы\u00adкат") == words("выкат")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AUTH-4291", "=auth-4291 auth 4291 +auth4291"),
        ("LOCK_TIMEOUT", "=lock_timeout lock timeout +locktimeout"),
        ("PiiScrubber", "=piiscrubber pii scrubber +piiscrubber"),
        ("HTTPServer2", "=httpserver2 http server 2 +httpserver2"),
        ("v2.19.1", "=v2.19.1 2 19 1 =v2 +v2191"),
        ("--dry-run", "=dry-run dry run +dryrun"),
        ("ops/deploy.yaml", "=ops/deploy.yaml ops deploy yaml =deploy.yaml =deploy +opsdeployyaml"),
        ("C:\\logs\\app", "=c:\\logs\\app logs app =app +clogsapp"),
        ("ключ-Альфа", "=ключ-альфа ключ альфа +ключальфа"),
        ("plain words, only; (here).", ""),
        ("42", ""),
    ],
)
def test_identifiers_are_whole_in_parts_and_joined(text: str, expected: str) -> None:
    assert idents(text) == expected.split()


def test_given_an_identifier_in_quotes_or_brackets_then_they_are_no_part_of_it() -> None:
    for text in ("`lock_timeout`", "«lock_timeout»", '("lock_timeout")', "lock_timeout."):
        assert idents(text)[0] == "=lock_timeout"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("where is the pii scrubber", "PiiScrubber runs first"),
        ("piiscrubber", "pii-scrubber runs first"),
        ("auth 4291", "see AUTH-4291"),
        ("deploy.yaml", "in ops/deploy.yaml"),
    ],
)
def test_given_an_identifier_written_otherwise_then_it_is_found(question: str, text: str) -> None:
    assert set(query_idents(question)) & {t for t in idents(text) if t[0] in "=+"}


def test_a_question_asks_each_token_once_and_no_more_than_an_engine_takes() -> None:
    assert query_words("deploy deploys deployed") == ["deploy"]
    long = " ".join(f"name{n}-part" for n in range(3000))
    for asked in (query_words(long), query_idents(long)):
        assert len(asked) == len(set(asked)) == QUERY_TOKENS < 1024


@pytest.mark.parametrize("text", ["x" * 5000, "a-" * 4000, "Б" * 5000, "🔥" * 3000 + "-a"])
def test_given_an_endless_word_then_every_token_is_short(text: str) -> None:
    for found in (words(text), idents(text), query_idents(text)):
        assert all(len(token.encode("utf-16-le")) // 2 <= 255 for token in found)


@pytest.mark.parametrize("text", ["\x00", "a\x00b-c", "\ud800", "a\ud800-b", SPECIAL, "   \n\t"])
def test_given_odd_characters_then_no_token_holds_a_blank_or_breaks_utf8(text: str) -> None:
    for token in [*words(text), *idents(text), *query_words(text), *query_idents(text)]:
        assert token.encode()
        assert not any(c.isspace() or c == "\x00" for c in token)


def test_coverage_is_the_share_of_the_questions_tokens() -> None:
    texts = ["rotate keys of AUTH-4291", "keys", ""]
    shares = Tokens().coverage("rotate key AUTH-4291", texts)
    assert shares == [(1.0, 1.0), (0.25, 0.0), (0.0, 0.0)]


def test_given_a_question_without_words_or_identifiers_then_nothing_is_covered() -> None:
    assert Tokens().coverage("и в на", ["и в на"]) == [(0.0, 0.0)]
    assert Tokens().coverage("deploy", ["deploy"]) == [(1.0, 0.0)]
