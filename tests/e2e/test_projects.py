"""Projects, people and keys over HTTP, on the emulator: the whole life of one project."""

from typing import Any

from tests.e2e.conftest import Cloud
from tests.e2e.keys import table_of
from tests.e2e.machines import run_machine

ALL = ("read", "write", "review", "own")


def root_of(cloud: Cloud, tenant: dict[str, Any]) -> str:
    """Return a key of all projects for the tenant's first person."""
    actions = [part for action in ALL for part in ("--action", action)]
    said = ["--tenant", tenant["tenant"], "--principal", tenant["principal"], "--kind", "human"]
    made: dict[str, Any] = cloud.operator("key", "create", *said, "--project", "*", *actions)
    return str(made["key"])


def states(cloud: Cloud, tenant: str, fact_ids: list[str]) -> list[str]:
    """Return the states of facts that nobody can read any more, as they stand in the table."""
    rows = [table_of(cloud).get((f"T#{tenant}#F#{fact_id}", "HEAD")) for fact_id in fact_ids]
    return [str(row["state"]) for row in rows if row]


def test_given_a_project_when_made_shared_held_and_deleted_then_only_the_held_fact_outlives_it(
    cloud: Cloud,
) -> None:
    tenant = cloud.tenant("backend")
    root = root_of(cloud, tenant)
    assert cloud.send("POST", "/projects", {"project": "gate"}, key=root).status == 201
    member = cloud.send("PUT", "/projects/gate/members/pavel", {"role": "member"}, key=root)
    assert member.status == 200
    wanted = {"principal": "pavel", "kind": "human", "projects": ["gate"]}
    made = cloud.send("POST", "/keys", {**wanted, "actions": ["read", "write"]}, key=root)
    pavel = made.json()["key"]
    ids = [
        cloud.send("POST", "/remember", {"content": f"Gate {n} is closed."}, key=pavel).json()[
            "fact"
        ]["fact_id"]
        for n in range(3)
    ]
    held = cloud.send("POST", f"/facts/{ids[0]}/hold?project=gate", {"reason": "r"}, key=root)
    assert held.status == 200, held.body
    assert cloud.send("DELETE", "/projects/gate?reason=done", key=root).status == 200
    assert cloud.send("GET", f"/facts/{ids[0]}", key=pavel).status == 404
    assert cloud.send("POST", "/remember", {"content": "On."}, key=pavel).status == 404

    told = run_machine(cloud, "Sweep")  # other tests of this cloud delete projects, too
    assert (told["forgotten"] >= 2, told["held"] >= 1, told["next"]) == (True, True, None)
    assert states(cloud, tenant["tenant"], ids) == ["candidate", "forgotten", "forgotten"]
    (line,) = cloud.send("GET", "/holds", key=root).json()["items"]
    assert (line["fact_id"], line["fact"]["statement"]) == (ids[0], "Gate 0 is closed.")
    done = cloud.send("POST", f"/holds/{ids[0]}/release", {"reason": "over"}, key=root)
    assert (done.status, done.json()["reason"]) == (200, "over")
    assert states(cloud, tenant["tenant"], ids) == ["forgotten"] * 3


def test_given_a_key_when_rotated_then_both_secrets_work_and_the_old_one_ends(cloud: Cloud) -> None:
    tenant = cloud.tenant("backend")
    path = f"/keys/{tenant['key_id']}/rotate"
    new = cloud.send("POST", path, {"overlap_hours": 1}, key=tenant["key"]).json()
    assert cloud.send("GET", "/facts", key=new["key"]).status == 200
    assert cloud.send("GET", "/facts", key=tenant["key"]).status == 200
    assert cloud.send("POST", path, {}, key=new["key"]).status == 409
    newest = cloud.send(
        "POST", f"/keys/{new['key_id']}/rotate", {"overlap_hours": 0}, key=new["key"]
    ).json()
    assert cloud.send("GET", "/facts", key=new["key"]).status == 403
    assert cloud.send("GET", "/facts", key=newest["key"]).status == 200
