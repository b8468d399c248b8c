"""Every door of the API: who is let in, who is told no, and that nobody learns what is not theirs.

The routes come from template.yaml, so that a new one cannot be forgotten here.
"""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from local.template import Route
from muniment.domain.caller import Action
from tests.e2e.conftest import BASE_PATH, Cloud, Reply
from tests.e2e.keys import MINUTE, KeyMaker
from tests.template import TEMPLATE

NOBODY = "01J00000000000000000000001"  # a fact id that was never given
PARAMETERS = {
    **{"number": "1", "context_id": NOBODY, "project": "backend"},
    **{"principal": "nobody", "key_id": "k" * 10, "code": "not_found"},
}
OPEN = {"ExplainProblem", "Health", "Openapi"}
ROUTES = {route.function: route for route in TEMPLATE.routes}
CLOSED = [name for name in ROUTES if name not in OPEN]
WITH_ID = [
    name
    for name in CLOSED
    if "{fact_id}" in ROUTES[name].path and name != "ReleaseHold"  # it takes a key of all projects
]
READING = {  # what a key with the action `read` alone may do
    "CreateKey",  # what the new key may is checked against this one
    "GetFact",
    "GetRevision",
    "ListConflicts",
    "ListFacts",
    "ListKeys",
    "ListMembers",
    "ListProjects",
    "ReadBudget",
    "ReadContext",
    "ReadProject",
    "ReadTimeline",
    "ReplayContext",
    "RevokeKey",
    "RotateKey",
    "SearchFacts",
    "ValidateSource",
}
OWNING = {
    *("EraseFact", "HoldFact", "PublishFact", "RetractFact", "UnholdFact"),
    *("CreateProject", "SetProject", "TransferProject", "DeleteProject"),
    *("SetMember", "RemoveMember", "ListHolds", "ReleaseHold"),
}
OF_THE_TENANT = {  # these take no project
    *("ListProjects", "CreateProject", "ListKeys", "CreateKey", "RotateKey", "RevokeKey"),
    *("ListHolds", "ReleaseHold"),
}
REASON = {"reason": "a reason"}
BODIES: dict[str, Any] = {  # a good body for each route that takes one
    "CreateKey": {},  # not good: nobody makes keys here
    "CreateProject": {"project": "doors"},
    "EraseFact": REASON,
    "FinalizeReview": {**REASON, "decision": "publish", "generation": 1, "revision": 1},
    "FinalizeReviews": {
        "items": [
            {**REASON, "fact_id": NOBODY, "decision": "publish", "generation": 1, "revision": 1}
        ]
    },
    "ForgetFacts": {"fact_id": NOBODY},
    "HeartbeatReview": {"generation": 1},
    "HoldFact": REASON,
    "PublishFact": REASON,
    "ReadContext": {"query": "doors"},
    "RecordFact": {"statement": "A door.", "layer": "task", "task": "doors"},
    "ReleaseHold": REASON,
    "ReleaseReview": {"generation": 1},
    "Remember": {"content": "A door."},
    "RetractFact": REASON,
    "ReviseFact": {**REASON, "statement": "Another door.", "expected_revision": 1},
    "RotateKey": {},
    "SearchFacts": {"query": "doors"},
    "SetMember": {"role": "reader"},
    "SetProject": {"solo_publish": False},
    "TransferProject": {**REASON, "to": "nobody"},
    "UnholdFact": REASON,
    "ValidateSource": {"source_id": "doors.md", "current_source_hash": "1"},
}


@dataclass(frozen=True)
class Doors:
    """A tenant with a fact in its second project and one that was forgotten; keys by name."""

    cloud: Cloud
    keys: dict[str, str]
    ids: dict[str, str]

    def knock(
        self, name: str, fact_id: str = NOBODY, *, key: str = "", query: str = "", **headers: str
    ) -> Reply:
        """Send a good request to that route; `query` is added to it."""
        route = ROUTES[name]
        path = route.path.removeprefix(BASE_PATH)
        for parameter, value in {**PARAMETERS, "fact_id": fact_id}.items():
            path = path.replace(f"{{{parameter}}}", value)
        if name == "ReadTimeline":
            path += "?subject_type=service&subject_id=door"
        if query:
            path += ("&" if "?" in path else "?") + query
        return self.cloud.send(route.method, path, BODIES.get(name), key=key, **headers)


