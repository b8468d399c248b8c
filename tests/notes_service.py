"""A small HTTP service for the tests of `muniment import-notes`: it keeps every request."""

import argparse
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from muniment import cli_notes

KEY = "mun_test_key"


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    connection: tuple[str, int]

    @property
    def name(self) -> str:
        return self.body["name"]


@dataclass
class Reply:
    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


Rule = Callable[[Request, int], Reply | None]


class Service:
    """Keeps facts by idempotency key, as Muniment does; `rule` may answer instead.

    `rule` is given the request and how often this note has been sent, 1 the first time.
    """

    url = ""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.facts: dict[str, dict[str, Any]] = {}
        self.rule: Rule = lambda request, attempt: None

    def answer(self, request: Request) -> Reply:
        self.requests.append(request)
        attempt = sum(past.name == request.name for past in self.requests)
        return self.rule(request, attempt) or self._remember(request)

    def _remember(self, request: Request) -> Reply:
        key = request.headers["x-idempotency-key"]
        if key in self.facts:
            return Reply(201, self.facts[key], {"X-Idempotent-Replayed": "true"})
        kept = {name: request.body[name] for name in ("name", "source_id", "source_hash")}
        self.facts[key] = {"fact": {"fact_id": f"F{len(self.facts)}", **kept}, "revision": 1}
        return Reply(201, self.facts[key])


def handler_of(service: Service) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.path, headers, body, self.client_address)
            reply = service.answer(request)
            if reply.status == 0:  # hang up without a word
                self.close_connection = True
                return
            self.send(reply)

        def send(self, reply: Reply) -> None:
            raw = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in {**reply.headers, "Content-Length": str(len(raw))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *args: Any) -> None:
            pass

    return Handler


@contextmanager
def serving() -> Iterator[Service]:
    """Run the service on a free port of this machine."""
    service = Service()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(service))
    service.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def write_notes(folder: Path) -> Path:
    """Write three notes, sent in this order: deploy, rollback (howto), money (rule)."""
    for kind, name in (("rules", "money"), ("howto", "deploy"), ("howto", "rollback")):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        text = f"---\nname: {name}\ndescription: About {name}\n---\nText of {name}: деньги."
        (folder / kind / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def run(*words: str | Path) -> int:
    """Run the command with these words and return its exit code."""
    parser = argparse.ArgumentParser()
    cli_notes.add_parser(parser.add_subparsers())
    args = parser.parse_args(["import-notes", *map(str, words)])
    return args.run(args)
