"""Lint, format, types, pins, and what SAM says of template.yaml."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
SAM = ROOT / ".venv-sam/bin"
LISTS = sorted([*ROOT.glob("layers/*/requirements.txt"), *ROOT.glob("requirements/*.txt")])

needs_sam = pytest.mark.skipif(
    not (SAM / "sam").exists() and "CI" not in os.environ,
    reason="the environment .venv-sam is missing: `make test` makes it",
)


def run(*command: str | Path, folder: Path = ROOT) -> None:
    """Run a command and fail with everything it printed."""
    environment = {
        **os.environ,
        "AWS_DEFAULT_REGION": "us-east-1",
        "PYTHON": sys.executable,
        "SAM_CLI_TELEMETRY": "0",
    }
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def pins(path: Path) -> list[str]:
    """Return one logical line a package: `name==version … --hash=…`."""
    text = path.read_text("utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("-r ")]


def test_given_the_code_when_linted_then_ruff_has_nothing_to_say():
    run(BIN / "ruff", "check", ".")
    run(BIN / "ruff", "format", "--check", ".")


def test_given_the_package_when_types_are_checked_then_mypy_has_nothing_to_say():
    run(BIN / "mypy")


@pytest.mark.parametrize("path", LISTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_given_a_list_of_pins_when_read_then_every_line_is_exact_and_hashed(path):
    loose = [line for line in pins(path) if not re.match(r"\S+==\S+ .*--hash=sha256:", line)]
    assert loose == []
    assert not re.search(r"https?://|index-url|find-links", path.read_text("utf-8"))


def test_given_the_lists_of_one_environment_when_compared_then_no_package_stands_twice():
    together = [ROOT / "requirements/dev.txt", *ROOT.glob("layers/*/requirements.txt")]
    names = [line.split("==")[0] for path in together for line in pins(path)]
    assert sorted({name for name in names if names.count(name) > 1}) == []


@needs_sam
def test_given_the_template_when_sam_validates_it_then_it_is_accepted():
    run(SAM / "sam", "validate", "--lint")  # --lint is cfn-lint on the transformed template


@needs_sam
def test_given_the_repository_when_sam_builds_it_then_every_function_and_layer_fits():
    build = ROOT / ".aws-sam/build"
    run(SAM / "sam", "build")
    layers = ["CoreLayer", "DepsLayer", "EmbedderLayer"]
    assert (build / "SearchFacts/api/search_facts.py").exists()
    size = sum(p.stat().st_size for name in layers for p in (build / name).rglob("*"))
    assert size < 230_000_000  # bytes; Lambda takes 262,144,000 with the function
