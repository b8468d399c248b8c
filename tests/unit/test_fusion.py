"""Four lists become one ranking."""

import pytest

from muniment.domain.fusion import FLOOR, LONE, WEIGHTS, fuse, normal
from muniment.domain.search import DEPTH, LISTS, Hit


def hits(**scores: float) -> list[Hit]:
    return [Hit(fact_id, 1, score) for fact_id, score in scores.items()]


def test_the_weights_name_every_list_and_sum_to_one() -> None:
    assert set(WEIGHTS) == set(LISTS)
    assert sum(WEIGHTS.values()) == pytest.approx(1)
    assert DEPTH >= 100


def test_when_scores_spread_then_each_is_its_distance_from_the_mean() -> None:
    assert normal([3.0, 2.0, 1.0]) == pytest.approx([1.2247449, FLOOR, FLOOR])


def test_given_a_lone_hit_then_it_counts_two() -> None:
    assert normal([0.03]) == [LONE]


def test_given_equal_scores_then_each_counts_as_a_lone_hit() -> None:
    assert normal([7.5, 7.5, 7.5]) == [LONE] * 3


def test_given_no_hits_then_nothing_is_ranked() -> None:
    assert normal([]) == []
    assert fuse({"words": [], "e5": []}) == {}


def test_given_scores_of_any_scale_then_the_ranking_is_the_same() -> None:
    small = {"words": hits(a=0.3, b=0.2, c=0.1), "e5": hits(c=0.9, b=0.8, a=0.1)}
    large = {"words": hits(a=30.0, b=20.0, c=10.0), "e5": hits(c=9.0, b=8.0, a=1.0)}
    assert fuse(small) == pytest.approx(fuse(large))


def test_when_a_fact_is_in_two_lists_then_its_shares_add_up() -> None:
    fused = fuse({"words": hits(a=1.0), "idents": hits(a=1.0), "use": hits(b=1.0)})
    assert fused == pytest.approx(
        {"a": LONE * (WEIGHTS["words"] + WEIGHTS["idents"]), "b": LONE * WEIGHTS["use"]}
    )


def test_when_scores_are_equal_then_the_order_is_that_of_the_ids() -> None:
    assert list(fuse({"words": hits(b=1.0, a=1.0, c=1.0)})) == ["a", "b", "c"]


def test_given_a_hit_below_the_mean_then_it_still_outranks_one_not_found() -> None:
    fused = fuse({"words": hits(a=9.0, b=1.0, c=1.0)})
    assert list(fused) == ["a", "b", "c"]
    assert fused["b"] == pytest.approx(WEIGHTS["words"] * FLOOR)
