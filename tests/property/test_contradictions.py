"""Generated histories of one fact_key: both sides always, no silent overwrite."""

from tests.property.histories import run_history
from tests.property.service import service

HISTORIES = 40


def test_given_histories_of_one_key_when_read_at_any_page_size_then_both_sides_are_there():
    with service() as it:
        contradictions = [run_history(it, seed) for seed in range(HISTORIES)]
    assert sum(map(bool, contradictions)) > HISTORIES // 4  # many of them did contradict
