from texlift.corpus.demo import demo_pairs
from texlift.corpus.folds import check_folds
from texlift.corpus.statistics import measure_corpus
from texlift.grammar.expansion import expand
from texlift.latex.canonical import canonical_key


def test_it_is_large_and_varied() -> None:
    statistics = measure_corpus(demo_pairs())
    assert statistics.unique >= 250
    assert statistics.nontrivial >= 200
    assert len(statistics.macros) >= 120
    assert len(statistics.chapters) >= 15
    assert statistics.unparsed == ()
    assert statistics.ambiguous_in_section == 1  # gamma: Euler's constant and an angle


def test_every_semantic_side_expands_to_its_generic_side() -> None:
    wrong = [pair.id for pair in demo_pairs() if canonical_key(expand(pair.semantic)) != canonical_key(pair.generic)]
    assert wrong == []


def test_ids_differ_and_folds_do_not_leak() -> None:
    pairs = demo_pairs()
    assert len({pair.id for pair in pairs}) == len(pairs)
    check_folds(pairs)
    assert {pair.fold for pair in pairs} == set(range(10))


def test_every_pair_has_a_sentence() -> None:
    assert all(not isinstance(pair.context, str) and pair.context["sentence"] for pair in demo_pairs())
