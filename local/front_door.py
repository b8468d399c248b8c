"""The HTTP server of the local cloud: the API on one stable port, and the emulator's way to us.

```
 /live/api/…  or  /api/…           ──► gateway (routes, authorizer, function)
 /_invoke/{token}/{function}       ──► workers; the emulator calls functions here (streams, tests)
```
Listens on 127.0.0.1 and refuses foreign Host headers, so that no web page reaches it by a name of
its own (DNS rebinding). The token is new at each start.
"""

import hmac
import json
import re
import socket
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from local.gateway import MAX_BODY_BYTES, Gateway
from local.gateway_responses import REQUEST_TOO_LARGE, Answer
from local.proxy_events import Request
from local.workers import Outcome, Pool

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
IDLE_SECONDS = 75  # a kept-alive connection holds a thread
DRAIN_BYTES = 64 * 1024 * 1024  # a refused body is read so far, so that the client sees our answer
ERROR_CHARACTERS = 80  # ministack keeps 512 bytes of a function's error
HOP_BY_HOP = {"connection", "content-length", "keep-alive", "transfer-encoding"}
NO_BODY = {204, 304}
PROBLEM = (("Content-Type", "application/problem+json"),)


class Malformed(Exception):
    """The request breaks HTTP/1.1; the connection cannot be used further."""


class TooLarge(Exception):
    """The body is over the gateway's limit."""


