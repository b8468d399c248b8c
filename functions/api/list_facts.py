"""GET /api/v1/project-memory/facts"""

from muniment.api.answers import PageView
from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.bootstrap import facts, now, signing_key
from muniment.verbs.list_facts import ListFacts, list_facts

app = create_app()


@app.get("/api/v1/project-memory/facts")
def route() -> PageView:
    ask = query(app, ListFacts)
    return PageView.of(list_facts(facts(), asked(app, ask, now()), ask, signing_key()))


handler = entrypoint(app, Action.READ)
