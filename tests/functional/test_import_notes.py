"""`muniment import-notes`: what is sent, what is told, and with which exit code."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment import cli_notes_client
from tests.notes_service import KEY, Reply, Service, run, serving, write_notes

TOO_LONG = {
    "code": "unprocessable",
    "detail": "content has too many characters",
    "field": "content",
    "limit": 8000,
    "actual": 9001,
    "hint": "split the note",
}


@pytest.fixture
def service() -> Iterator[Service]:
    with serving() as service:
        yield service


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waited: list[float] = []
    monkeypatch.setattr(cli_notes_client, "sleep", waited.append)
    return waited


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return write_notes(tmp_path / "notes")


@pytest.fixture
def importer(service: Service, notes: Path, monkeypatch: pytest.MonkeyPatch, waits: list[float]):
    monkeypatch.setenv("MUNIMENT_KEY", KEY)
    return lambda *words: run(notes, "--url", service.url, *words)


def test_given_a_folder_when_imported_then_each_note_is_sent_once_on_one_connection(
    importer, service, capsys
):
    assert importer("--project", "backend", "--workspace", "w 1") == 0
    assert [request.name for request in service.requests] == ["deploy", "rollback", "money"]
    first = service.requests[0]
    assert first.path == "/api/v1/project-memory/remember?project=backend&workspace=w+1"
    assert first.headers["x-api-key"] == KEY
    assert first.body["content"] == "Text of deploy: деньги."
    assert (first.body["kind"], first.body["source_id"]) == ("howto", "notes/howto/deploy.md")
    assert len({request.connection for request in service.requests}) == 1
    out, err = capsys.readouterr()
    assert out.strip() == "3 recorded, 0 already there, 0 could not be taken"
    assert "2/3 howto/rollback.md: recorded" in err.splitlines()
    assert KEY not in out + err


def test_given_an_imported_folder_when_imported_again_then_nothing_is_added(
    importer, service, capsys
):
    assert importer() == importer() == 0
    assert len(service.facts) == 3
    assert "0 recorded, 3 already there" in capsys.readouterr().out


def test_given_the_answer_repeat_when_imported_then_it_counts_as_already_there(
    importer, service, capsys
):
    service.rule = lambda request, attempt: Reply(
        200, {"repeat": True, "fact": {"fact_id": "F", "source_id": "notes/other.md"}}
    )
    assert importer() == 0
    out = capsys.readouterr().out
    assert "0 recorded, 3 already there" in out
    assert "rules/money.md: its text is already recorded, from notes/other.md" in out


def test_given_only_the_frontmatter_changed_when_imported_then_told_that_it_was_not_taken(
    importer, service, capsys
):
    service.rule = lambda request, attempt: Reply(
        200, {"repeat": True, "fact": {**request.body, "fact_id": "F", "source_hash": "sha256:0"}}
    )
    assert importer() == 0
    assert "what changed in the frontmatter was not taken" in capsys.readouterr().out


def test_given_an_edited_note_when_imported_again_then_only_that_one_is_recorded(
    importer, service, notes, capsys
):
    importer()
    with (notes / "rules" / "money.md").open("a") as file:
        file.write("More.")
    assert importer() == 0
    assert len(service.facts) == 4
    assert "1 recorded, 2 already there" in capsys.readouterr().out


def test_given_a_refused_note_when_imported_then_the_rest_goes_on_and_the_reason_is_told(
    importer, service, capsys
):
    service.rule = lambda request, _: Reply(422, TOO_LONG) if request.name == "deploy" else None
    assert importer() == 1
    out = capsys.readouterr().out
    assert "howto/deploy.md: unprocessable: content has too many characters" in out
    assert "(field content, limit 8000, actual 9001)\n    hint: split the note" in out
    assert out.strip().endswith("2 recorded, 0 already there, 1 could not be taken")


def test_given_bad_files_and_lost_links_when_imported_then_json_tells_them_all(
    importer, notes, service, capsys
):
    (notes / "README.md").write_text("# Read me")
    (notes / "open.md").write_text("---\nname: x\n")
    (notes / "links.md").write_text("---\nupdated: soon\n---\nSee [[money]] and [[nowhere]].")
    assert importer("--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert report["counts"] == {
        "recorded": 4,
        "already_there": 0,
        "refused": 1,
        "skipped": 1,
        "not_sent": 0,
    }
    assert report["broken_links"] == [{"file": "links.md", "target": "nowhere"}]
    by_file = {note["file"]: note for note in report["notes"]}
    assert by_file["open.md"]["refusal"]["code"] == "unclosed_frontmatter"
    assert by_file["README.md"]["outcome"] == "skipped"
    assert by_file["links.md"]["warnings"] == ["the date 'soon' is not YYYY-MM-DD and was left out"]
    assert by_file["rules/money.md"]["fact_id"] in {"F0", "F1", "F2", "F3"}
    assert report["stopped"] is None


def test_given_an_answer_with_escapes_when_reported_then_the_terminal_is_safe(
    importer, service, capsys
):
    service.rule = lambda request, _: Reply(422, {"code": "x", "detail": "a\x1b[2Jb"})
    importer()
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err and "a\\x1b[2Jb" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--url", "example.org"], "--url must be like"),
        (["--url", "http://127.0.0.1:1", "--key-file", "no-such-file"], "cannot read the key file"),
    ],
)
def test_given_wrong_use_when_run_then_two_and_told(notes, monkeypatch, capsys, words, told):
    monkeypatch.setenv("MUNIMENT_KEY", KEY)
    assert run(notes, *words) == 2
    assert told in capsys.readouterr().err


def test_given_no_key_or_no_notes_when_run_then_two_and_told(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("MUNIMENT_KEY", raising=False)
    url = ["--url", "http://127.0.0.1:1"]
    assert run(tmp_path, *url) == run(tmp_path / "none", *url) == 2
    err = capsys.readouterr().err
    assert "--key-file or in MUNIMENT_KEY" in err and "is not a folder" in err
    monkeypatch.setenv("MUNIMENT_KEY", KEY)
    assert run(tmp_path, *url) == 2
    assert "there are no notes" in capsys.readouterr().err


def test_given_a_key_file_when_imported_then_it_beats_the_environment(importer, service, tmp_path):
    (tmp_path / "key").write_text("mun_from_file\n")
    assert importer("--key-file", str(tmp_path / "key")) == 0
    assert {request.headers["x-api-key"] for request in service.requests} == {"mun_from_file"}


def test_given_a_url_with_the_base_path_when_imported_then_it_is_not_doubled(
    service, notes, monkeypatch
):
    monkeypatch.setenv("MUNIMENT_KEY", KEY)
    assert run(notes, "--url", f"{service.url}/live/api/v1/project-memory/") == 0
    assert service.requests[0].path == "/live/api/v1/project-memory/remember"


def test_given_a_terminal_when_imported_then_one_line_changes_and_is_taken_away(
    importer, monkeypatch, capsys
):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    importer()
    err = capsys.readouterr().err
    assert err.endswith("\r\x1b[K") and "\n" not in err
    assert "3/3 rules/money.md" in err
