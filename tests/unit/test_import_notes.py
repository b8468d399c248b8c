"""Reading notes: what people write in frontmatter, and what becomes of it. No network, no AWS."""

import hashlib
import subprocess
import sys

import pytest

from muniment.cli_notes_client import BadAddress, NotesClient
from muniment.cli_notes_fields import evidence_of, kind_of, moment, note_of, slug
from muniment.cli_notes_frontmatter import (
    MAX_FRONTMATTER_CHARS,
    UnreadableNote,
    field_list,
    field_text,
    parse_note,
)
from muniment.cli_notes_results import printable


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("description: plain words", "plain words"),
        ('description: "in: double quotes"', "in: double quotes"),
        ("description: 'it''s single'", "it's single"),
        ("description: Money: whole kopecks", "Money: whole kopecks"),
        ("description: @mention and `code`", "@mention and `code`"),
        ("description: [[deploy]] comes first", "[[deploy]] comes first"),
        ("description: *bold* claim", "*bold* claim"),
        ('description: "quoted" and not', '"quoted" and not'),
        ("description: >\n  folded over\n  two lines", "folded over two lines"),
        ("description: no", "no"),
        ("description: 2026-03-01", "2026-03-01"),
        ("description: 007", "007"),
        ("description: как выкатить 🚀", "как выкатить 🚀"),
        ("description:", None),
        ("description: ~", None),
        ("name: a", None),
    ],
)
def test_given_a_way_of_writing_when_read_then_the_field_is_the_written_text(written, read):
    fields, _ = parse_note(f"---\n{written}\n---\nText.")
    assert field_text(fields, "description") == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("tags: [a, b]", ["a", "b"]),
        ("tags:\n  - a\n  - 'b c'", ["a", "b c"]),
        ("tags:\n- a\n- b", ["a", "b"]),
        ("tags: a, b,", ["a", "b"]),
        ("tags: [1, yes, null]", ["1", "yes"]),
        ("tags: []", []),
        ("title: x", []),
    ],
)
def test_given_a_list_in_any_form_when_read_then_its_items_are_texts(written, read):
    fields, _ = parse_note(f"---\n{written}\n---\nText.")
    assert field_list(fields, "tags") == read


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\nname: a\n---\n\n  Text.  \n\n", "Text."),
        ("\ufeff---\r\nname: a\r\n---\r\nOne\r\nTwo\r\n", "One\nTwo"),
        ("\n\n--- \nname: a\n---\t\nText.", "Text."),
        ("---\nname: a\n---\nAbove\n\n---\n\nBelow\n", "Above\n\n---\n\nBelow"),
        ("---\nname: a\n...\nText.", "Text."),
        ("---\n---\nText.", "Text."),
        ("---\nname: a\n---", ""),
    ],
)
def test_given_fences_in_any_form_when_read_then_the_body_is_what_follows(text, body):
    assert parse_note(text)[1] == body


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("", "no_frontmatter", "three dashes"),
        ("# Title\n---\nname: a\n---\n", "no_frontmatter", "three dashes"),
        ("\n---\nname: a\nText.", "unclosed_frontmatter", "line 2"),
        ("---\nname: a\ntags: [a\n---\nText.", "bad_frontmatter", "line 3"),
        ("---\nname: a\n\tkind: b\n---\nText.", "bad_frontmatter", "line 3"),
        ("---\nname: a\nname: b\n---\nText.", "bad_frontmatter", "name stands here twice"),
        ("---\n- a\n- b\n---\nText.", "bad_frontmatter", "not a list of `field: value`"),
        ("---\na: &x [1]\nb: [*x, *x]\n---\nText.", "bad_frontmatter", "line 3"),
        ("---\nname: a\nx: \x07\n---\nText.", "bad_frontmatter", "line 3: special characters"),
        (f"---\na: {'[' * 5_000}\n---\nText.", "bad_frontmatter", "nested too deeply"),
        (f"---\na: {'x' * MAX_FRONTMATTER_CHARS}\n---\n", "bad_frontmatter", "65536"),
    ],
)
def test_given_broken_frontmatter_when_read_then_refused_with_the_place(text, code, told):
    with pytest.raises(UnreadableNote) as refused:
        parse_note(text)
    assert refused.value.refusal.code == code
    assert told in refused.value.refusal.line()


def test_given_a_tag_that_would_run_code_when_read_then_it_is_only_text():
    fields, _ = parse_note("---\nname: !!python/object/apply:os.getcwd []\ntype: x\n---\nText.")
    assert fields == {"name": [], "type": "x"}


