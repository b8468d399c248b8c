"""README does what it says: its shell blocks run, in order, and print what it prints.

A block that would start, test or deploy something says so behind its ```sh; of those the options
of `sam` are checked.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.conftest import ROOT, Cloud
from tests.template import TEMPLATE

README = ROOT / "README.md"
FENCE = re.compile(r"^```(\w+)(?: \((.*?)\))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
OPTION = re.compile(r"--[a-z][a-z0-9-]*")
MARK = "-- end of block"
FORMS = (  # what differs from run to run
    ("[0-9A-HJKMNP-TV-Z]{26}", r"\b01[0-9A-HJKMNP-TV-Z]{24}\b"),
    (r"\d{4}-\d\d-\d\dT[\d:.]+Z", r"\b\d{4}-\d\d-\d\dT[\d:.]+Z"),
    ("[0-9a-f]{32}", r"\b[0-9a-f]{32}\b"),
    (".*?", "…"),
)
QUESTIONS = {
    "как выкатить бэкенд на прод": "deploy-backend",
    "how is money stored": "money-in-minor-units",
}
INDEX_SECONDS = 240
SAM = shutil.which("sam") or shutil.which("sam", path=str(ROOT / ".venv-sam" / "bin"))


@dataclass(frozen=True)
class Block:
    """Shell code; `printed` is the text block right under it, `why_not` why it is not run."""

    code: str
    why_not: str
    printed: str | None


def blocks() -> list[Block]:
    """Return the shell blocks of README in order."""
    text = README.read_text("utf-8")
    found = list(FENCE.finditer(text))
    shell = []
    for at, fence in enumerate(found):
        if fence[1] != "sh":
            continue
        below = found[at + 1] if at + 1 < len(found) else None
        said = below and below[1] == "text" and not text[fence.end() : below.start()].strip()
        shell.append(Block(fence[3], fence[2] or "", below[3] if below and said else None))
    return shell


def run_blocks() -> list[Block]:
    return [block for block in blocks() if not block.why_not]


def pattern_of(printed: str) -> re.Pattern[str]:
    """Return the pattern of an output: ids, moments and random marks differ, `…` is anything."""
    whole = "|".join(f"({form})" for _, form in FORMS)
    parts, end = [], 0
    for found in re.finditer(whole, printed):
        parts.append(re.escape(printed[end : found.start()]))
        parts.append(FORMS[(found.lastindex or 1) - 1][0])
        end = found.end()
    return re.compile("".join(parts) + re.escape(printed[end:]), re.DOTALL)


def run_in_order(environment: dict[str, str]) -> list[str]:
    """Run all blocks in one shell; return what each printed. Raises AssertionError."""
    code = "".join(f"{block.code}\necho '{MARK}'\n" for block in run_blocks())
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        cwd=ROOT,
        env=environment,
        text=True,
        capture_output=True,
        timeout=300,
    )
    outputs = done.stdout.split(f"{MARK}\n")
    stopped = run_blocks()[len(outputs) - 1].code if done.returncode else ""
    assert done.returncode == 0, f"stopped in\n{stopped}\n{done.stdout[-2000:]}\n{done.stderr}"
    return outputs[:-1]


@pytest.fixture(scope="module")
def after_make_up(cloud: Cloud, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict]:
    """Yield the variables of a shell beside a cloud that `make up` has just filled."""
    if cloud.local is None:
        pytest.skip("README speaks of a local cloud")
    key = cloud.operator("tenant", "create", "demo", "--project", "backend")["key"]
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "MUNIMENT_URL": cloud.url,
        "MUNIMENT_KEY": key,
        "DATA": str(cloud.local.data),
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }
    importing = ["muniment", "import-notes", "examples/notes", "--url", cloud.url]
    done = subprocess.run(importing, cwd=ROOT, env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    _wait_for_the_index(cloud, key)
    yield environment


def _wait_for_the_index(cloud: Cloud, key: str) -> None:
    end = time.monotonic() + INDEX_SECONDS
    for question, name in QUESTIONS.items():
        body = {"query": question, "limit": 1}
        while True:
            reply = cloud.send("POST", "/search", body, key=key)
            found = reply.json()["items"] if reply.status == 200 else []
            if [item["fact"]["name"] for item in found] == [name]:
                break
            assert time.monotonic() < end, f"{question}: {reply.status} {reply.body[:500]!r}"
            time.sleep(1)


def test_given_a_running_cloud_when_the_blocks_run_in_order_then_they_print_what_stands_there(
    after_make_up: dict[str, str],
) -> None:
    outputs = run_in_order(after_make_up)

    told = zip(run_blocks(), outputs, strict=True)
    wrong = [
        f"{block.code}\nREADME:\n{block.printed}\nprinted:\n{output}"
        for block, output in told
        if block.printed is not None and not pattern_of(block.printed).fullmatch(output)
    ]
    assert "\n".join(wrong) == ""


def test_given_the_blocks_when_counted_then_most_run_and_the_others_say_why_not() -> None:
    assert len(run_blocks()) >= 10
    assert all(
        re.search(r"\b(make|sam|muniment|git)\b", block.code) for block in blocks() if block.why_not
    )


@pytest.mark.skipif(SAM is None, reason="sam is not installed: `make test` installs it")
def test_given_a_sam_command_when_its_help_is_read_then_it_knows_every_option() -> None:
    commands: dict[str, str] = {}
    told = "\n".join(_not_run())
    for name, rest in re.findall(r"^\S*\bsam (\w+)((?: .*\\\n)* ?.*)$", told, re.M):
        commands[name] = commands.get(name, "") + rest
    assert "deploy" in commands
    for name, rest in commands.items():
        environment = os.environ | {"SAM_CLI_TELEMETRY": "0", "COLUMNS": "200"}
        knows = subprocess.run(
            [str(SAM), name, "--help"], env=environment, text=True, capture_output=True, timeout=120
        ).stdout
        assert set(OPTION.findall(rest)) <= set(OPTION.findall(knows))


def test_given_the_deploy_parameters_when_looked_up_then_the_template_has_them() -> None:
    named = set(re.findall(r"\b([A-Z]\w+)=", "\n".join(_not_run())))
    assert "OpenSearchEndpoint" in named
    assert {n for n in named if not n.isupper()} <= set(TEMPLATE.document["Parameters"])


def _not_run() -> list[str]:
    return [block.code for block in blocks() if block.why_not]


@pytest.mark.parametrize("target", ["up", "down", "reset", "test", "build"])
def test_given_a_make_target_of_readme_when_looked_up_then_the_makefile_has_it(target: str) -> None:
    assert f"make {target}" in README.read_text("utf-8")
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.M)
