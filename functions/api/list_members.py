"""GET /api/v1/project-memory/projects/{project}/members"""

from muniment.api.app import Action, asked_in, create_app, entrypoint, query
from muniment.api.tenants import MembersView
from muniment.bootstrap import now, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_members import list_members

app = create_app()


@app.get("/api/v1/project-memory/projects/<project>/members")
def route(project: str) -> MembersView:
    query(app, Nothing)
    who = asked_in(app, project, now())
    return MembersView.of(list_members(tenants(), who), project, who.now)


handler = entrypoint(app, Action.READ)
