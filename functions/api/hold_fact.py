"""POST /api/v1/project-memory/facts/{fact_id}/hold"""

from muniment.api.app import Action, asked, create_app, entrypoint, idempotency, query
from muniment.api.receipts import WrittenAnswer, changed
from muniment.bootstrap import facts, now, signing_key
from muniment.verbs.fields import Where
from muniment.verbs.hold_fact import HoldFact, hold_fact

app = create_app()


@app.post("/api/v1/project-memory/facts/<fact_id>/hold")
def route(fact_id: str, ask: HoldFact) -> WrittenAnswer:
    who = asked(app, query(app, Where), now())
    key = idempotency(who, ask, signing_key(), fact_id)
    return changed(hold_fact(facts(), who, fact_id, ask, key), signing_key())


handler = entrypoint(app, Action.OWN)
