"""The Memory table on the local cloud's own emulator, and the product's handlers bound to it.

emulator ◄── Table ◄── bootstrap ◄── functions/api/*.py ◄── call(event)
                         └── the index of a benchmark's engine
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3

from benchmarks.engines import free_port
from local import environment
from local.folder import DataFolder
from local.workers import ROOT
from muniment import bootstrap
from muniment.adapters.dynamo_table import Table
from muniment.adapters.dynamo_tenants import DynamoTenants
from muniment.domain.budget import Profile
from muniment.verbs.ports import SearchIndex
from tests.builders import CONTEXT, an_event
from tests.template import TEMPLATE, create_table_request

NAME, TENANT, PROJECT = "Memory", "acme", "backend"
START_SECONDS = 60
BOUND = (  # made of table, index
    *("budgets", "facts", "erasure", "reviews", "contexts", "neighbours", "search"),
)


@contextmanager
def emulated(folder: Path) -> Iterator[Any]:
    """Yield a DynamoDB client of a fresh emulator that holds the table of template.yaml."""
    home = Path(os.environ.get("EMULATOR_VENV") or ROOT / ".venv-emulator")
    if not (home / "bin" / "python").exists():
        raise SystemExit(f"no {home}: `make up` makes the emulator's environment")
    data, port = DataFolder(folder / "data"), free_port()
    data.open()
    with (folder / "emulator.log").open("wb") as log:
        process = subprocess.Popen(
            [home / "bin" / "python", "-m", "local.emulator"],
            cwd=ROOT,
            env=environment.emulator(data, port),
            stdin=subprocess.PIPE,  # its end, at whatever death of ours, ends the emulator
            stdout=log,
            stderr=log,
        )
    try:
        yield _client(_await(f"http://127.0.0.1:{port}"))
    finally:
        process.kill()
        process.communicate()


def _await(endpoint: str) -> str:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"{endpoint}/_ministack/health", timeout=2):
                return endpoint
        except OSError:
            time.sleep(0.05)
    raise SystemExit("the emulator does not answer")


def _client(endpoint: str) -> Any:
    session = boto3.Session("local", "local", region_name="us-east-1")
    client = session.client("dynamodb", endpoint_url=endpoint)
    client.create_table(**create_table_request(NAME))
    return client


def bind(client: Any, index: SearchIndex) -> Table:
    """Let every handler of this process work on that table and that index."""
    os.environ |= {"SIGNING_KEY": "benchmark", "MEMORY_TABLE": NAME}
    table = Table(client, NAME)
    bootstrap._table = lambda: table
    bootstrap.index = lambda: index
    for name in BOUND:
        getattr(bootstrap, name).cache_clear()
    return table


def make_tenant(table: Table) -> None:
    """Create tenant and project; any number of facts fits in."""
    tenants = DynamoTenants(table)
    tenants.create_tenant(TENANT, bootstrap.now())
    tenants.create_project(TENANT, PROJECT, Profile.EXTENDED, bootstrap.now())


class CallFailed(Exception):
    """A handler answered an error: what was measured would mean nothing."""


def load_handlers() -> None:
    """Import every verb's handler."""
    for route in TEMPLATE.routes:
        handler = TEMPLATE.functions[route.function].handler
        importlib.import_module(f"functions.{handler.removesuffix('.handler')}")


def call(function: str, method: str, path: str, body: Any = None, **said: Any) -> Any:
    """Invoke a handler as API Gateway would and return its body. Raises CallFailed."""
    handler = importlib.import_module(f"functions.api.{function}").handler
    answer = handler(an_event(method, path, body, **said), CONTEXT)
    if answer["statusCode"] >= 300:
        raise CallFailed(f"{method} {path}: {answer['statusCode']} {answer['body']}")
    return json.loads(answer["body"])
