r"""Ambiguous places are decisions: seen, explained, with alternatives that can be chosen."""

from __future__ import annotations

from importlib.resources import files

import pytest

import texlift
from texlift.errors import FormulaError, TexliftError
from texlift.latex.parser import parse
from texlift.latex.signatures import generic_signatures
from texlift.meaning.declarations import Declarations
from texlift.meaning.reader.reading import Reading, read
from texlift.meaning.reliability import reliability
from texlift.meaning.structure.decision import Decision, parse_choices
from texlift.meaning.structure.document import DocumentUses
from texlift.meaning.structure.linear import Linear, packaged
from texlift.meaning.structure.places import Usage, places_of, usage_of
from texlift.meaning.tree import Apply, Interval, Sequence, Unknown, walk


def decision(reading: Reading, kind: str) -> Decision:
    return next(one for one in reading.decisions if one.kind == kind)


@pytest.mark.parametrize(
    "source",
    [
        "a(b+c)",
        "n(n+1)",
        "m(x-x_1)",
        "a(x-h)^2",
        r"r(\cos t+i\sin t)",
        "k(T-T_0)",
        r"N_0\left(\frac12\right)^{t/T}",
        r"A\left(\frac{t}{T}\right)^2",
    ],
)
def test_letters_before_brackets_that_a_product_needs_are_factors(source: str) -> None:
    one = decision(read(source), "application")
    assert one.chosen == "product"
    assert [option.meaning for option in one.alternatives] == ["application"]


@pytest.mark.parametrize("source", ["f(x)", "w(z)", "u(x,t)", r"W(\ln x)", "1+O(z^{-1})", "T(n)=2T(n/2)+n"])
def test_letters_before_what_needs_no_brackets_are_functions(source: str) -> None:
    one = decision(read(source), "application")
    assert one.chosen == "application"
    assert one.probability is not None
    assert one.probability > 0.9


def test_a_function_against_the_rule_is_a_warning_with_its_reason() -> None:
    reading = read(r"W(\ln x)")
    assert "W(...) was read as an application" in reading.warnings
    assert "rule" not in decision(reading, "application").because


def test_a_choice_is_obeyed_in_tree_and_code() -> None:
    answer = texlift.translate("f(x+1)")
    (one,) = answer.structure
    assert one.chosen == "application"
    chosen = answer.choose({one.span[0]: "product"})
    assert chosen.to("sympy") == "f*(x + 1)"
    assert chosen.structure[0].because == "chosen"
    assert not any(isinstance(node, Unknown) for node in walk(chosen.tree.statements[0]))


def test_a_choice_that_cannot_be_obeyed_is_an_error_that_names_the_possible_ones() -> None:
    with pytest.raises(FormulaError, match="nothing at place 3 can be product") as error:
        read("f(x+1)", choices={3: "product"})
    assert "0=application|product" in error.value.hint
    with pytest.raises(TexliftError, match="no meaning of a place"):
        parse_choices(["0=nonsense"])
    with pytest.raises(TexliftError, match="chosen twice"):
        parse_choices(["0=product", "0=application"])


def test_declarations_are_absolute() -> None:
    reading = read("f(x+1)", declared=Declarations.of({"f": "real"}))
    assert decision(reading, "application").chosen == "product"
    assert decision(reading, "application").because == "declared"


@pytest.mark.parametrize(
    ("source", "kind", "chosen", "other"),
    [
        ("e^x+e", "constant", "constant", "variable"),
        ("y'=y", "prime", "derivative", "name"),
        ("|x|", "bars", "absolute value", "norm"),
        (r"x\in(a,b)", "brackets", "interval", "pair"),
        ("(a,b)", "brackets", "pair", "interval"),
        ("[A,B]", "brackets", "commutator", "interval"),
        ("A^Tx", "superscript", "transpose", "power"),
        (r"\sum_{n=1}^9 a_n", "subscript", "index", "label"),
    ],
)
def test_rules_are_decisions_and_their_alternatives_can_be_chosen(
    source: str, kind: str, chosen: str, other: str
) -> None:
    reading = read(source)
    one = decision(reading, kind)
    assert one.chosen == chosen
    assert one.because
    assert one.source == source[one.span[0] : one.span[1]]
    again = read(source, choices={one.span[0]: other})
    assert decision(again, kind).chosen == other
    assert again.statements != reading.statements


def test_the_shape_of_what_was_chosen() -> None:
    assert isinstance(read("(a,b)", choices={0: "interval"}).statements[0], Interval)
    assert isinstance(read(r"[A,B]", choices={0: "pair"}).statements[0], Sequence)
    (norm,) = read("|x|", choices={0: "norm"}).statements
    assert isinstance(norm, Apply)
    assert norm.head == "norm"


