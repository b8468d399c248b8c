"""What every search index promises. Runs on SQLite and on a real OpenSearch."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Any

import pytest

from muniment.adapters.embedder import LocalEmbedder
from muniment.domain.errors import IndexUnavailable
from muniment.domain.fusion import fuse
from muniment.domain.place import PUBLIC, Coordinates, Layer, ValidAt
from muniment.domain.search import DEPTH, LISTS
from tests.builders import NOW, a_cell
from tests.contract.conftest import Engine
from tests.contract.index_entries import (
    TEXT,
    a_question,
    a_scope,
    a_tombstone,
    an_entry,
    ask,
    everywhere,
    found,
    pointing,
    scattered,
    store,
)

SPECIAL = r"""+ - = && || > < ! ( ) { } [ ] ^ " ~ * ? : \ / @ # % ' « » “ ” ` | ; , . _"""
NOTES = {
    "deploy": "Бэкенд выкатывается на прод из тега vX.Y.Z командой make deploy-prod.",
    "money": "All money is stored as integer cents, never as floats.",
    "backup": "Резервная копия базы снимается каждую ночь в три часа.",
    "lock": "LOCK_TIMEOUT of the importer is 30 seconds, see ops/importer.yaml.",
    "login": "Users sign in with a link sent by e-mail; there are no passwords.",
    "ticket": "AUTH-4291: refresh tokens were not revoked at sign-out.",
}

CELLS = {
    "here": a_cell(),
    "tenant": a_cell(tenant="globex"),
    "project": a_cell(project="web"),
    "prefix": a_cell(project="backend1"),
    "hyphen": a_cell(project="back-end"),
    "capital": a_cell(project="Backend"),
    "homoglyph": a_cell(project="b\u0430ckend"),
    "workspace": a_cell(workspace="other"),
    "private": a_cell(owner="olga"),
    "someone": a_cell(owner="igor"),
    "workplace": a_cell(valid_at=ValidAt(workplace="office")),
    "machine": a_cell(valid_at=ValidAt(machine="office")),
    "session": a_cell(layer=Layer.SESSION, thread="s1"),
    "other session": a_cell(layer=Layer.SESSION, thread="s2"),
    "task": a_cell(layer=Layer.TASK, thread="s1"),
    "objective": a_cell(layer=Layer.OBJECTIVE),
}
VISIBLE: list[tuple[dict[str, Any], set[str]]] = [
    ({}, {"here", "objective"}),
    ({"tenant": "globex"}, {"tenant"}),
    ({"project": "web"}, {"project"}),
    ({"project": "backend1"}, {"prefix"}),
    ({"project": "back-end"}, {"hyphen"}),
    ({"project": "Backend"}, {"capital"}),
    ({"project": "b\u0430ckend"}, {"homoglyph"}),
    ({"project": "back"}, set()),
    ({"tenant": "nobody"}, set()),
    ({"workspace": "other"}, {"workspace"}),
    ({"owners": ("olga",)}, {"private"}),
    ({"owners": (PUBLIC, "igor")}, {"here", "objective", "someone"}),
    ({"owners": ()}, set()),
    ({"coordinates": Coordinates(workplace="office")}, {"here", "objective", "workplace"}),
    ({"coordinates": Coordinates(machine="office")}, {"here", "objective", "machine"}),
    ({"coordinates": Coordinates(session="s1")}, {"here", "objective", "session"}),
    ({"coordinates": Coordinates(task="s1")}, {"here", "objective", "task"}),
    ({"coordinates": Coordinates(task="s2")}, {"here", "objective"}),
]
FILTERED: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["f1", "f2"]),
    ({"kind": "rule"}, ["f2"]),
    ({"kind": "howto"}, []),
    ({"min_trust": 4}, ["f2"]),
    ({"min_trust": 5}, []),
    ({"subject_id": "billing"}, ["f2"]),
    ({"scope": "ops"}, ["f2"]),
    ({"scope": "OPS"}, []),
    ({"now": NOW + 999}, ["f1", "f2"]),
    ({"now": NOW + 1_000}, ["f1"]),
    ({"kind": "rule", "scope": "ops", "now": NOW + 1_001}, []),
]
ANSWERS = {
    "как выкатить бэкенд на прод": "deploy",
    "how is money stored": "money",
    "когда делаются бэкапы базы данных": "backup",
    "LOCK_TIMEOUT": "lock",
    "lock timeout": "lock",
    "importer.yaml": "lock",
    "auth-4291": "ticket",
    "в чём хранятся деньги": "money",
    "when is the database backed up": "backup",
    "вход без пароля по ссылке из почты": "login",
}
ODD = [
    "",
    "   \n\t",
    "и в на the of",
    SPECIAL,
    "NEAR(a b) OR * ^ {cell}: -x",
    "\x00",
    "rotate\x00key",
    "\ud800 key",
    "🔥🚀",
    "שלום\u200f rotate",
    "e\u0301" * 300,
    unicodedata.normalize("NFD", "йод ёж"),
    " ".join(f"word{n} part-{n}" for n in range(2_000)),
    "a" * 40_000,
    "a-" * 5_000,
]


