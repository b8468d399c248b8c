"""What lies beside facts in the table: keys, twins, graves, answers, settings.

T#{t}#P#{p}#H#{cell}#{sha}      HASH  fact that holds the very same statement, with a version
T#{t}#P#{p}#X#{place}#{sha}     GONE  why a value may not come back
T#{t}#P#{p}#K#{place}#{key}     KEY   live facts of a fact_key, with a version
T#{t}#P#{p}#I#{who}#{verb}#{k}  IDEM  what was answered to a request
T#{t}#P#{p}                     META  settings of the project
"""

from __future__ import annotations

from typing import Any

from muniment.adapters import keyspace
from muniment.domain.budget import Admission, Profile
from muniment.domain.change import Burial
from muniment.domain.contradiction import Member, Members
from muniment.domain.fact import Head
from muniment.domain.intake import Answer, Grave, Idempotency, Settings, Twin
from muniment.domain.moments import SECOND
from muniment.domain.place import Place, ValidAt
from muniment.domain.resemblance import Near

Item = dict[str, Any]
ABSENT = {"condition": "attribute_not_exists(pk)"}


def version_is(version: int) -> Item:
    """Return the condition that an item still has that version; 0: that it does not exist."""
    if version == 0:
        return ABSENT
    return {
        "condition": "#version = :version",
        "values": {":version": version},
        "names": {"#version": "version"},
    }


def burial_item(burial: Burial) -> Item:
    pk, sk = keyspace.grave_key(burial.place, burial.value)
    grave = burial.grave
    return {
        "pk": pk,
        "sk": sk,
        "fact_id": grave.fact_id,
        "state": str(grave.state),
        "reason": grave.reason,
        "by": burial.by,
        "at": burial.at,
    }


def members_put(members: Members) -> tuple[Item, Item]:
    """Return the item of a key's members; a conflict puts it into the worklist (by_queue)."""
    pk, sk = keyspace.members_key(members.place, members.fact_key)
    place = members.place
    item = {
        "pk": pk,
        "sk": sk,
        "fact_key": members.fact_key,
        "version": members.version + 1,
        "members": {
            fact_id: [bytes.fromhex(member.value), member.standing]
            for fact_id, member in members.facts.items()
        },
    }
    if members.is_conflict and not place.owner:
        worklist = f"{keyspace.project_pk(place.tenant, place.project)}#conflicts"
        item |= {"queue": worklist, "queued_at": min(members.facts)}
    return item, version_is(members.version)


def members_of(place: Place, fact_key: str, item: Item | None) -> Members:
    if item is None:
        return Members(place, fact_key, {})
    facts = {
        fact_id: Member(bytes(value).hex(), standing)
        for fact_id, (value, standing) in item["members"].items()
    }
    return Members(place, fact_key, facts, int(item["version"]))


def settings_of(item: Item | None) -> Settings | None:
    if item is None or "deleted_at" in item:
        return None
    return Settings(
        profile=Profile(item["profile"]),
        solo_publish=item.get("solo_publish", False),
        repo_revise=item.get("repo_revise", False),
        repo_strict=item.get("repo_strict", False),
        publish_on_corroboration=item.get("publish_on_corroboration", False),
        secret_policy=item.get("secret_policy", "by_verb"),
        extra_facts=int(item.get("extra_facts", 0)),
        extra_summary_units=int(item.get("extra_summary_units", 0)),
        extra_embedding_units=int(item.get("extra_embedding_units", 0)),
    )


def answer_put(place: Place, request: Idempotency, answer: Answer, now: int) -> tuple[Item, Item]:
    """Return the item that keeps an answer, and the condition that no answer is kept yet.

    DynamoDB's TTL may remove an item days late, so the condition reads the time itself.
    """
    pk, sk = keyspace.idempotency_key(place.tenant, place.project, request)
    item = {
        "pk": pk,
        "sk": sk,
        "request": bytes.fromhex(request.request),
        "fact_id": answer.fact_id,
        "revision": answer.revision,
        "reason": answer.admission.reason,
        "degraded": answer.admission.degraded or None,
        "repeat": answer.repeat or None,
        "near": None if answer.near is None else [[n.fact_id, n.similarity] for n in answer.near],
        "near_unknown": answer.near is None or None,
        "ttl": request.until // SECOND,
    }
    return item, {
        "condition": "attribute_not_exists(pk) OR #ttl <= :now",
        "values": {":now": now // SECOND},
        "names": {"#ttl": "ttl"},
    }


def answer_of(item: Item | None, now: int) -> Answer | None:
    if item is None or item["ttl"] <= now // SECOND:
        return None
    return Answer(
        request=bytes(item["request"]).hex(),
        fact_id=item["fact_id"],
        revision=int(item["revision"]),
        admission=Admission(item.get("degraded", False), item.get("reason")),
        repeat=item.get("repeat", False),
        near=None
        if "near_unknown" in item
        else tuple(Near(fact_id, int(likeness)) for fact_id, likeness in item.get("near", ())),
    )


def twin_of(item: Item | None) -> Twin | None:
    return Twin(item["fact_id"], int(item["version"])) if item else None


def grave_of(item: Item | None) -> Grave | None:
    if item is None or "reopened_at" in item:
        return None
    return Grave(item["fact_id"], item["state"], item["reason"])


def readable(source: Head | None, by: Head) -> bool:
    """Tell whether a fact may be built on: same project, seen by whoever reads the new one."""
    if source is None or not source.is_live(by.newest.recorded_at):
        return False
    theirs, place = source.cell.place, by.cell.place
    return theirs.project == place.project and theirs.owner in ("", place.owner)


def members_at(tenant: str, project: str, item: Item) -> Members:
    """Return the members of a KEY item whose place is told by its own key."""
    parts = str(item["pk"]).removeprefix(f"{keyspace.project_pk(tenant, project)}#K#").split("#")
    workspace, owner, where, fact_key = parts
    kind, _, name = where.partition(":")
    valid_at = ValidAt(**{kind: name}) if name else ValidAt()
    return members_of(Place(tenant, project, workspace, owner, valid_at), fact_key, item)
