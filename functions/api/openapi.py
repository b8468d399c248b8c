"""GET /api/v1/project-memory/openapi.json"""

from muniment.api.app import create_app, entrypoint
from muniment.api.openapi import OpenApiAnswer, document

app = create_app()


@app.get("/api/v1/project-memory/openapi.json")
def route() -> OpenApiAnswer:
    return document()


handler = entrypoint(app, None)
