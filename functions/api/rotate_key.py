"""POST /api/v1/project-memory/keys/{key_id}/rotate"""

from muniment.api.app import Action, caller, create_app, entrypoint, query
from muniment.api.tenants import CreatedKey, MadeKeyView, created
from muniment.bootstrap import chance, now, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_keys import RotateKey, rotate_key

app = create_app()


@app.post("/api/v1/project-memory/keys/<key_id>/rotate")
def route(key_id: str, ask: RotateKey) -> CreatedKey:
    query(app, Nothing)
    moment = now()
    made = rotate_key(tenants(), caller(app), key_id, ask, chance(), moment)
    return created(MadeKeyView.made(made, moment))


handler = entrypoint(app, Action.READ, writes=False)
