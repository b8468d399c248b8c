"""Cases D17 to D20 from the field: all pages, full pages, one time zone for everybody."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import pytest

from muniment.domain.moments import HOUR, parse, rfc3339
from tests.functional.conftest import Service

COUNT = 1_037


@pytest.fixture
def roomy(service: Service) -> Service:
    service.change("T#acme#P#backend", "META", extra_facts=10_000)
    return service


def pages(service: Service, meanwhile: Any = None, **query: str) -> Iterator[list[str]]:
    cursor: dict[str, str] = {}
    while True:
        page = service.list(**query, **cursor)
        assert page.status == 200, page.text
        yield [line["fact_id"] for line in page.body["items"]]
        if page.body["next_cursor"] is None:
            return
        cursor = {"cursor": page.body["next_cursor"]}
        if meanwhile:
            meanwhile()


def test_d17_given_1037_facts_and_five_more_while_paging_then_each_is_listed_once(roomy: Service):
    ids = {roomy.a_fact(f"Fact number {n} is so.") for n in range(COUNT)}
    late: list[str] = []

    def meanwhile() -> None:
        if len(late) < 5:
            roomy.now += 1
            late.append(roomy.a_fact(f"Late fact {len(late)}."))

    found = list(pages(roomy, meanwhile, limit="50"))
    listed = [fact_id for page in found for fact_id in page]
    assert len(listed) == len(set(listed))
    assert ids <= set(listed) <= ids | set(late)
    assert all(len(page) == 50 for page in found[:-1])


def test_d18_given_one_match_in_two_hundred_when_filtered_then_pages_are_full(roomy: Service):
    ids = [
        roomy.a_fact(f"Fact number {n} is so.", scope="rare" if n % 40 == 0 else "common")
        for n in range(800)
    ]
    found = list(pages(roomy, limit="10", scope="rare"))
    assert [len(page) for page in found if page] == [10, 10]
    assert sorted(i for page in found for i in page) == sorted(ids[::40])
    cursor = roomy.list(limit="10", scope="rare").body["next_cursor"]
    for other in ({"scope": "common"}, {}, {"scope": "rare", "kind": "note"}):
        reply = roomy.list(limit="10", cursor=cursor, **other)
        assert (reply.status, reply.body["code"]) == (400, "cursor_mismatch")
    assert roomy.list(limit="5", scope="rare", cursor=cursor).status == 200


@pytest.fixture(params=["Asia/Tokyo", "America/Los_Angeles", "UTC"])
def zone(request: pytest.FixtureRequest) -> Iterator[str]:
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield request.param
    os.environ.pop("TZ")
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


def test_d19_given_any_time_zone_of_the_machine_when_asked_then_moments_are_the_same(
    service: Service, zone: str
):
    fact_id = service.a_fact("The gate is closed.", observed_at="2026-05-28T23:30:00+03:00")
    shown = service.get(fact_id).body["fact"]
    assert shown["recorded_at"] == "2026-05-28T20:26:40.000Z"
    assert shown["observed_at"] == "2026-05-28T20:30:00.000Z"
    service.now += HOUR
    later = rfc3339(service.now - HOUR // 2)
    service.call("forget_fact", "DELETE", f"/facts/{fact_id}")
    past = service.call("get_fact", "GET", f"/facts/{fact_id}", query={"as_of": later})
    assert past.body["fact"]["state"] == "candidate"


MIDNIGHT = parse("2026-06-01T00:00:00Z")


def test_d20_given_facts_around_midnight_when_two_verbs_take_one_bound_then_they_agree(
    service: Service,
):
    subject = {"type": "service", "id": "gate"}
    service.now = MIDNIGHT - HOUR // 2
    before = service.a_fact("The gate is closed at night.", subject=subject)
    service.now = MIDNIGHT + HOUR // 2
    after = service.a_fact("The gate is open at day.", subject=subject)
    service.index()
    service.now += HOUR
    for bound in ("2026-06-01T00:00:00Z", "2026-06-01T03:00:00+03:00", "2026-05-31T17:00:00-07:00"):
        said = {"subject_type": "service", "subject_id": "gate", "as_of": bound}
        line = service.call("read_timeline", "GET", "/timeline", query=said).body["items"]
        assert {event["fact_id"] for event in line} == {before}
        assert service.found("gate", as_of=bound) == [before]
        assert service.get(before, query={"as_of": bound}).status == 200
        assert service.get(after, query={"as_of": bound}).status == 404
    for naive in ("2026-06-01T00:00:00", "2026-06-01", "yesterday"):
        said = {"subject_type": "service", "subject_id": "gate", "as_of": naive}
        answers = [
            service.call("read_timeline", "GET", "/timeline", query=said),
            service.search("gate", as_of=naive),
            service.get(before, query={"as_of": naive}),
        ]
        assert [(a.status, a.body["code"]) for a in answers] == [(400, "malformed")] * 3
