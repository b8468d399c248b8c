"""Use case: the source changed; which facts are now stale? A report, nothing is stored (W-36)."""

from __future__ import annotations

from functools import partial

from muniment.domain.caller import Asked
from muniment.domain.judgement import Judged
from muniment.domain.reports import Validated
from muniment.verbs.fields import Ask, SourceHash, SourceId
from muniment.verbs.get_fact import readable
from muniment.verbs.judging import judge
from muniment.verbs.ports import Facts

BATCH = 100  # facts judged at once


class ValidateSource(Ask):
    """Body of POST /validate: a source and the hash it has now."""

    source_id: SourceId
    current_source_hash: SourceHash


def validate_source(facts: Facts, asked: Asked, ask: ValidateSource) -> Validated:
    """Return what became stale or contradictory. A hash proves nothing else (row W-35)."""
    tenant, seen = asked.caller.tenant, partial(readable, asked=asked)
    ids = facts.of_source(tenant, asked.project, ask.source_id)
    hashes = {ask.source_id: ask.current_source_hash}
    judged: list[Judged] = []
    for start in range(0, len(ids), BATCH):
        heads = facts.heads(tenant, ids[start : start + BATCH]).values()
        live = [h for h in heads if h.is_live(asked.now) and seen(h.cell)]
        judged += judge(facts, live, seen, asked.now, hashes)
    return Validated(tuple(sorted(judged, key=lambda one: one.head.fact_id)))
