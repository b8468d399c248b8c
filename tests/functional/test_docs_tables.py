"""The tables of README and docs/ agree with the code they speak of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from muniment import cli
from muniment.domain.budget import Profile
from muniment.domain.plans import RATES
from tests.functional.doc_examples import sections, titles
from tests.template import ROOT, TEMPLATE
from tests.unit import test_architecture as architecture

DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
OPTION = re.compile(r"--[a-z][a-z-]*")
COMMAND = re.compile(r"^\| `muniment ([^`]+)` \|", re.MULTILINE)


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def cells(text: str) -> list[list[str]]:
    """Return the cells of every table row."""
    rows = re.findall(r"^\|(.+)\|$", text, re.MULTILINE)
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)] for row in rows]


def test_given_the_status_table_when_compared_then_each_route_stands_there_with_its_action():
    told = {row[1].strip("`"): row[2] for row in cells(read("README.md")) if len(row) == 3}
    actions = {
        title: action[1] if (action := re.search(r"Action: `(\w+)`", text)) else "no key"
        for title, text in sections().items()
    }
    assert {title: told.get(title) for title in titles().values()} == actions


def test_given_the_import_table_when_compared_then_it_is_the_one_the_architecture_test_holds():
    told = {
        row[0].strip("`"): (row[1], row[2])
        for row in cells(read("docs/architecture.md"))
        if row[0].strip("`") in architecture.OURS
    }
    assert told == {
        part: (
            ", ".join(sorted(ours)),
            ", ".join(sorted(architecture.THIRD_PARTY[part])) or "none",
        )
        for part, ours in architecture.OURS.items()
    }


def test_given_the_handler_walked_through_when_compared_then_it_is_the_file():
    assert read("functions/api/publish_fact.py") in read("docs/architecture.md")


def test_given_the_folders_listed_when_looked_up_then_each_is_there():
    listing = read("docs/architecture.md").partition("```\n")[2].partition("```")[0]
    named = re.findall(r"^(\w[\w.]*/)", listing, re.MULTILINE)
    assert len(named) >= 8
    assert [name for name in named if not (ROOT / name).is_dir()] == []


def test_given_the_deploy_parameters_when_compared_then_all_stand_there():
    told = {row[0].strip("`") for row in cells(read("docs/operations.md"))}
    assert set(TEMPLATE.document["Parameters"]) <= told


def test_given_plans_and_profiles_when_compared_then_their_numbers_are_those_of_the_domain():
    told = [row for row in cells(read("docs/operations.md")) if row[0] in set(Profile)]
    plans = [
        [name, *(f"{n:,}" for n in (r.calls_per_minute, r.burst, r.calls_per_month))]
        for name, r in RATES.items()
    ]
    profiles = [
        [p, *(f"{n:,}" for n in (p.max_facts, p.max_summary_units, p.max_embedding_units))]
        for p in Profile
    ]
    assert told == [*plans, *profiles]


def test_given_the_alarms_when_compared_then_all_stand_there():
    alarms = [
        name
        for name, resource in TEMPLATE.document["Resources"].items()
        if resource["Type"] == "AWS::CloudWatch::Alarm"
    ]
    assert [name for name in alarms if f"`{name}`" not in read("docs/operations.md")] == []


@pytest.mark.parametrize("said", COMMAND.findall(read("docs/operations.md")))
def test_given_a_command_when_its_help_is_read_then_it_knows_every_option(said, capsys):
    words = [word for word in said.split() if re.fullmatch(r"[a-z-]+", word)]
    command = words[:2] if words[0] in ("tenant", "project", "key", "member") else words[:1]
    with pytest.raises(SystemExit) as ended:
        cli.main([*command, "--help"])
    told = capsys.readouterr().out
    assert ended.value.code == 0
    assert set(OPTION.findall(said)) <= set(OPTION.findall(told))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_given_a_link_when_followed_inside_the_repository_then_something_is_there(document: Path):
    targets = [t for t in LINK.findall(document.read_text("utf-8")) if ":" not in t]
    assert [t for t in targets if not _there(document, *t.partition("#")[::2])] == []


def _there(document: Path, file: str, anchor: str) -> bool:
    target = document.parent / file if file else document
    if not target.exists():
        return False
    return not anchor or anchor in {_anchor(line) for line in _headings(target)}


def _headings(target: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE)


def _anchor(heading: str) -> str:
    """Return the anchor that GitHub makes of a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", "-")


def test_given_the_decisions_when_listed_then_their_numbers_go_on_and_each_has_its_parts():
    files = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert [file.name[:4] for file in files] == [f"{n:04}" for n in range(1, len(files) + 1)]
    for file in files:
        text = file.read_text("utf-8")
        assert text.startswith(f"# {file.name[:4]}. ")
        assert re.search(r"^\d{4}-\d\d-\d\d · ", text, re.MULTILINE)
        for part in ("**Context.**", "**Decision.**", "**Consequences.**"):
            assert part in text, file.name