@pytest.fixture(scope="module")
def doors(cloud: Cloud) -> Doors:
    ours, theirs = cloud.tenant("backend", "frontend"), cloud.tenant("backend")
    maker = KeyMaker(cloud, ours["tenant"])
    keys = {
        "all": maker.key(*Action),
        "no own": maker.key(Action.READ, Action.WRITE, Action.REVIEW),
        "read": maker.key(Action.READ),
        "of another project": maker.key(*Action, projects=("frontend",)),
        "expired": maker.key(*Action, expires_in=-MINUTE),
        "revoked": maker.key(*Action, revoked=True),
    }

    def remember(key: str, project: str = "backend") -> str:
        note = {"content": f"The door of {project} is green."}
        answer = cloud.send("POST", f"/remember?project={project}", note, key=key)
        assert answer.status == 201, answer.body
        return str(answer.json()["fact"]["fact_id"])

    ids = {
        "never given": NOBODY,
        "of another tenant": remember(theirs["key"]),
        "of another project": remember(ours["key"], "frontend"),
        "forgotten": remember(keys["no own"]),
    }
    gone = cloud.send("DELETE", f"/facts/{ids['forgotten']}", key=keys["no own"])
    assert gone.json()["forgotten"] == [ids["forgotten"]]
    return Doors(cloud, keys, ids)


def problem(reply: Reply) -> dict[str, Any]:
    """Return the problem document without what is new in every answer; check its form."""
    told: dict[str, Any] = json.loads(reply.body)
    assert reply.headers["content-type"] == "application/problem+json"
    assert told["status"] == reply.status and told["title"] and told["detail"]
    assert told["type"] == f"urn:muniment:problem:{told['code']}"
    assert told["docs"] == f"/problems/{told['code']}"
    assert isinstance(told["retry"], bool)
    assert told.pop("request_id")
    return told


def test_given_the_template_when_its_routes_are_counted_then_this_file_knows_them_all() -> None:
    taking = {name for name in CLOSED if ROUTES[name].method in ("POST", "PUT", "PATCH")}
    assert set(BODIES) == taking - {"ClaimReview"}
    assert set(CLOSED) >= READING | OWNING
    assert {route.function for route in TEMPLATE.routes if _needs_no_key(route)} == OPEN


def _needs_no_key(route: Route) -> bool:
    return route.authorizer is None


@pytest.mark.parametrize("name", sorted(OPEN))
def test_given_no_key_when_an_open_route_is_asked_then_it_answers(doors: Doors, name: str) -> None:
    assert doors.knock(name).status == 200


@pytest.mark.parametrize("name", CLOSED)
def test_given_no_key_when_a_route_is_asked_then_401_tells_how_to_send_one(
    doors: Doors, name: str
) -> None:
    reply = doors.knock(name)

    assert reply.status == 401
    assert problem(reply)["code"] == "unauthorized"
    assert reply.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("name", CLOSED)
def test_given_a_key_that_opens_nothing_when_a_route_is_asked_then_403_in_both_headers(
    doors: Doors, name: str
) -> None:
    mistyped = doors.keys["all"][:-1] + ("A" if doors.keys["all"][-1] != "A" else "B")
    bad = ["garbage", mistyped, doors.keys["expired"], doors.keys["revoked"]]
    replies = [doors.knock(name, key=key) for key in bad]
    replies += [doors.knock(name, X_Api_Key=key) for key in bad[2:]]

    assert [reply.status for reply in replies] == [403] * len(replies)
    told = [problem(reply) for reply in replies]
    assert told == [told[0]] * len(told)  # no hint which of them it is
    assert told[0]["code"] == "access_denied"


@pytest.mark.parametrize("name", CLOSED)
def test_given_a_read_key_when_a_route_is_asked_then_only_reading_is_allowed(
    doors: Doors, name: str
) -> None:
    by_bearer = doors.knock(name, key=doors.keys["read"])
    by_header = doors.knock(name, X_Api_Key=doors.keys["read"])

    assert by_bearer.status == by_header.status
    assert (by_bearer.status != 403) == (name in READING), by_bearer.body
    if by_bearer.status == 403:
        assert problem(by_bearer)["code"] == "not_allowed"