class TestWriting:
    def test_when_written_then_every_list_finds_it(self, engine: Engine) -> None:
        store(engine, an_entry("f1", revision=3), vectors=pointing())
        proposal = engine.index.propose(a_scope(), a_question(), pointing())
        assert found(proposal) == everywhere("f1")
        assert {hit.revision for hits in proposal.lists.values() for hit in hits} == {3}
        assert proposal.degraded == ()

    def test_given_a_later_revision_when_written_then_only_it_is_found(
        self, engine: Engine
    ) -> None:
        store(engine, an_entry(), vectors=pointing())
        store(engine, an_entry(revision=2, text="quite different words"))
        assert ask(engine) == everywhere()
        assert ask(engine, text="different")["words"] == ["f1"]

    @pytest.mark.parametrize("revision", [1, 2, 3])
    def test_given_revision_three_when_an_earlier_one_or_itself_comes_then_nothing_changes(
        self, engine: Engine, revision: int
    ) -> None:
        store(engine, an_entry(revision=3), vectors=pointing())
        store(engine, an_entry(revision=revision, text="late words"))
        assert ask(engine) == everywhere("f1")
        assert ask(engine, text="late")["words"] == []
        assert engine.index.revisions("acme", "backend", ["f1"]) == {"f1": 3}

    def test_given_a_tombstone_then_it_hides_the_fact_and_holds_against_late_writes(
        self, engine: Engine
    ) -> None:
        store(engine, an_entry(), vectors=pointing())
        store(engine, a_tombstone(revision=4))
        assert ask(engine) == everywhere()
        store(engine, an_entry(revision=3), vectors=pointing())
        assert ask(engine) == everywhere()
        assert engine.index.revisions("acme", "backend", ["f1"]) == {"f1": 4}

    def test_given_a_tombstone_when_a_later_revision_comes_then_the_fact_is_found_again(
        self, engine: Engine
    ) -> None:
        store(engine, a_tombstone(revision=4))
        store(engine, an_entry(revision=5), vectors=pointing())
        assert ask(engine) == everywhere("f1")

    def test_given_late_entries_in_a_batch_when_written_then_the_others_are_stored(
        self, engine: Engine
    ) -> None:
        store(engine, an_entry("f1", revision=2))
        store(engine, an_entry("f1", revision=1), an_entry("f2"), a_tombstone("f1", revision=1))
        assert engine.index.revisions("acme", "backend", ["f1", "f2"]) == {"f1": 2, "f2": 1}

    @pytest.mark.parametrize("e5", [[1.0, 0.0], [0.0] * 384], ids=["short", "zero"])
    def test_given_an_impossible_vector_in_a_batch_then_it_is_named_and_the_others_are_stored(
        self, engine: Engine, e5: list[float]
    ) -> None:
        good = pointing()
        with pytest.raises(IndexUnavailable, match="f2"):
            engine.index.write(
                [
                    (an_entry("f1"), good),
                    (an_entry("f2"), replace(good, e5=e5)),
                    (an_entry("f3"), good),
                ]
            )
        assert engine.index.revisions("acme", "backend", ["f1", "f2", "f3"]) == {"f1": 1, "f3": 1}

    def test_given_no_vectors_then_the_entry_is_found_by_its_words(self, engine: Engine) -> None:
        store(engine, an_entry())
        assert ask(engine) == {"words": ["f1"], "idents": ["f1"], "e5": [], "use": []}

    def test_when_a_revision_moves_to_another_cell_then_the_old_cell_lacks_it(
        self, engine: Engine
    ) -> None:
        store(engine, an_entry(), vectors=pointing())
        store(engine, an_entry(revision=2, cell=a_cell(workspace="other")), vectors=pointing())
        assert ask(engine) == everywhere()
        assert ask(engine, a_scope(workspace="other")) == everywhere("f1")

    def test_when_nothing_is_written_then_nothing_happens(self, engine: Engine) -> None:
        engine.index.write([])
        assert ask(engine) == everywhere()


