"""Step of the sweep state machine: `{"next": …}` in, counts and the following `next` out."""

from muniment.bootstrap import facts, now, tenants
from muniment.verbs.sweep_projects import sweep_projects


def handler(event, context):
    return sweep_projects(tenants(), facts(), event.get("next"), now)
