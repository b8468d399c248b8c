"""Start ministack with durable DynamoDB items, closed to browsers; runs in `.venv-emulator`.

ministack keeps items in memory. Here every change is also a row in SQLite, committed before the
answer to the request is sent; `stack` loads the rows again after it has made the tables:

```
 request ──► handler ──► _set_item / _remove_item ──► journal (in memory)
                │                                        │ one SQLite transaction
 answer ◄───────┴──────────────── committed ◄────────────┘
```
This needs private names of one ministack version; `_check` refuses any other. Not covered, and not
used by us: PartiQL transactions, imports and restored backups, which swap a table's items whole.
"""

import importlib
import importlib.metadata
import json
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import ministack.app as application
import ministack.services.dynamodb as dynamodb
import ministack.services.lambda_svc as functions

from local import lifeline

VERSION = "1.5.33"
HYDRATE = "/_local/hydrate"
TIDY_SECONDS = 0.2
# NORMAL survives kill -9 of every process, FULL a crash of the machine too. FULL costs 1 to 2 ms of
# a write's 15 (one writer: 55 writes a second for 65; eight: 91 for 101), so we take it.
SYNCHRONOUS = "FULL"

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
PRIVATE = (
    (dynamodb, "_set_item"),
    (dynamodb, "_remove_item"),
    (dynamodb, "_tables"),
    (dynamodb, "handle_request"),
    (functions, "_execute_function_proxy"),
    (application, "app"),
    (application, "main"),
)


class Items:
    """The items on disk; one connection, used by one thread at a time under `gate`."""

    def __init__(self, file: Path) -> None:
        self.gate = threading.Lock()
        self._journal: deque[tuple[str, tuple[str, ...]]] = deque()
        self._rows = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        self._rows.execute("pragma journal_mode=wal")
        self._rows.execute(f"pragma synchronous={SYNCHRONOUS}")
        self._rows.execute(
            "create table if not exists item (place text, partition text, sort text, body text,"
            " primary key (place, partition, sort)) without rowid"
        )

    def put(self, table: Scope, partition: Any, sort: Any, item: Any) -> None:
        """Note a written item; durable after the next `commit`."""
        row = (*_key(table, partition, sort), json.dumps(item))
        self._journal.append(("insert or replace into item values (?, ?, ?, ?)", row))

    def remove(self, table: Scope, partition: Any, sort: Any) -> None:
        """Note a removed item; durable after the next `commit`."""
        where = "delete from item where place = ? and partition = ? and sort = ?"
        self._journal.append((where, _key(table, partition, sort)))

    def commit(self) -> None:
        """Make what was noted durable, as one transaction; needs `gate`.

        On an error (disk full) nothing leaves the journal, so that a later commit still writes it.
        """
        changes = list(self._journal)
        if not changes:
            return
        with self._rows:
            self._rows.execute("begin immediate")
            for statement, row in changes:
                self._rows.execute(statement, row)
        for _ in changes:
            self._journal.popleft()

    def of(self, table: Scope) -> list[tuple[Any, Any, Any]]:
        """Return (partition, sort, item) of every stored item of one table."""
        found = self._rows.execute(
            "select partition, sort, body from item where place = ?", (table["TableArn"],)
        )
        return [(json.loads(p), json.loads(s), json.loads(body)) for p, s, body in found]


def _key(table: Scope, partition: Any, sort: Any) -> tuple[str, str, str]:
    return table["TableArn"], json.dumps(partition), json.dumps(sort)


def make_durable(items: Items) -> Callable[[], int]:
    """Route ministack's writes through `items`; return the function that loads them again."""
    put, remove, handle = dynamodb._set_item, dynamodb._remove_item, dynamodb.handle_request

    def set_item(table: Scope, partition: Any, sort: Any, item: Any) -> Any:
        items.put(table, partition, sort, item)
        return put(table, partition, sort, item)

    def remove_item(table: Scope, partition: Any, sort: Any) -> Any:
        items.remove(table, partition, sort)
        return remove(table, partition, sort)

    async def handle_request(*request: Any) -> Any:
        with items.gate:  # a DynamoDB handler never yields, so this holds up nobody else
            answer = await handle(*request)
            items.commit()
            return answer

    def hydrate() -> int:
        count = 0
        for _, table in dynamodb._tables.all_items():
            for partition, sort, item in items.of(table):
                put(table, partition, sort, item)
                count += 1
        return count

    dynamodb._set_item, dynamodb._remove_item = set_item, remove_item
    dynamodb.handle_request = handle_request
    return hydrate


def tidy(items: Items) -> None:
    """Commit what ministack changes outside a request (expired items), for ever."""
    while True:
        time.sleep(TIDY_SECONDS)
        try:
            with items.gate:
                items.commit()
        except sqlite3.Error as error:
            print(f"items are not saved: {error}", flush=True)


def keep_error_types() -> None:
    """Give a failed function's own error type and message, as Lambda does, not `HTTP 500: …`."""
    proxy = functions._execute_function_proxy

    def execute(*call: Any) -> Scope:
        result: Scope = proxy(*call)
        text = result["body"]["errorMessage"] if result.get("error") else ""
        _, found, error = text.partition("returned HTTP 500: ")
        if found:
            result["body"] = json.loads(error)
        return result

    functions._execute_function_proxy = execute


def preload() -> None:
    """Import what the deployment will need while our caller still gets ready: 0.8 s saved."""
    importlib.import_module("samtranslator.translator.transform")
    for service in ("cloudformation", "s3", "iam", "apigateway_v1", "sqs"):
        importlib.import_module(f"ministack.services.{service}")


def guard(inner: Any, hydrate: Callable[[], int], port: str) -> Any:
    """Return the application behind a door that no browser opens: the emulator runs code."""
    hosts = {f"{name}:{port}".encode() for name in ("localhost", "127.0.0.1")}

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await inner(scope, receive, send)
        elif scope["type"] == "websocket" or _is_foreign(dict(scope["headers"]), hosts):
            await _answer(send, 403, b"local emulator: browsers and other hosts are refused\n")
        elif scope["path"] == HYDRATE:
            await _answer(send, 200, str(hydrate()).encode())
        else:
            await inner(scope, receive, send)

    return outer


def _is_foreign(headers: dict[bytes, bytes], hosts: set[bytes]) -> bool:
    """Tell a page's request: it names its origin, or reached us by another host name."""
    host = headers.get(b"host", b"")
    ours = host in hosts or host.endswith(tuple(b"." + name for name in hosts))
    return not ours or b"origin" in headers or b"sec-fetch-site" in headers


async def _answer(send: Send, status: int, body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": body})


def _check() -> None:
    found = importlib.metadata.version("ministack")
    missing = [name for module, name in PRIVATE if not hasattr(module, name)]
    if found != VERSION or missing:
        raise SystemExit(f"the local cloud needs ministack {VERSION}, found {found} {missing}")


def main() -> None:
    """Serve until stopped or until the parent dies. Reads ITEMS_FILE and GATEWAY_PORT."""
    _check()
    lifeline.hold()
    os.umask(0o077)  # the items are nobody else's to read
    items = Items(Path(os.environ["ITEMS_FILE"]))
    hydrate = make_durable(items)
    keep_error_types()
    threading.Thread(target=preload, daemon=True, name="preload").start()
    threading.Thread(target=tidy, args=(items,), daemon=True, name="tidy").start()
    application.app = guard(application.app, hydrate, os.environ["GATEWAY_PORT"])
    application.main()


if __name__ == "__main__":
    main()
