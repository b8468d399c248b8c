"""POST /api/v1/project-memory/forget"""

from muniment.api.app import Action, asked, create_app, entrypoint, idempotency, query
from muniment.api.worklists import ForgottenAnswer, forgotten
from muniment.bootstrap import facts, now, signing_key
from muniment.verbs.fields import Where
from muniment.verbs.forget_facts import ForgetFacts, forget_facts

app = create_app()


@app.post("/api/v1/project-memory/forget")
def route(ask: ForgetFacts) -> ForgottenAnswer:
    who = asked(app, query(app, Where), now())
    key = idempotency(who, ask, signing_key())
    return forgotten(forget_facts(facts(), who, ask, key))


handler = entrypoint(app, Action.WRITE)
