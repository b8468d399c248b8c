"""Read template.yaml as the laptop needs it: functions, routes, authorizers, gateway answers.

The cloud deploys the same file, so a route or an error body is written down once.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

NO_AUTHORIZER = "NONE"
METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")


@dataclass(frozen=True)
class Function:
    """One Lambda function. `timeout` is seconds, `memory` MB; `environment` is unresolved.

    `background`: no request waits for it (neither a route nor an authorizer).
    """

    name: str
    code: Path
    handler: str
    timeout: int
    memory: int
    environment: Mapping[str, Any]
    background: bool


@dataclass(frozen=True)
class Route:
    """One method of one path; `authorizer` names the function that admits the caller, or None."""

    method: str
    path: str
    pattern: re.Pattern[str]
    function: str
    authorizer: str | None


@dataclass(frozen=True)
class GatewayResponse:
    """What the gateway answers itself; `status` None keeps the status of the cause."""

    status: int | None
    headers: Mapping[str, str]
    bodies: Mapping[str, str]


@dataclass(frozen=True)
class Cors:
    """The headers of a preflight; `methods` None means those that the path has."""

    origin: str
    methods: str | None
    headers: str | None
    max_age: str | None


@dataclass(frozen=True)
class Template:
    """template.yaml: `document` as parsed (intrinsics in their long form), the rest digested."""

    root: Path
    document: Mapping[str, Any]
    stage: str
    functions: Mapping[str, Function]
    routes: tuple[Route, ...]
    responses: Mapping[str, GatewayResponse]
    cors: Cors | None
    preflight_authorizer: str | None


class _Loader(yaml.SafeLoader):
    """YAML with CloudFormation's short forms (`!Ref`, `!GetAtt`, …)."""


def _long_form(loader: _Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    value: Any
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    elif isinstance(node, yaml.MappingNode):
        value = loader.construct_mapping(node, deep=True)
    if suffix == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}": value}


_Loader.add_multi_constructor("!", _long_form)


def load(file: Path) -> Template:
    """Parse `file`. Raises FileNotFoundError, yaml.YAMLError, KeyError for a missing part."""
    document = yaml.load(file.read_text(encoding="utf-8"), _Loader)
    shared = document.get("Globals", {}).get("Function", {})
    api = _api(document)
    authorizers, default = _authorizers(api)
    cors = _cors(api.get("Cors"))
    guarded = cors and api.get("Auth", {}).get("AddDefaultAuthorizerToCorsPreflight", True)
    return Template(
        root=file.parent,
        document=document,
        stage=api["StageName"],
        functions={
            name: _function(name, own, shared, file.parent, name in authorizers.values())
            for name, own in _functions(document)
        },
        routes=tuple(_routes(document, authorizers, default)),
        responses={k: _response(v) for k, v in api.get("GatewayResponses", {}).items()},
        cors=cors,
        preflight_authorizer=default if guarded else None,
    )


def resources(document: Mapping[str, Any], kind: str) -> list[tuple[str, dict[str, Any]]]:
    """Return (logical id, properties) of every resource of one type."""
    return [
        (name, resource.setdefault("Properties", {}))
        for name, resource in document["Resources"].items()
        if resource["Type"] == kind
    ]


def _functions(document: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return resources(document, "AWS::Serverless::Function")


def _api(document: Mapping[str, Any]) -> dict[str, Any]:
    (_, properties), *others = resources(document, "AWS::Serverless::Api")
    if others:
        raise KeyError("the local cloud serves one AWS::Serverless::Api")
    return properties


def _authorizers(api: dict[str, Any]) -> tuple[dict[str, str], str | None]:
    auth = api.get("Auth", {})
    declared = auth.get("Authorizers", {}).items()
    functions = {name: body["FunctionArn"]["Fn::GetAtt"][0] for name, body in declared}
    return functions, functions.get(auth.get("DefaultAuthorizer", ""))


def _function(
    name: str, own: dict[str, Any], shared: dict[str, Any], root: Path, authorizes: bool
) -> Function:
    def read(key: str, default: Any) -> Any:
        return own.get(key, shared.get(key, default))

    routed = any(event["Type"] == "Api" for event in own.get("Events", {}).values())
    environment = [p.get("Environment", {}).get("Variables", {}) for p in (shared, own)]
    return Function(
        name=name,
        code=(root / read("CodeUri", ".")).resolve(),
        handler=read("Handler", ""),
        timeout=int(read("Timeout", 3)),
        memory=int(read("MemorySize", 128)),
        environment=environment[0] | environment[1],
        background=not (authorizes or routed),
    )


def _routes(
    document: Mapping[str, Any], authorizers: Mapping[str, str], default: str | None
) -> list[Route]:
    found = []
    for function, properties in _functions(document):
        for event in properties.get("Events", {}).values():
            if event["Type"] == "Api":
                found.append(_route(function, event["Properties"], authorizers, default))
    # API Gateway prefers the literal segment: /facts/recent before /facts/{fact_id}.
    return sorted(found, key=lambda route: (route.path.count("{"), -len(route.path)))


def _route(
    function: str, event: dict[str, Any], authorizers: Mapping[str, str], default: str | None
) -> Route:
    chosen = event.get("Auth", {}).get("Authorizer")
    if chosen == NO_AUTHORIZER:
        authorizer = None
    else:
        authorizer = authorizers[chosen] if chosen else default
    path = event["Path"]
    return Route(event["Method"].upper(), path, _pattern(path), function, authorizer)


def _pattern(path: str) -> re.Pattern[str]:
    escaped = re.escape(path)
    greedy = re.sub(r"\\{(\w+)\\\+\\}", r"(?P<\1>.+)", escaped)
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", greedy))


def _response(body: dict[str, Any]) -> GatewayResponse:
    headers = body.get("ResponseParameters", {}).get("Headers", {})
    return GatewayResponse(
        status=int(body["StatusCode"]) if "StatusCode" in body else None,
        headers={name: _literal(value) for name, value in headers.items()},
        bodies=body.get("ResponseTemplates", {}),
    )


def _cors(setting: Any) -> Cors | None:
    if not setting:
        return None
    if isinstance(setting, str):
        return Cors(_literal(setting), None, None, None)

    def read(name: str) -> str | None:
        return _literal(str(setting[name])) if name in setting else None

    origin = read("AllowOrigin") or "*"
    return Cors(origin, read("AllowMethods"), read("AllowHeaders"), read("MaxAge"))


def _literal(value: str) -> str:
    """Take off the single quotes by which API Gateway marks a literal."""
    return value[1:-1] if value[:1] == value[-1:] == "'" else value