class TestRevisions:
    def test_absent_facts_and_those_of_other_projects_are_left_out(self, engine: Engine) -> None:
        store(
            engine,
            an_entry("f1", revision=7),
            an_entry("f2", cell=a_cell(project="web")),
            an_entry("f3", cell=a_cell(tenant="globex")),
            a_tombstone("f4", revision=9),
        )
        asked = ["f1", "f2", "f3", "f4", "f5"]
        assert engine.index.revisions("acme", "backend", asked) == {"f1": 7, "f4": 9}
        assert engine.index.revisions("nobody", "backend", asked) == {}
        assert engine.index.revisions("acme", "backend", []) == {}

    def test_given_more_ids_than_one_request_takes_then_all_are_answered(
        self, engine: Engine
    ) -> None:
        ids = [f"f{n:04}" for n in range(1_200)]
        store(engine, *(an_entry(fact_id, text="") for fact_id in ids))
        assert engine.index.revisions("acme", "backend", ids) == dict.fromkeys(ids, 1)


class TestScope:
    """The same words and vectors everywhere: only the scope can tell the facts apart."""

    @pytest.fixture
    def filled(self, engine: Engine) -> Engine:
        entries = [an_entry(name, cell=cell) for name, cell in CELLS.items()]
        store(engine, *entries, vectors=pointing())
        return engine

    def test_each_scope_sees_its_own_facts_in_every_list(self, filled: Engine) -> None:
        for changes, expected in VISIBLE:
            answer = ask(filled, a_scope(**changes))
            seen = {name: set(ids) for name, ids in answer.items()}
            assert seen == dict.fromkeys(LISTS, expected), changes

    def test_given_another_cells_token_as_question_then_it_opens_nothing(
        self, filled: Engine
    ) -> None:
        token = CELLS["private"].token
        for text in (token, f"cell:{token}", f'" OR cell : "{token}'):
            answer = ask(filled, text=text)
            assert set(answer["words"] + answer["idents"]) <= {"here", "objective"}

    def test_given_a_narrow_scope_in_a_large_index_then_every_list_is_full(
        self, engine: Engine
    ) -> None:
        many = [an_entry(f"m{n:04}", text=f"{TEXT} now") for n in range(800)]
        few_cell = a_cell(layer=Layer.TASK, thread="t1", owner="olga")
        few = [an_entry(f"n{n:04}", cell=few_cell) for n in range(DEPTH + 20)]
        engine.index.write(list(zip(many, scattered(len(many), 0.0), strict=True)))
        engine.index.write(list(zip(few, scattered(len(few), 1.0), strict=True)))  # further away
        engine.settle()
        scope = a_scope(owners=("olga",), coordinates=Coordinates(task="t1"))
        answer = ask(engine, scope)
        assert {name: len(set(ids)) for name, ids in answer.items()} == dict.fromkeys(LISTS, DEPTH)
        assert all(fact_id.startswith("n") for ids in answer.values() for fact_id in ids)


