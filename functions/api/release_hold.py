"""POST /api/v1/project-memory/holds/{fact_id}/release"""

from muniment.api.app import Action, asked_everywhere, create_app, entrypoint, query
from muniment.api.tenants import HoldView
from muniment.bootstrap import facts, now, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_holds import ReleaseHold, release_hold

app = create_app()


@app.post("/api/v1/project-memory/holds/<fact_id>/release")
def route(fact_id: str, ask: ReleaseHold) -> HoldView:
    query(app, Nothing)
    who = asked_everywhere(app, now())
    return HoldView.of(release_hold(tenants(), facts(), who, fact_id, ask))


handler = entrypoint(app, Action.OWN)
