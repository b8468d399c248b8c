"""template.yaml for tests: the tables, functions, routes and rights that production has."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from local.template import Route, Template, load, resources

ROOT = Path(__file__).parents[1]
TEMPLATE: Template = load(ROOT / "template.yaml")

Properties = dict[str, Any]


def named(kind: str) -> dict[str, Properties]:
    """Return the properties of every resource of that type, by logical id."""
    return dict(resources(TEMPLATE.document, kind))


def function_properties() -> dict[str, Properties]:
    return named("AWS::Serverless::Function")


def routes() -> dict[str, Route]:
    """Return the route of each function that has one, by logical id."""
    return {route.function: route for route in TEMPLATE.routes}


def handler_file(function: str) -> Path:
    """Return where the function's handler lives, from the root of the repository."""
    module = TEMPLATE.functions[function].handler.removesuffix(".handler")
    return Path("functions", *module.split(".")).with_suffix(".py")


def policies(function: str) -> list[str]:
    """Return the logical ids of the policies a function has, conditional ones included."""
    return [_logical_id(entry) for entry in function_properties()[function].get("Policies", [])]


def _logical_id(policy: Properties) -> str:
    if "Fn::If" in policy:
        _, policy, _ = policy["Fn::If"]
    return str(policy["Ref"])


def statements(policy: str) -> list[Properties]:
    document = named("AWS::IAM::ManagedPolicy")[policy]["PolicyDocument"]
    return list(document["Statement"])


def rights(function: str) -> Iterator[tuple[str, Properties]]:
    """Yield each action a function may do, with the statement that allows it."""
    for policy in policies(function):
        for statement in statements(policy):
            actions = statement["Action"]
            for action in [actions] if isinstance(actions, str) else actions:
                yield action, statement


def create_table_request(name: str) -> Properties:
    """Return what CreateTable needs to make the Memory table under that name."""
    table = named("AWS::DynamoDB::Table")["Memory"]
    kept = ("BillingMode", "KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes")
    return {
        "TableName": name,
        "StreamSpecification": {"StreamEnabled": True, **table["StreamSpecification"]},
        **{part: table[part] for part in kept},
    }
