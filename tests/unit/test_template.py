"""template.yaml keeps its promises: routes, rights, layers, and answers of the gateway."""

import ast
import fnmatch
import json

import pytest

from tests.template import (
    ROOT,
    TEMPLATE,
    function_properties,
    handler_file,
    named,
    policies,
    rights,
    routes,
)

FUNCTIONS = sorted(function_properties())
EMBEDS = {"SearchFacts", "ReadContext", "IndexFacts", "ReconcileIndex"}
ASK = {"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"}
WRITE = {"dynamodb:PutItem", "dynamodb:UpdateItem"}
CLAIMS = {"ClaimReview", "HeartbeatReview", "ReleaseReview"}  # one update of a head
WRITES = {
    "RecordFact",
    "Remember",
    "ReviseFact",
    "PublishFact",
    "RetractFact",
    "HoldFact",
    "UnholdFact",
    "ForgetFact",
    "ForgetFacts",
    "EraseFact",
    "FinalizeReview",
    "FinalizeReviews",
    "ExpireFacts",
    "ReleaseHold",
    "SweepProjects",
}
KEEPS_PROJECTS = {"CreateProject", "SetProject", "DeleteProject"}
KEEPS_MEMBERS = {"SetMember", "RemoveMember", "TransferProject"}
KEEPS_KEYS = {"CreateKey", "RotateKey", "RevokeKey"}
COUNTS = {"IndexFacts", "ReconcileIndex", "RecountBudgets"}  # budget, units and their ledger
OPEN = {"ExplainProblem", "Health", "Openapi"}  # no key, no rights
ITEM_KEYS = ("KEY#5e884898da28", "TENANT#acme", "T#acme#F#01J", "T#acme#P#backend#C#01J")


def docstring(function: str) -> str:
    written = ast.get_docstring(ast.parse((ROOT / handler_file(function)).read_text("utf-8")))
    return written or ""


def reachable(function: str, actions: set[str]) -> set[str]:
    """Return the sample item keys on which the function may do one of the actions."""
    return {
        key
        for action, statement in rights(function)
        if action in actions and statement["Resource"] == {"Fn::GetAtt": ["Memory", "Arn"]}
        for key in ITEM_KEYS
        if any(fnmatch.fnmatchcase(key, pattern) for pattern in _leading_keys(statement))
    }


def _leading_keys(statement: dict) -> list[str]:
    condition = statement.get("Condition", {}).get("ForAllValues:StringLike", {})
    return condition.get("dynamodb:LeadingKeys", ["*"])


@pytest.mark.parametrize("function", sorted(routes()))
def test_given_a_verb_when_its_file_is_opened_then_the_first_line_is_its_route(function):
    route = routes()[function]
    assert docstring(function).splitlines()[0] == f"{route.method} {route.path}"


def test_given_the_handler_files_when_listed_then_each_is_a_function_and_nothing_else_is():
    written = {
        path.relative_to(ROOT)
        for path in (ROOT / "functions").rglob("*.py")
        if path.name != "__init__.py"
    }
    assert written == {handler_file(function) for function in FUNCTIONS}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_given_a_function_when_named_then_it_is_the_camel_case_of_its_file(function):
    assert handler_file(function).stem.title().replace("_", "") == function


@pytest.mark.parametrize("function", FUNCTIONS)
def test_given_a_function_when_looked_up_in_events_then_it_has_a_sample(function):
    sample = ROOT / "events" / f"{handler_file(function).stem}.json"
    assert sample.exists()
    assert json.loads(sample.read_text("utf-8")) is not None


def test_given_every_route_when_called_without_key_then_only_what_tells_of_the_service_answers():
    assert {name for name, route in routes().items() if route.authorizer is None} == OPEN
    assert {route.authorizer for route in TEMPLATE.routes} == {None, "Authorize"}


def test_given_a_browser_when_it_asks_before_a_request_then_no_key_is_needed():
    assert TEMPLATE.cors is not None
    assert TEMPLATE.preflight_authorizer is None


@pytest.mark.parametrize("function", FUNCTIONS)
def test_given_a_function_when_its_rights_are_read_then_it_has_some_and_cannot_delete(function):
    assert bool(policies(function)) == (function not in OPEN)
    actions = {action for action, _ in rights(function)}
    assert not [action for action in actions if "Delete" in action or "*" in action]
    assert "dynamodb:BatchWriteItem" not in actions  # it deletes, too
    assert "dynamodb:PartiQLDelete" not in actions


@pytest.mark.parametrize("function", FUNCTIONS)
def test_given_a_function_when_it_reads_the_table_then_keys_are_for_authorize_alone(function):
    assert ("KEY#5e884898da28" in reachable(function, ASK)) == (function == "Authorize")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_given_a_function_when_it_writes_then_it_is_a_write_verb_or_the_context_log(function):
    expected = {"ReadContext": {"T#acme#P#backend#C#01J"}}
    expected |= {name: {"T#acme#F#01J"} for name in CLAIMS}
    expected |= {name: {"T#acme#P#backend#C#01J"} for name in COUNTS}
    expected |= {name: {"T#acme#F#01J", "T#acme#P#backend#C#01J"} for name in WRITES}
    expected |= {name: {"TENANT#acme", "T#acme#P#backend#C#01J"} for name in KEEPS_PROJECTS}
    expected |= {name: {"TENANT#acme"} for name in KEEPS_MEMBERS}
    expected |= {name: {"TENANT#acme", "KEY#5e884898da28"} for name in KEEPS_KEYS}
    assert reachable(function, WRITE) == expected.get(function, set())


