"""Names alone, from the pairs that use them."""

from __future__ import annotations

from texlift.corpus.pair import Pair
from texlift.grammar.induction.alignment import Aligner
from texlift.grammar.packaged import packaged_grammar
from texlift.grammar.readings import Reader
from texlift.latex.canonical import canonical
from texlift.macros.semantic import semantic_row
from texlift.train.names import Names

TITLES = {"chapter": "Bessel Functions", "section": "Functions of Imaginary Order"}
SENTENCE = r"As $x\to0$, $Y_{0}\left(x\right)=..$, where $\gamma$ denotes Euler's constant."


def names(*pairs: Pair) -> list[tuple[str, str, bool]]:
    """(generic, semantic, whether in the sentence) of all names."""
    grammar = packaged_grammar()
    reader, aligner, maker = Reader(grammar), Aligner(grammar.rules), Names(grammar.rules)
    found = []
    for pair in pairs:
        forest = reader.read(canonical(pair.generic))
        alignment = aligner.align(semantic_row(pair.semantic), forest.root)
        assert alignment is not None
        for name in maker.of(pair, forest, alignment):
            assert isinstance(name.context, dict)
            assert name.context["section"] == TITLES["section"]
            found.append((name.generic, name.semantic, "sentence" in name.context))
    return found


EQUATION = Pair(
    "10.24.E9",
    r"Y_{0}\left(x\right)=\frac{2}{\pi}\left(\ln x+\gamma\right)+E",
    r"\BesselY{0}@{x}=\frac{2}{\pi}\left(\ln@@{x}+\EulerConstant\right)+E",
    TITLES | {"sentence": SENTENCE},
)


def test_functions_and_constants_by_their_names() -> None:
    found = names(EQUATION)
    assert ("Y", r"\BesselY{}", False) in found
    assert ("Y_{0}", r"\BesselY{0}", False) in found
    assert (r"\gamma", r"\EulerConstant", True) in found
    assert (r"\ln", r"\ln", False) in found


def test_a_letter_that_is_no_name_stays_a_letter() -> None:
    found = names(EQUATION)
    assert ("E", "E", False) in found
    assert (r"\pi", r"\pi", False) in found
    assert not [generic for generic, _, _ in found if generic in ("x", "2", "=", "+")]


def test_each_once_and_not_the_formula_itself() -> None:
    assert len(names(EQUATION, EQUATION)) == len(names(EQUATION))
    alone = Pair("1", r"\gamma", r"\EulerConstant", TITLES)
    assert names(alone) == []


def test_arguments_with_calls_are_left_out() -> None:
    pair = Pair("2", r"J_{\Gamma\left(z\right)}\left(x\right)", r"\BesselJ{\EulerGamma@{z}}@{x}", TITLES)
    found = names(pair)
    assert ("J", r"\BesselJ{}", False) in found
    assert (r"\Gamma", r"\EulerGamma", False) in found
    assert not [semantic for _, semantic, _ in found if semantic.startswith(r"\BesselJ{\\")]


def test_a_word_that_is_a_name_already_gets_no_second_meaning() -> None:
    found = names(Pair("3", r"\log_{2}n", r"\genlog{2}@@{n}", TITLES))
    assert not [semantic for generic, semantic, _ in found if generic == r"\log"]


def test_a_print_that_is_a_number_names_no_polynomial() -> None:
    """`B_{n}` is a Bernoulli number wherever it stands alone, `J_{n}` the Bessel function."""
    pair = Pair(
        "24.4.E2",
        r"B_{n}\left(x+1\right)+J_{n}\left(x\right)",
        r"\BernoullipolyB{n}@{x+1}+\BesselJ{n}@{x}",
        TITLES,
    )
    found = names(pair)
    assert ("J_{n}", r"\BesselJ{n}", False) in found
    assert ("B", r"\BernoullipolyB{}", False) in found
    assert ("B_{n}", r"\BernoullipolyB{n}", False) not in found
