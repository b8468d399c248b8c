"""GET /api/v1/project-memory/facts/{fact_id}"""

from muniment.api.answers import HistoryView
from muniment.api.app import asked, create_app, entrypoint, query
from muniment.bootstrap import facts, now
from muniment.domain.caller import Action
from muniment.verbs.fields import Where
from muniment.verbs.get_fact import get_fact

app = create_app()


@app.get("/api/v1/project-memory/facts/<fact_id>")
def route(fact_id: str) -> HistoryView:
    who = asked(app, query(app, Where), now())
    return HistoryView.of(get_fact(facts(), who, fact_id), who.now)


handler = entrypoint(app, Action.READ)
