"""GET /api/v1/project-memory/budget"""

from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.api.budgets import BudgetView
from muniment.bootstrap import budgets, now
from muniment.verbs.fields import Where
from muniment.verbs.read_budget import read_budget

app = create_app()


@app.get("/api/v1/project-memory/budget")
def route() -> BudgetView:
    who = asked(app, query(app, Where), now())
    return BudgetView.of(who.project, read_budget(budgets(), who))


handler = entrypoint(app, Action.READ)
