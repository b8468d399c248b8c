"""GET /api/v1/project-memory/context/{context_id}"""

from muniment.api.answers import ContextView
from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.bootstrap import contexts, facts, now
from muniment.verbs.fields import Where
from muniment.verbs.replay_context import replay_context

app = create_app()


@app.get("/api/v1/project-memory/context/<context_id>")
def route(context_id: str) -> ContextView:
    who = asked(app, query(app, Where), now())
    given = replay_context(facts(), contexts(), who, context_id)
    return ContextView.of(given.context_id, given.context, given.degraded)


handler = entrypoint(app, Action.READ)
