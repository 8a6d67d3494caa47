"""One tree for all ways of writing a presentation, different trees for different ones."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texlift.errors import FormulaError
from texlift.latex.canonical import canonical, canonical_key
from texlift.latex.parser import parse
from texlift.latex.printing import print_nodes

SAME = [
    (r"\Gamma(z)", r"\Gamma\left(z\right)", r"\Gamma\!\bigl( z \bigr)", r"\Gamma\,(z)", "Γ(z)", r"{\Gamma}(z)"),
    ("x^2", "x^{2}", "{x}^2", "x^{{2}}", "x²"),
    ("P_n^{(a,b)}", "P^{(a,b)}_n", "{P_n}^{(a,b)}", r"P_{n}^{\left(a,b\right)}"),
    (r"\frac12", r"\frac{1}{2}", r"\tfrac{1}{2}", r"\dfrac12", r"{1\over2}"),
    (r"\operatorname{li}(x)", r"\mathrm{li}(x)", r"\text{li}(x)", r"\mbox{li}(x)",
     r"\operatorname*{li}(x)", r"{\rm li}(x)"),
    (r"\int f dx", r"\int f\,\mathrm{d}x", r"\int f\;{\rm d}x"),
    ("_0F_1", "{}_{0}F_{1}", "{}_0F_1", "{{}_0F_1}"),
    (r"\sin x", r"\mathrm{sin}x", r"\operatorname{sin}\,x", "{\\rm sin} x"),
    (r"a\le b", r"a\leq b", "a≤b", r"a\leqslant b"),
    (r"a\ne b", r"a\neq b", r"a\not=b", "a≠b"),
    (r"\binom nk", r"{n\choose k}", r"\dbinom{n}{k}", r"\genfrac(){0pt}{}{n}{k}", r"\left({n\atop k}\right)"),
    ("f'", r"f^\prime", r"f^{\prime}"),
    ("f''", r"f^{\prime\prime}"),
    ("f'^2", "{f'}^2"),
    (r"\mathbf{F}", "{\\bf F}", r"\textbf{F}", "𝐅"),
    (r"\mathbb{R}", "ℝ"),
    (r"\lbrace x\rbrace", r"\{x\}", r"\left\{x\right\}"),
    (r"|x|", r"\left|x\right|", r"\lvert x\rvert", r"\vert x\vert", r"\bigl|x\bigr|"),
    (r"\begin{pmatrix}a&b\\c&d\end{pmatrix}", r"\left(\begin{matrix}a&b\\c&d\end{matrix}\right)",
     r"\begin{pmatrix}a&b\\c&d\\\end{pmatrix}", r"\left(\begin{array}{cc}a&b\\c&d\end{array}\right)"),
    (r"\sum\limits_{n=0}^\infty a_n", r"\sum_{n=0}^{\infty}a_{n}",
     r"\displaystyle\sum^\infty_{n=0}a_n", "∑_{n=0}^∞ a_n"),
    (r"a\cdots b", r"a\ldots b", r"a\dots b", "a…b"),
    ("a+b % comment\n", "a + b", r"a\quad+\mskip3mu b", "{a}+{b}", "a+b"),
    (r"\overline{z}", r"\bar z"),
    ("αβ", r"\alpha\beta"),
    (r"\mathop{\rm res}", r"\operatorname{res}"),
    ("12.5", "1 2.5", "{1}2.5"),
    (r"\phi(n)", r"\varphi(n)"),
    (r"\boldsymbol{\epsilon}_{ijk}", r"\boldsymbol{\varepsilon}_{ijk}"),
    (r"d|n", r"d\mid n"),
]  # fmt: skip

DIFFERENT = [
    (
        "F",
        r"\mathbf{F}",
        r"\mathcal{F}",
        r"\mathscr{F}",
        r"\mathsf{F}",
        r"\mathfrak{F}",
        r"\mathbb{F}",
        r"\boldsymbol{F}",
    ),
    ("{}_2F_1", "x_2F_1", "F_{21}", "F_2^1"),
    ("x^{ab}", "{x^a}^b", "x^ab", "x_{ab}"),
    (r"\Gamma", r"\gamma"),
    ("(a)", "[a]", r"\{a\}", "(a]", "[a)", "|a|", r"\langle a\rangle", "a"),
    ("f'", "f''", "f", "f^2"),
    (r"\frac{a}{b}", r"\frac{b}{a}", "a/b", r"{a\atop b}", r"\binom{a}{b}"),
    (r"\sqrt{x}", r"\sqrt[3]{x}", "x"),
    (r"\sqrt{xy}", r"\sqrt{x}y"),
    ("ab", "ba"),
    ("a<b", r"a\leq b", "a>b"),
    (r"\begin{matrix}a&b\end{matrix}", r"\begin{matrix}a\\b\end{matrix}", r"\begin{pmatrix}a&b\end{pmatrix}"),
    ("x_{1}y", "x_{1y}"),
    (r"\hat x", r"\tilde x", r"\bar x", r"\vec x", r"\dot x"),
    ("1.5", "15", "1,5"),
    (r"\text{if}", r"\text{iff}"),
    (r"\textbf{F}", "F", r"\textsf{F}"),
    (r"\sin x", r"\sinh x", r"\arcsin x"),
    (r"\in", r"\notin"),
]


@pytest.mark.parametrize("ways", SAME, ids=[ways[0] for ways in SAME])
def test_ways_of_writing_the_same(ways: tuple[str, ...]) -> None:
    assert {way: canonical_key(way) for way in ways} == dict.fromkeys(ways, canonical_key(ways[0]))


@pytest.mark.parametrize("formulae", DIFFERENT, ids=[formulae[0] for formulae in DIFFERENT])
def test_what_must_stay_different(formulae: tuple[str, ...]) -> None:
    for first, second in itertools.combinations(formulae, 2):
        assert canonical_key(first) != canonical_key(second), (first, second)


def test_the_way_of_writing_is_kept() -> None:
    plain, left = canonical("f(x)").elements[1], canonical(r"f\left(x\right)").elements[1]
    assert plain.key == left.key
    assert (plain.style, left.style) == ("", "left")
    assert canonical(r"a\,b").elements[1].spaced
    assert not canonical("a b").elements[1].spaced


def test_scripts_stand_in_one_order() -> None:
    row = canonical("x^2'_1")
    assert [element.label for element in row.elements] == ["x", "_", "'", "^"]


def test_elements_know_their_source() -> None:
    source = r"a + \Gamma\left( z \right)^{2}"
    spans = [source[element.start : element.end] for element in canonical(source).elements]
    assert spans == ["a", "+", r"\Gamma", r"\left( z \right)", "^{2}"]


def test_brackets_without_partner_stay() -> None:
    assert [element.label for element in canonical("]a,b[").elements] == ["]", "a", ",", "b", "["]
    assert [element.label for element in canonical("[0,1)").elements] == ["[ )"]


@given(data=st.data())
def test_printing_keeps_the_presentation(data: st.DataObject, formulae: st.SearchStrategy[str]) -> None:
    source = data.draw(formulae)
    try:
        key = canonical_key(source)
    except FormulaError:
        return  # e.g. two infix operators that met in one row
    assert canonical_key(print_nodes(parse(source))) == key


@given(data=st.data())
def test_braces_and_spaces_say_nothing(data: st.DataObject, formulae: st.SearchStrategy[str]) -> None:
    first, second = data.draw(formulae), data.draw(formulae)
    try:
        together = canonical_key(f"{first} + {second}")
    except FormulaError:
        return
    if "(" not in first and "[" not in first:  # a bracket may find its partner behind the brace
        assert canonical_key(f"{{{first}}}+\\,{{{second}}}") == together


def test_math_in_text_is_read() -> None:
    assert canonical_key(r"\text{if $x ^2$ is even}") == canonical_key(r"\text{if $x^{2}$ is even}")
    text = canonical(r"a\mbox{zeros of $J_n$ and $Y_n$}").elements[1]
    assert [row.key for row in text.rows] == ["J _{n}", "Y _{n}"]


@pytest.mark.parametrize("source", [r"\text{costs $5}", r"\text{a $\frac{a}$ b}", r"\text{$a{b$}c}"])
def test_broken_math_in_text_stays_text(source: str) -> None:
    assert canonical(source).elements[0].rows == ()


def test_shapes_of_one_letter_are_told_apart_by_style() -> None:
    assert [element.style for element in canonical(r"\phi\varphi|\mid").elements] == ["", "variant", "", "variant"]
    assert canonical(r"\phi{\varphi}").elements[1].style == "variant"