@pytest.mark.parametrize(
    ("note_type", "file", "kind"),
    [
        ("rule", "a.md", "rule"),
        ("Decisions", "a.md", "decision"),
        ("reference", "rules/a.md", "howto"),
        ("feedback", "a.md", "incident"),
        ("user", "a.md", "note"),
        ("project", "a.md", "decision"),
        ("product", "a.md", "product"),
        ("", "incidents/a.md", "incident"),
        ("guide", "docs/howto/deep/a.md", "howto"),
        ("", "howto/rules/a.md", "rule"),
        ("", "Rules/a.md", "rule"),
        ("", "rules.md", "note"),
        ("verdict", "a.md", "note"),
    ],
)
def test_given_a_type_or_a_folder_when_mapped_then_the_kind_follows(note_type, file, kind):
    assert kind_of(note_type, file) == kind


@pytest.mark.parametrize(
    ("text", "sent", "warned"),
    [
        ("2026-03-01", "2026-03-01T00:00:00.000Z", None),
        ("2026-03-01T10:00:00Z", "2026-03-01T10:00:00.000Z", None),
        ("2026-03-01 13:00:00.5+03:00", "2026-03-01T10:00:00.500Z", None),
        ("2026-03-01T10:00", "2026-03-01T10:00:00.000Z", "UTC"),
        ("01.03.2026", None, "left out"),
        ("2026-02-30", None, "left out"),
        ("0001-01-01T00:00:00+14:00", None, "left out"),
        (None, None, None),
    ],
)
def test_given_a_date_when_mapped_then_it_is_utc_or_a_warning(text, sent, warned):
    observed_at, warning = moment(text)
    assert observed_at == sent
    assert (warning is None) if warned is None else (warned in warning)


def test_given_evidence_of_no_known_word_when_mapped_then_left_out_with_a_warning():
    assert evidence_of("Measured") == ("measured", None)
    assert evidence_of(None) == (None, None)
    sent, warning = evidence_of("seen in prod")
    assert sent is None and "measured, read, decided, sourced" in warning


def test_given_names_when_made_slugs_then_words_are_joined():
    names = ["deploy-backend", "Deploy  Backend!", "Выкатка/бэкенда", "feedback_tests", "v1.2"]
    slugs = ["deploy-backend", "deploy-backend", "выкатка-бэкенда", "feedback_tests", "v1.2"]
    assert [slug(name) for name in names] == slugs
    with pytest.raises(UnreadableNote, match="no_name"):
        slug("🚀!")


def test_given_a_full_note_when_mapped_then_every_field_of_remember_is_there():
    text = """---
name: Run tests
description: How
metadata: {type: reference, evidence: Measured, as_of: 2026-03-01}
tags: ["#ci", ci, php]
---
make test
"""
    note = note_of("docs/run.md", text.encode(), *parse_note(text))
    assert note.warnings == ()
    assert note.body == {
        "content": "make test",
        "name": "run-tests",
        "description": "How",
        "kind": "howto",
        "category": "reference",
        "subject": {"type": "note", "id": "run-tests"},
        "source_id": "notes/docs/run.md",
        "source_hash": "sha256:" + hashlib.sha256(text.encode()).hexdigest(),
        "observed_at": "2026-03-01T00:00:00.000Z",
        "evidence": "measured",
        "tags": ["ci", "php"],
    }


def test_given_only_a_body_when_mapped_then_the_name_is_the_files_and_nothing_is_invented():
    note = note_of("a/Про Деплой.md", b"x", {}, "Text")
    assert note.name == "про-деплой"
    assert set(note.body) == {"content", "name", "kind", "subject", "source_id", "source_hash"}


def test_given_two_notes_when_keyed_then_path_bytes_and_workspace_all_count():
    def key(file: str, data: bytes, workspace: str) -> str:
        return note_of(file, data, {}, "Text").idempotency_key(workspace)

    assert key("a.md", b"x", "") == key("a.md", b"x", "")
    keys = {key("a.md", b"x", ""), key("b.md", b"x", ""), key("a.md", b"y", "")}
    assert len(keys | {key("a.md", b"x", "w")}) == 4


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("127.0.0.1:4600", "k"),
        ("ftp://example.org", "k"),
        ("http://", "k"),
        ("http://example.org:port", "k"),
        ("http://user:word@example.org", "k"),
        ("http://example.org/?a=b", "k"),
        ("http://example.org", ""),
        ("http://example.org", "mun_one\r\nmun_two"),
        ("http://example.org", "mun_ключ"),
    ],
)
def test_given_an_unusable_address_or_key_when_begun_then_refused_without_the_key(url, key):
    with pytest.raises(BadAddress) as refused:
        NotesClient(url, key)
    assert "mun_" not in str(refused.value)


def test_given_text_that_moves_the_cursor_when_shown_then_it_is_escaped():
    assert printable("a\x1b[2Jb\u202ec\nё") == "a\\x1b[2Jb\\u202ec\nё"


def test_given_the_module_when_imported_then_no_aws_library_comes_with_it():
    code = "import sys, muniment.cli_notes; sys.exit(bool({'boto3', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
