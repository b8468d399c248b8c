"""POST /api/v1/project-memory/facts/{fact_id}/review/claim"""

from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.api.worklists import ClaimView
from muniment.bootstrap import now, reviews
from muniment.verbs.claim_review import claim_review
from muniment.verbs.fields import Where

app = create_app()


@app.post("/api/v1/project-memory/facts/<fact_id>/review/claim")
def route(fact_id: str) -> ClaimView:
    who = asked(app, query(app, Where), now())
    return ClaimView.of(claim_review(reviews(), who, fact_id))


handler = entrypoint(app, Action.REVIEW, with_body=False)
