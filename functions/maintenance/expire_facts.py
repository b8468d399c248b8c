"""Step of the expire state machine: `{"start": …}` in, one hour swept, the next `start` out."""

from muniment.bootstrap import facts, now
from muniment.verbs.expire_facts import expire_hour


def handler(event, context):
    return expire_hour(facts(), event.get("start"), now())
