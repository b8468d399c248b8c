"""POST /api/v1/project-memory/facts/{fact_id}/erase"""

from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.api.worklists import CertificateView
from muniment.bootstrap import birth, erasure, now
from muniment.verbs.erase_fact import EraseFact, erase_fact
from muniment.verbs.fields import Where

app = create_app()


@app.post("/api/v1/project-memory/facts/<fact_id>/erase")
def route(fact_id: str, ask: EraseFact) -> CertificateView:
    who = asked(app, query(app, Where), now())
    return CertificateView.of(erase_fact(erasure(), who, fact_id, ask, birth(who.now)))


handler = entrypoint(app, Action.OWN)
