"""DELETE /api/v1/project-memory/projects/{project}/members/{principal}"""

from muniment.api.app import Action, asked_in, create_app, entrypoint, query
from muniment.api.tenants import RemovedView
from muniment.bootstrap import now, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_members import remove_member

app = create_app()


@app.delete("/api/v1/project-memory/projects/<project>/members/<principal>")
def route(project: str, principal: str) -> RemovedView:
    query(app, Nothing)
    remove_member(tenants(), asked_in(app, project, now()), principal)
    return RemovedView(principal=principal)


handler = entrypoint(app, Action.OWN)
