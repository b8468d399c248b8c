"""What only the OpenSearch index has to prove: faults inside an HTTP 200, a node gone or slow."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from opensearchpy import Urllib3AWSV4SignerAuth

from muniment.adapters.embedder import IDENTITY
from muniment.adapters.opensearch_index import IndexMismatch, OpenSearchIndex, connect
from muniment.adapters.opensearch_mapping import index_body
from muniment.domain.errors import IndexUnavailable
from muniment.domain.search import LISTS
from tests.contract.conftest import PATIENCE, Engine
from tests.contract.index_entries import (
    a_question,
    a_scope,
    an_entry,
    ask,
    everywhere,
    found,
    pointing,
    store,
)
from tests.contract.slow_proxy import Proxy


def test_the_contract_runs_on_a_real_opensearch(opensearch_client: Any) -> None:
    """The one test that is skipped, or fails on CI, where there is no node (see conftest)."""
    assert int(opensearch_client.info()["version"]["number"].split(".")[0]) >= 2


class SpoiledClient:
    """The real client; what it answers is changed on the way by `spoil`."""

    def __init__(self, client: Any, verb: str, spoil: Any) -> None:
        self._client, self._verb, self._spoil = client, verb, spoil

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._client, name)
        if name != self._verb:
            return real
        return lambda *args, **kwargs: self._spoil(real(*args, **kwargs))


class TestFaultsInsideAnAnswer:
    def test_given_one_list_that_fails_then_the_others_answer_and_it_is_named(
        self, opensearch_client: Any, alias: str
    ) -> None:
        """A real fault: the index has no field for one of the vectors."""
        body = index_body(alias, 1, 0)
        del body["mappings"]["properties"]["use"]
        opensearch_client.indices.create(index=f"{alias}-1", body=body)
        index = OpenSearchIndex(opensearch_client, alias=alias, patience=PATIENCE)
        index.write([(an_entry(), None)])
        opensearch_client.indices.refresh(index=alias)
        proposal = index.propose(a_scope(), a_question(), pointing())
        assert proposal.degraded == ("use",)
        assert found(proposal)["words"] == ["f1"]

    @pytest.mark.parametrize(
        "fault",
        [
            {"error": {"type": "x", "reason": "y"}, "status": 500},
            {"timed_out": True, "status": 200},
            {"_shards": {"failed": 1}, "status": 200},
        ],
        ids=["error", "timeout", "shard"],
    )
    def test_given_a_fault_in_one_answer_then_that_list_is_empty_and_named(
        self, opensearch_client: Any, opensearch_engine: Engine, alias: str, fault: Any
    ) -> None:
        store(opensearch_engine, an_entry(), vectors=pointing())
        for at, name in enumerate(LISTS):

            def spoil(answer: Any, at: int = at) -> Any:
                answer["responses"][at] = {**answer["responses"][at], **fault}
                return answer

            spoiled: Any = SpoiledClient(opensearch_client, "msearch", spoil)
            index = OpenSearchIndex(spoiled, alias=alias, patience=PATIENCE)
            proposal = index.propose(a_scope(), a_question(), pointing())
            assert proposal.degraded == (name,)
            assert found(proposal) == {**everywhere("f1"), name: []}

    def test_given_every_list_fails_then_the_index_is_unavailable(
        self, opensearch_client: Any, alias: str
    ) -> None:
        index = OpenSearchIndex(opensearch_client, alias=alias, patience=PATIENCE)
        with pytest.raises(IndexUnavailable, match="index_not_found"):
            index.propose(a_scope(), a_question(), pointing())

    def test_a_refused_item_is_success_only_when_its_revision_is_there(
        self, opensearch_client: Any, opensearch_engine: Engine, alias: str
    ) -> None:
        entries = [(an_entry(name), None) for name in ("f1", "f2", "f3")]
        self.index_that_refuses_the_second(opensearch_client, alias, 409).write(entries)
        for status in (429, 503):
            with pytest.raises(IndexUnavailable, match=r"f2: busy") as refused:
                self.index_that_refuses_the_second(opensearch_client, alias, status).write(entries)
            assert "f1" not in str(refused.value)

    def index_that_refuses_the_second(self, client: Any, alias: str, status: int) -> Any:
        def spoil(answer: Any) -> Any:
            answer["items"][1]["index"] |= {"status": status, "error": {"type": "busy"}}
            return answer

        spoiled: Any = SpoiledClient(client, "bulk", spoil)
        return OpenSearchIndex(spoiled, alias=alias)

    def test_given_a_failed_single_read_then_revisions_are_unavailable(
        self, opensearch_client: Any, alias: str
    ) -> None:
        index = OpenSearchIndex(opensearch_client, alias=alias)
        with pytest.raises(IndexUnavailable):
            index.revisions("acme", "backend", ["f1"])


class TestNode:
    @pytest.fixture
    def proxy(self, opensearch_endpoint: str) -> Iterator[Proxy]:
        proxy = Proxy(opensearch_endpoint)
        proxy.open()
        yield proxy
        proxy.close()

    def test_given_a_node_gone_slow_or_back_then_searches_end_in_time_and_recover(
        self, opensearch_engine: Engine, alias: str, proxy: Proxy
    ) -> None:
        store(opensearch_engine, an_entry(), vectors=pointing())
        client = connect(proxy.url)
        index = OpenSearchIndex(client, alias=alias)
        self.expect_answer(index)
        proxy.delay = 30.0
        began = time.monotonic()
        with pytest.raises(IndexUnavailable):
            index.propose(a_scope(), a_question(), pointing())
        assert 1.0 < time.monotonic() - began < 6.0  # 1.5, and what a busy machine adds
        proxy.delay = 0.0
        self.expect_answer(index)
        proxy.close()
        for use in (
            lambda: index.propose(a_scope(), a_question(), pointing()),
            lambda: index.write([(an_entry(revision=2), None)]),
            lambda: index.revisions("acme", "backend", ["f1"]),
        ):
            began = time.monotonic()
            with pytest.raises(IndexUnavailable):
                use()
            assert time.monotonic() - began < 3.0
        proxy.open()
        self.expect_answer(index)
        client.close()

    def expect_answer(self, index: OpenSearchIndex) -> None:
        """A busy machine may need a second attempt; a client that gave up would need all."""
        for attempt in range(5):
            try:
                assert found(index.propose(a_scope(), a_question(), pointing()))["e5"] == ["f1"]
                return
            except IndexUnavailable:
                if attempt == 4:
                    raise


class TestEnsure:
    def test_when_nothing_is_there_then_the_first_write_makes_the_index_and_the_alias(
        self, opensearch_client: Any, alias: str
    ) -> None:
        OpenSearchIndex(opensearch_client, alias=alias).write([(an_entry(), pointing())])
        assert list(opensearch_client.indices.get_alias(name=alias)) == [f"{alias}-1"]
        mapping = opensearch_client.indices.get_mapping(index=alias)[f"{alias}-1"]["mappings"]
        assert mapping["dynamic"] == "strict"
        assert mapping["_routing"] == {"required": True}
        assert mapping["_meta"]["identity"] == IDENTITY

    def test_when_called_again_then_nothing_changes(
        self, opensearch_client: Any, opensearch_engine: Engine, alias: str
    ) -> None:
        store(opensearch_engine, an_entry(), vectors=pointing())
        OpenSearchIndex(opensearch_client, alias=alias).ensure()
        assert ask(opensearch_engine) == everywhere("f1")

    def test_given_an_index_lost_between_two_writes_then_the_next_but_one_makes_it_again(
        self, opensearch_client: Any, opensearch_engine: Engine, alias: str
    ) -> None:
        store(opensearch_engine, an_entry())
        opensearch_client.indices.delete(index=f"{alias}-1")
        with pytest.raises(IndexUnavailable):
            opensearch_engine.index.write([(an_entry(), None)])
        assert not opensearch_client.indices.exists(index=alias)  # no index of a guessed mapping
        store(opensearch_engine, an_entry())
        assert ask(opensearch_engine)["words"] == ["f1"]

    def test_given_vectors_of_another_model_then_the_start_fails_and_words_still_answer(
        self, opensearch_client: Any, alias: str
    ) -> None:
        body = index_body(alias, 1, 0)
        body["mappings"]["_meta"]["identity"] = "another-model/1024"
        for name in ("e5", "use"):
            body["mappings"]["properties"][name]["dimension"] = 1024
        opensearch_client.indices.create(index=f"{alias}-1", body=body)
        index = OpenSearchIndex(opensearch_client, alias=alias, patience=PATIENCE)
        index.write([(an_entry(), None)])
        opensearch_client.indices.refresh(index=alias)
        with pytest.raises(IndexMismatch, match=r"another-model/1024.*create a new index"):
            index.ensure()
        proposal = index.propose(a_scope(), a_question(), pointing())
        assert found(proposal) == {"words": ["f1"], "idents": ["f1"], "e5": [], "use": []}
        assert proposal.degraded == ("e5", "use")


@pytest.mark.parametrize(
    ("endpoint", "signed"),
    [
        ("https://search-x.eu-central-1.es.amazonaws.com", True),
        ("https://x.eu-central-1.aoss.amazonaws.com", True),
        ("https://x.amazonaws.com.evil.example", False),
        ("http://127.0.0.1:4610", False),
    ],
)
def test_only_an_https_endpoint_of_aws_is_signed(endpoint: str, signed: bool) -> None:
    client = connect(endpoint, "eu-central-1")
    auth = client.transport.hosts, client.transport.kwargs.get("http_auth")
    assert isinstance(auth[1], Urllib3AWSV4SignerAuth) is signed
    assert client.transport.max_retries == 0
    client.close()
