"""GET /api/v1/project-memory/timeline"""

from muniment.api.app import Action, asked, create_app, entrypoint, query
from muniment.api.worklists import TimelineView
from muniment.bootstrap import facts, now, signing_key
from muniment.verbs.read_timeline import ReadTimeline, read_timeline

app = create_app()


@app.get("/api/v1/project-memory/timeline")
def route() -> TimelineView:
    ask = query(app, ReadTimeline)
    who = asked(app, ask, now())
    return TimelineView.of(read_timeline(facts(), who, ask, signing_key()))


handler = entrypoint(app, Action.READ)
