"""When another voice makes a fact more than one voice's word (rule 4).

Another principal, another source, nothing derived from the same facts, no model output. It moves
a candidate up the queue; it is not authority, unless the project's owner chose so (row D-11).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from muniment.domain.authority import transition
from muniment.domain.change import Change
from muniment.domain.contradiction import Members
from muniment.domain.fact import Corroboration, Head, State, Trust
from muniment.domain.forms import exact
from muniment.domain.intake import Settings
from muniment.domain.review import PUBLISHING


def says_the_same(one: Head, other: Head) -> bool:
    """Tell whether two facts hold the very same statement in the same cell."""
    mine, theirs = one.newest.content.statement, other.newest.content.statement
    return one.cell == other.cell and exact(mine) == exact(theirs)


def corroborates(voice: Head, fact: Head) -> bool:
    """Tell whether `voice` confirms `fact` independently; a source counts once."""
    said, known = voice.newest.content, fact.newest.content
    if said.source_id is None or fact.newest.state not in (State.CANDIDATE, State.CORROBORATED):
        return False
    sources = {known.source_id} | {c.source_id for c in fact.corroborations}
    voices = {fact.author.principal, fact.editor.principal}
    voices |= {c.principal for c in fact.corroborations}
    return (
        voice.author.principal not in voices
        and said.source_id not in sources
        and not set(said.derived_from) & set(known.derived_from)
        and fact.fact_id not in said.derived_from
        and Trust.MODEL_OUTPUT not in (voice.newest.trust, fact.newest.trust)
    )


def corroborated(
    fact: Head,
    voice: Head,
    settings: Settings,
    now: int,
    *,
    members: Members | None = None,
    rivals: Sequence[Head] = (),
) -> Change:
    """Return the change: a further revision with the confirming voice in its reason.

    `members` and `rivals` as in authority.transition; only a publication by policy needs them.
    """
    source = voice.newest.content.source_id or ""
    confirmed = Corroboration(voice.author.principal, source)
    reason = f"corroborated by {confirmed.principal} from {source}"
    states = [State.CORROBORATED]
    if settings.publish_on_corroboration:
        states += PUBLISHING
        reason += "; published by policy"
    else:
        members = None  # a claim it was, a claim it stays: its key need not know
    known = replace(fact, corroborations=(*fact.corroborations, confirmed))
    change = transition(
        known,
        states,
        by=voice.author,
        reason=reason,
        now=now,
        members=members,
        rivals=rivals,
    )
    own = replace(change.steps[0], before=fact)
    return replace(change, steps=(own, *change.steps[1:]))