def test_given_the_search_index_when_written_then_by_the_stream_and_the_repair_alone():
    writers = {name for name in FUNCTIONS if "WriteIndex" in policies(name)}
    assert writers == {"IndexFacts", "ReconcileIndex"}
    putting = {name for name in FUNCTIONS if "es:ESHttpPut" in dict(rights(name))}
    assert putting == writers


def test_given_the_whole_table_when_scanned_then_by_the_passes_of_maintenance_alone():
    scanning = {name for name in FUNCTIONS if "dynamodb:Scan" in dict(rights(name))}
    assert scanning == {"ReconcileIndex", "RecountBudgets", "SweepProjects"}


def test_given_budgets_when_recounted_then_that_pass_writes_no_item_anew():
    actions = {action for action, _ in rights("RecountBudgets")}
    assert actions == {"dynamodb:Scan", "dynamodb:UpdateItem"}


def test_given_the_stage_when_called_with_a_key_then_the_authorizer_names_the_usage_key():
    api = named("AWS::Serverless::Api")["Api"]
    assert api["ApiKeySourceType"] == "AUTHORIZER"
    assert api["Auth"]["ApiKeyRequired"] is True
    assert api["Auth"]["AddApiKeyRequiredToCorsPreflight"] is False
    for name in routes():
        for event in function_properties()[name]["Events"].values():
            said = event["Properties"].get("Auth", {})
            assert said.get("ApiKeyRequired", True) == (name not in OPEN), name


def test_given_floods_from_one_address_when_counted_then_the_waf_stops_them_unless_switched_off():
    (rule,) = named("AWS::WAFv2::WebACL")["Waf"]["Rules"]
    assert rule["Statement"]["RateBasedStatement"]["AggregateKeyType"] == "IP"
    answer = rule["Action"]["Block"]["CustomResponse"]
    assert answer["ResponseCode"] == 429
    assert answer["ResponseHeaders"] == [{"Name": "Retry-After", "Value": "60"}]
    stage = named("AWS::WAFv2::WebACLAssociation")["WafOfApi"]["ResourceArn"]["Fn::Sub"]
    assert stage.endswith("/restapis/${Api}/stages/${Api.Stage}")
    for name in ("Waf", "WafOfApi"):
        assert TEMPLATE.document["Resources"][name]["Condition"] == "HasWaf"


@pytest.mark.parametrize("function", FUNCTIONS)
def test_given_a_function_when_it_embeds_then_and_only_then_it_carries_the_models(function):
    properties = function_properties()[function]
    layers = {layer["Ref"] for layer in properties.get("Layers", [])}
    assert layers == ({"EmbedderLayer"} if function in EMBEDS else set())
    assert (properties.get("MemorySize", 0) >= 1024) == (function in EMBEDS)


def test_given_the_table_when_compared_with_the_design_then_it_can_be_restored_and_replayed():
    table = named("AWS::DynamoDB::Table")["Memory"]
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["DeletionProtectionEnabled"] == {"Ref": "DeletionProtection"}
    assert table["TimeToLiveSpecification"] == {"AttributeName": "ttl", "Enabled": True}
    assert table["StreamSpecification"] == {"StreamViewType": "NEW_AND_OLD_IMAGES"}
    assert table["BillingMode"] == "PAY_PER_REQUEST"
    indexes = {index["IndexName"] for index in table["GlobalSecondaryIndexes"]}
    assert indexes == {"by_cell", "by_queue", "by_due", "by_recent", "by_source", "by_subject"}


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        ("UNAUTHORIZED", 401, "unauthorized"),
        ("ACCESS_DENIED", 403, "access_denied"),
        ("MISSING_AUTHENTICATION_TOKEN", 404, "no_route"),
        ("REQUEST_TOO_LARGE", 413, "too_large"),
        ("INVALID_API_KEY", 403, "no_plan"),
        ("THROTTLED", 429, "throttled"),
        ("QUOTA_EXCEEDED", 429, "quota_exceeded"),
        ("INTEGRATION_TIMEOUT", 503, "timeout"),
    ],
)
def test_given_a_refusal_of_the_gateway_when_answered_then_status_and_code_are(kind, status, code):
    body = json.loads(TEMPLATE.responses[kind].bodies["application/problem+json"])
    assert (body["status"], body["code"]) == (status, code)


@pytest.mark.parametrize("kind", sorted(TEMPLATE.responses))
def test_given_a_refusal_of_the_gateway_when_answered_then_it_is_a_whole_problem(kind):
    response = TEMPLATE.responses[kind]
    (media_type, text), *others = response.bodies.items()
    body = json.loads(text)
    assert (media_type, others) == ("application/problem+json", [])
    assert list(body) == [
        *("type", "title", "status", "detail", "code", "docs", "retry", "request_id")
    ]
    assert body["docs"] == f"/problems/{body['code']}"
    assert body["status"] == response.status
    assert body["type"] == f"urn:muniment:problem:{body['code']}"
    assert body["request_id"] == "$context.requestId"
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert ("Retry-After" in response.headers) == (body["status"] in (429, 503))


def test_given_the_template_when_deployed_directly_then_it_fits_into_one_request():
    assert len((ROOT / "template.yaml").read_bytes()) < 51_200
