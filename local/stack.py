"""Deploy the real template.yaml to the emulator by CloudFormation, then load the saved items.

Layers are left out and the code is a stub: the emulator sends each invocation to the front door,
whose workers run the handlers from source.
"""

import copy
import io
import json
import time
import urllib.request
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from local import template as templates
from local.gateway import REGION
from local.template import Template

NAME = "muniment"
BUCKET = "muniment-artifacts"
HYDRATE = "/_local/hydrate"
DEPLOY_SECONDS = 60
POLL_SECONDS = 0.05
LEFT_OUT = (  # code comes from source; nobody but this machine reaches the local cloud
    "AWS::Serverless::LayerVersion",
    "AWS::WAFv2::WebACL",
    "AWS::WAFv2::WebACLAssociation",
)


class DeployFailed(Exception):
    """CloudFormation refused the template; the message holds its reasons."""


@dataclass(frozen=True)
class Stack:
    """A deployed stack: physical ids by logical id, and how many items were loaded again."""

    ids: Mapping[str, str]
    items: int


def deploy(template: Template, endpoint: str, invoke_url: str) -> Stack:
    """Create the stack and load the saved items. Raises DeployFailed."""
    session = _session()
    document = prepare(template, invoke_url)
    url = _upload(session.client("s3", endpoint_url=endpoint), document, endpoint)
    cloudformation = session.client("cloudformation", endpoint_url=endpoint)
    cloudformation.create_stack(
        StackName=NAME,
        TemplateURL=url,
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
    )
    _wait(cloudformation)
    ids = _ids(cloudformation)
    _enable_ttl(session.client("dynamodb", endpoint_url=endpoint), template, ids)
    with urllib.request.urlopen(endpoint + HYDRATE, timeout=DEPLOY_SECONDS) as answer:
        return Stack(ids, int(answer.read()))


def prepare(template: Template, invoke_url: str) -> dict[str, Any]:
    """Return the document as the emulator gets it: what it knows, stub code, our invoke path."""
    document: dict[str, Any] = copy.deepcopy(dict(template.document))
    document.pop("Outputs", None)
    document.get("Globals", {}).get("Function", {}).pop("Layers", None)
    for kind in LEFT_OUT:
        for name, _ in templates.resources(document, kind):
            del document["Resources"][name]
    for name, function in templates.resources(document, "AWS::Serverless::Function"):
        function.pop("Layers", None)
        function["CodeUri"] = f"s3://{BUCKET}/stub.zip"
        variables = function.setdefault("Environment", {}).setdefault("Variables", {})
        variables["MINISTACK_LAMBDA_PROXY_URL"] = f"{invoke_url}/{name}"
    for _, machine in templates.resources(document, "AWS::Serverless::StateMachine"):
        definition = (template.root / machine.pop("DefinitionUri")).read_text(encoding="utf-8")
        machine["Definition"] = yaml.safe_load(definition)
    return document


def preload() -> None:
    """Import the AWS SDK (0.3 s) while the emulator starts."""
    _session()


def _session() -> Any:
    import boto3  # not at our own import: `--down` needs none of it

    return boto3.Session("local", "local", region_name=REGION)


def _upload(s3: Any, document: Mapping[str, Any], endpoint: str) -> str:
    """Put code and template on S3: CreateStack itself takes 51,200 bytes only."""
    stub = io.BytesIO()
    with zipfile.ZipFile(stub, "w") as archive:
        archive.writestr("stub.py", "")
    s3.create_bucket(Bucket=BUCKET)
    s3.put_object(Bucket=BUCKET, Key="stub.zip", Body=stub.getvalue())
    body = json.dumps(document, default=str).encode()
    s3.put_object(Bucket=BUCKET, Key="template.json", Body=body)
    return f"{endpoint}/{BUCKET}/template.json"


def _wait(cloudformation: Any) -> None:
    end = time.monotonic() + DEPLOY_SECONDS
    while (status := _status(cloudformation)) != "CREATE_COMPLETE":
        if not status.endswith("_IN_PROGRESS") or time.monotonic() > end:
            raise DeployFailed(f"{status}: {_reasons(cloudformation)}")
        time.sleep(POLL_SECONDS)


def _status(cloudformation: Any) -> str:
    return str(cloudformation.describe_stacks(StackName=NAME)["Stacks"][0]["StackStatus"])


def _reasons(cloudformation: Any) -> str:
    events = cloudformation.describe_stack_events(StackName=NAME)["StackEvents"]
    failed = [e for e in events if e["ResourceStatus"].endswith("FAILED")]
    return "; ".join(
        f"{e['LogicalResourceId']}: {e.get('ResourceStatusReason', '?')}" for e in failed
    )


def _ids(cloudformation: Any) -> dict[str, str]:
    found = cloudformation.describe_stack_resources(StackName=NAME)["StackResources"]
    return {r["LogicalResourceId"]: r.get("PhysicalResourceId", "") for r in found}


def _enable_ttl(dynamodb: Any, template: Template, ids: Mapping[str, str]) -> None:
    """Switch TTL on: ministack's CloudFormation leaves it out."""
    for name, table in templates.resources(template.document, "AWS::DynamoDB::Table"):
        if wanted := table.get("TimeToLiveSpecification"):
            dynamodb.update_time_to_live(TableName=ids[name], TimeToLiveSpecification=wanted)
