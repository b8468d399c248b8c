"""GET /api/v1/project-memory/conflicts"""

from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.api.worklists import ConflictsView
from muniment.bootstrap import facts, now, signing_key
from muniment.verbs.list_conflicts import ListConflicts, list_conflicts

app = create_app()


@app.get("/api/v1/project-memory/conflicts")
def route() -> ConflictsView:
    ask = query(app, ListConflicts)
    who = asked(app, ask, now())
    return ConflictsView.of(list_conflicts(facts(), who, ask, signing_key()), who.now)


handler = entrypoint(app, Action.READ)
