"""GET /api/v1/project-memory/review-queue"""

from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.api.worklists import QueueView
from muniment.bootstrap import facts, now, signing_key
from muniment.verbs.review_queue import ReviewQueue, review_queue

app = create_app()


@app.get("/api/v1/project-memory/review-queue")
def route() -> QueueView:
    ask = query(app, ReviewQueue)
    who = asked(app, ask, now())
    return QueueView.of(review_queue(facts(), who, ask, signing_key()), who.now)


handler = entrypoint(app, Action.REVIEW)
