"""POST /api/v1/project-memory/keys"""

from muniment.api.app import Action, caller, create_app, entrypoint, query
from muniment.api.tenants import CreatedKey, MadeKeyView, created
from muniment.bootstrap import chance, now, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_keys import CreateKey, create_key

app = create_app()


@app.post("/api/v1/project-memory/keys")
def route(ask: CreateKey) -> CreatedKey:
    query(app, Nothing)
    moment = now()
    made = create_key(tenants(), tenants(), caller(app), ask, chance(), moment)
    return created(MadeKeyView.made(made, moment))


handler = entrypoint(app, Action.READ, writes=True)
