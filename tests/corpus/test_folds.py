import subprocess
import sys
from collections import Counter

import pytest

from texlift.corpus.folds import assign_folds, check_folds, formula_fold, section_fold, split_fold
from texlift.corpus.pair import Pair
from texlift.errors import TexliftError

PAIRS = [Pair(str(n), f"x_{{{n % 300}}}", "y", section=f"1.{n % 40}") for n in range(900)]


def test_equal_formulae_share_a_fold_and_folds_are_about_equal() -> None:
    pairs = assign_folds(PAIRS)
    check_folds(pairs)
    sizes = Counter(pair.fold for pair in pairs)
    assert set(sizes) == set(range(10))
    assert max(sizes.values()) < 3 * min(sizes.values())
    assert len({(pair.section, pair.section_fold) for pair in pairs}) == 40


def test_spaces_do_not_make_another_formula() -> None:
    assert formula_fold(r"a + b") == formula_fold("a+b")


def test_folds_are_the_same_in_every_process() -> None:
    code = "from texlift.corpus.folds import *; print(formula_fold('x^{2}'), section_fold('5.2'))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.split() == [str(formula_fold("x^{2}")), str(section_fold("5.2"))]


def test_folds_that_are_there_stay_and_are_shared() -> None:
    pairs = assign_folds([Pair("1", "x", "x", fold=7), Pair("2", "x", "y")])
    assert [pair.fold for pair in pairs] == [7, 7]
    assert assign_folds([Pair("1", "x", "x", fold=77)], anew=True)[0].fold == formula_fold("x")


def test_a_leak_is_an_error() -> None:
    leaky = [Pair("a", "x", "x", fold=1), Pair("b", "x", "x", fold=2)]
    with pytest.raises(TexliftError, match="a in 1, b in 2"):
        assign_folds(leaky)


@pytest.mark.parametrize("by_section", [False, True])
def test_splits_are_complete_and_apart(by_section: bool) -> None:
    tests = 0
    for fold in range(10):
        rest, held_out = split_fold(PAIRS, fold, by_section)
        assert len(rest) + len(held_out) == len(PAIRS)
        key = "section" if by_section else "generic"
        assert not {getattr(p, key) for p in rest} & {getattr(p, key) for p in held_out}
        tests += len(held_out)
    assert tests == len(PAIRS)


def test_one_fold_is_none() -> None:
    with pytest.raises(TexliftError, match="at least 2"):
        formula_fold("x", 1)
