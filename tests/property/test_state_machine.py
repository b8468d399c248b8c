"""Ten thousand steps of six writers, a reader and a clock: the service does as the rules say."""

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.property.driving import Driver
from tests.property.machine import Memory
from tests.property.service import Service, service

STEPS = 10_000
RULES = 50  # of one run
STEPS_A_RUN = 44  # at least, on average: a run may be given up


def run(it: Service, steps: int, chance: int = 0, *, shrink: bool = True) -> int:
    """Take about that many steps or more; return how many it were. Raises at a divergence."""
    before, Driver.service = Driver.steps, it
    setup = settings(
        max_examples=steps // STEPS_A_RUN + 1,
        stateful_step_count=RULES,
        deadline=None,
        database=None,
        phases=(Phase.generate, *((Phase.shrink,) if shrink else ())),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(chance)(Memory), settings=setup)
    return Driver.steps - before


@pytest.mark.slow
def test_given_many_principals_when_they_do_anything_in_any_order_then_the_model_agrees():
    with service() as it:
        assert run(it, STEPS) >= STEPS
