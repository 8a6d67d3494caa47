"""The paper's accuracies on trees counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texlift_paper.training.metrics import MODES, aligned, edit_distance, score_tree, summarise

GOLD = [0, 3, 0, 4, 5]  # (3, (4, 5))


def test_topology_given() -> None:
    score = score_tree([0, 3, 0, 4, 4], GOLD)
    assert score.full == pytest.approx(4 / 5)
    assert score.masked == pytest.approx(2 / 3)
    assert score.bag == pytest.approx(1 - 1 / 5)
    assert not score.exact


def test_padding_is_not_a_symbol() -> None:
    score = score_tree([0, 3, 1], [0, 3, 1])
    assert (score.symbols, score.right_symbols, score.nodes) == (1, 1, 3)


def test_free_running_compares_positions() -> None:
    predicted = [0, 0, 4, 5, 3]  # ((4, 5), 3): the same bag, other places
    placed = aligned(predicted, GOLD)
    assert placed == [0, 0, 3, -1, -1]
    score = score_tree(placed, GOLD, predicted)
    assert score.full == pytest.approx(1 / 5)
    assert score.masked == 0
    assert score.bag == 1


def test_unknown_is_no_answer() -> None:
    gold = [0, 2, 3]
    score = score_tree(gold, gold, gold)
    assert not score.exact and score.full == pytest.approx(2 / 3) and score.bag == pytest.approx(2 / 3)
    assert score.distance == 1
    assert score_tree(gold, gold, gold, copied=True).exact


def test_means_over_trees_and_over_nodes_differ() -> None:
    summary = summarise([score_tree([3], [3]), score_tree([0, 3, 0, 4, 4], GOLD)], MODES[0])
    assert summary.p_f == pytest.approx(90)
    assert summary.micro_p_f == pytest.approx(100 * 5 / 6)
    assert summary.exact == 50


def test_modes_are_never_mixed() -> None:
    with pytest.raises(ValueError, match="mode"):
        summarise([], "both")


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        ([3], [3], 0),
        ([3], [4], 1),
        (GOLD, [0, 3, 0, 4, 6], 1),
        (GOLD, [3], 4),
        ([0, 0, 3, 4, 5], GOLD, 2),
    ],
)
def test_edit_distance(first: list[int], second: list[int], distance: int) -> None:
    assert edit_distance(first, second) == distance
    assert edit_distance(second, first) == distance


def trees() -> st.SearchStrategy[list[int]]:
    leaves = st.integers(3, 5).map(lambda value: [value])
    return st.recursive(leaves, lambda kids: st.tuples(kids, kids).map(lambda pair: [0, *pair[0], *pair[1]]))


@given(trees(), trees())
def test_aligned_to_itself_is_exact(first: list[int], second: list[int]) -> None:
    assert aligned(first, first) == first
    score = score_tree(aligned(first, second), second, first)
    assert score.exact == (first == second)
    assert 0 <= score.bag <= 1
