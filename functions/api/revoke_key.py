"""DELETE /api/v1/project-memory/keys/{key_id}"""

from muniment.api.app import Action, caller, create_app, entrypoint, query
from muniment.api.tenants import KeyView
from muniment.bootstrap import now, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_keys import revoke_key

app = create_app()


@app.delete("/api/v1/project-memory/keys/<key_id>")
def route(key_id: str) -> KeyView:
    query(app, Nothing)
    moment = now()
    return KeyView.of(revoke_key(tenants(), caller(app), key_id, moment), moment)


handler = entrypoint(app, Action.READ, writes=False)
