"""Use case: an owner erases what a fact said, everywhere, and gets a certificate (rule 10).

head: content out, salt burnt, revision n+1     (one transaction; from here nobody reads it)
every older revision: content out               (one update each; asking again goes on)
hashes and graves of its values: marked to go   (DynamoDB's TTL removes them)
"""

from __future__ import annotations

from dataclasses import replace

from muniment.domain.authority import author_of, check_not_held, consequences
from muniment.domain.caller import Asked
from muniment.domain.change import Change, Step, burial_of
from muniment.domain.erasure import BACKUP_DAYS, STREAM_HOURS, Certificate, Place, erased
from muniment.domain.errors import Malformed
from muniment.domain.fact import Head, State
from muniment.domain.intake import Birth, Grave, Settings
from muniment.verbs.changing import around, change_fact, known_form, visible
from muniment.verbs.fields import Flag, Reason
from muniment.verbs.ports import Erasure, Facts
from muniment.verbs.screened import Screened


class EraseFact(Screened):
    """Body of POST /facts/{fact_id}/erase. `keep_out`: the value may not come back."""

    reason: Reason
    keep_out: Flag = False


def erase_fact(
    facts: Erasure, asked: Asked, fact_id: str, ask: EraseFact, chance: Birth
) -> Certificate:
    """Erase. Raises OnHold, NotFound. Asking again finishes what a crash interrupted."""
    history = facts.history(asked.caller.tenant, known_form(fact_id, asked))
    head = visible(history.head if history else None, asked)
    assert history is not None
    check_not_held(head)
    if not head.salt and ask.keep_out:
        raise Malformed("the value is erased already: nobody knows it any more", field="keep_out")
    if head.salt:
        _empty_head(facts, asked, fact_id, ask, chance)
        # again: what was written between our reading and our erasing has content too
        history = facts.history(asked.caller.tenant, fact_id) or history
    derived = tuple(row.other for row in history.links if row.type == "derived")
    quotes = facts.erase_quotes(history, derived)  # first: later nobody knows what to look for
    emptied, traces = facts.erase_revisions(history, keep_graves=ask.keep_out, now=asked.now)
    places = _places(emptied, traces, quotes, len(derived))
    return Certificate(fact_id, asked.caller.principal, asked.now, ask.reason, places, derived)


def _empty_head(facts: Facts, asked: Asked, fact_id: str, ask: EraseFact, chance: Birth) -> None:
    by = author_of(asked.caller)

    def decide(head: Head, settings: Settings) -> Change:
        check_not_held(head)
        after = erased(head, by=by, reason=ask.reason, now=asked.now, salt=chance.salt)
        members, rivals = around(facts, head)
        step = Step(head, after, (after.newest,))
        change = consequences([step], members=members, rivals=rivals, by=by, now=asked.now)
        grave = Grave(fact_id, State.FORGOTTEN, ask.reason)
        burial = replace(burial_of(head, asked.now), grave=grave, by=by.principal)
        return replace(change, burials=(burial,) if ask.keep_out else ())

    change_fact(facts, asked, fact_id, None, decide)


def _places(emptied: int, traces: int, quotes: tuple[int, int], derived: int) -> tuple[Place, ...]:
    """Return every place that was visited, and those where old bytes age out by themselves."""
    removed, held = quotes
    kept = f", {held} kept by a legal hold" if held else ""
    return (
        Place("head", 1, "content and salt removed"),
        Place("revisions", emptied, "content removed, digests kept"),
        Place("hashes and tombstones of its values", traces, "marked to be removed within days"),
        Place("facts derived from it", derived, "shown as stale from now on"),
        Place("quotes of it in those", removed, f"removed{kept}"),
        Place("answers kept for idempotency", 0, "hold ids only"),
        Place("context log", 0, "holds ids and labels only"),
        Place("search index", 1, "a tombstone replaces the entry within seconds"),
        Place("stream", 1, f"old images age out within {STREAM_HOURS} hours"),
        Place("backups", 1, f"old bytes age out within {BACKUP_DAYS} days"),
    )
