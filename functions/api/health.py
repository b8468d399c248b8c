"""GET /api/v1/project-memory/health"""

from muniment.api.app import create_app, entrypoint

app = create_app()


@app.get("/api/v1/project-memory/health")
def route() -> dict[str, str]:
    return {"status": "ok"}


handler = entrypoint(app, None)
