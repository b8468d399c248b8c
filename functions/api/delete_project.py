"""DELETE /api/v1/project-memory/projects/{project}"""

from muniment.api.app import Action, asked_in, create_app, entrypoint, query
from muniment.api.tenants import DeletedView
from muniment.bootstrap import now, tenants
from muniment.verbs.manage_projects import DeleteProject, delete_project

app = create_app()


@app.delete("/api/v1/project-memory/projects/<project>")
def route(project: str) -> DeletedView:
    ask = query(app, DeleteProject)
    delete_project(tenants(), asked_in(app, project, now()), ask)
    return DeletedView(project=project)


handler = entrypoint(app, Action.OWN)
