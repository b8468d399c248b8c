"""POST /api/v1/project-memory/facts/{fact_id}/review/heartbeat"""

from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.api.worklists import ClaimView
from muniment.bootstrap import now, reviews
from muniment.verbs.fields import Where
from muniment.verbs.heartbeat_review import HoldingClaim, heartbeat_review

app = create_app()


@app.post("/api/v1/project-memory/facts/<fact_id>/review/heartbeat")
def route(fact_id: str, ask: HoldingClaim) -> ClaimView:
    who = asked(app, query(app, Where), now())
    return ClaimView.of(heartbeat_review(reviews(), who, fact_id, ask))


handler = entrypoint(app, Action.REVIEW)
