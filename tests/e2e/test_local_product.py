"""The product itself on the local cloud: the first minutes of a new user."""

import stat
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.conftest import ROOT, Cloud, LocalRun


def test_given_a_new_tenant_when_its_key_is_used_then_a_note_is_kept_and_found(
    cloud: Cloud,
) -> None:
    tenant = cloud.tenant("backend")
    note: dict[str, Any] = {"content": "The zebra queue is drained before each release"}

    written = cloud.send("POST", "/remember", note, key=tenant["key"])
    found = cloud.send("POST", "/search", {"query": "zebra queue"}, key=tenant["key"])

    assert written.status == 201, written.body
    assert [i["fact"]["fact_id"] for i in found.json()["items"]] == [
        written.json()["fact"]["fact_id"]
    ]
    assert cloud.send("POST", "/remember", note).status == 401
    assert cloud.send("POST", "/remember", note, key="mun_wrong_key").status == 403
    assert cloud.send("GET", "/health").json() == {"status": "ok"}


@pytest.mark.slow
def test_given_a_first_start_when_ready_then_both_questions_were_answered_with_their_notes(
    start_local: Callable[..., LocalRun],
) -> None:
    run = start_local(app=ROOT, arguments=())
    said = run.said()

    key = (run.data / "key").read_text().strip()
    assert said.count(key) == 1
    assert stat.S_IMODE((run.data / "key").stat().st_mode) == 0o600
    assert _first_answer(said, "как выкатить бэкенд на прод").startswith("[deploy-backend ")
    assert _first_answer(said, "how is money stored").startswith("[money-in-minor-units ")

    run.stop()
    again = start_local(app=ROOT, arguments=(), data=run.data, port=run.port).said()

    assert key not in again and str(run.data / "key") in again
    assert "importing" not in again


def _first_answer(said: str, question: str) -> str:
    """Return the citation line of the first answer to a question."""
    after = said.partition(f"? {question}\n")[2]
    return next(line.strip() for line in after.splitlines() if line.strip().startswith("["))
