"""Claims of reviewers: each step one conditional update of the head, no transaction.

A claim never changes what a fact says, so it makes no revision and the stream's reader skips it.
"""

from __future__ import annotations

from typing import Any

from muniment.adapters import items, keyspace
from muniment.adapters.dynamo_table import ConditionFailed, Table
from muniment.domain.caller import Asked
from muniment.domain.fact import WAITING, Head
from muniment.domain.review import ClaimLost

HERE = "#project = :project AND attribute_not_exists(#owner)"  # private facts are not reviewed
LIVE = "(attribute_not_exists(expires_at) OR expires_at > :now)"
FREE = "(attribute_not_exists(claim) OR claim.expires_at <= :now)"
HELD = "generation = :generation AND claim.holder = :holder AND claim.expires_at > :now"


class DynamoReviews:
    """The DynamoDB side of verbs.ports.Reviews."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def claim(self, asked: Asked, fact_id: str, *, until: int) -> Head:
        states = {f":state{at}": str(state) for at, state in enumerate(WAITING)}
        return self._update(
            asked,
            fact_id,
            "SET claim = :claim, generation = if_not_exists(generation, :none) + :one",
            f"{HERE} AND #state IN ({', '.join(states)}) AND {LIVE} AND {FREE}",
            {
                ":claim": {"holder": asked.caller.principal, "expires_at": until},
                ":none": 0,
                ":one": 1,
                ":now": asked.now,
                **states,
            },
            {"#state": "state"},
        )

    def prolong(self, asked: Asked, fact_id: str, generation: int, *, until: int) -> Head:
        values = {**_held(asked, generation), ":until": until}
        setting = "SET claim.expires_at = :until"
        return self._update(asked, fact_id, setting, f"{HERE} AND {HELD}", values, {})

    def release(self, asked: Asked, fact_id: str, generation: int) -> Head:
        values = _held(asked, generation)
        return self._update(asked, fact_id, "REMOVE claim", f"{HERE} AND {HELD}", values, {})

    def _update(
        self,
        asked: Asked,
        fact_id: str,
        expression: str,
        condition: str,
        values: dict[str, Any],
        names: dict[str, str],
    ) -> Head:
        try:
            item = self._table.update(
                keyspace.head_key(asked.caller.tenant, fact_id),
                expression,
                condition=condition,
                values={**values, ":project": asked.project},
                names={"#project": "project", "#owner": "owner", **names},
            )
        except ConditionFailed as failed:
            beaten = failed.items[0]
            raise ClaimLost(items.head_of(beaten) if beaten else None) from None
        return items.head_of(item)


def _held(asked: Asked, generation: int) -> dict[str, Any]:
    return {":generation": generation, ":holder": asked.caller.principal, ":now": asked.now}
