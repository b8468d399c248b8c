"""POST /api/v1/project-memory/search"""

from muniment.api.answers import ItemsView
from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.bootstrap import now, search
from muniment.verbs.fields import Where
from muniment.verbs.search_facts import SearchFacts, search_facts
from muniment.verbs.search_past import search_past

app = create_app()


@app.post("/api/v1/project-memory/search")
def route(ask: SearchFacts) -> ItemsView:
    who = asked(app, query(app, Where), now())
    if ask.as_of is None:
        found = search_facts(search(), who, ask, ask.limit)
    else:
        found = search_past(search(), who, ask, ask.limit, ask.as_of)
    return ItemsView.of(found.items, found.degraded, who.now)


handler = entrypoint(app, Action.READ)
