"""POST /api/v1/project-memory/projects/{project}/transfer"""

from muniment.api.app import Action, asked_in, create_app, entrypoint, query
from muniment.api.tenants import MemberView, member_view
from muniment.bootstrap import now, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_projects import TransferProject, transfer_project

app = create_app()


@app.post("/api/v1/project-memory/projects/<project>/transfer")
def route(project: str, ask: TransferProject) -> MemberView:
    query(app, Nothing)
    who = asked_in(app, project, now())
    return member_view(transfer_project(tenants(), who, ask), project, who.now)


handler = entrypoint(app, Action.OWN)
