"""POST /api/v1/project-memory/projects"""

from muniment.api.app import Action, caller, create_app, entrypoint, query
from muniment.api.tenants import CreatedProject, ProjectView, created
from muniment.bootstrap import now, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_projects import CreateProject, create_project

app = create_app()


@app.post("/api/v1/project-memory/projects")
def route(ask: CreateProject) -> CreatedProject:
    query(app, Nothing)
    return created(ProjectView.of(create_project(tenants(), caller(app), ask, now())))


handler = entrypoint(app, Action.OWN)
