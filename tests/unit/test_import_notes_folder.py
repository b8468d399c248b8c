"""Finding notes: which files of a folder are notes, which are not, and how the examples look."""

import os
import re
import time
from pathlib import Path

import pytest

from muniment.cli_notes_folder import (
    MAX_FILE_BYTES,
    broken_links,
    double_names,
    linked_names,
    read_folder,
)
from muniment.cli_notes_results import Outcome

EXAMPLES = Path(__file__).parents[2] / "examples" / "notes"
NOTE = "---\nname: a\ndescription: b\ntype: rule\n---\nText.\n"


def write(root: Path, **files: str | bytes) -> Path:
    for name, text in files.items():
        data = text.encode() if isinstance(text, str) else text
        (root / name.replace("__", "/").replace("_md", ".md")).write_bytes(data)
    return root


def set_aside(root: Path) -> dict[str, str]:
    return {r.file: r.refusal.code for r in read_folder(root).results if r.refusal}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("See [[a]], [[b|the b]] and [[c#part]], [[a]].", ["a", "b", "c"]),
        ("`[[ -f x ]]` and `[[in-code]]`", []),
        ("```sh\n[[in-fence]]\n```\n[[after]]", ["after"]),
        ("```\n[[never-closed]]", []),
        ("[[ -f x ]] [[]] [[[d]]] [single](x)", ["d"]),
        ("[[with blank]] [[кириллица]]", ["with blank", "кириллица"]),
    ],
)
def test_given_links_in_a_text_when_looked_for_then_code_does_not_count(text, names):
    assert linked_names(text) == names


def test_given_a_folder_when_read_then_only_visible_notes_count_in_order(tmp_path):
    for name in ("b", ".git", "empty"):
        (tmp_path / name).mkdir()
    write(tmp_path, b__z_md=NOTE, a_md=NOTE, INDEX_md=NOTE, MEMORY_md=NOTE, README_md="# Hello")
    write(tmp_path, **{".hidden_md": NOTE, ".git__x_md": NOTE, "picture.png": "x", "c.MD": NOTE})
    folder = read_folder(tmp_path)
    assert [note.file for note in folder.notes] == ["a.md", "b/z.md", "c.MD"]
    assert [(r.file, r.outcome) for r in folder.results] == [("README.md", Outcome.SKIPPED)]


def test_given_files_no_note_can_be_made_of_when_read_then_each_is_told_apart(tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_text(NOTE)
    root = tmp_path / "notes"
    (root / "sub").mkdir(parents=True)
    write(root, latin_md=b"---\nname: a\n---\n\xff", bare_md="# Text", empty_md="---\nname: a\n---")
    write(root, big_md=b"x" * (MAX_FILE_BYTES + 1), list_md="---\nname: [a]\n---\nText")
    (root / "leak.md").symlink_to(outside)
    (root / "gone.md").symlink_to(root / "nothing")
    (root / "loop.md").symlink_to(root / "loop.md")
    (root / "tree").symlink_to(root / "sub")
    os.mkfifo(root / "pipe.md")
    assert set_aside(root) == {
        "bare.md": "no_frontmatter",
        "big.md": "file_too_big",
        "empty.md": "empty_body",
        "gone.md": "unreadable_file",
        "latin.md": "not_utf8",
        "leak.md": "link_out_of_folder",
        "list.md": "bad_field",
        "loop.md": "unreadable_file",
        "pipe.md": "not_a_file",
        "tree": "linked_folder",
    }
    details = {r.file: r.refusal.detail for r in read_folder(root).results}
    assert details["latin.md"] == "line 4: byte 16 is not UTF-8"


def test_given_a_link_inside_the_folder_when_read_then_it_is_a_note_of_a_double_name(tmp_path):
    (write(tmp_path, a_md=NOTE) / "b.md").symlink_to(tmp_path / "a.md")
    notes = read_folder(tmp_path).notes
    assert sorted(double_names(notes)) == ["a.md", "b.md"]


def test_given_a_file_name_that_is_not_utf8_when_read_then_refused(tmp_path):
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.md")).write_text(NOTE)
    assert list(set_aside(tmp_path).values()) == ["bad_file_name"]


def test_given_a_link_to_no_note_when_checked_then_reported(tmp_path):
    write(tmp_path, a_md=NOTE + "[[b]] [[lost]]", b_md=NOTE.replace("name: a", "name: b"))
    found = broken_links(read_folder(tmp_path).notes)
    assert [(link.file, link.target) for link in found] == [("a.md", "lost")]


def test_given_the_example_notes_when_read_then_all_are_small_linked_and_listed():
    folder = read_folder(EXAMPLES)
    assert (len(folder.notes), folder.results, broken_links(folder.notes)) == (25, [], [])
    assert not double_names(folder.notes) and not [n for n in folder.notes if n.warnings]
    listed = [f"- [{note.name}]({note.file}) — {note.body['description']}" for note in folder.notes]
    lines = (EXAMPLES / "INDEX.md").read_text("utf-8").splitlines()
    assert sorted(line for line in lines if line.startswith("- ")) == sorted(listed)


def test_given_the_example_notes_when_measured_then_short_dated_and_in_two_languages():
    notes = read_folder(EXAMPLES).notes
    assert sum(bool(re.search("[а-яё]", note.body["description"])) for note in notes) == 13
    assert all(len((EXAMPLES / note.file).read_text("utf-8")) <= 1_800 for note in notes)
    assert all(len(note.body["description"]) <= 150 for note in notes)
    assert all("2026-01-01" <= note.body["observed_at"] < "2026-12-01" for note in notes)


def test_given_an_alias_bomb_when_read_then_refused_at_once_in_little_memory(tmp_path):
    levels = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12))
    bomb = write(tmp_path, bomb_md=f"---\na0: &a0 lol\n{levels}\ntags: *a11\n---\nText")
    began = time.perf_counter()
    assert set_aside(bomb) == {"bomb.md": "bad_frontmatter"}
    assert time.perf_counter() - began < 5
