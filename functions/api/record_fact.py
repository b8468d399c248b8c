"""POST /api/v1/project-memory/facts"""

from muniment.api.app import Action, asked, create_app, entrypoint, idempotency, query
from muniment.api.receipts import WrittenAnswer, written
from muniment.bootstrap import birth, budgets, facts, neighbours, now, signing_key
from muniment.verbs.fields import Where
from muniment.verbs.record_fact import RecordFact, record_fact

app = create_app()


@app.post("/api/v1/project-memory/facts")
def route(ask: RecordFact) -> WrittenAnswer:
    who = asked(app, query(app, Where), now())
    key = idempotency(who, ask, signing_key())
    done = record_fact(facts(), budgets(), neighbours(), who, ask, birth(who.now), key)
    return written(done, signing_key())


handler = entrypoint(app, Action.WRITE)
