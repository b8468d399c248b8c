"""DELETE /api/v1/project-memory/facts/{fact_id}"""

from muniment.api.app import Action, asked, create_app, entrypoint, idempotency, query
from muniment.api.worklists import ForgottenAnswer, forgotten
from muniment.bootstrap import facts, now, signing_key
from muniment.verbs.fields import Where
from muniment.verbs.forget_facts import ForgetFacts, forget_facts

app = create_app()


@app.delete("/api/v1/project-memory/facts/<fact_id>")
def route(fact_id: str) -> ForgottenAnswer:
    who = asked(app, query(app, Where), now())
    ask = ForgetFacts.model_construct(fact_id=fact_id)  # an id of no form is one that never was
    return forgotten(forget_facts(facts(), who, ask, idempotency(who, ask, signing_key())))


handler = entrypoint(app, Action.WRITE)
