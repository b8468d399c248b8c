"""The search index of the cloud: one pooled OpenSearch index behind an alias.

    document   _id = tenant#project#fact   routing = tenant#project   version = revision (external)
    tombstone  the same without cell, text and vectors: no filter ever selects it
    question   one _msearch of four sub-queries; every one carries the whole filter inside

OpenSearch answers HTTP 200 when single items or sub-queries failed: each answer is read here.
Nothing is retried here; who called retries with its own delay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from muniment.adapters import tokens
from muniment.adapters.embedder import IDENTITY
from muniment.adapters.opensearch_mapping import index_body
from muniment.adapters.opensearch_query import (
    ANSWER,
    fault,
    found_hits,
    queries,
    request,
    short,
)
from muniment.domain.errors import IndexUnavailable
from muniment.domain.place import Scope
from muniment.domain.search import Entry, Proposal, Question, Vectors

ALIAS = "muniment-facts"
PATIENCE = 1.5  # seconds
WRITE_WAIT = 15.0  # seconds
BULK = 200  # entries a request: about 2 MB
IDS = 500  # ids a request

_BULK_ANSWER = "items.index._id,items.index.status,items.index.error"
_STORED = 409  # this revision or a later one is there already


class IndexMismatch(Exception):
    """The index cannot hold this release's vectors. The message says what to do."""


