"""Use cases, one module a verb: the request model and what is done with it."""
