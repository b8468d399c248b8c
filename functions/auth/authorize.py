"""REQUEST authorizer: an API key becomes a caller, or the request ends here."""

from muniment.api.authorizer import policy
from muniment.bootstrap import keys, now


def handler(event, context):
    return policy(event, keys(), now())