def test_how_brackets_are_typed_is_no_evidence() -> None:
    def features(source: str) -> tuple[str, ...]:
        return places_of(parse(source, generic_signatures()))[0].features

    assert features("f(x+1)") == features(r"f\left(x+1\right)")


def test_other_formulae_of_the_document_count() -> None:
    document = Usage.empty()
    for source in ("q(x)", "q(0)=1", "y=q(t)"):
        document.add(usage_of(parse(source, generic_signatures())))
    alone, beside = read("q(x+1)"), read("q(x+1)", document=document)
    shares = [
        {option.meaning: option.probability or 0.0 for option in decision(reading, "application").options}
        for reading in (alone, beside)
    ]
    assert shares[1]["application"] > shares[0]["application"]


def test_an_unlikely_decision_lowers_the_confidence_in_code() -> None:
    reading = read(r"A(\cos t+i\sin t)")
    share = decision(reading, "application").probability
    assert share is not None
    assert share < 0.9
    assert reliability(reading, ()) <= share


def test_many_places_in_one_formula() -> None:
    source = "+".join(["f(x)"] * 1500)
    assert len(read(source).decisions) == 1500


def test_models_are_small_and_read_back() -> None:
    folder = files("texlift.meaning.structure")
    texts = {name: folder.joinpath(f"{name}.json").read_text("utf-8") for name in ("application", "kinds")}
    for name, text in texts.items():
        assert len(text.encode()) <= 400_000
        assert Linear.from_json(text).as_json() == text
        shares = packaged(name).probabilities(["always"])
        assert sum(shares.values()) == pytest.approx(1.0)


# -- what letters are -------------------------------------------------------------------------------------


def test_kinds_are_certain_where_something_is_said_and_likely_elsewhere() -> None:
    letters = {one.name: one for one in texlift.translate(r"\sum_{k=0}^n x^k").symbols}
    assert (letters["k"].kind, letters["k"].probability) == ("integer", 1.0)
    assert (letters["n"].kind, letters["n"].probability) == ("nonnegative integer", 1.0)
    assert letters["x"].probability is None or 0.6 <= letters["x"].probability < 1.0


def test_likely_kinds_are_assumed_nowhere() -> None:
    sympy = pytest.importorskip("sympy")
    answer = texlift.translate(r"J_\nu(z)", "Bessel functions")
    assert {one.name: one.kind for one in answer.symbols} == {r"\nu": "parameter", "z": "complex"}
    assert answer.sympy() == sympy.besselj(sympy.Symbol("nu"), sympy.Symbol("z"))


# -- other places that were read wrongly ------------------------------------------------------------------


def test_upright_words_of_logic_join_statements() -> None:
    (statement,) = read(r"x<0\;\mathbin{\operatorname{or}}\;y<0").statements
    assert isinstance(statement, Apply)
    assert statement.head == "or"


def test_i_beside_a_function_j_is_a_number() -> None:
    for source, chosen in ((r"j(\sqrt{2}i)", "constant"), ("i+j", "variable")):
        assert [one.chosen for one in read(source).decisions if one.source == "i"] == [chosen]


def test_a_half_open_interval_without_its_end_is_an_error_with_a_place() -> None:
    with pytest.raises(FormulaError):
        read("[a,[")


@pytest.mark.parametrize(
    ("source", "warned"),
    [
        (r"\unitJacobitheta{3}@{z}{\tau}", True),
        (r"\unitJacobitheta{3}@{0}{\tau}", False),
        (r"\Jacobithetatau{3}@{z}{\tau}", False),
        (r"\Jacobithetaq{3}@{0}{2i}", True),
        (r"\Jacobithetaq{3}@{z}{q}", False),
        (r"\compellintKk@{1-c}", True),
        (r"\compellintKk@{k'}", False),
    ],
)
def test_a_convention_that_letters_do_not_show_is_a_warning(source: str, warned: bool) -> None:
    assert any("elsewhere" in text or "may be tau" in text for text in read(source).warnings) is warned


def test_a_formula_is_not_counted_among_the_others_of_its_document() -> None:
    uses = DocumentUses(("v(x)", "v(t)", r"\frac{", "w"))
    assert uses.usage_beside("v(x)").before["v"] == 1
    assert uses.usage_beside("v+w").single["v"] == 2
    assert "before brackets=one" in uses.uses_beside("v(x)")["v"]
    assert not DocumentUses(("v(x)",)).uses_beside("v(x)")["v"]


def test_a_letter_that_other_formulae_multiply_stays_a_factor() -> None:
    uses = DocumentUses(("v(x+1)", "v(2)+v", "v=3", "v^2"))
    assert decision(read("v(x+1)", document=uses.usage_beside("v(x+1)")), "application").chosen == "product"
