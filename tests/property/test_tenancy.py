"""Short form of `make stress ARGS=tenancy`: roles, keys, projects and time in any order."""

import pytest

from tests.property.service import service
from tests.property.tenancy import run_walk


@pytest.mark.slow
def test_given_roles_keys_and_projects_when_changed_in_any_order_then_each_door_answers_as_told():
    with service() as it:
        assert sum(run_walk(it, chance, 60) for chance in range(20)) == 1_200
