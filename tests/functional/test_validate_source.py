"""POST /validate, and hashes in search: stale is found at the read, never stored."""

from __future__ import annotations

from muniment import bootstrap
from tests.functional.authority import BORIS, OLGA, Desk, a_desk, labels_of  # noqa: F401


def test_given_a_changed_source_when_validated_then_its_stale_facts_are_named(desk: Desk) -> None:
    old = desk.remember("Old.", source_id="a.md", source_hash="h1").id
    desk.tick()
    unhashed = desk.remember("No hash.", source_id="a.md").id
    desk.remember("Present.", source_id="a.md", source_hash="h2")
    desk.remember("Elsewhere.", source_id="b.md", source_hash="h1")
    before = desk.dump()
    body = desk.validate("a.md", "h2").body
    assert (body["checked"], body["stale_count"]) == (3, 2)
    assert body["stale_ids"] == [old, unhashed]
    assert (body["conflict_count"], body["conflict_ids"]) == (0, [])
    assert desk.dump() == before


def test_given_a_contradiction_when_validated_then_the_sources_side_is_named(desk: Desk) -> None:
    mine = desk.remember("Port is 1.", fact_key="port", source_id="a.md", source_hash="h1").id
    desk.remember("Port is 2.", fact_key="port", source_id="b.md")
    body = desk.validate("a.md", "h1").body
    assert (body["stale_ids"], body["conflict_ids"]) == ([], [mine])


def test_given_what_left_results_or_is_not_ours_when_validated_then_not_counted(
    desk: Desk,
) -> None:
    gone = desk.remember("Gone.", source_id="a.md").id
    desk.retract(gone)
    expired = {"expires_at": "2026-05-29T00:00:00Z"}
    desk.remember("Expired.", source_id="a.md", **expired)
    desk.remember("Hers.", source_id="a.md", by=OLGA, audience="private")
    desk.tick(24 * 3_600_000)
    assert desk.validate("a.md", "h", by=BORIS).body["checked"] == 0
    assert desk.validate("a.md", "h", by=OLGA).body["checked"] == 1


def test_given_hashes_in_search_when_stale_then_labelled_or_left_out(desk: Desk) -> None:
    old = desk.remember("SSH port 22.", source_id="a.md", source_hash="h1").id
    new = desk.remember("The ssh daemon listens on 49222.", source_id="b.md").id
    hashes = {"a.md": "h2"}
    found = {i["fact"]["fact_id"]: i for i in desk.search("ssh port").items}
    assert "stale" not in found[old]["labels"]
    found = {
        i["fact"]["fact_id"]: i for i in desk.search("ssh port", current_source_hash=hashes).items
    }
    assert "stale" in found[old]["labels"]
    assert found[old]["fact"]["status"] == "stale"
    assert "stale" not in found[new]["labels"]
    strict = {"current_source_hash": hashes, "exclude_stale": True}
    left = [i["fact"]["fact_id"] for i in desk.search("ssh port", **strict).items]
    assert left == [new]
    text = desk.context("ssh port", current_source_hash=hashes).body["text"]
    assert f"fact {old} r1" in text
    assert "; stale" in text
    assert old not in desk.context("ssh port", **strict).body["text"]


def test_given_one_stale_side_when_searched_then_only_that_side_says_so(desk: Desk) -> None:
    old = desk.remember("Port is 1.", fact_key="port", source_id="a.md", source_hash="h1").id
    new = desk.remember("Port is 2.", fact_key="port", source_id="b.md", source_hash="h1").id
    for query in ("Port is 1", "Port is 2"):  # whichever side is found first
        hashes = {"current_source_hash": {"a.md": "h2", "b.md": "h1"}}
        (item,) = desk.search(query, **hashes).items
        labels = labels_of(item)
        assert ("stale" in labels[old], "stale" in labels[new]) == (True, False)
        (item,) = desk.search(query, exclude_stale=True, **hashes).items  # never one side alone
        assert set(labels_of(item)) == {old, new}
        both = {"current_source_hash": {"a.md": "h2", "b.md": "h2"}}
        assert desk.search(query, exclude_stale=True, **both).items == []


def test_given_chains_of_summaries_when_a_source_changes_then_all_of_them_are_stale(
    desk: Desk,
) -> None:
    ids = [desk.remember("Ground truth.", source_id="a.md", source_hash="h1").id]
    for level in range(7):
        ids.append(desk.remember(f"Summary {level}.", derived_from=[ids[-1]]).id)
    beside = desk.remember("Summary of nothing.").id
    hashes = {"a.md": "h2"}
    items = desk.search("summary", current_source_hash=hashes, limit=50).items
    stale = {i["fact"]["fact_id"] for i in items if "stale" in i["labels"]}
    assert stale == set(ids[1:])
    assert beside not in stale
    fresh = desk.search("summary", current_source_hash={"a.md": "h1"}, limit=50).items
    assert not any("stale" in item["labels"] for item in fresh)


def test_given_a_summary_when_a_source_of_it_conflicts_or_leaves_then_it_says_so(
    desk: Desk,
) -> None:
    one = desk.remember("Port is 1.", fact_key="port").id
    summary = desk.remember("About the port.", derived_from=[one]).id
    top = desk.remember("About about the port.", derived_from=[summary]).id
    assert desk.get(top).fact["status"] == "unverified"
    two = desk.remember("Port is 2.", fact_key="port").id
    for fact_id in (summary, top):
        shown = desk.get(fact_id).body
        assert (shown["fact"]["status"], shown["contradictions"]) == ("conflict", [])
        assert "conflict" in shown["labels"]
    desk.retract(two)
    assert desk.get(top).fact["status"] == "unverified"
    desk.retract(one)
    assert desk.get(top).fact["status"] == "stale"


def test_given_summaries_in_a_circle_when_a_source_changes_then_reading_ends(desk: Desk) -> None:
    ground = desk.remember("Ground truth.", source_id="a.md", source_hash="h1").id
    one = desk.remember("Summary one.", derived_from=[ground]).id
    two = desk.remember("Summary two.", derived_from=[one]).id
    bootstrap._table().update(  # no verb can close the circle
        (f"T#acme#F#{one}", "HEAD"), "SET derived_from = :ids", values={":ids": [ground, two]}
    )
    changed = desk.search("summary", current_source_hash={"a.md": "h2"}).items
    assert {(i["fact"]["fact_id"], "stale" in i["labels"]) for i in changed} == {
        (one, True),
        (two, True),
    }
    same = desk.search("summary", current_source_hash={"a.md": "h1"}).items
    assert not any("stale" in item["labels"] for item in same)
