"""Heads out of a DynamoDB stream event, without those whose change the index does not show.

A heartbeat, a claim or a publication changes a head but nothing that is searched: re-indexing it
would embed the same text again.
"""

from __future__ import annotations

import base64
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
        head = head_of(_image(images["NewImage"]))
        old = images.get("OldImage")
        if old is None or _shown(head) != _shown(head_of(_image(old))):
            found.append(head)
    return found


def _shown(head: Head) -> Entry:
    """Return what a question can find, whatever the revision and the state of live facts."""
    return replace(entry_of(head), revision=0, state="")


def _image(image: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item of the event in plain values; Lambda has made text of its bytes."""
    return unpack({name: _bytes(value) for name, value in image.items()})


def _bytes(value: Any) -> Any:
    if isinstance(value, list):
        return [_bytes(part) for part in value]
    if not isinstance(value, Mapping):
        return value
    if isinstance(value.get("B"), str):
        return {"B": base64.b64decode(value["B"])}
    return {name: _bytes(part) for name, part in value.items()}
