"""Heads out of a DynamoDB stream event, without those whose change the index does not show.

A heartbeat, a claim or a longer lease changes a head but nothing that is searched: re-indexing it
would embed the same text again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from muniment.adapters.dynamo_table import unpack
from muniment.adapters.items import head_of
from muniment.domain.fact import Head
from muniment.domain.search import Entry, entry_of


def changed_heads(event: Mapping[str, Any]) -> list[Head]:
    """Return the new heads of the event, in its order."""
    found = []
    for record in event["Records"]:
        images = record["dynamodb"]
        if images.get("Keys", {}).get("sk", {}).get("S") != "HEAD" or "NewImage" not in images:
            continue
        head = head_of(unpack(images["NewImage"]))
        old = images.get("OldImage")
        if old is None or _shown(head) != _shown(head_of(unpack(old))):
            found.append(head)
    return found


def _shown(head: Head) -> Entry:
    """Return what the index would hold, whatever the revision."""
    return replace(entry_of(head), revision=0)
