"""Semantic sides in another syntax: text to terms, terms to macros, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texlift.errors import FormulaError, TexliftError
from texlift.latex.signatures import CallSignature
from texlift.macros.semantic import Language
from texlift.macros.syntaxes.mathematica import parse_mathematica, print_mathematica
from texlift.macros.syntaxes.spelling import doubtful_products, macro_of, read_term, spelled
from texlift.macros.syntaxes.syntax import SYNTAXES, syntax
from texlift.macros.syntaxes.term import Term, normal

LANGUAGE = Language(
    {
        r"\mBesselJ": CallSignature(0, 0, 2),
        r"\mPi": CallSignature(),
        r"\mInfinity": CallSignature(),
        r"\mE": CallSignature(),
        r"\mSin": CallSignature(0, 0, 1),
        r"\mSumqzae": CallSignature(0, 0, 4),
        r"\mHypergeometricqcFqb": CallSignature(0, 0, 4),
        r"\mSqqrt": CallSignature(0, 0, 1),
    }
)
TEXTS = [
    "BesselJ[n, z]^2/(2*Pi)",
    "Sum[x^k, {k, 0, Infinity}] == 1/(1 - x)",
    "-x*y + Sin[x]^2*(a + b)^(-1)",
    r"Hypergeometric2F1[a, b, c, \[Alpha]*z]",
    "2*3*n!",
    "Subscript[x, 1]^2",
    "1/2*x/y*z",
    "a - (b - c)",
    "(a + b)!",
    "E^(-x)*Sqrt[2]",
    "0 < x < 1",
    "0 < x <= 1.5",
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_become_macros_and_come_back(text: str) -> None:
    term = parse_mathematica(text)
    for generic in ("", "a/b", r"\sin(x)^{2}"):  # quotients as fractions, with a slash; powers behind brackets
        back = read_term(spelled(term, generic), LANGUAGE)
        assert normal(back) == normal(term), print_mathematica(back)


names = st.sampled_from([Term(name) for name in ("a", "x", "Pi", "2", "10", r"\[Beta]")])


@st.composite
def operations(draw: st.DrawFn, parts: st.SearchStrategy[Term]) -> Term:
    head, count = draw(
        st.sampled_from(
            [
                *(("Plus", 2), ("Plus", 3), ("Times", 2), ("Divide", 2), ("Power", 2), ("Minus", 1), ("Factorial", 1)),
                *(("Sin", 1), ("BesselJ", 2), ("Subscript", 2)),
            ]
        )
    )
    return Term(head, tuple([draw(parts) for _ in range(count)]))


terms = st.recursive(names, operations, max_leaves=12)


@given(terms)
def test_printing_is_undone_by_parsing(term: Term) -> None:
    assert normal(parse_mathematica(print_mathematica(term))) == normal(term)
    other = syntax("json")
    assert other.parse(other.print(term)) == term


@given(terms, st.sampled_from(["", "a/b"]))
def test_spelling_is_undone_by_reading(term: Term, generic: str) -> None:
    if not _bare_index(term):
        assert normal(read_term(spelled(term, generic), LANGUAGE)) == normal(term)


def _bare_index(term: Term) -> bool:
    """Scripts of a scripted group run together in LaTeX: an index is that of a letter only."""
    own = term.head in ("Subscript", "Power") and term.parts and term.parts[0].arguments is not None
    return bool(own) or any(map(_bare_index, term.parts))


def test_names_of_macros_are_letters_and_unambiguous() -> None:
    heads = ["Sqrt", "Hypergeometric2F1", "Hypergeometric1F1", "Sqqrt", "QPochhammer", "Sq1rt"]
    macros = [macro_of(head) for head in heads]
    assert len(set(macros)) == len(heads)
    assert all(macro[1:].isalpha() for macro in macros)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("x/2", "1/2*x", True),
        ("Exp[-x]", "E^(-x)", True),
        ("Sqrt[x]", "x^(1/2)", True),
        ("-a*b", "a*(-b)", True),
        ("a/(b*c)", "a/b/c", True),
        ("a*b", "a + b", False),
        ("BesselJ[a, b]", "BesselJ[b, a]", False),
        ("a^b", "b^a", False),
        ("a - b", "b - a", False),
        ("x", "x +", False),
    ],
)
def test_spellings_of_one_term_are_the_same(first: str, second: str, same: bool) -> None:
    assert syntax("mathematica").same(first, second) is same


@pytest.mark.parametrize("text", ["", "a +", "f[x", "(a", "a b", "a]", "{a", "x == ", "a ~ b", "D[f][x]", "[", "2x"])
def test_what_is_no_input_form_is_an_error_with_a_place(text: str) -> None:
    with pytest.raises(FormulaError) as error:
        parse_mathematica(text)
    assert 0 <= error.value.span[0] <= len(text)


@pytest.mark.parametrize("text", ["(" * 5000, "a^" * 500 + "a", "f[" * 300, "a+" * 10_000 + "a"])
def test_hostile_texts_are_refused(text: str) -> None:
    with pytest.raises((FormulaError, RecursionError)) as error:
        parse_mathematica(text)
    assert not isinstance(error.value, RecursionError)


@pytest.mark.parametrize(
    "latex", [r"\sin x", r"\mathbf{A}x", r"\Gamma(x", r"x'", r"\mSin@{x}'", r"\text{if}", "x,y", r"\hat{x}", "+", "a/"]
)
def test_what_is_not_understood_is_never_multiplied(latex: str) -> None:
    with pytest.raises(FormulaError):
        read_term(latex, LANGUAGE)


@pytest.mark.parametrize("latex", [r"\mSumqzae@{x}{k}{0}", r"\mSumqzae", r"\mHypergeometricqcFqb@{a}{b}"])
def test_a_call_with_too_few_arguments_is_refused(latex: str) -> None:
    shaped = Language({r"\mSumqzae": CallSignature(0, 0, 4), r"\mHypergeometricqcFqb": CallSignature(0, 0, 4)})
    if "Sum" in latex:
        with pytest.raises(FormulaError, match="needs 4 arguments"):
            read_term(latex, shaped)
    else:  # without lists a head takes what it gets
        assert len(read_term(latex, shaped).parts) == 2


def test_letters_before_brackets_are_named_as_doubtful() -> None:
    found = doubtful_products(r"p(n)+2(a+b)+\mSin@{x}(y)+\beta(x+q(t))", LANGUAGE)
    assert sorted(found) == [r"\beta", "p", "q"]


@pytest.mark.parametrize("text", ["f[x]", "abc", "x1"])
def test_names_without_a_meaning_are_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        syntax("mathematica").as_macros(text, "")


@pytest.mark.parametrize("text", ["[", "[1]", "[[]]", "true", "null", '{"a": 1}', "[" * 5000, '["f", ' * 200])
def test_json_that_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        SYNTAXES["json"].parse(text)


def test_unknown_syntaxes_are_refused() -> None:
    with pytest.raises(TexliftError, match="mathematica"):
        syntax("cobol")
