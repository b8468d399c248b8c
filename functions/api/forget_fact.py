"""DELETE /api/v1/project-memory/facts/{fact_id}"""

from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.api.worklists import ForgottenView
from muniment.bootstrap import facts, now
from muniment.verbs.fields import Where
from muniment.verbs.forget_facts import ForgetFacts, forget_facts

app = create_app()


@app.delete("/api/v1/project-memory/facts/<fact_id>")
def route(fact_id: str) -> ForgottenView:
    who = asked(app, query(app, Where), now())
    return ForgottenView.of(forget_facts(facts(), who, ForgetFacts(fact_id=fact_id), None))


handler = entrypoint(app, Action.WRITE)
