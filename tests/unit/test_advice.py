"""What a writer of long-lived facts is told (rows C-17 to C-19, D-24)."""

from __future__ import annotations

import pytest

from muniment.domain.advice import advice, check_fits
from muniment.domain.budget import Profile
from muniment.domain.errors import NotForRepo
from muniment.domain.fact import Kind
from muniment.domain.intake import Settings
from muniment.domain.place import Layer
from tests.builders import a_cell, a_content, a_head
from tests.guard.corpora import legit

SAID = {
    "derivable": [
        "The function pay is defined in src/payments/pay.py.",
        "src/cart/ttl.go contains the expiry loop.",
        "Метод settle принимает два аргумента.",
        "Класс Router объявлен в app/router.php.",
    ],
    "git_history": [
        "Commit 4f2a9c1 introduced the flag.",
        "The branch feature/cart was merged on Monday.",
        "Merged the payments branch into main.",
        "Коммит 4f2a9c1 добавил флаг.",
        "Ветка cart слита.",
    ],
    "ephemeral_state": [
        "Iteration 3 passed at 14:32.",
        "Currently debugging the importer.",
        "Итерация 3 прошла в 14:32.",
        "Сейчас чиню импорт.",
    ],
    "volatile_value": [
        "Staging runs PostgreSQL 16.",
        "We are on Node 20.11.",
        "Версия 2.4 стоит на стенде.",
        "There are 312 tests.",
    ],
}
FINE = [
    "Migrations only through Doctrine.",
    "Money is stored as integer kopecks.",
    "The howto for local TLS is in docs/tls.md.",
    "Carts of guests are kept for 30 days.",
    "As of 2026-11 staging runs PostgreSQL 16.",
    "Step two of the deploy needs the VPN.",
    "Деньги хранятся целыми копейками.",
]


def codes(text: str, layer: Layer = Layer.REPO, **changes: object) -> list[str]:
    return [one.code for one in advice(a_content(text, description="", **changes), layer)]


@pytest.mark.parametrize(("code", "text"), [(c, t) for c, texts in SAID.items() for t in texts])
def test_given_what_is_no_long_lived_fact_when_advised_then_the_writer_is_told(code, text):
    assert codes(text) == [code]
    assert codes(text, Layer.TASK) == []


@pytest.mark.parametrize("text", FINE)
def test_given_a_long_lived_fact_when_advised_then_nothing_is_told(text):
    assert codes(text) == []


def test_given_what_projects_write_when_advised_then_few_are_told_anything():
    told = [text for text in legit() if codes(text)]
    assert len(told) <= 0.02 * len(legit()), told


def test_given_a_moment_of_observation_when_a_value_changes_then_nothing_is_told():
    assert codes("Staging runs PostgreSQL 16.", observed_at=1) == []


def test_given_a_commit_of_an_integration_when_advised_then_git_history_is_what_it_is():
    assert codes("Commit 4f2a9c1 implements R-12.", kind=Kind.COMMIT) == []


@pytest.mark.parametrize("code", SAID)
def test_given_a_strict_project_when_written_then_refused_but_for_values_that_change(code):
    head = a_head(content=a_content(SAID[code][0]), cell=a_cell())
    check_fits(head, Settings(Profile.TRIAL))
    if code == "volatile_value":
        check_fits(head, Settings(Profile.TRIAL, repo_strict=True))
        return
    with pytest.raises(NotForRepo) as refused:
        check_fits(head, Settings(Profile.TRIAL, repo_strict=True))
    assert refused.value.more["actual"] == code
