"""Step of the recount state machine: `{"next": …}` in, counts and the same out until it is null."""

from muniment.bootstrap import budgets, now
from muniment.verbs.recount_budgets import recount_budgets


def handler(event, context):
    return recount_budgets(budgets(), event.get("next"), now)
