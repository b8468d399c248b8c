"""Reading a SAM template: what the local cloud makes of it."""

from pathlib import Path

import pytest

from local import template as templates
from local.environment import resolve
from local.stack import prepare
from local.template import Template

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "tests" / "e2e" / "sample_app" / "template.yaml"


@pytest.fixture(scope="module")
def sample() -> Template:
    return templates.load(SAMPLE)


def test_given_the_products_template_when_loaded_then_every_route_has_its_function() -> None:
    product = templates.load(ROOT / "template.yaml")

    open_routes = {r.path.rpartition("/")[2] for r in product.routes if r.authorizer is None}
    assert {r.function for r in product.routes} <= set(product.functions)
    assert open_routes == {"health", "openapi.json", "{code}"}
    assert {r.authorizer for r in product.routes} == {"Authorize", None}
    background = {name for name, function in product.functions.items() if function.background}
    assert {"IndexFacts", "ReconcileIndex"} <= background
    assert not background & {"Authorize", *(route.function for route in product.routes)}


def test_given_globals_when_loaded_then_own_settings_win(sample: Template) -> None:
    echo = sample.functions["Echo"]

    assert (echo.timeout, echo.memory, echo.handler) == (2, 256, "app.echo")
    assert echo.code == SAMPLE.parent / "functions"
    assert not echo.background and not sample.functions["Authorize"].background
    assert sample.functions["OnItem"].background


def test_given_paths_when_matched_then_the_literal_one_comes_first(sample: Template) -> None:
    matching = [r.path for r in sample.routes if r.pattern.fullmatch("/items")]

    assert matching == ["/items"]
    assert [r.path for r in sample.routes][-1].count("{") == 1
    assert not any(r.pattern.fullmatch("/echo/a/b") for r in sample.routes)


def test_given_gateway_responses_when_loaded_then_literals_lose_their_quotes(
    sample: Template,
) -> None:
    response = sample.responses["UNAUTHORIZED"]

    assert response.status == 401
    assert response.headers["Content-Type"] == "application/problem+json"
    assert sample.cors is not None and sample.cors.origin == "*"
    assert sample.preflight_authorizer is None


def test_given_the_products_template_when_prepared_then_layers_go_and_invocations_come_to_us() -> (
    None
):
    product = templates.load(ROOT / "template.yaml")

    prepared = prepare(product, "http://127.0.0.1:1/_invoke/t")

    kinds = {resource["Type"] for resource in prepared["Resources"].values()}
    assert not [kind for kind in kinds if "LayerVersion" in kind or "WAF" in kind]
    assert "AWS::ApiGateway::UsagePlan" in kinds
    for name, function in templates.resources(prepared, "AWS::Serverless::Function"):
        assert "Layers" not in function
        variables = function["Environment"]["Variables"]
        assert variables["MINISTACK_LAMBDA_PROXY_URL"].endswith(f"/_invoke/t/{name}")
    assert "Layers" in product.document["Globals"]["Function"], "the original is left alone"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        (5, "5"),
        (True, "true"),
        ({"Ref": "Memory"}, "muniment-Memory-1"),
        ({"Ref": "Unknown"}, None),
        ({"Fn::Sub": "{{resolve:…}}"}, None),
    ],
)
def test_given_an_environment_value_when_resolved_then_it_is_text_or_unknown(
    sample: Template, value: object, text: str | None
) -> None:
    assert resolve(value, sample, {"Memory": "muniment-Memory-1"}) == text