@pytest.mark.parametrize("name", CLOSED)
def test_given_a_key_without_own_when_a_route_is_asked_then_owning_is_refused(
    doors: Doors, name: str
) -> None:
    reply = doors.knock(name, key=doors.keys["no own"])

    assert (reply.status == 403) == (name in OWNING), reply.body


@pytest.mark.parametrize("name", [name for name in CLOSED if name not in OF_THE_TENANT])
def test_given_a_key_of_another_project_when_ours_is_asked_then_404_as_if_it_were_not_there(
    doors: Doors, name: str
) -> None:
    in_path = "{project}" in ROUTES[name].path
    query = "" if in_path and name != "DeleteProject" else "project=backend"
    query = "reason=because" if name == "DeleteProject" else query
    reply = doors.knock(name, key=doors.keys["of another project"], query=query)

    assert reply.status == 404, reply.body
    assert problem(reply)["detail"] == "no such project"


@pytest.mark.parametrize("name", WITH_ID)
def test_given_an_id_that_is_not_ours_when_asked_then_404_as_for_one_never_given(
    doors: Doors, name: str
) -> None:
    strange = ["never given", "of another tenant", "of another project"]
    replies = {
        which: doors.knock(name, doors.ids[which], key=doors.keys["all"]) for which in strange
    }
    if name not in OWNING:
        replies["forgotten"] = doors.knock(name, doors.ids["forgotten"], key=doors.keys["no own"])

    assert {which: reply.status for which, reply in replies.items()} == dict.fromkeys(replies, 404)
    told = {which: problem(reply) for which, reply in replies.items()}
    assert told == dict.fromkeys(told, told["never given"])


def test_given_another_project_when_a_key_asks_for_it_then_404_as_for_one_that_is_not_there(
    doors: Doors,
) -> None:
    asked = ["frontend", "nothing-of-that-name"]
    replies = [
        doors.cloud.send("GET", f"/facts?project={project}", key=doors.keys["all"])
        for project in asked
    ]

    assert [reply.status for reply in replies] == [404, 404]
    assert problem(replies[0]) == problem(replies[1])


def test_given_forget_by_body_when_the_fact_is_not_ours_then_404_as_for_one_never_given(
    doors: Doors,
) -> None:
    replies = [
        doors.cloud.send("POST", "/forget", {"fact_id": fact_id}, key=doors.keys["no own"])
        for fact_id in doors.ids.values()
    ]

    assert [reply.status for reply in replies] == [404] * len(replies)
    told = [problem(reply) for reply in replies]
    assert told == [told[0]] * len(told)


def test_given_facts_that_are_not_ours_when_reviewed_in_one_request_then_each_answers_alike(
    doors: Doors,
) -> None:
    decision = {**REASON, "decision": "publish", "generation": 1, "revision": 1}
    items = [{**decision, "fact_id": fact_id} for fact_id in doors.ids.values()]
    reply = doors.cloud.send("POST", "/review/finalize", {"items": items}, key=doors.keys["no own"])

    outcomes = [
        {k: v for k, v in outcome.items() if k != "fact_id"} for outcome in reply.json()["items"]
    ]
    assert outcomes == [outcomes[0]] * len(doors.ids)
    assert "not_found" in json.dumps(outcomes[0])


def test_given_a_browser_when_its_request_is_refused_then_its_script_may_read_why(
    doors: Doors,
) -> None:
    said = {"Origin": "https://console.example"}
    refused = [
        doors.knock("GetFact", **said),
        doors.knock("GetFact", key="garbage", **said),
        doors.knock("GetFact", key=doors.keys["read"], **said),
        doors.knock("RecordFact", key=doors.keys["read"], **said),
    ]

    assert [reply.status for reply in refused] == [401, 403, 404, 403]
    assert [reply.headers["access-control-allow-origin"] for reply in refused] == ["*"] * 4


def test_given_a_key_in_use_when_revoked_then_its_next_request_is_refused(doors: Doors) -> None:
    made = doors.cloud.tenant("backend")
    assert doors.cloud.send("GET", "/facts", key=made["key"]).status == 200

    doors.cloud.operator("key", "revoke", "--tenant", made["tenant"], made["key_id"])

    assert doors.cloud.send("GET", "/facts", key=made["key"]).status == 403
