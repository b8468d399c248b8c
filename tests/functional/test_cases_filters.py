"""Cases D11 to D13 from the field: filters that are no text, unknown ones, signs of a language."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.functional.conftest import Service

KINDS = ("note", "howto", "rule", "product")
SUBJECTS = ("billing", "search", "gate")
SCOPES = ("shared", "private", "ops")
LAYERED = {"layer": "task", "task": "t1"}


@pytest.mark.parametrize(
    "value",
    [
        {"value": "*", "case_insensitive": True},
        ["note", "rule"],
        {"$ne": "note"},
        {"query_string": {"query": "*"}},
        5,
        True,
        'note" OR "1',
        "note*",
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["kind", "min_trust", "subject_id", "scope", "audience"])
def test_d11_given_a_filter_that_is_no_plain_value_when_searched_then_400_names_the_field(
    service: Service, name: str, value: Any
):
    mine = service.a_fact("The gate is closed.")
    reply = service.search("gate", **{name: value})
    if name in ("subject_id", "scope") and isinstance(value, str):  # any text may be a label
        assert (reply.status, reply.body["items"]) == (200, [])
    else:
        assert reply.status == 400, reply.text
        assert reply.body["field"] == f"body.{name}"
    assert service.found("gate") == [mine]


def oracle(facts: list[dict[str, Any]], asked: dict[str, str]) -> set[str]:
    """Return the ids that these filters leave, said as plainly as can be."""
    return {
        fact["id"]
        for fact in facts
        if all(fact[name] == value for name, value in asked.items() if name != "min_trust")
    }


@pytest.fixture
def facts(service: Service) -> list[dict[str, Any]]:
    """500 facts with every mix of kind, subject and scope."""
    service.change("T#acme#P#backend", "META", extra_facts=1_000)
    mixes = itertools.cycle(itertools.product(KINDS, SUBJECTS, SCOPES))
    made = []
    for number, (kind, subject, scope) in zip(range(500), mixes, strict=False):
        fact_id = service.a_fact(
            f"Number {number} says so.",
            kind=kind,
            subject={"type": "service", "id": subject},
            scope=scope,
            **LAYERED,
        )
        made.append({"id": fact_id, "kind": kind, "subject_id": subject, "scope": scope})
    return made


def every(service: Service, **query: str) -> set[str]:
    found: set[str] = set()
    cursor: dict[str, str] = {}
    while True:
        page = service.list(limit="100", **LAYERED, **query, **cursor)
        assert page.status == 200, page.text
        found |= {line["fact_id"] for line in page.body["items"]}
        if page.body["next_cursor"] is None:
            return found
        cursor = {"cursor": page.body["next_cursor"]}


def test_d12_given_five_hundred_facts_when_filtered_then_every_filter_does_what_an_oracle_does(
    service: Service, facts: list[dict[str, Any]]
):
    service.index()
    asks: list[dict[str, str]] = [{}]
    asks += [{"kind": kind} for kind in (*KINDS, "decision")]
    asks += [{"subject_id": subject} for subject in (*SUBJECTS, "nothing")]
    asks += [{"scope": "ops"}, {"kind": "rule", "scope": "shared"}, {"min_trust": "human"}]
    asks += [{"kind": "rule", "subject_id": "gate", "scope": "ops"}]
    for asked in asks:
        expected = oracle(facts, asked)
        assert every(service, **asked) == expected, asked
        found = service.found("says", limit=50, coordinates={"task": "t1"}, **asked)
        assert set(found) <= expected, asked
        assert len(found) == min(50, len(expected)), asked


@pytest.mark.parametrize("unknown", ["kind__ne", "kind[]", "filters", "$or", "operator", "where"])
def test_d12_given_an_unknown_filter_when_asked_then_400_and_never_no_filter(
    service: Service, unknown: str
):
    service.a_fact("The gate is closed.")
    listed = service.list(**{unknown: "note"})
    assert (listed.status, listed.body["field"]) == (400, f"query.{unknown}")
    found = service.search("gate", **{unknown: "note"})
    assert (found.status, found.body["field"]) == (400, f"body.{unknown}")


SIGNS = ["+", "-", "=", "&&", "||", ">", "<", "!", "(", ")", "{", "}", "[", "]", "^", '"', "~", "*"]
SIGNS += [
    "?",
    ":",
    "\\",
    "/",
    "@",
    "#",
    "%",
    "'",
    "«",
    "»",
    "|",
    "AND",
    "NOT",
    "NEAR(",
    "a:b",
    '""',
]


def test_d13_given_signs_of_a_query_language_when_written_and_asked_then_the_text_is_first(
    service: Service,
):
    service.change("T#acme#P#backend", "META", extra_facts=1_000)
    ids = {
        sign: service.a_fact(f"The door{number} has {sign} upon its plate {sign}end.")
        for number, sign in enumerate(SIGNS)
    }
    service.index()
    for number, (sign, fact_id) in enumerate(ids.items()):
        said = f"The door{number} has {sign} upon its plate {sign}end."
        assert service.found(said)[0] == fact_id, sign
        assert service.search(sign).status == 200, sign


def test_d13_given_a_project_with_a_hyphen_when_searched_then_it_is_found(service: Service):
    from muniment import bootstrap
    from muniment.domain.budget import Profile

    bootstrap.tenants().create_project("acme", "my-group", Profile.TRIAL, service.now)
    fact_id = service.a_fact("The gate is closed.", projects="my-group")
    service.index()
    assert service.found("gate", projects="my-group") == [fact_id]
    assert service.found("gate") == []
