"""Credentials that open nothing, and the Memory table in memory."""

from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from tests.template import create_table_request


@pytest.fixture(autouse=True)
def aws_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "eu-central-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "MEMORY_TABLE": "Memory",
    }.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def memory_table() -> Iterator[str]:
    """Create the table of template.yaml in moto; every AWS client sees moto until the test ends.

    Not for threads and not for races: moto is neither thread-safe nor strict about transactions.
    """
    with mock_aws():
        boto3.client("dynamodb").create_table(**create_table_request("Memory"))
        yield "Memory"
