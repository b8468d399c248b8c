"""POST /api/v1/project-memory/context"""

from muniment.api.answers import ContextView
from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.bootstrap import contexts, draw, now, search
from muniment.verbs.fields import Where
from muniment.verbs.read_context import ReadContext, read_context

app = create_app()


@app.post("/api/v1/project-memory/context")
def route(ask: ReadContext) -> ContextView:
    who = asked(app, query(app, Where), now())
    given = read_context(search(), contexts(), who, ask, draw(who.now))
    return ContextView.of(given.context_id, given.context, given.degraded)


handler = entrypoint(app, Action.READ)
