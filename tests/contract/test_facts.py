"""The port Facts, and Contexts with it: the adapter on moto and on the table in memory.

Both must behave alike, so that what the functional and property tests prove on the fast one
holds on the other. Real DynamoDB has the last word: benchmarks and e2e run against the emulator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import boto3
import pytest
from moto import mock_aws

from muniment.adapters.dynamo_contexts import DynamoContexts
from muniment.adapters.dynamo_facts import DynamoFacts
from muniment.adapters.dynamo_table import Table
from muniment.adapters.dynamo_tenants import DynamoTenants
from muniment.domain.authority import steps_to
from muniment.domain.budget import Admission, Profile
from muniment.domain.change import Change
from muniment.domain.context import Served, ServedFact
from muniment.domain.errors import NotFound
from muniment.domain.fact import Citation, Head, Kind, Link, State, Subject, Trust
from muniment.domain.history import broken_link
from muniment.domain.intake import Answer, Idempotency, Intake, Raced, Twin
from muniment.domain.listing import Filters, LinkRow
from muniment.domain.moments import DAY, HOUR
from muniment.domain.place import Coordinates, Layer, ValidAt
from tests.builders import NOW, a_cell, a_content, a_head
from tests.property.memory_dynamo import MemoryDynamo
from tests.template import create_table_request

ASK = Idempotency("olga", "Remember", "0a" * 32, "0b" * 32, NOW + 7 * DAY)
EVERYTHING = a_content(
    "Run `make  up`.\n\tÜber «всё» 🚀",
    subject=Subject("service", "billing"),
    attributes={"empty": "", "слово": "да", "a": "b"},
    citations=(Citation("", "docs/a.md"), Citation("quote", "docs/b.md#L1")),
    source_id="docs/a.md",
    source_hash="h",
    source_revision="r",
    fact_key="port",
    links=(Link("see", "x"),),
    confidence=0.123456,
    scope="ops",
    tags=("a", "b"),
    observed_at=-1,
    expires_at=NOW + DAY,
)


def an_id(number: int) -> str:
    return f"01J{number:023}"


@pytest.fixture(params=["moto", "memory"])
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    if request.param == "memory":
        yield Table(MemoryDynamo(create_table_request("Memory")), "Memory")
        return
    with mock_aws():
        client = boto3.client("dynamodb")
        client.create_table(**create_table_request("Memory"))
        yield Table(client, "Memory")


@pytest.fixture
def facts(table: Table) -> DynamoFacts:
    DynamoTenants(table).create_project("acme", "backend", Profile.TRIAL, NOW)
    return DynamoFacts(table)


def add(
    facts: DynamoFacts, head: Head, request: Idempotency | None = None, twin: Twin | None = None
) -> Head:
    answer = Answer(ASK.request, head.fact_id, 1, Admission(True, "soft_limit"), repeat=False)
    answers = ((request, answer),) if request else ()
    found = facts.find(Intake(head, request))
    members = (found.members.after([head], NOW),) if found.members else ()
    facts.add(Intake(head, request), twin, Change(steps=(), members=members, answers=answers))
    return head


def changed(head: Head, *states: State) -> Change:
    return Change(steps=(steps_to(head, states, head.author, "because", NOW + 1),))


def test_given_an_empty_project_when_looked_around_then_only_its_settings_are_there(
    facts: DynamoFacts,
):
    found = facts.find(Intake(a_head(content=a_content(derived_from=(an_id(9),))), ASK))
    assert found.settings is not None
    assert found.settings.profile is Profile.TRIAL
    assert (found.answered, found.twin, found.grave, found.members) == (None,) * 4
    assert found.missing == (an_id(9),)
    elsewhere = a_head(cell=a_cell(project="other"))
    assert facts.find(Intake(elsewhere, None)).settings is None


def test_given_a_whole_fact_when_added_then_every_read_gives_the_same_back(facts: DynamoFacts):
    cell = a_cell(
        owner="olga", valid_at=ValidAt(machine="laptop"), layer=Layer.SESSION, thread="s:1"
    )
    head = add(facts, replace(a_head(an_id(1), content=EVERYTHING, cell=cell), worded_at=NOW))
    assert facts.head("acme", an_id(1)) == head
    assert facts.heads("acme", [an_id(1), an_id(2)]) == {an_id(1): head}
    assert facts.revisions("acme", [(an_id(1), 1), (an_id(1), 2)]) == {(an_id(1), 1): head.newest}
    assert facts.then_and_now("acme", an_id(1), 1) == (head, head)
    history = facts.history("acme", an_id(1))
    assert history is not None
    assert history.revisions == (head.newest,)
    assert broken_link(history.revisions, head.salt) is None


def test_given_another_tenant_or_id_when_read_then_there_is_nothing(facts: DynamoFacts):
    add(facts, a_head(an_id(1)))
    for tenant, fact_id in (("globex", an_id(1)), ("acme", an_id(2))):
        assert facts.head(tenant, fact_id) is None
        assert facts.heads(tenant, [fact_id]) == {}
        assert facts.history(tenant, fact_id) is None
        assert facts.revisions(tenant, [(fact_id, 1)]) == {}
        with pytest.raises(NotFound):
            facts.then_and_now(tenant, fact_id, 1)
    with pytest.raises(NotFound):
        facts.then_and_now("acme", an_id(1), 2)


def test_given_a_fact_and_its_answer_when_looked_around_again_then_both_are_known(
    facts: DynamoFacts,
):
    add(facts, a_head(an_id(1)), ASK)
    found = facts.find(Intake(a_head(an_id(2)), ASK))
    assert found.twin == Twin(an_id(1), 1)
    assert found.answered == Answer(
        ASK.request, an_id(1), 1, Admission(True, "soft_limit"), repeat=False
    )
    later = a_head(an_id(2), now=ASK.until)
    assert facts.find(Intake(later, ASK)).answered is None
    just_before = a_head(an_id(2), now=ASK.until - 1_000)
    assert facts.find(Intake(just_before, ASK)).answered is not None


@pytest.mark.parametrize(
    ("second", "request_", "twin"),
    [
        (a_head(an_id(2)), None, None),  # the statement is taken
        (a_head(an_id(2)), None, Twin(an_id(1), 7)),  # it was another that was read
        (a_head(an_id(1), content=a_content("Other.")), None, None),  # the id is taken
        (a_head(an_id(2), content=a_content("Other.")), ASK, None),  # the answer is kept
    ],
)
def test_given_a_slower_writer_when_it_adds_then_it_is_told_and_nothing_of_it_is_kept(
    facts: DynamoFacts, table: Table, second: Head, request_: Idempotency | None, twin: Twin | None
):
    add(facts, a_head(an_id(1)), ASK)
    rows = table.scan(None)[0]
    with pytest.raises(Raced):
        add(facts, second, request_, twin)
    assert table.scan(None)[0] == rows


def test_given_a_free_statement_when_the_twin_that_was_read_is_still_it_then_it_is_taken_over(
    facts: DynamoFacts,
):
    add(facts, a_head(an_id(1)))
    add(facts, a_head(an_id(2)), twin=Twin(an_id(1), 1))
    assert facts.find(Intake(a_head(an_id(3)), None)).twin == Twin(an_id(2), 2)


def test_given_a_derived_fact_when_added_then_its_sources_link_to_it(facts: DynamoFacts):
    add(facts, a_head(an_id(1)))
    add(facts, a_head(an_id(2), content=a_content("Derived.", derived_from=(an_id(1),))))
    history = facts.history("acme", an_id(1))
    assert history is not None
    assert [(row.other) for row in history.links] == [an_id(2)]
    assert isinstance(history.links[0], LinkRow)


def test_given_a_key_when_facts_are_added_then_each_is_a_member(facts: DynamoFacts):
    for number in (1, 2):
        add(facts, a_head(an_id(number), content=a_content(f"{number}", fact_key="port")))
    members = facts.members(a_cell().place, "port")
    assert set(members.facts) == {an_id(1), an_id(2)}
    assert members.is_conflict
    assert members.version == 2
    assert facts.members(a_cell().place, "other").facts == {}
    assert facts.members(a_cell(workspace="second").place, "port").facts == {}


def test_given_a_change_when_carried_out_then_head_and_history_move_together(facts: DynamoFacts):
    head = add(facts, a_head(an_id(1)))
    change = changed(head, State.REVIEWED, State.PUBLISHED)
    facts.carry_out(change)
    moved = facts.head("acme", an_id(1))
    assert moved is not None
    assert (moved.newest.number, moved.newest.state) == (3, State.PUBLISHED)
    history = facts.history("acme", an_id(1))
    assert history is not None
    assert [revision.number for revision in history.revisions] == [1, 2, 3]
    assert broken_link(history.revisions, head.salt) is None
    with pytest.raises(Raced):
        facts.carry_out(change)  # from a revision that is no longer the newest


def test_given_an_answer_when_kept_twice_then_the_second_is_told(facts: DynamoFacts):
    place, answer = a_cell().place, Answer(ASK.request, an_id(1), 1, Admission(), repeat=True)
    facts.answer(place, ASK, answer, NOW)
    assert facts.find(Intake(a_head(an_id(2)), ASK)).answered == answer
    with pytest.raises(Raced):
        facts.answer(place, ASK, answer, NOW)
    facts.answer(place, ASK, answer, ASK.until)  # it ended, though its item is still there


def ids(page: Any) -> list[str]:
    return [line.fact_id for line in page.lines]


def test_given_several_cells_when_paged_then_each_line_comes_once_in_order(facts: DynamoFacts):
    cells = [a_cell(), a_cell(valid_at=ValidAt(workplace="office"))]
    for number in range(10):
        content = a_content(f"{number}", kind=Kind.RULE if number % 2 else Kind.NOTE)
        add(facts, a_head(an_id(number), content=content, cell=cells[number // 7]))
    add(facts, a_head(an_id(90), cell=a_cell(project="other")))
    for size in (1, 2, 3, 7, 10, 50):
        seen: list[str] = []
        after: str | None = None
        while True:
            page = facts.page(cells, Filters(now=NOW), after, size)
            seen += ids(page)
            if (after := page.next) is None:
                break
            assert len(page.lines) == size
        assert seen == [an_id(number) for number in range(10)]
    rules = facts.page(cells, Filters(now=NOW, kind=Kind.RULE), None, 4)
    assert ids(rules) == [an_id(number) for number in (1, 3, 5, 7)]
    assert ids(facts.page(cells, Filters(now=NOW, kind=Kind.RULE), rules.next, 4)) == [an_id(9)]


def test_given_any_filter_when_paged_then_the_query_agrees_with_the_rule_on_heads(
    facts: DynamoFacts,
):
    heads = [
        a_head(an_id(1), content=EVERYTHING),
        a_head(an_id(2), content=a_content("2", kind=Kind.RULE), trust=Trust.AGENT),
        a_head(an_id(3), content=a_content("3", scope="dev"), trust=Trust.IMPORTED),
        a_head(an_id(4), content=a_content("4", expires_at=NOW + 1)),
        a_head(an_id(5), content=a_content("5"), state=State.RETRACTED),
        a_head(an_id(6), content=a_content("6"), state=State.PUBLISHED),
    ]
    for head in heads:
        add(facts, head)
    wishes: list[dict[str, Any]] = [
        {},
        {"kind": Kind.RULE},
        {"kind": Kind.RULE, "scope": "dev"},
        {"state": State.PUBLISHED},
        {"state": State.RETRACTED},
        {"min_trust": Trust.IMPORTED},
        {"subject_id": "billing"},
        {"scope": "ops"},
    ]
    for now in (NOW, NOW + 1, NOW + DAY):
        for wish in wishes:
            filters = Filters(now=now, **wish)
            expected = [head.fact_id for head in heads if filters.admit(head)]
            assert ids(facts.page([a_cell()], filters, None, 50)) == expected, (now, wish)


def test_given_a_line_when_listed_then_it_is_what_the_head_says(facts: DynamoFacts):
    head = add(facts, a_head(an_id(1), content=EVERYTHING, cell=a_cell(owner="olga")))
    ((line,), _) = (facts.page([head.cell], Filters(now=NOW), None, 5).lines, None)
    content = head.newest.content
    assert (line.name, line.description, line.subject) == (
        content.name,
        content.description,
        content.subject,
    )
    assert (line.trust, line.state, line.author) == (Trust.HUMAN, State.CANDIDATE, head.author)
    assert (line.recorded_at, line.expires_at, line.revision) == (NOW, NOW + DAY, 1)


def test_given_writes_of_the_last_minute_when_asked_then_the_newest_come_first(
    facts: DynamoFacts,
):
    hour = NOW // HOUR * HOUR
    moments = [hour - 61_000, hour - 40_000, hour - 1, hour, hour + 5_000]
    for number, moment in enumerate(moments):
        add(facts, a_head(an_id(number), content=a_content(str(number)), now=moment))
    add(facts, a_head(an_id(8), cell=a_cell(project="other"), now=hour))
    assert facts.fresh("acme", "backend", hour + 10_000) == [an_id(n) for n in (4, 3, 2, 1)]
    assert facts.fresh("acme", "other", hour + 10_000) == [an_id(8)]
    assert facts.fresh("globex", "backend", hour + 10_000) == []
    assert facts.fresh("acme", "backend", hour + HOUR) == []


def test_given_heads_of_all_tenants_when_walked_then_each_comes_once(facts: DynamoFacts):
    for number in range(9):
        tenant = ("acme", "globex")[number % 2]
        add(
            facts, a_head(an_id(number), content=a_content(str(number)), cell=a_cell(tenant=tenant))
        )
    seen: list[str] = []
    after: str | None = None
    while True:
        heads, after = facts.all_heads(after, 1)
        seen += [head.fact_id for head in heads]
        if after is None:
            break
    assert sorted(seen) == [an_id(number) for number in range(9)]


def test_given_a_context_when_kept_then_the_same_comes_back_to_its_project_only(table: Table):
    contexts = DynamoContexts(table)
    against = ServedFact(an_id(2), 1, Layer.REPO, ("conflict",))
    served = Served(
        context_id=an_id(7),
        tenant="acme",
        project="backend",
        principal="coder",
        owners=("", "olga"),
        coordinates=Coordinates(machine="laptop", session="s1"),
        budget=900,
        boundary="5c0e",
        now=NOW,
        shown=(
            ServedFact(an_id(1), 3, Layer.REPO, ("trust: human",), cut=17, opposed=(against,)),
            ServedFact(an_id(3), 1, Layer.TASK, (), cut=0),
        ),
        overflow=True,
        dropped=(an_id(4),),
        degraded=("e5",),
    )
    contexts.keep(served)
    assert contexts.kept("acme", "backend", an_id(7)) == served
    assert contexts.kept("acme", "other", an_id(7)) is None
    assert contexts.kept("globex", "backend", an_id(7)) is None
    empty = replace(
        served, context_id=an_id(8), shown=(), dropped=(), degraded=(), overflow=False, ignored=True
    )
    contexts.keep(empty)
    assert contexts.kept("acme", "backend", an_id(8)) == empty
