"""`muniment import-notes` against a service that is busy, broken, gone, or refuses everything."""

import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from muniment import cli_notes_client
from tests.notes_service import KEY, Reply, Service, run, serving, write_notes


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


@pytest.mark.parametrize(
    ("first", "waited"),
    [
        (Reply(503, {"code": "busy", "detail": "later"}), 0.5),
        (Reply(503, {"code": "busy"}, {"Retry-After": "7"}), 7),
        (Reply(429, b"slow down", {"Retry-After": "0"}), 0),
        (Reply(429, None, {"Retry-After": "soon"}), 0.5),
        (Reply(502, b"<html>"), 0.5),
        (Reply(0), 0.5),
    ],
)
def test_given_trouble_that_passes_when_imported_then_waited_and_recorded(
    importer, service, waits, capsys, first, waited
):
    service.rule = lambda request, attempt: (
        first if (request.name, attempt) == ("rollback", 1) else None
    )
    assert importer() == 0
    assert (waits, len(service.facts)) == ([waited], 3)
    assert "(2 of 5)" in capsys.readouterr().err


def test_given_a_retry_date_when_imported_then_waited_until_about_then(importer, service, waits):
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    service.rule = lambda request, attempt: (
        Reply(503, {}, {"Retry-After": date}) if len(service.requests) == 1 else None
    )
    assert importer() == 0
    assert 15 < waits[0] <= 20


def test_given_a_service_that_stays_down_when_imported_then_stopped_and_a_rerun_goes_on(
    importer, service, waits, capsys
):
    service.rule = lambda request, _: Reply(503, {"code": "busy"}) if service.facts else None
    assert importer() == 2
    assert waits == [0.5, 1, 2, 4]
    out = capsys.readouterr().out
    assert "1 recorded, 0 already there, 0 could not be taken\nStopped early: no_answer" in out
    assert "2 notes were not sent" in out
    service.rule = lambda request, _: None
    assert importer() == 0
    assert "2 recorded, 1 already there" in capsys.readouterr().out


def test_given_one_note_that_always_fails_when_imported_then_the_others_are_recorded(
    importer, service, capsys
):
    service.rule = lambda request, _: Reply(500, {}) if request.name == "deploy" else None
    assert importer() == 1
    assert len(service.facts) == 2
    assert "howto/deploy.md: http_500: Internal Server Error" in capsys.readouterr().out


def test_given_a_full_project_when_imported_then_not_tried_again_and_protected_kinds_pass(
    importer, service, waits
):
    full = Reply(429, {"code": "hard_limit", "detail": "full", "retry": False})
    service.rule = lambda request, _: full if request.body["kind"] == "howto" else None
    assert importer() == 1
    assert (waits, len(service.facts)) == ([], 1)


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(401, {"code": "unauthorized", "detail": "no key"}), "MUNIMENT_KEY"),
        (Reply(403, {"code": "not_allowed", "detail": "a read key"}), "not_allowed: a read key"),
        (Reply(403, {"message": "Forbidden"}), "http_403: Forbidden"),
        (Reply(404, b"<html>"), "wrong_address"),
        (Reply(200, b"<html>hello"), "wrong_address"),
        (Reply(201, {"fact": "text"}), "wrong_address"),
        (Reply(302, b"", {"Location": "http://example.org"}), "wrong_address"),
        (Reply(404, {"code": "no_route", "detail": "No such path"}), "wrong_address"),
        (Reply(404, {"code": "not_found", "detail": "no project"}), "not_found: no project"),
        (Reply(400, {"code": "project_required", "field": "query.project"}), "--project"),
        (Reply(503, {"code": "busy"}, {"Retry-After": "3600"}), "wait 3600 s"),
    ],
)
def test_given_an_answer_that_holds_for_every_note_when_imported_then_stopped_at_once(
    importer, service, waits, capsys, reply, told
):
    service.rule = lambda request, attempt: reply
    assert importer() == 2
    assert (len(service.requests), waits) == (1, [])
    assert told in capsys.readouterr().out


def test_given_a_kind_the_key_may_not_write_when_imported_then_only_that_note_is_refused(
    importer, service
):
    denied = Reply(403, {"code": "not_allowed", "field": "body.kind"})
    service.rule = lambda request, _: denied if request.body["kind"] == "rule" else None
    assert importer() == 1
    assert len(service.facts) == 2


def test_given_nobody_listening_when_imported_then_two_and_nothing_claimed(
    notes, monkeypatch, waits, capsys
):
    monkeypatch.setenv("MUNIMENT_KEY", KEY)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    assert run(notes, "--url", url) == 2
    out = capsys.readouterr().out
    assert "0 recorded" in out and "3 notes were not sent" in out and "refused" in out
    assert len(waits) == 4


def test_given_ctrl_c_when_imported_then_what_was_done_is_still_told(importer, monkeypatch, capsys):
    send = cli_notes_client.NotesClient.remember

    def interrupted(client, body, key):
        if body["name"] == "money":
            raise KeyboardInterrupt
        return send(client, body, key)

    monkeypatch.setattr(cli_notes_client.NotesClient, "remember", interrupted)
    assert importer() == 130
    assert "2 recorded" in capsys.readouterr().out
