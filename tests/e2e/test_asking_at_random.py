"""The API does what its OpenAPI document says (short form of `make stress ARGS=schemas`)."""

from pathlib import Path

import pytest

from tests.e2e.asking_at_random import PYTHON, ask_at_random
from tests.e2e.conftest import Cloud


@pytest.mark.slow
@pytest.mark.skipif(not PYTHON.exists(), reason=".venv-fuzz is missing: `make test` makes it")
def test_given_every_route_when_asked_at_random_then_no_server_error_and_no_violation(
    cloud: Cloud, tmp_path: Path
) -> None:
    outcomes = ask_at_random(cloud, tmp_path, examples=5, phases="fuzzing", seed=1)
    assert [outcome.complaint for outcome in outcomes] == ["", "", ""]
    assert sum(outcome.cases for outcome in outcomes) > 150