class TestFilters:
    def test_each_filter_acts_in_every_list(self, engine: Engine) -> None:
        special = {"kind": "rule", "trust": 4, "subject_id": "billing", "scope": "ops"}
        rule = an_entry("f2", expires_at=NOW + 1_000, **special)
        store(engine, an_entry("f1"), rule, vectors=pointing())
        for asked, expected in FILTERED:
            answer = {name: sorted(ids) for name, ids in ask(engine, **asked).items()}
            assert answer == everywhere(*expected), asked

    def test_given_many_others_when_filtered_then_the_cut_comes_after_the_filter(
        self, engine: Engine
    ) -> None:
        others = [an_entry(f"o{n:03}") for n in range(DEPTH + 50)]
        store(engine, *others, vectors=pointing())
        store(engine, an_entry("rule", kind="rule"), vectors=pointing(1.5))
        assert ask(engine, kind="rule") == everywhere("rule")


class TestRanking:
    def test_nearer_vectors_come_first(self, engine: Engine) -> None:
        engine.index.write(
            [(an_entry(f"f{n}", text=""), pointing(angle)) for n, angle in enumerate([2, 0, 1, 3])]
        )
        engine.settle()
        answer = ask(engine)
        assert answer["e5"] == answer["use"] == ["f1", "f2", "f0", "f3"]
        assert answer["words"] == answer["idents"] == []

    def test_given_vectors_of_another_model_then_the_vector_lists_lack_them(
        self, engine: Engine
    ) -> None:
        engine.index.write(
            [(an_entry("old"), pointing(identity="old-model")), (an_entry("new"), pointing())]
        )
        engine.settle()
        answer = ask(engine)
        assert answer["e5"] == answer["use"] == ["new"]
        assert sorted(answer["words"]) == ["new", "old"]

    def test_given_no_vectors_in_the_question_then_words_answer_alone(self, engine: Engine) -> None:
        store(engine, an_entry(), vectors=pointing())
        proposal = engine.index.propose(a_scope(), a_question(), None)
        assert found(proposal) == {"words": ["f1"], "idents": ["f1"], "e5": [], "use": []}
        assert proposal.degraded == ()

    def test_a_list_ends_at_the_depth(self, engine: Engine) -> None:
        entries = [an_entry(f"f{n:03}") for n in range(DEPTH + 30)]
        engine.index.write(list(zip(entries, scattered(len(entries), 0.0), strict=True)))
        engine.settle()
        assert {len(ids) for ids in ask(engine).values()} == {DEPTH}


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


class TestLanguages:
    def test_russian_english_and_identifiers_find_their_note_first(
        self, engine: Engine, embedder: LocalEmbedder
    ) -> None:
        entries = [an_entry(name, text=text) for name, text in NOTES.items()]
        vectors = embedder.passages(list(NOTES.values()))
        engine.index.write(list(zip(entries, vectors, strict=True)))
        engine.settle()
        for text, expected in ANSWERS.items():
            proposal = engine.index.propose(a_scope(), a_question(text), embedder.query(text))
            assert next(iter(fuse(proposal.lists))) == expected, text


class TestOddText:
    def test_given_special_characters_then_the_exact_text_comes_first(self, engine: Engine) -> None:
        marks = list(enumerate(SPECIAL.split()))
        texts = {f"i{n}": f"chapter inner{n}{mark}part{n} ends" for n, mark in marks}
        texts |= {f"a{n}": f"chapter alone{n} {mark} ends" for n, mark in marks}
        texts |= {f"e{n}": f"{mark}edge{n}{mark}" for n, mark in marks}
        store(engine, *(an_entry(name, text=text) for name, text in texts.items()))
        for name, text in texts.items():
            proposal = engine.index.propose(a_scope(), a_question(text), None)
            assert next(iter(fuse(proposal.lists))) == name, text

    def test_given_odd_texts_then_they_are_stored_and_asked_without_a_fault(
        self, engine: Engine
    ) -> None:
        entries = [an_entry(f"odd{n:02}", text=text) for n, text in enumerate(ODD)]
        store(engine, *entries, an_entry("f1"), vectors=pointing())
        for text in ODD:
            proposal = engine.index.propose(a_scope(), a_question(text), pointing())
            assert proposal.degraded == ()
            assert len(found(proposal)["e5"]) == len(ODD) + 1, text[:20]
        assert ask(engine)["words"][0] == "f1"
