import pytest

from texlift.corpus.folds import check_folds
from texlift.corpus.generator import Generator, generate_pairs
from texlift.corpus.statistics import macro_calls, measure_corpus
from texlift.errors import TexliftError
from texlift.grammar.expansion import expand
from texlift.latex.canonical import canonical_key
from texlift.macros.lexicon import Lexicon, lexicon


def test_pairs_are_many_different_and_sensible() -> None:
    pairs = generate_pairs(400, seed=3)
    statistics = measure_corpus(pairs)
    assert statistics.pairs == statistics.unique == 400
    assert set(statistics.kinds) == {"equation", "expression"}
    assert len(statistics.macros) > 200
    assert 0.05 < statistics.copy_share < 0.4
    assert statistics.generic.longest <= 120
    assert statistics.unparsed == ()
    check_folds(pairs)


def test_the_generic_side_is_the_expansion() -> None:
    for pair in generate_pairs(60, seed=4, kinds=("equation", "expression", "constraint")):
        assert canonical_key(expand(pair.semantic)) == canonical_key(pair.generic)


def test_the_same_seed_gives_the_same_pairs() -> None:
    assert generate_pairs(30, seed=5) == generate_pairs(30, seed=5)
    assert generate_pairs(30, seed=5) != generate_pairs(30, seed=6)


def test_a_small_lexicon_is_enough() -> None:
    words = Lexicon(macro for macro in lexicon() if macro.name == r"\BesselJ")
    pairs = list(Generator(words).pairs(30, 0, ("expression",)))
    functions = {name for pair in pairs for name in macro_calls(pair.semantic)}
    assert r"\BesselJ" in functions
    assert functions <= {r"\BesselJ", r"\cpi", r"\iunit", r"\expe", r"\diff"}


def test_more_than_there_are_gives_all_there_are() -> None:
    pairs = generate_pairs(1000, kinds=("constraint",))
    assert 50 < len(pairs) < 1000
    assert len({pair.semantic for pair in pairs}) == len(pairs)


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(TexliftError, match="poem"):
        generate_pairs(1, kinds=("poem",))
    with pytest.raises(TexliftError, match="no kinds"):
        generate_pairs(1, kinds=())
    with pytest.raises(TexliftError, match="no macro"):
        Generator(Lexicon([]))
