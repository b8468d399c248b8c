"""POST /api/v1/project-memory/facts/{fact_id}/revisions"""

from muniment.api.app import Action, asked, create_app, entrypoint, idempotency, query
from muniment.api.receipts import WrittenAnswer, changed
from muniment.bootstrap import facts, now, signing_key
from muniment.verbs.fields import Where
from muniment.verbs.revise_fact import ReviseFact, revise_fact

app = create_app()


@app.post("/api/v1/project-memory/facts/<fact_id>/revisions")
def route(fact_id: str, ask: ReviseFact) -> WrittenAnswer:
    who = asked(app, query(app, Where), now())
    key = idempotency(who, ask, signing_key(), fact_id)
    return changed(revise_fact(facts(), who, fact_id, ask, key), signing_key(), worded=True)


handler = entrypoint(app, Action.WRITE)
