"""GET /api/v1/project-memory/projects/{project}"""

from muniment.api.app import Action, asked_in, create_app, entrypoint, query
from muniment.api.tenants import ProjectView
from muniment.bootstrap import now, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_projects import read_project

app = create_app()


@app.get("/api/v1/project-memory/projects/<project>")
def route(project: str) -> ProjectView:
    query(app, Nothing)
    return ProjectView.of(read_project(tenants(), asked_in(app, project, now())))


handler = entrypoint(app, Action.READ)
