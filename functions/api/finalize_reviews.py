"""POST /api/v1/project-memory/review/finalize"""

from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.api.worklists import OutcomesView
from muniment.bootstrap import facts, now
from muniment.verbs.fields import Where
from muniment.verbs.finalize_review import FinalizeReviews, finalize_reviews

app = create_app()


@app.post("/api/v1/project-memory/review/finalize")
def route(ask: FinalizeReviews) -> OutcomesView:
    who = asked(app, query(app, Where), now())
    return OutcomesView.of(finalize_reviews(facts(), who, ask))


handler = entrypoint(app, Action.REVIEW)
