"""POST /api/v1/project-memory/remember"""

from muniment.api.app import Action, asked, create_app, entrypoint, idempotency, query
from muniment.api.receipts import WrittenAnswer, written
from muniment.bootstrap import birth, budgets, facts, neighbours, now, signing_key
from muniment.verbs.fields import Where
from muniment.verbs.remember import Remember, remember

app = create_app()


@app.post("/api/v1/project-memory/remember")
def route(ask: Remember) -> WrittenAnswer:
    who = asked(app, query(app, Where), now())
    key = idempotency(who, ask, signing_key())
    done = remember(facts(), budgets(), neighbours(), who, ask, birth(who.now), key)
    return written(done, signing_key())


handler = entrypoint(app, Action.WRITE)
