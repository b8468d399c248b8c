"""Remove each condition of each conditional write in turn; some test must go red every time.

    python -m tests.mutation_check        a few minutes; exit code 1 if a removal goes unnoticed

Works in a scratch copy of the tree. What a condition protects is often protected twice, so the
tests of tests/functional/test_write_conditions.py provoke each one alone.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
ADAPTERS = Path("layers/core/python/muniment/adapters")
LEFT_OUT = (".*", "__pycache__", "node_modules", "benchmarks", "e2e", "stress")
ALONE = "tests/functional/test_write_conditions.py"
CLAIMS = ("tests/functional/test_claim_review.py", "tests/functional/test_heartbeat_review.py")
TRUE = "attribute_exists(pk)"  # holds for every item that is there


@dataclass(frozen=True)
class Removal:
    """`old` stands once in the file; with `new` the condition named is gone."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = (ALONE,)


def weaker(name: str, file: str, condition: str, tests: tuple[str, ...] = (ALONE,)) -> Removal:
    """Return the removal that makes one part of an expression true for every item."""
    return Removal(name, file, condition, f"({condition} OR {TRUE})", tests)


def unconditional(name: str, file: str, put: str) -> Removal:
    """Return the removal that puts without the condition that nothing is there."""
    return Removal(name, file, f"{put}, ABSENT)", f"{put})")


FACTS, REVIEWS, SIDE = "dynamo_facts.py", "dynamo_reviews.py", "side_items.py"
ERASURE, TENANTS, BUDGETS = "dynamo_erasure.py", "dynamo_tenants.py", "dynamo_budgets.py"
COUNTS = ("tests/contract/test_budgets.py",)
LEFT = '"attribute_not_exists(used) OR used <= :left"'
GOING = "attribute_not_exists(deleted_at)"
ALIVE = f'"{TRUE} AND {GOING}"'
UNMOVED = '"moves = :was OR attribute_not_exists(moves)"'
FREE = '"attribute_not_exists(facts) OR facts < :ceiling"'
NEWEST = "items.revision_item(head, head.newest)"
LATER = "items.revision_item(step.after, revision)"
STATES = "#state IN ({', '.join(states)})"
LIVE = "(attribute_not_exists(expires_at) OR expires_at > :now)"
UNHELD = "(attribute_not_exists(claim) OR claim.expires_at <= :now)"
HELD = 'HELD = "generation = :generation AND claim.holder = :holder AND claim.expires_at > :now"'
UNDER = '" AND generation = :generation AND claim.holder = :holder AND claim.expires_at > :now"'
KEPT = '"attribute_not_exists(pk) OR #ttl <= :now"'
PROJECTS, KEYS = "dynamo_projects.py", "dynamo_keys.py"
TENANCY = "tests/functional/test_write_conditions_tenants.py"
SWEEPING = "tests/functional/test_sweep_projects.py"
UNSWEPT = 'FilterExpression="attribute_not_exists(swept_at)",'
TENANT_ITEM = 'self._table.put(item | {"plan": plan, "usage_key": usage_key}'
META = "put({**meta, **(said or {})}"
LIVING = f'LIVING = "{TRUE} AND {GOING}"'
THERE = f'condition="{TRUE}",'
SWEPT = '\n            values={":now": now, ":ttl"'
FREED = '\n            values={":now": now, ":by"'
LASTING = '"attribute_not_exists(revoked_at) AND attribute_not_exists(rotated_to)"'
UNQUOTED = 'values={":cited": cited, ":redacted": True},'
QUOTED = (
    'condition="revision = :seen",\n'
    '            values={":cited": cited, ":redacted": True, ":seen": revision.number},'
)


def within(name: str, file: str, whole: str, part: str, tests: tuple[str, ...]) -> Removal:
    """Return the removal of one part of a longer expression."""
    return Removal(name, file, whole, whole.replace(part, f"({part} OR {TRUE})"), tests)


