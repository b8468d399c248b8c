"""GET /api/v1/project-memory/keys"""

from muniment.api.app import Action, caller, create_app, entrypoint, query
from muniment.api.tenants import KeysView
from muniment.bootstrap import now, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_keys import list_keys

app = create_app()


@app.get("/api/v1/project-memory/keys")
def route() -> KeysView:
    query(app, Nothing)
    moment = now()
    return KeysView.of(list_keys(tenants(), caller(app), moment), moment)


handler = entrypoint(app, Action.READ)