class OpenSearchIndex:
    """The index of muniment.verbs.ports over an opensearchpy client.

    `patience` is how long a search may take, in seconds: then it goes on without the index.
    """

    def __init__(self, client: Any, *, alias: str = ALIAS, patience: float = PATIENCE) -> None:
        self._client, self._alias, self._patience = client, alias, patience
        self._there = False  # an index behind the alias was seen

    def ensure(self, *, shards: int = 3, replicas: int = 1) -> None:
        """Create index and alias if there are none. Raises IndexMismatch, IndexUnavailable."""
        self._there = False
        self._create_once(shards, replicas)
        with _answering():
            mappings = self._client.indices.get_mapping(index=self._alias)
        for name, found in mappings.items():
            held = found["mappings"].get("_meta", {}).get("identity")
            if held != IDENTITY:
                raise IndexMismatch(
                    f"index {name} holds vectors of {held}, this release makes {IDENTITY}:"
                    f" create a new index, point alias {self._alias} to it and reconcile."
                    " Until then questions are answered by words alone."
                )

    def write(self, entries: Sequence[tuple[Entry, Vectors | None]]) -> None:
        self._create_once()
        refused: list[str] = []
        for start in range(0, len(entries), BULK):
            refused += self._bulk(entries[start : start + BULK])
        if refused:
            self._there = False  # perhaps the index is gone: look again next time
            raise IndexUnavailable("not indexed: " + "; ".join(refused))

    def propose(self, scope: Scope, question: Question, vectors: Vectors | None) -> Proposal:
        asked = queries(scope, question, vectors)
        if not asked:
            return Proposal({})
        answers = dict(zip(asked, self._search(scope, list(asked.values())), strict=True))
        faults = {name: fault(answer) for name, answer in answers.items() if fault(answer)}
        if len(faults) == len(asked):
            raise IndexUnavailable(f"every query failed: {faults}")
        lists = {
            name: [] if name in faults else found_hits(answer) for name, answer in answers.items()
        }
        return Proposal(lists, degraded=tuple(faults))

    def revisions(self, tenant: str, project: str, fact_ids: Sequence[str]) -> Mapping[str, int]:
        found: dict[str, int] = {}
        routing = _routing(tenant, project)
        for start in range(0, len(fact_ids), IDS):
            some = fact_ids[start : start + IDS]
            docs = [
                {"_id": f"{routing}#{fact_id}", "routing": routing, "_source": False}
                for fact_id in some
            ]
            with _answering():
                answer = self._client.mget(
                    index=self._alias, body={"docs": docs}, params={"request_timeout": WRITE_WAIT}
                )
            found |= _versions(some, answer["docs"])
        return found

    def _create_once(self, shards: int = 3, replicas: int = 1) -> None:
        with _answering():
            if not self._there and not self._client.indices.exists_alias(name=self._alias):
                self._create(index_body(self._alias, shards, replicas))
        self._there = True

    def _create(self, body: dict[str, Any]) -> None:
        from opensearchpy.exceptions import RequestError

        try:
            self._client.indices.create(index=f"{self._alias}-1", body=body)
        except RequestError as error:
            if error.error != "resource_already_exists_exception":  # another process was faster
                raise

    def _bulk(self, entries: Sequence[tuple[Entry, Vectors | None]]) -> list[str]:
        """Send the entries and return what the server said of each that it refused."""
        lines: list[dict[str, Any]] = []
        for entry, vectors in entries:
            lines += [{"index": _address(entry)}, _document(entry, vectors)]
        params = {
            "require_alias": "true",  # otherwise a missing alias becomes an index by itself
            "filter_path": _BULK_ANSWER,
            "request_timeout": WRITE_WAIT,
        }
        with _answering():
            answer = self._client.bulk(body=lines, index=self._alias, params=params)
        items = [item["index"] for item in answer["items"]]
        return [
            f"{item['_id']}: {item['error']['type']}: {item['error'].get('reason', '')}"
            for item in items
            if "error" in item and item["status"] != _STORED
        ]

    def _search(self, scope: Scope, asked: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        header = {"index": self._alias, "routing": _routing(scope.tenant, scope.project)}
        lines = [line for query in asked for line in (header, request(query, self._patience))]
        params = {"filter_path": ANSWER, "request_timeout": self._patience}
        with _answering():
            answers: list[dict[str, Any]] = self._client.msearch(body=lines, params=params)[
                "responses"
            ]
        return answers


def connect(endpoint: str, region: str | None = None) -> Any:
    """Return a client of `endpoint` that neither retries nor waits longer than a write may.

    An https endpoint of AWS is signed with the environment's credentials; `region` is needed
    there. Anything else is called as it is (user and password may stand in the address).
    """
    from opensearchpy import OpenSearch, Urllib3AWSV4SignerAuth, Urllib3HttpConnection

    address = urlsplit(endpoint)
    host = address.hostname or ""
    auth = None
    if address.scheme == "https" and host.endswith(".amazonaws.com"):
        from boto3.session import Session

        service = "aoss" if ".aoss." in host else "es"
        session: Any = Session  # boto3 is untyped
        auth = Urllib3AWSV4SignerAuth(session().get_credentials(), region, service)
    return OpenSearch(
        hosts=[endpoint],
        http_auth=auth,
        connection_class=Urllib3HttpConnection,
        timeout=WRITE_WAIT,
        max_retries=0,
        retry_on_timeout=False,
    )


@contextmanager
def _answering() -> Iterator[None]:
    from opensearchpy.exceptions import OpenSearchException

    try:
        yield
    except OpenSearchException as error:
        raise IndexUnavailable(f"OpenSearch: {error}") from error


def _routing(tenant: str, project: str) -> str:
    return f"{tenant}#{project}"


def _address(entry: Entry) -> dict[str, Any]:
    routing = _routing(entry.cell.place.tenant, entry.cell.place.project)
    return {
        "_id": f"{routing}#{entry.fact_id}",
        "routing": routing,
        "version": entry.revision,
        "version_type": "external",
    }


def _document(entry: Entry, vectors: Vectors | None) -> dict[str, Any]:
    place = entry.cell.place
    document: dict[str, Any] = {
        "tenant": place.tenant,
        "project": place.project,
        "fact_id": entry.fact_id,
        "revision": entry.revision,
        "gone": entry.gone,
    }
    if entry.gone:
        return document
    document |= {
        "cell": entry.token,
        "kind": entry.kind,
        "state": entry.state,
        "trust": entry.trust,
        "subject_id": entry.subject_id,
        "scope": entry.scope,
        "expires_at": entry.expires_at,
        "words": " ".join(tokens.words(entry.text)),
        "idents": " ".join(tokens.idents(entry.text)),
    }
    if vectors:
        document |= {
            "identity": vectors.identity,
            "e5": short(vectors.e5),
            "use": short(vectors.use),
        }
    return document


def _versions(fact_ids: Sequence[str], docs: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return fact id -> version. Raises IndexUnavailable where a single read failed."""
    for doc in docs:
        if "error" in doc:
            raise IndexUnavailable(f"{doc['_id']}: {doc['error'].get('type')}")
    return {
        fact_id: doc["_version"]
        for fact_id, doc in zip(fact_ids, docs, strict=True)
        if doc.get("found")
    }
