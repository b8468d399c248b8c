"""Send notes to `remember` over one kept-alive connection, patient with a service that is busy.

answer or trouble ──> 429, 500, 502, 503, 504, connection lost ──> wait ──> again (5 times)
                 └──> 401, wrong address, unusable key ──> ServiceStopped: no note would pass
                 └──> anything else ──> the caller's business
"""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import sleep
from typing import Any
from urllib.parse import urlencode, urlsplit

from muniment.cli_notes_results import Refusal

BASE_PATH = "/api/v1/project-memory"
ATTEMPTS = 5
FIRST_WAIT_S = 0.5  # doubled at each further attempt
LONGEST_WAIT_S = 60.0
TIMEOUT_S = 30.0  # the gateway itself gives up after 29 s
MAX_ANSWER_BYTES = 4_194_304
TRY_AGAIN = {429, 500, 502, 503, 504}


class ServiceStopped(Exception):
    """No further note can be sent; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.line())
        self.refusal = refusal


class BadAddress(ValueError):
    """The URL or the key cannot be used in a request; the text never holds the key."""


@dataclass(frozen=True)
class Answer:
    """One HTTP answer; `body` is empty when it was not a JSON object."""

    status: int
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def may_be_tried_again(self) -> bool:
        """Tell whether waiting can help; a full project (`retry: false`) stays full."""
        return self.status in TRY_AGAIN and self.body.get("retry") is not False

    @property
    def replayed(self) -> bool:
        """Tell whether the service had taken this note before."""
        header = self.headers.get("x-idempotent-replayed", "").strip().lower()
        return self.body.get("repeat") is True or header == "true"

    def refusal(self) -> Refusal:
        """Return the problem in the body, or what the bare status says."""
        told = {name: self.body.get(name) for name in ("field", "limit", "actual", "hint")}
        reason = http.client.responses.get(self.status, "unknown status")
        detail = str(self.body.get("detail") or self.body.get("title") or reason)
        return Refusal(str(self.body.get("code") or f"http_{self.status}"), detail, **told)


class NotesClient:
    """The `remember` route of one service, for one key. Not for use by several threads."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        project: str | None = None,
        workspace: str | None = None,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Raises BadAddress for a URL or key that no request can be made of."""
        self._connection, base = _connection_to(url)
        chosen = {"project": project, "workspace": workspace}
        query = urlencode({name: value for name, value in chosen.items() if value})
        self._target = f"{base}/remember" + (f"?{query}" if query else "")
        self._headers = {"Content-Type": "application/json", "X-Api-Key": _plain(key)}
        self._say = say

    def remember(self, body: Mapping[str, Any], idempotency_key: str) -> Answer:
        """Send one note and return the answer that is not worth another attempt.

        Raises ServiceStopped when no note would pass: see the drawing above.
        """
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        headers = {**self._headers, "X-Idempotency-Key": idempotency_key}
        for attempt in range(1, ATTEMPTS):
            answer, trouble = self._try(data, headers)
            if answer and not answer.may_be_tried_again:
                return _usable(answer)
            self._wait(attempt, trouble, _retry_after(answer))
        answer, trouble = self._try(data, headers)
        if answer and (answer.status == 500 or not answer.may_be_tried_again):
            return _usable(answer)  # 500 for ever is about this note, the next one may pass
        raise ServiceStopped(
            Refusal("no_answer", f"tried {ATTEMPTS} times: {trouble}", hint="is the service up?")
        )

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _try(self, data: bytes, headers: dict[str, str]) -> tuple[Answer | None, str]:
        try:
            answer = self._exchange(data, headers)
        except ssl.SSLCertVerificationError as error:
            refusal = Refusal("bad_certificate", error.verify_message)
            raise ServiceStopped(refusal) from None
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            return None, str(error) or type(error).__name__
        return answer, answer.refusal().line()

    def _exchange(self, data: bytes, headers: dict[str, str]) -> Answer:
        self._connection.request("POST", self._target, data, headers)
        response = self._connection.getresponse()
        raw = response.read(MAX_ANSWER_BYTES)
        if not response.isclosed():  # a longer answer would be read as the next one's beginning
            self._connection.close()
        names = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, names, _json_object(raw))

    def _wait(self, attempt: int, trouble: str, asked: float | None) -> None:
        seconds = asked if asked is not None else FIRST_WAIT_S * 2 ** (attempt - 1)
        if seconds > LONGEST_WAIT_S:
            detail = f"the service asks to wait {seconds:.0f} s ({trouble})"
            raise ServiceStopped(Refusal("busy", detail, hint="run the command again later"))
        self._say(f"{trouble}; next attempt in {seconds:.1f} s ({attempt + 1} of {ATTEMPTS})")
        sleep(seconds)


def _connection_to(url: str) -> tuple[http.client.HTTPConnection, str]:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise BadAddress(f"--url: {error}") from None
    if parts.scheme not in ("http", "https") or not host:
        raise BadAddress("--url must be like http://127.0.0.1:4600 or https://memory.example.org")
    if parts.query or parts.fragment or parts.username or not url.isascii() or " " in url:
        raise BadAddress("--url must have only a scheme, a host, a port and a path, in ASCII")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    base = parts.path.rstrip("/").removesuffix(BASE_PATH) + BASE_PATH
    return kind(host, port, timeout=TIMEOUT_S), base


def _plain(key: str) -> str:
    if not key.isascii() or not key.isprintable() or not key.strip() or " " in key:
        raise BadAddress("the API key must be one line of printable ASCII without blanks")
    return key


def _json_object(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _retry_after(answer: Answer | None) -> float | None:
    """Return the seconds that the answer asks to wait: a number or a date, none if unreadable."""
    text = answer.headers.get("retry-after", "").strip() if answer else ""
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())


def _usable(answer: Answer) -> Answer:
    """Return the answer unless it says that every other note would fare the same."""
    refusal = answer.refusal()
    if answer.status == 401:
        raise _stop(refusal, "give a live key with --key-file or in MUNIMENT_KEY")
    if answer.status == 403 and not refusal.field:
        raise _stop(refusal, "is the key live, may it write to this project, is --url right?")
    if refusal.code == "not_found" or (refusal.field or "").startswith("query."):
        raise _stop(refusal, "choose with --project and --workspace")
    if answer.status in (404, 405) or 300 <= answer.status < 400 or _not_ours(answer):
        detail = f"{answer.status} {refusal.detail}: this does not answer like Muniment"
        raise _stop(Refusal("wrong_address", detail), f"--url is what comes before {BASE_PATH}")
    return answer


def _stop(refusal: Refusal, hint: str) -> ServiceStopped:
    return ServiceStopped(replace(refusal, hint=refusal.hint or hint))


def _not_ours(answer: Answer) -> bool:
    return answer.status < 300 and not isinstance(answer.body.get("fact"), dict)
