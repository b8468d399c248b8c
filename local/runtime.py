"""One Lambda execution environment: a process that runs one event at a time.

Started by `workers` as `python -m local.runtime DESCRIPTOR`; speaks JSON over that pipe. A handler
is loaded from source when it is first called and stays loaded. What it prints goes to our standard
output, which is the log.
"""

import importlib
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from local import lifeline

Handler = Callable[[Any, Any], Any]


@dataclass
class Context:
    """The second argument of a handler; `deadline` is Unix seconds."""

    function_name: str
    memory_limit_in_mb: int
    aws_request_id: str
    invoked_function_arn: str
    deadline: float
    function_version: str = "$LATEST"
    identity: None = None
    client_context: None = None

    @property
    def log_group_name(self) -> str:
        return f"/aws/lambda/{self.function_name}"

    @property
    def log_stream_name(self) -> str:
        return str(os.getpid())

    def get_remaining_time_in_millis(self) -> int:
        """Return what is left of the function's time-out, in milliseconds."""
        return max(0, int((self.deadline - time.time()) * 1000))


class Runtime:
    """The loaded handlers of this process."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self._functions, self._environment = setup["functions"], setup["environment"]
        self._handlers: dict[str, Handler] = {}
        self._current = ""
        sys.path[:0] = setup["paths"]

    def load(self, name: str) -> Handler:
        """Return the handler of a function, with the function's environment in place."""
        function = self._functions[name]
        if name != self._current:
            os.environ.clear()
            os.environ.update(self._environment | function["environment"])
            self._current = name
        if name not in self._handlers:
            module, _, attribute = function["handler"].rpartition(".")
            self._handlers[name] = getattr(importlib.import_module(module), attribute)
        return self._handlers[name]

    def context(self, call: dict[str, Any]) -> Context:
        """Return the context of one invocation; its time starts now."""
        function = self._functions[call["function"]]
        return Context(
            function_name=call["function"],
            memory_limit_in_mb=function["memory"],
            aws_request_id=call["request_id"],
            invoked_function_arn=call["arn"],
            deadline=time.time() + function["timeout"],
        )


def serve(pipe: Connection) -> None:
    """Answer calls until the pipe closes: first `{"loaded": …}`, then the outcome."""
    runtime = Runtime(json.loads(pipe.recv_bytes()))
    while True:
        try:
            call = json.loads(pipe.recv_bytes())
        except EOFError:
            return
        pipe.send_bytes(_outcome(runtime, call, pipe))


def _outcome(runtime: Runtime, call: dict[str, Any], pipe: Connection) -> bytes:
    try:
        handler = runtime.load(call["function"])
        pipe.send_bytes(b'{"loaded": true}')
        value = handler(call["event"], runtime.context(call))
        return json.dumps({"value": value}).encode()
    except Exception as error:
        if str(error) != "Unauthorized":  # how an authorizer says: no key
            print(f"[{call['function']}] {traceback.format_exc()}", flush=True)
        return json.dumps({"error": type(error).__name__, "message": str(error)}).encode()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for `up`, which then stops us
    lifeline.hold()
    os.umask(0o077)  # the search index holds what the facts say
    serve(Connection(int(sys.argv[1])))
