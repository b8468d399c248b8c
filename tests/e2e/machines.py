"""State machines of a running cloud."""

import json
import time
from typing import Any

import boto3

from tests.e2e.conftest import Cloud

PATIENCE = 30  # seconds


def aws(cloud: Cloud, service: str) -> Any:
    """Return a client of the emulator, or of AWS."""
    given = cloud.environment.get
    return boto3.client(
        service,
        region_name=given("AWS_REGION"),
        endpoint_url=given("AWS_ENDPOINT_URL"),
        aws_access_key_id=given("AWS_ACCESS_KEY_ID"),
        aws_secret_access_key=given("AWS_SECRET_ACCESS_KEY"),
    )


def run_machine(cloud: Cloud, name: str) -> dict[str, Any]:
    """Run a state machine from its first step to its end; return what it told."""
    client = aws(cloud, "stepfunctions")
    machines = client.list_state_machines()["stateMachines"]
    (arn,) = (
        m["stateMachineArn"] for m in machines if f"{name}-" in m["name"] or m["name"] == name
    )
    run = client.start_execution(stateMachineArn=arn, input='{"next": null}')["executionArn"]
    end = time.monotonic() + PATIENCE
    while (done := client.describe_execution(executionArn=run))["status"] == "RUNNING":
        assert time.monotonic() < end
        time.sleep(0.1)
    assert done["status"] == "SUCCEEDED", done
    told: dict[str, Any] = json.loads(done["output"])
    return told
