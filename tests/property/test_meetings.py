"""Two requests that meet come out as one after the other."""

from tests.property.meetings import run_meeting
from tests.property.service import service

MEETINGS = 150


def test_given_a_request_overtaken_by_another_when_it_writes_then_it_decides_anew():
    with service() as it:
        met = [run_meeting(it, seed) for seed in range(MEETINGS)]
    assert sum(met) > MEETINGS // 3
