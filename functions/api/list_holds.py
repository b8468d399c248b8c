"""GET /api/v1/project-memory/holds"""

from muniment.api.app import Action, caller, create_app, entrypoint, query
from muniment.api.tenants import HoldsView
from muniment.bootstrap import facts, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_holds import list_holds

app = create_app()


@app.get("/api/v1/project-memory/holds")
def route() -> HoldsView:
    query(app, Nothing)
    return HoldsView.of(list_holds(tenants(), facts(), caller(app)))


handler = entrypoint(app, Action.OWN)
