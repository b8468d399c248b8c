"""DynamoDB stream of heads: changed facts go into the search index."""

from muniment.bootstrap import changed_heads, index, paid_embedder
from muniment.verbs.index_facts import index_facts


def handler(event, context):
    return {"indexed": index_facts(index(), paid_embedder(), changed_heads(event))}
