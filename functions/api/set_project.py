"""PATCH /api/v1/project-memory/projects/{project}"""

from muniment.api.app import Action, asked_in, create_app, entrypoint, query
from muniment.api.tenants import ProjectView
from muniment.bootstrap import now, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_projects import SetProject, set_project

app = create_app()


@app.patch("/api/v1/project-memory/projects/<project>")
def route(project: str, ask: SetProject) -> ProjectView:
    query(app, Nothing)
    return ProjectView.of(set_project(tenants(), asked_in(app, project, now()), ask))


handler = entrypoint(app, Action.OWN)
