"""What of somebody else's can be put into each route: one line for every place that takes it.

A value such as "$FACT" is filled twice: with what exists elsewhere, and with what never was. Both
requests must be answered alike. Path parameters and ?project= are filled by themselves.

    $FACT  $CONTEXT  $KEY  $PERSON  $PROJECT      ids and names
    $CURSOR  $TOKEN  $IDEM                        what was sealed for, or sent by, somebody else
    $MARK  $SAID                                  a word, a whole statement of somebody else's fact
    $OWN  $NEW                                    a fact of the asker's own, a text that is new
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

PATH = {
    "{fact_id}": "$FACT",
    "{context_id}": "$CONTEXT",
    "{key_id}": "$KEY",
    "{project}": "$PROJECT",
    "{principal}": "$PERSON",
    "{number}": "1",
}
REASON = {"reason": "because"}
JUDGED = {**REASON, "decision": "publish", "generation": 1, "revision": 1}
NOTE = {"statement": "$NEW", "layer": "task", "task": "t1"}
NEW_KEY = {"principal": "helper", "kind": "integration", "projects": ["a"], "actions": ["read"]}


@dataclass(frozen=True)
class Probe:
    """One way to ask a route. `path`: values of path parameters that are not the foreign ones."""

    body: Any = None
    query: dict[str, str] = field(default_factory=dict)
    path: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


def asks(**body: Any) -> Probe:
    return Probe(body)


def seeks(**query: str) -> Probe:
    return Probe(query=query)


FACT_WITH_REASON = (asks(**REASON),)
OWN = {"{fact_id}": "$OWN"}
MINE = {"{project}": "a"}
OPEN = ("GET /health", "GET /openapi.json", "GET /problems/{code}")  # no key, nothing of anybody
ENTRIES: dict[str, tuple[Probe, ...]] = {
    "POST /facts": (
        asks(**NOTE, derived_from=["$FACT"]),
        asks(**NOTE, supersedes="$FACT"),
        asks(**NOTE, links=[{"type": "relates_to", "target": "$FACT"}]),
        asks(**NOTE, fact_key="$MARK"),
        asks(**NOTE, source_id="$MARK", source_hash="$MARK"),
        asks(**NOTE, subject={"type": "service", "id": "$MARK"}),
        asks(**{**NOTE, "statement": "$SAID"}),
        Probe({**NOTE, "statement": "Once only."}, headers={"X-Idempotency-Key": "$IDEM"}),
    ),
    "POST /remember": (
        asks(content="$SAID"),
        asks(content="$SAID", audience="private"),
        asks(content="$NEW", derived_from=["$FACT"]),
        asks(content="$NEW", fact_key="$MARK"),
        asks(content="$NEW", layer="session", session="$MARK"),
        Probe({"content": "Once only."}, headers={"X-Idempotency-Key": "$IDEM"}),
    ),
    "GET /facts": (
        seeks(cursor="$CURSOR", limit="1"),
        seeks(subject_id="$MARK"),
        seeks(scope="$MARK"),
        seeks(layer="session", session="$MARK"),
        seeks(workplace="$MARK"),
        seeks(machine="$MARK"),
        seeks(audience="private"),
    ),
    "GET /facts/{fact_id}": (Probe(), seeks(as_of="2026-05-28T20:26:50Z")),
    "DELETE /facts/{fact_id}": (Probe(),),
    "POST /facts/{fact_id}/erase": FACT_WITH_REASON,
    "POST /facts/{fact_id}/hold": FACT_WITH_REASON,
    "POST /facts/{fact_id}/unhold": FACT_WITH_REASON,
    "POST /facts/{fact_id}/publish": FACT_WITH_REASON,
    "POST /facts/{fact_id}/retract": FACT_WITH_REASON,
    "POST /facts/{fact_id}/review/claim": (Probe(),),
    "POST /facts/{fact_id}/review/heartbeat": (asks(generation=1),),
    "POST /facts/{fact_id}/review/release": (asks(generation=1),),
    "POST /facts/{fact_id}/review/finalize": (asks(**JUDGED),),
    "POST /facts/{fact_id}/revisions": (
        asks(**REASON, statement="$NEW", expected_revision=1),
        Probe({**REASON, "derived_from": ["$FACT"], "expected_revision": 1}, path=OWN),
        Probe({**REASON, "statement": "$SAID", "expected_revision": 1}, path=OWN),
    ),
    "GET /facts/{fact_id}/revisions/{number}": (Probe(),),
    "POST /forget": (asks(fact_id="$FACT"), asks(source_id="$MARK")),
    "POST /review/finalize": (asks(items=[{**JUDGED, "fact_id": "$FACT"}]),),
    "POST /search": (
        asks(query="$MARK"),
        asks(query="$SAID", subject_id="$MARK"),
        asks(query="port", consistency_token="$TOKEN"),
        asks(query="$MARK", as_of="2026-05-28T20:26:50Z"),
        asks(query="port", coordinates={"session": "$MARK", "task": "$MARK"}),
        asks(query="port", coordinates={"workplace": "$MARK", "machine": "$MARK"}),
        asks(query="port", audience="private"),
    ),
    "POST /context": (
        asks(query="$MARK"),
        asks(query="port", consistency_token="$TOKEN"),
        asks(query="port", coordinates={"session": "$MARK", "task": "$MARK"}),
    ),
    "GET /context/{context_id}": (Probe(),),
    "GET /timeline": (
        seeks(subject_type="service", subject_id="$MARK"),
        seeks(subject_type="service", subject_id="port", cursor="$CURSOR"),
    ),
    "POST /validate": (asks(source_id="$MARK", current_source_hash="x"),),
    "GET /conflicts": (seeks(cursor="$CURSOR"), Probe()),
    "GET /review-queue": (seeks(cursor="$CURSOR"), Probe()),
    "GET /budget": (Probe(),),
    "GET /projects": (Probe(),),
    "POST /projects": (asks(project="$PROJECT"),),
    "GET /projects/{project}": (Probe(),),
    "PATCH /projects/{project}": (asks(solo_publish=True),),
    "DELETE /projects/{project}": (seeks(reason="because"),),
    "POST /projects/{project}/transfer": (
        asks(**REASON, to="$PERSON"),
        Probe({**REASON, "to": "$PERSON"}, path=MINE),
    ),
    "GET /projects/{project}/members": (Probe(),),
    "PUT /projects/{project}/members/{principal}": (
        asks(role="reader"),
        Probe({"role": "reader"}, path=MINE),
    ),
    "DELETE /projects/{project}/members/{principal}": (Probe(), Probe(path=MINE)),
    "GET /keys": (Probe(),),
    "POST /keys": (
        asks(**{**NEW_KEY, "projects": ["$PROJECT"]}),
        asks(**{**NEW_KEY, "kind": "agent", "operator": "$PERSON"}),
        asks(**{**NEW_KEY, "kind": "human", "principal": "$PERSON"}),
    ),
    "POST /keys/{key_id}/rotate": (asks(),),
    "DELETE /keys/{key_id}": (Probe(),),
    "GET /holds": (Probe(),),
    "POST /holds/{fact_id}/release": (asks(**REASON),),
}
