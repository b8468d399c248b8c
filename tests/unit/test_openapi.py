"""The OpenAPI document is what the handlers do, whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from local.openapi import text
from muniment.api.openapi import FILE
from tests.template import routes

DOCUMENT: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
OPERATIONS = {
    (method, path): operation
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
}


def everywhere(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
    for inner in (
        node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    ):
        yield from everywhere(inner)


def test_given_the_handlers_when_described_again_then_the_shipped_file_is_current():
    assert text() == FILE.read_text(encoding="utf-8"), "run: python -m local.openapi"


def test_given_the_routes_of_the_template_when_looked_up_then_each_is_described_and_no_other():
    deployed = {(route.method.lower(), route.path) for route in routes().values()}
    assert set(OPERATIONS) == deployed


def test_given_any_operation_when_read_then_it_says_what_it_takes_and_what_it_answers():
    ids = [operation["operationId"] for operation in OPERATIONS.values()]
    assert len(set(ids)) == len(ids)
    for (method, path), operation in OPERATIONS.items():
        assert operation["responses"]["default"], path
        assert {"200", "201"} & set(operation["responses"]), path
        is_open = operation["operationId"] in ("health", "openapi", "explain_problem")
        assert is_open or operation["security"] == [{"bearer": []}, {"apiKey": []}]
        if "{" in path:
            assert {p["name"] for p in operation["parameters"] if p["in"] == "path"}
        if method in ("put", "patch"):
            assert operation["requestBody"]


def test_given_all_schemas_when_read_then_none_is_empty_and_every_reference_leads_somewhere():
    schemas = DOCUMENT["components"]["schemas"]
    assert all(schema.get("properties") or schema.get("enum") for schema in schemas.values())
    for node in everywhere(DOCUMENT):
        if "$ref" in node:
            kind, _, name = node["$ref"].removeprefix("#/components/").partition("/")
            assert name in DOCUMENT["components"][kind], node["$ref"]
    for operation in OPERATIONS.values():
        for parameter in operation.get("parameters", ()):
            assert parameter["schema"], parameter
        for answer in operation["responses"].values():
            for body in answer.get("content", {}).values():
                assert body["schema"]


def test_given_the_document_when_read_then_it_names_its_version_and_no_address():
    assert DOCUMENT["openapi"] == "3.1.0"
    assert DOCUMENT["info"]["title"] == "Muniment"
    assert "servers" not in DOCUMENT
