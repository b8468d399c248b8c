"""What left results must stay away: every way out, everything that could bring it back.

way      forget, retract, reject
after    reindex, restart, record, remember, import, corroborate, ttl sweep, paging
surface  eight ways to write the same value (people.surfaces)
"""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

from muniment import cli
from muniment.cli_notes_client import Answer as NotesAnswer
from muniment.cli_notes_client import NotesClient
from tests.property.people import EVERYBODY, surfaces
from tests.property.service import Answer, Service

OWNER, RITA, ROSA = EVERYBODY["olga"], EVERYBODY["rita"], EVERYBODY["rosa"]
CODER, GUEST = EVERYBODY["coder"], EVERYBODY["guest"]
STATEMENTS = tuple(
    f"The {where} café's {what} is {value}."
    for where, what, value in product(
        ("staging", "preview", "canary", "backup"),
        ("deploy port", "queue", "owner", "broker", "region", "cron", "token life", "log level"),
        ("8080 on app-a", "set by Ops"),
    )
)
YEAR = 366 * 86_400_000
Case = tuple[str, str, str, str]  # way, after, surface, statement


def cases(statements: int) -> list[Case]:
    """Return every combination for that many statements: 192 each."""
    names = surfaces("x")
    some = STATEMENTS[:statements]
    return [(w, a, n, s) for s, w, a, n in product(some, WAYS, AFTER, names)]


def run_case(service: Service, case: Case) -> None:
    """Let one fact leave and try to bring it back. Raises where it came back."""
    way, after, surface, statement = case
    service.begin()
    written = surfaces(statement)[surface]
    _remember(service, RITA, "Rollbacks are done by hand.", "other.md")
    fact_id = _remember(service, CODER, statement, "a.md").body["fact"]["fact_id"]
    cursor = _first_page(service)
    WAYS[way](service, fact_id)
    AFTER[after](service, fact_id, written, cursor)
    _stays_away(service, fact_id, statement)
    for writer in (CODER, RITA, OWNER):
        _refused(_remember(service, writer, written, "again.md"), fact_id)
    _stays_away(service, fact_id, statement)


def _remember(service: Service, who: Any, text: str, source: str) -> Answer:
    body = {"content": text, "source_id": source, "fact_key": "port"}
    return service.call(who, "remember", "/remember", body)


def _first_page(service: Service) -> str:
    answer = service.call(GUEST, "list_facts", "/facts", limit=1)
    cursor: str = answer.body["next_cursor"] or ""
    return cursor


def _refused(answer: Answer, fact_id: str) -> None:
    assert answer.seen == (409, "duplicate_tombstone"), answer
    assert answer.body["fact_id"] == fact_id


def _forget(service: Service, fact_id: str) -> None:
    assert service.call(CODER, "forget_fact", f"/facts/{fact_id}").status == 200


def _retract(service: Service, fact_id: str) -> None:
    path, why = f"/facts/{fact_id}/retract", {"reason": "wrong"}
    assert service.call(OWNER, "retract_fact", path, why).status == 200


def _reject(service: Service, fact_id: str) -> None:
    path = f"/facts/{fact_id}/review"
    claim = service.call(RITA, "claim_review", f"{path}/claim").body
    said = {"generation": claim["generation"], "revision": 1, "decision": "reject", "reason": "no"}
    assert service.call(RITA, "finalize_review", f"{path}/finalize", said).status == 200


def _reindex(service: Service, fact_id: str, written: str, cursor: str) -> None:
    service.index.clear()
    service.reconcile()


def _restart(service: Service, fact_id: str, written: str, cursor: str) -> None:
    service.restart()


def _record(service: Service, fact_id: str, written: str, cursor: str) -> None:
    body = {
        "statement": written,
        "subject": {"type": "service", "id": "cafe"},
        "citations": [{"locator": "cafe.md"}],
        "reason": "read",
    }
    _refused(service.call(CODER, "record_fact", "/facts", body), fact_id)


def _remember_again(service: Service, fact_id: str, written: str, cursor: str) -> None:
    _refused(_remember(service, CODER, written, "a.md"), fact_id)


def _corroborate(service: Service, fact_id: str, written: str, cursor: str) -> None:
    for who, source in ((RITA, "b.md"), (ROSA, "c.md")):
        _refused(_remember(service, who, written, source), fact_id)


def _import(service: Service, fact_id: str, written: str, cursor: str) -> None:
    """Run `muniment import-notes` on a folder with that note; it must be told of the grave."""
    answers: list[Answer] = []

    def exchange(client: NotesClient, data: bytes, headers: dict[str, str]) -> NotesAnswer:
        sent = {"X-Idempotency-Key": headers["X-Idempotency-Key"]}
        body = json.loads(data)
        answer = service.call(RITA, "remember", "/remember", body, headers=sent)
        answers.append(answer)
        return NotesAnswer(answer.status, {}, answer.body)

    with tempfile.TemporaryDirectory() as folder, patch.object(NotesClient, "_exchange", exchange):
        note = Path(folder) / "note.md"
        note.write_text(f"---\nname: note\ndescription: A note\n---\n{written}\n", "utf-8")
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            cli.main(["import-notes", folder, "--url", "http://127.0.0.1:1"])
    _refused(answers[0], fact_id)


def _ttl_sweep(service: Service, fact_id: str, written: str, cursor: str) -> None:
    service.clock += YEAR
    service.expire()
    service.sweep_ttl()


def _paging(service: Service, fact_id: str, written: str, cursor: str) -> None:
    answer = service.call(GUEST, "list_facts", "/facts", limit=1, cursor=cursor)
    assert answer.status == 200
    assert answer.body["items"] == []


def _stays_away(service: Service, fact_id: str, statement: str) -> None:
    """Look for the fact and for its value wherever a reader can look."""
    read = [
        service.call(GUEST, "search_facts", "/search", {"query": statement, "limit": 50}),
        service.call(GUEST, "read_context", "/context", {"query": statement}),
        service.call(GUEST, "list_facts", "/facts"),
        service.call(GUEST, "list_conflicts", "/conflicts"),
        service.call(RITA, "review_queue", "/review-queue"),
    ]
    for answer in read:
        assert answer.status == 200
        seen = str({k: v for k, v in answer.body.items() if k != "next_cursor"})
        assert fact_id not in seen
        assert statement not in seen
    told = service.call(GUEST, "get_fact", f"/facts/{fact_id}")
    gone = told.status == 404 or told.body["fact"]["state"] == "retracted"
    assert gone, told


WAYS: dict[str, Callable[[Service, str], None]] = {
    "forget": _forget,
    "retract": _retract,
    "reject": _reject,
}
AFTER: dict[str, Callable[[Service, str, str, str], None]] = {
    "reindex": _reindex,
    "restart": _restart,
    "record": _record,
    "remember": _remember_again,
    "import": _import,
    "corroborate": _corroborate,
    "ttl sweep": _ttl_sweep,
    "paging": _paging,
}
