"""A server between client and node that can be slow, or gone."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit


class Proxy:
    """Passes connections on to `target`; each answer waits `delay` seconds first."""

    def __init__(self, target: str) -> None:
        address = urlsplit(target)
        self._target = (address.hostname or "", address.port or 80)
        self._listener: socket.socket | None = None
        self._pairs: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._ended = threading.Event()
        self.delay = 0.0
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def open(self) -> None:
        self._ended.clear()
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        self._run(self._accept, self._listener)

    def close(self) -> None:
        """Refuse new connections and cut the open ones."""
        self._ended.set()
        for one in (self._listener, *self._pairs):
            if one:
                with _unless_closed():
                    one.shutdown(socket.SHUT_RDWR)
                one.close()
        for thread in self._threads:
            thread.join()
        self._pairs.clear()
        self._threads.clear()

    def _run(self, what: object, *arguments: object) -> None:
        thread = threading.Thread(target=what, args=arguments, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self, listener: socket.socket) -> None:
        with _unless_closed():
            while True:
                client, _ = listener.accept()
                node = socket.create_connection(self._target)
                self._pairs += [client, node]
                self._run(self._carry, client, node, False)
                self._run(self._carry, node, client, True)

    def _carry(self, source: socket.socket, sink: socket.socket, late: bool) -> None:
        with _unless_closed():
            while data := source.recv(65536):
                if late:
                    self._ended.wait(self.delay)
                sink.sendall(data)


@contextmanager
def _unless_closed() -> Iterator[None]:
    try:
        yield
    except OSError:
        return
