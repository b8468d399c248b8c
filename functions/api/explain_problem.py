"""GET /api/v1/project-memory/problems/{code}"""

from muniment.api.app import create_app, entrypoint
from muniment.api.problem_docs import ProblemView, explained

app = create_app()


@app.get("/api/v1/project-memory/problems/<code>")
def route(code: str) -> ProblemView:
    return explained(code)


handler = entrypoint(app, None)
