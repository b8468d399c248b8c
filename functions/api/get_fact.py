"""GET /api/v1/project-memory/facts/{fact_id}"""

from muniment.api.answers import HistoryView
from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.bootstrap import facts, now
from muniment.verbs.get_fact import GetFact, get_fact

app = create_app()


@app.get("/api/v1/project-memory/facts/<fact_id>")
def route(fact_id: str) -> HistoryView:
    ask = query(app, GetFact)
    who = asked(app, ask, now())
    return HistoryView.of(*get_fact(facts(), who, fact_id, ask), who.now)


handler = entrypoint(app, Action.READ)
