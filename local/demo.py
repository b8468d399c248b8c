"""The first start: a demo tenant with a key, the example notes, and two questions answered.

Later starts only say where the key is. The key is printed once; then it stands in a file of
mode 600 in the data folder.
"""

import json
import os
import subprocess
import sys
import textwrap
import urllib.error
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from local.cloud import LocalCloud
from local.environment import without_aws
from local.folder import DataFolder
from local.workers import ROOT

TENANT, PROJECT = "demo", "backend"
BASE_PATH = "/api/v1/project-memory"
NOTES = ROOT / "examples" / "notes"
PACKAGE = ROOT / "layers" / "core" / "python"
QUESTIONS = ("как выкатить бэкенд на прод", "how is money stored")
ANSWERS = 2  # shown for each question
TRIES = 3  # of a question
DONE = "demo-imported"
CLI_SECONDS = 300


class DemoFailed(Exception):
    """A step of the demo failed; the message says which and why."""


class Demo:
    """The demo tenant of one local cloud."""

    def __init__(self, cloud: LocalCloud, data: DataFolder, say: Callable[[str], None]) -> None:
        self._cloud, self._data, self._say = cloud, data, say

    def welcome(self) -> None:
        """Make the tenant and import the notes, unless done before; say how to go on.

        Raises DemoFailed. A start that was broken off is taken up again.
        """
        done = (self._data / DONE).exists()
        if not (self._data / "key").exists():
            self._data.keep_secret("key", self._make_key())
            self._say(f"tenant {TENANT} with project {PROJECT} made")
        if not done:
            self._import_notes()
            for question in QUESTIONS:
                self._ask(question)
            (self._data / DONE).touch()
        self._say_how_to_go_on(show_key=not done)

    def _make_key(self) -> str:
        made = self._cli("tenant", "create", TENANT, "--project", PROJECT, "--json", check=False)
        if made.returncode:  # a broken-off start left the tenant without its key
            actions = [part for a in ("read", "write", "review", "own") for part in ("--action", a)]
            owner = ["--tenant", TENANT, "--principal", "owner", "--kind", "human"]
            more = [*owner, "--project", PROJECT, *actions, "--json"]
            made = self._cli("key", "create", *more, otherwise=made.stderr)
        return str(json.loads(made.stdout)["key"])

    def _import_notes(self) -> None:
        self._say(f"importing the example notes of {NOTES.relative_to(ROOT)}")
        key_file = str(self._data / "key")
        done = self._cli(
            "import-notes", str(NOTES), "--url", self._cloud.url, "--key-file", key_file
        )
        self._say(f"notes: {done.stdout.strip()}; embedding them, about a second each")
        self._cloud.reconcile()  # the stream does it anyway; this waits until all are found

    def _cli(
        self, *arguments: str, check: bool = True, otherwise: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run `muniment …` against the emulator, as an operator would."""
        environment = without_aws(os.environ) | self._cloud.environment
        done = subprocess.run(
            [sys.executable, "-m", "muniment.cli", *arguments],
            env=environment | {"PYTHONPATH": str(PACKAGE)},
            text=True,
            capture_output=True,
            timeout=CLI_SECONDS,
        )
        if check and done.returncode:
            said = (done.stderr or done.stdout).strip()
            raise DemoFailed(f"muniment {arguments[0]} failed: {otherwise}{said}")
        return done

    def _ask(self, question: str) -> None:
        """Search as the demo tenant; print the answers with their ids."""
        body = json.dumps({"query": question, "limit": ANSWERS}).encode()
        key = self._data.secret("key")
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        url = f"{self._cloud.url}{BASE_PATH}/search"
        request = urllib.request.Request(url, body, headers, method="POST")
        items = self._items(request)
        print(f"\n  ? {question}", *map(_cited, items), sep="\n", flush=True)

    def _items(self, request: urllib.request.Request) -> Any:
        """Return what search found.

        The first search loads the models: on a busy machine it may overrun its function's time.
        """
        for tries_left in reversed(range(TRIES)):
            try:
                with _direct().open(request, timeout=60) as answer:
                    return json.loads(answer.read())["items"]
            except urllib.error.HTTPError as error:
                said = f"search answered {error.code}: {error.read().decode()}"
                if error.code < HTTPStatus.INTERNAL_SERVER_ERROR or not tries_left:
                    raise DemoFailed(said) from None
                self._say(f"{said}; asking again")

    def _say_how_to_go_on(self, *, show_key: bool) -> None:
        file = self._data / "key"
        key = f"{self._data.secret('key')}  (shown once; kept in {file})" if show_key else file
        api, read = f"{self._cloud.url}{BASE_PATH}", f'-H "X-Api-Key: $(cat {file})"'
        note = {"content": "Reports are built at night, when the load is low"}
        lines = [
            f"API   {api}",
            f"key   {key}",
            f"curl {api}/search {read} -d '{json.dumps({'query': QUESTIONS[1]})}'",
            f"curl {api}/context {read} -d '{json.dumps({'query': 'refunds'})}'",
            f"curl {api}/remember {read} -d '{json.dumps(note)}'",
        ]
        print("", *(f"  {line}" for line in lines), "", sep="\n", flush=True)


def _direct() -> urllib.request.OpenerDirector:
    """Return an opener that goes past any proxy."""
    return urllib.request.build_opener(urllib.request.ProxyHandler({}))


def _cited(item: dict[str, Any]) -> str:
    fact = item["fact"]
    text = textwrap.shorten(f"{fact.get('description') or ''} {fact['statement']}", 200)
    lines = textwrap.wrap(text, 92, initial_indent="  > ", subsequent_indent="    ")
    return "\n".join(
        [*lines, f"    [{fact.get('name') or '-'} {fact['fact_id']}: {', '.join(item['labels'])}]"]
    )
