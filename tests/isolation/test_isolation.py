"""No request shows, tells or touches what is somebody else's (rule 19, I-12, M-104, D07)."""

from __future__ import annotations

import json

import pytest

from muniment.api.openapi import FILE
from tests.isolation.entries import ENTRIES, OPEN
from tests.isolation.probing import Prober
from tests.isolation.world import a_world
from tests.property.service import service

PROBES = 2_000


def test_given_the_routes_of_the_api_when_listed_then_each_has_an_isolation_entry():
    base = "/api/v1/project-memory"
    routes = {
        f"{method.upper()} {path.removeprefix(base)}"
        for path, methods in json.loads(FILE.read_text("utf-8"))["paths"].items()
        for method in methods
    }
    assert set(ENTRIES) | set(OPEN) == routes
    assert all(ENTRIES.values())


@pytest.mark.slow
def test_d07_given_two_thousand_random_probes_when_sent_then_no_leak_no_oracle_no_meddling():
    with service() as it:
        prober = Prober(a_world(it), chance=7)
        for _ in range(PROBES):
            prober.probe()
    assert prober.found.violations == []
    assert prober.found.probes == PROBES
    assert set(prober.found.times) == set(ENTRIES)  # every route was asked
