"""Use case: somebody wants to know how much room is left (rows M-67, M-70 to M-72, M-88)."""

from __future__ import annotations

from muniment.domain.budget import Spending
from muniment.domain.caller import Asked
from muniment.domain.errors import NotFound
from muniment.verbs.ports import Budgets


def read_budget(budgets: Budgets, asked: Asked) -> Spending:
    """Return what the project used and may use. Raises NotFound."""
    spending = budgets.spending(asked.caller.tenant, asked.project)
    if spending is None:
        raise NotFound("no such project")
    return spending