class Server(ThreadingHTTPServer):
    """Bound at once, so that the port is ours; serves after `open`."""

    daemon_threads = True
    request_queue_size = 128
    gateway: Gateway
    pool: Pool
    token: str

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), Door)

    def open(self, gateway: Gateway, pool: Pool, token: str) -> None:
        """Say what to serve; then run `serve_forever`."""
        self.gateway, self.pool, self.token = gateway, pool, token

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report only what is our fault: clients hang up all the time."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class Door(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    timeout = IDLE_SECONDS
    disable_nagle_algorithm = True
    server: Server

    def __getattr__(self, name: str) -> Callable[[], None]:
        if name.startswith("do_"):  # every method: the gateway refuses what has no route
            return self._serve
        raise AttributeError(name)

    def log_message(self, format: str, *values: Any) -> None:
        """Say nothing: functions.log has what matters."""

    def handle_expect_100(self) -> bool:
        """Ask for the body only if we shall take it."""
        declared = self.headers.get("Content-Length", "")
        if declared.isdecimal() and int(declared) > MAX_BODY_BYTES:
            return True
        return super().handle_expect_100()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a request that the base class could not read."""
        self._hang_up(code, message or "the request is malformed")

    def _serve(self) -> None:
        try:
            self._check_head()
            body = self._read_body()
        except Malformed as error:
            return self._hang_up(400, str(error))
        except TooLarge:
            self.close_connection = True
            return self._write(self.server.gateway.refuse(REQUEST_TOO_LARGE))
        if not self._is_for_us():
            return self._write(_problem(403, "foreign_host", "only localhost is served here"))
        self._write(self._invoked(body) or self._answered(body))

    def _check_head(self) -> None:
        if self.headers.defects:
            raise Malformed("a header line is malformed")
        if len(self.headers.get_all("Host") or [""]) > 1:
            raise Malformed("more than one Host header")
        try:
            urlsplit(self.path)
        except ValueError:
            raise Malformed("the request target is malformed") from None

    def _is_for_us(self) -> bool:
        host = self.headers.get("Host", "").lower()
        return re.sub(r":\d*$", "", host) in LOOPBACK_NAMES

    def _answered(self, body: bytes) -> Answer:
        headers = tuple((name, str(value)) for name, value in self.headers.items())
        client = str(self.client_address[0])
        return self.server.gateway.handle(Request(self.command, self.path, headers, body, client))

    def _invoked(self, body: bytes) -> Answer | None:
        """Run a function for the emulator, or return None if this is not its path."""
        _, _, rest = urlsplit(self.path).path.partition("/_invoke/")
        token, _, function = rest.partition("/")
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            return None
        try:
            outcome = self.server.pool.invoke(
                function,
                json.loads(body),
                arn=self.headers.get("X-Amzn-Lambda-Function-Arn"),
                request_id=self.headers.get("X-Amzn-Lambda-Request-Id"),
            )
        except (KeyError, ValueError) as error:
            outcome = Outcome(None, "Runtime.InvalidInvocation", f"{function}: {error}")
        return _invocation(outcome)

    def _read_body(self) -> bytes:
        """Return the body, chunks joined. Raises Malformed, TooLarge."""
        if coding := self.headers.get_all("Transfer-Encoding"):
            if coding[1:] or coding[0].lower() != "chunked" or "Content-Length" in self.headers:
                raise Malformed("Transfer-Encoding must be chunked, without a Content-Length")
            return self._read_chunks()
        length = _content_length(self.headers.get_all("Content-Length") or ["0"])
        if length > MAX_BODY_BYTES:
            if "Expect" not in self.headers:
                self._drain(length)
            raise TooLarge
        return self._read_exactly(length)

    def _read_chunks(self) -> bytes:
        body = bytearray()
        while size := self._chunk_size():
            if len(body) + size > MAX_BODY_BYTES:
                self._drain(DRAIN_BYTES)
                raise TooLarge
            body += self._read_exactly(size)
            if self.rfile.readline(3) not in (b"\r\n", b"\n"):
                raise Malformed("a chunk is longer than its size")
        while self.rfile.readline(65537) not in (b"\r\n", b"\n", b""):
            pass  # trailers
        return bytes(body)

    def _chunk_size(self) -> int:
        line = self.rfile.readline(1024).split(b";")[0].strip()
        if not re.fullmatch(rb"[0-9a-fA-F]{1,8}", line):
            raise Malformed("a chunk size is malformed")
        return int(line, 16)

    def _read_exactly(self, size: int) -> bytes:
        data = self.rfile.read(size) if size else b""
        if len(data) < size:
            raise Malformed("the body is shorter than announced")
        return data

    def _drain(self, size: int) -> None:
        self.connection.settimeout(2)
        left = min(size, DRAIN_BYTES)
        try:
            while left > 0 and (data := self.rfile.read1(min(left, 65536))):
                left -= len(data)
        except TimeoutError:
            pass  # the client waits for our answer

    def _hang_up(self, status: int, detail: str) -> None:
        self.close_connection = True
        self._write(_problem(status, "malformed_request", detail))

    def _write(self, answer: Answer) -> None:
        headers = [(k, v) for k, v in answer.headers if k.lower() not in HOP_BY_HOP]
        headers.append(("Date", self.date_time_string()))
        if answer.status not in NO_BODY:
            headers.append(("Content-Length", str(len(answer.body))))
        if self.close_connection:
            headers.append(("Connection", "close"))
        reason = self.responses.get(answer.status, ("", ""))[0]
        lines = [f"HTTP/1.1 {answer.status} {reason}", *(f"{k}: {v}" for k, v in headers)]
        head = "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")
        sends_body = self.command != "HEAD" and answer.status not in NO_BODY
        self.wfile.write(head + answer.body if sends_body else head)


def _content_length(declared: list[str]) -> int:
    value, *others = set(declared)
    if others or not re.fullmatch(r"[0-9]{1,15}", value):
        raise Malformed("Content-Length is malformed")
    return int(value)


def _problem(status: int, code: str, detail: str) -> Answer:
    body = {"type": "about:blank", "title": code, "status": status, "detail": detail, "code": code}
    return Answer(status, PROBLEM, json.dumps(body).encode())


def _invocation(outcome: Outcome) -> Answer:
    if outcome.error is None:
        return Answer(200, (), json.dumps(outcome.value).encode())
    message = outcome.message[:ERROR_CHARACTERS]
    error = {"errorType": outcome.error[:ERROR_CHARACTERS], "errorMessage": message}
    return Answer(500, (), json.dumps(error, ensure_ascii=False).encode())


def is_free(port: int) -> bool:
    """Tell whether nobody listens on a port of this machine."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
