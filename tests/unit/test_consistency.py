"""Tokens that let a writer read what it wrote."""

import pytest

from muniment.domain.consistency import fact_ids, token_of
from muniment.domain.errors import Malformed
from muniment.domain.sealed import seal
from tests.builders import a_cell, a_head

TOKEN = token_of("secret", a_head())


def test_given_the_token_of_a_write_when_opened_then_it_names_the_fact():
    assert fact_ids("secret", "acme", "backend", TOKEN) == [a_head().fact_id]
    assert fact_ids("secret", "acme", "backend", None) == []


@pytest.mark.parametrize(
    ("secret", "tenant", "project", "token"),
    [
        ("other", "acme", "backend", TOKEN),
        ("secret", "other", "backend", TOKEN),
        ("secret", "acme", "other", TOKEN),
        ("secret", "acme", "backend", TOKEN[:-2]),
        ("secret", "acme", "backend", "A" + TOKEN[1:]),
        ("secret", "acme", "backend", ""),
        ("secret", "acme", "backend", "токен"),
        ("secret", "acme", "backend", seal("secret", "cursor", ["acme", "backend", "x", 1])),
    ],
)
def test_given_a_foreign_or_changed_token_when_opened_then_it_is_refused(
    secret: str, tenant: str, project: str, token: str
):
    with pytest.raises(Malformed) as refused:
        fact_ids(secret, tenant, project, token)
    assert refused.value.more["field"] == "body.consistency_token"


def test_given_facts_of_two_projects_when_tokens_are_made_then_they_differ():
    assert token_of("secret", a_head(cell=a_cell(project="other"))) != TOKEN
