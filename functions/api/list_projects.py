"""GET /api/v1/project-memory/projects"""

from muniment.api.app import Action, caller, create_app, entrypoint, query
from muniment.api.tenants import ProjectsView
from muniment.bootstrap import now, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_projects import list_projects

app = create_app()


@app.get("/api/v1/project-memory/projects")
def route() -> ProjectsView:
    query(app, Nothing)
    return ProjectsView.of(list_projects(tenants(), tenants(), caller(app), now()))


handler = entrypoint(app, Action.READ)