REMOVALS = (
    Removal("record: no such head yet", FACTS, "(head), side.ABSENT", "(head)"),
    Removal("record: no such revision yet", FACTS, f"{NEWEST}, side.ABSENT", NEWEST),
    Removal("change: no such revision yet", FACTS, f"{LATER}, side.ABSENT", LATER),
    weaker("change: head at the revision read", FACTS, "revision = :seen"),
    within("finalize: generation", FACTS, UNDER, "generation = :generation", (ALONE,)),
    within("finalize: holder", FACTS, UNDER, "claim.holder = :holder", (ALONE,)),
    within("finalize: lease", FACTS, UNDER, "claim.expires_at > :now", (ALONE,)),
    Removal("budget: a first fact", BUDGETS, FREE, '"facts < :ceiling"', COUNTS),
    Removal("budget: below the ceiling", BUDGETS, FREE, f'{FREE[:-1]} OR {TRUE}"', COUNTS),
    weaker("budget: never below nothing", BUDGETS, "facts >= :count", COUNTS),
    Removal("units: a first payment", BUDGETS, LEFT, '"used <= :left"', COUNTS),
    Removal("units: what is left", BUDGETS, LEFT, f'{LEFT[:-1]} OR {TRUE}"', COUNTS),
    Removal("units: paid once", BUDGETS, "(row, side.ABSENT)", "(row)", COUNTS),
    Removal("top-up: of a project", BUDGETS, ALIVE, f'"{GOING}"', COUNTS),
    Removal("top-up: not of a deleted one", BUDGETS, ALIVE, f'"{TRUE}"', COUNTS),
    Removal("recount: a first move", BUDGETS, UNMOVED, '"moves = :was"', COUNTS),
    Removal("recount: unmoved", BUDGETS, UNMOVED, f'{UNMOVED[:-1]} OR {TRUE}"', COUNTS),
    Removal("reopen: there is a grave", FACTS, f'condition="{TRUE}"', "condition=None"),
    weaker("claim: in this project", REVIEWS, "#project = :project", CLAIMS),
    weaker("claim: not private", REVIEWS, "attribute_not_exists(#owner)", CLAIMS),
    Removal("claim: waits for a reviewer", REVIEWS, STATES, f"({STATES} OR {TRUE})", CLAIMS),
    Removal("claim: no end or a later one", REVIEWS, LIVE, "(expires_at > :now)", CLAIMS),
    Removal("claim: not expired", REVIEWS, LIVE, f"({TRUE} OR expires_at > :now)", CLAIMS),
    Removal("claim: free or lapsed", REVIEWS, UNHELD, "(claim.expires_at <= :now)", CLAIMS),
    Removal("claim: lapsed at its end", REVIEWS, UNHELD, "attribute_not_exists(claim)", CLAIMS),
    Removal("claim: nobody holds it", REVIEWS, UNHELD, f"({UNHELD} OR {TRUE})", CLAIMS),
    within("heartbeat: generation", REVIEWS, HELD, "generation = :generation", CLAIMS),
    within("heartbeat: holder", REVIEWS, HELD, "claim.holder = :holder", CLAIMS),
    within("heartbeat: lease", REVIEWS, HELD, "claim.expires_at > :now", CLAIMS),
    Removal("hash, key: not there yet", SIDE, "return ABSENT", "return {}"),
    weaker("hash, key: at the version read", SIDE, "#version = :version"),
    Removal("answer: not kept yet", SIDE, KEPT, f'{KEPT[:-1]} OR {TRUE}"'),
    Removal("answer: kept but over", SIDE, KEPT, '"attribute_not_exists(pk)"'),
    Removal("erase: the revision is there", ERASURE, f'condition="{TRUE}", ', ""),
    weaker("erase: hash of this fact", ERASURE, "fact_id = :fact"),
    weaker("erase: key of no other fact", ERASURE, "#members = :none"),
    Removal("erase: the head as it was read", ERASURE, QUOTED, UNQUOTED, (TENANCY,)),
    unconditional("tenant: not there yet", TENANTS, TENANT_ITEM),
    Removal("tenant: there is one", TENANTS, f'condition="{TRUE}",', "", (TENANCY,)),
    Removal("project: not there yet", PROJECTS, f"{META}, side.ABSENT", META),
    Removal("project: no count yet", PROJECTS, "(budget, side.ABSENT)", "(budget)"),
    Removal("project: there is one", PROJECTS, LIVING, f'LIVING = "{GOING}"', (TENANCY,)),
    Removal("project: not deleted", PROJECTS, LIVING, f'LIVING = "{TRUE}"', (TENANCY,)),
    Removal("project: delete a living one", PROJECTS, "condition=LIVING,\n", "\n", (TENANCY,)),
    Removal("project: set a living one", PROJECTS, "condition=LIVING, **", "**", (TENANCY,)),
    Removal("sweep: of a deleted project", PROJECTS, f"{THERE}{SWEPT}", SWEPT, (TENANCY,)),
    Removal("sweep: not done yet", PROJECTS, UNSWEPT, "", (SWEEPING,)),
    Removal("hold: listed once", PROJECTS, "put(row, side.ABSENT)", "put(row)", (TENANCY,)),
    Removal("hold: release a listed one", PROJECTS, f"{THERE}{FREED}", FREED, (TENANCY,)),
    unconditional("key: no such id", KEYS, "self._table.putting(shown"),
    unconditional("key: no such secret", KEYS, "self._table.putting(hidden"),
    within("key: not revoked", KEYS, LASTING, "attribute_not_exists(revoked_at)", (TENANCY,)),
    within("key: not rotated", KEYS, LASTING, "attribute_not_exists(rotated_to)", (TENANCY,)),
)
CONDITION = re.compile(  # where a condition is written; `condition=condition` only passes it on
    r"""ABSENT\)|return ABSENT|condition=(?!condition)|"condition":|attribute_(?:not_)?exists
    |:seen"|:holder\b.*[<>]""",
    re.VERBOSE,
)


