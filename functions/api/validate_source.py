"""POST /api/v1/project-memory/validate"""

from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.api.worklists import ValidatedView
from muniment.bootstrap import facts, now
from muniment.verbs.fields import Where
from muniment.verbs.validate_source import ValidateSource, validate_source

app = create_app()


@app.post("/api/v1/project-memory/validate")
def route(ask: ValidateSource) -> ValidatedView:
    who = asked(app, query(app, Where), now())
    found = validate_source(facts(), who, ask)
    return ValidatedView.of(found, ask.source_id, ask.current_source_hash)


handler = entrypoint(app, Action.READ)
