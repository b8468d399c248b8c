"""Write the OpenAPI 3.1 document out of the handlers themselves.

python -m local.openapi            writes layers/core/python/muniment/api/openapi.json
python -m local.openapi --check    only tells whether that file is current
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

from muniment import __version__
from muniment.api.openapi import FILE
from muniment.verbs.fields import Ask, Nothing, Where

ROOT = Path(__file__).parents[1]
OPEN_ROUTES = ("health", "openapi", "explain_problem")  # no key needed
MAKERS = ("create_project", "create_key", "rotate_key")  # they answer 201, never 200
PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "code", "docs", "retry", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "description": "stable: part of the API"},
        "docs": {"type": "string", "description": "route that explains the code"},
        "retry": {"type": "boolean", "description": "may the very same request be sent again?"},
        "request_id": {"type": "string"},
        "field": {"type": "string"},
        "limit": {},
        "actual": {},
        "hint": {"type": "string"},
    },
}
REFUSED = {
    "description": "refused; nothing was stored",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "apiKey": {"type": "apiKey", "in": "header", "name": "X-Api-Key"},
}


def generate() -> dict[str, Any]:
    """Return the document: one operation a handler, in order of path and method."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {"Problem": PROBLEM}
    for file in sorted((ROOT / "functions/api").glob("*.py")):
        verb = importlib.import_module(f"functions.api.{file.stem}")
        said = json.loads(verb.app.get_openapi_json_schema(title="Muniment", version=__version__))
        schemas |= said.get("components", {}).get("schemas", {})
        for path, operations in said["paths"].items():
            for method, operation in operations.items():
                path = path.replace("<", "{").replace(">", "}")
                paths.setdefault(path, {})[method] = _operation(file.stem, verb, operation)
    for unused in ("HTTPValidationError", "ResponseValidationError", "ValidationError"):
        schemas.pop(unused, None)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Muniment", "version": __version__},
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": dict(sorted(schemas.items())), "securitySchemes": SECURITY},
    }


def _operation(name: str, verb: Any, said: dict[str, Any]) -> dict[str, Any]:
    """Return what Powertools said of the verb, with our refusals, keys, query and headers."""
    said["operationId"] = name
    said["summary"] = name.replace("_", " ")
    said["responses"].pop("422", None)
    said["responses"]["default"] = REFUSED
    if name in OPEN_ROUTES:
        return said
    said["security"] = [{scheme: []} for scheme in SECURITY]
    said.setdefault("parameters", []).extend(_parameters(_query_of(verb)))
    if hasattr(verb, "idempotency"):
        said["parameters"].append(_header("X-Idempotency-Key", {"maxLength": 200}))
    if name == "revise_fact":
        said["parameters"].append(_header("If-Match", {"description": "the revision you read"}))
    if name in MAKERS:
        said["responses"] = {"201": {**said["responses"]["200"], "description": "made"}} | {
            "default": REFUSED
        }
    if name in ("record_fact", "remember"):
        said["responses"]["201"] = {**said["responses"]["200"], "description": "stored"}
        said["responses"]["200"]["description"] = "it was there already (`repeat`)"
    return said


def _query_of(verb: Any) -> type[Ask]:
    """Return the model of a verb's query string: its own, what every verb takes, or nothing."""
    asks = [m for m in vars(verb).values() if isinstance(m, type) and issubclass(m, Ask)]
    own = [m for m in asks if issubclass(m, Where | Nothing) or getattr(m, "FIELD", "") == "query"]
    return max(own, key=lambda model: len(model.model_fields))


def _parameters(model: Any) -> list[dict[str, Any]]:
    schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
    required = schema.get("required", ())
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "schema": _inlined(field, schema),
        }
        for name, field in schema.get("properties", {}).items()
    ]


def _inlined(field: Any, schema: dict[str, Any]) -> Any:
    """Return the field's schema with its references replaced by what they name."""
    if isinstance(field, list):
        return [_inlined(part, schema) for part in field]
    if not isinstance(field, dict):
        return field
    if "$ref" in field:
        return schema["$defs"][field["$ref"].rsplit("/", 1)[1]]
    return {name: _inlined(part, schema) for name, part in field.items()}


def _header(name: str, more: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": False, "schema": {"type": "string", **more}}


def text() -> str:
    return json.dumps(generate(), indent=1, ensure_ascii=False, sort_keys=False) + "\n"


def main(arguments: list[str]) -> int:
    current = text()
    if "--check" in arguments:
        return int(FILE.read_text(encoding="utf-8") != current)
    FILE.write_text(current, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
