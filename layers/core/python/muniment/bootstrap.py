"""Build the real adapters once per execution environment. The only reader of the environment.

    MEMORY_TABLE         name of the table
    SIGNING_KEY          secret that seals cursors, tokens and request hashes
    OPENSEARCH_ENDPOINT  search engine of the cloud; empty: the SQLite index in SEARCH_FOLDER
    USAGE_PLANS          trial=ID,lean=ID,…: API Gateway's usage plans (operator's command only)

Imports stand inside the factories, so that a verb pays only for what it uses.
"""

from __future__ import annotations

import os
import secrets
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.domain.intake import Birth
from muniment.domain.ulid import RANDOM_BYTES, ulid

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from muniment.adapters.dynamo_budgets import DynamoBudgets
    from muniment.adapters.dynamo_keys import KnownKeys
    from muniment.adapters.dynamo_table import Table
    from muniment.adapters.dynamo_tenants import DynamoTenants
    from muniment.adapters.usage_plans import UsagePlans
    from muniment.domain.fact import Head
    from muniment.verbs.manage_keys import Chance
    from muniment.verbs.neighbours import Neighbours
    from muniment.verbs.paid_embedder import PaidEmbedder
    from muniment.verbs.ports import Contexts, Embedder, Erasure, Facts, Reviews, SearchIndex
    from muniment.verbs.read_context import Draw
    from muniment.verbs.search_facts import Search

SALT_BYTES = 32
BOUNDARY_BYTES = 16


def now() -> int:
    """Return the moment: Unix milliseconds, UTC."""
    return time.time_ns() // 1_000_000


def birth(moment: int) -> Birth:
    return Birth(ulid(moment, secrets.token_bytes(RANDOM_BYTES)), secrets.token_bytes(SALT_BYTES))


def chance() -> Chance:
    from muniment.domain.keys import draw
    from muniment.verbs.manage_keys import Chance

    return Chance(*draw(secrets.choice))


def draw(moment: int) -> Draw:
    from muniment.verbs.read_context import Draw

    context_id = ulid(moment, secrets.token_bytes(RANDOM_BYTES))
    return Draw(context_id, secrets.token_hex(BOUNDARY_BYTES))


def signing_key() -> str:
    return os.environ["SIGNING_KEY"]


@cache
def _table() -> Table:
    import boto3
    from botocore.config import Config

    from muniment.adapters.dynamo_table import Table

    patience = Config(connect_timeout=2, read_timeout=5, retries={"mode": "standard"})
    return Table(boto3.client("dynamodb", config=patience), os.environ["MEMORY_TABLE"])


@cache
def facts() -> Facts:
    from muniment.adapters.dynamo_facts import DynamoFacts

    return DynamoFacts(_table())


@cache
def budgets() -> DynamoBudgets:
    from muniment.adapters.dynamo_budgets import DynamoBudgets

    return DynamoBudgets(_table())


@cache
def erasure() -> Erasure:
    from muniment.adapters.dynamo_erasure import DynamoErasure

    return DynamoErasure(_table())


@cache
def reviews() -> Reviews:
    from muniment.adapters.dynamo_reviews import DynamoReviews

    return DynamoReviews(_table())


@cache
def neighbours() -> Neighbours:
    from muniment.verbs.neighbours import Neighbours

    return Neighbours(index())


@cache
def contexts() -> Contexts:
    from muniment.adapters.dynamo_contexts import DynamoContexts

    return DynamoContexts(_table())


@cache
def keys() -> KnownKeys:
    from muniment.adapters.dynamo_keys import KnownKeys

    return KnownKeys(_table())


@cache
def tenants() -> DynamoTenants:
    from muniment.adapters.dynamo_tenants import DynamoTenants

    return DynamoTenants(_table())


@cache
def embedder() -> Embedder:
    from muniment.adapters.embedder import LocalEmbedder

    return LocalEmbedder()


@cache
def paid_embedder() -> PaidEmbedder:
    from muniment.verbs.paid_embedder import PaidEmbedder

    return PaidEmbedder(embedder(), budgets(), now)


@cache
def usage_plans() -> UsagePlans | None:
    """Return API Gateway's usage plans; None where none are deployed, as on a laptop."""
    if not (named := os.environ.get("USAGE_PLANS")):
        return None
    import boto3

    from muniment.adapters.usage_plans import UsagePlans

    return UsagePlans.named(boto3.client("apigateway"), named)


@cache
def index() -> SearchIndex:
    if endpoint := os.environ.get("OPENSEARCH_ENDPOINT"):
        from muniment.adapters.opensearch_index import OpenSearchIndex, connect

        return OpenSearchIndex(connect(endpoint, os.environ.get("AWS_REGION")))
    if not os.environ.get("SEARCH_FOLDER"):
        from muniment.adapters.no_index import NoIndex

        return NoIndex()
    from muniment.adapters.sqlite_index import SqliteIndex

    return SqliteIndex(Path(os.environ["SEARCH_FOLDER"]))


def changed_heads(event: Mapping[str, Any]) -> list[Head]:
    """Return the heads of a stream event that the index must learn of."""
    from muniment.adapters.dynamo_stream import changed_heads

    return changed_heads(event)


@cache
def search() -> Search:
    from muniment.adapters.tokens import Tokens
    from muniment.verbs.search_facts import Search

    return Search(facts(), index(), embedder(), Tokens(), signing_key())
