"""What the table and the model say, in one form in which they can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from muniment.adapters.dynamo_table import unpack
from tests.property.model import Model

VIEWS = ("list", "search", "context", "queue", "conflicts", "fact")


def heads_of(images: Iterable[tuple[Any, Any]]) -> dict[str, dict[str, Any]]:
    """Return each head that was written, by fact id, as Fact.snapshot() says it."""
    newest = {new["pk"]["S"]: new for _, new in images if new and new["sk"]["S"] == "HEAD"}
    return {item["fact_id"]: _snapshot(item) for item in map(unpack, newest.values())}


def _snapshot(item: dict[str, Any]) -> dict[str, Any]:
    claim = item.get("claim")
    return {
        "state": item["state"],
        "revision": int(item["revision"]),
        "trust": item["trust"],
        "statement": item["statement"],
        "editor": item.get("editor", item)["author"],
        "held": item.get("legal_hold", False),
        "successor": item.get("superseded_by"),
        "claim": (claim["holder"], int(claim["expires_at"])) if claim else None,
        "generation": int(item.get("generation", 0)),
        "voices": [list(pair) for pair in item.get("corroborations", ())],
    }


def contradictions(model: Model, owners: Sequence[str], layers: Sequence[str]) -> list[set[str]]:
    """Return what a reader must see: each live fact of these layers, contradictions whole.

    Facts of one key contradict each other whatever their layer.
    """
    groups: list[set[str]] = []
    for _, fact in sorted(model.facts.items()):
        if not fact.live(model.now) or fact.owner not in owners or fact.layer not in layers:
            continue
        members = model.members(fact.owner, fact.key)
        opposed = len({member.text.value for member in members}) > 1
        group = {member.fact_id for member in members} if opposed else {fact.fact_id}
        if group not in groups:
            groups.append(group)
    return groups


def sides_of(item: Any) -> set[str]:
    """Return the facts of one item of an answer."""
    others = {other["fact"]["fact_id"] for other in item["conflicts_with"]}
    return {item["fact"]["fact_id"], *others}
