"""Step of the reconcile state machine: `{"next": …}` in, the same out until it is null."""

from muniment.bootstrap import facts, index, paid_embedder
from muniment.verbs.index_facts import reconcile_index


def handler(event, context):
    page = reconcile_index(facts(), index(), paid_embedder(), event.get("next"))
    return {"compared": page.compared, "repaired": page.repaired, "next": page.next}
