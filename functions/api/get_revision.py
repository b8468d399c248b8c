"""GET /api/v1/project-memory/facts/{fact_id}/revisions/{number}"""

from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.api.views import RevisionView
from muniment.bootstrap import facts, now
from muniment.verbs.fields import Where
from muniment.verbs.get_revision import get_revision

app = create_app()


@app.get("/api/v1/project-memory/facts/<fact_id>/revisions/<number>")
def route(fact_id: str, number: int) -> RevisionView:
    who = asked(app, query(app, Where), now())
    return RevisionView.of(get_revision(facts(), who, fact_id, number))


handler = entrypoint(app, Action.READ)