def main() -> int:
    """Return 0 if every removal made some test fail."""
    if forgotten := unnamed():
        print("no removal names these conditions:", *forgotten, sep="\n  ")
        return 1
    scratch = Path(tempfile.mkdtemp(prefix="muniment-mutation-"))
    try:
        tree = scratch / "tree"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
        everything = tuple(dict.fromkeys(test for one in REMOVALS for test in one.tests))
        if red := first_failure(tree, everything):
            print(f"red before anything was removed: {red}")
            return 1
        return check_all(tree)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def check_all(tree: Path) -> int:
    started, survivors = time.monotonic(), 0
    width = max(len(one.name) for one in REMOVALS)
    for one in REMOVALS:
        file = tree / ADAPTERS / one.file
        whole = file.read_text("utf-8")
        assert whole.count(one.old) == 1, f"{one.name}: not once in {one.file}"
        file.write_text(whole.replace(one.old, one.new), "utf-8")
        red = first_failure(tree, one.tests)
        file.write_text(whole, "utf-8")
        survivors += red is None
        print(f"{one.name:{width}}  {red or 'NOTHING WENT RED'}", flush=True)
    took = time.monotonic() - started
    print(f"{len(REMOVALS)} conditions removed, {survivors} unnoticed, {took:.0f} s")
    return 1 if survivors else 0


def first_failure(tree: Path, tests: tuple[str, ...]) -> str | None:
    """Run the tests on the tree and return the first that failed; None: all passed."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree / "layers/core/python"), "DYNAMO": "memory"},
        capture_output=True,
        text=True,
    )
    if run.returncode == 0:
        return None
    failed = re.search(r"^(?:FAILED|ERROR) \S*?::(\S+)", run.stdout, re.MULTILINE)
    if failed is None or run.returncode != 1:
        raise SystemExit(f"pytest itself failed:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    return failed[1]


def unnamed() -> list[str]:
    """Return the lines of the adapters that hold a condition which no removal touches."""
    found = []
    for name in dict.fromkeys(one.file for one in REMOVALS):
        whole = (ROOT / ADAPTERS / name).read_text("utf-8")
        touched = {
            number
            for one in REMOVALS
            if one.file == name and one.old in whole
            for number in lines_of(whole, one.old)
        }
        for number, line in enumerate(whole.splitlines()):
            code = line.strip()
            defines = code.startswith("ABSENT = ")
            if CONDITION.search(code) and number not in touched and not defines:
                found.append(f"{name}:{number + 1}: {code}")
    return found


def lines_of(whole: str, part: str) -> range:
    start = whole.index(part)
    first = whole.count("\n", 0, start)
    return range(first, first + part.count("\n") + 1)


if __name__ == "__main__":
    raise SystemExit(main())
