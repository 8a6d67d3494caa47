"""Formulae in words: what is said is what is meant, and no two formulae sound the same."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import texlift
from texlift.errors import FormulaError
from texlift.macros.lexicon import lexicon
from texlift.meaning.tree import (
    Apply,
    Derivative,
    Expression,
    Indexed,
    Integral,
    Interval,
    Limit,
    Number,
    Relation,
    Sequence,
    Series,
    Symbol,
    Unknown,
    rebuild,
)
from texlift.targets import convert
from texlift.targets.writers.words import WordsPrinter


def words(semantic: str) -> str:
    return convert(semantic, "words").code


@pytest.mark.parametrize(
    ("semantic", "said"),
    [
        (
            r"\BesselJ{\nu}^{2}@{z}=0",
            "the square of the Bessel function of the first kind of order nu at z equals 0",
        ),
        (r"E=mc^{2}", "capital E equals m c squared"),
        (r"\LegendrepolyP{n}@{x}", "the Legendre polynomial of degree n at x"),
        (r"\BesselJ{\nu}", "the Bessel function of the first kind of order nu"),
        (r"\sin@{x^{2}}", "the sine of x squared"),
        (r"\sin^{2}@{x}", "the square of the sine of x"),
        (r"\cos@{x+y}", "the cosine of the quantity x plus y, end quantity"),
        (r"f(x)=a(b+c)", "f of x equals a times the quantity b plus c, end quantity"),
        (r"\frac{1}{2}x", "one half times x"),
        (r"\sum_{n=0}^{\infty}a_{n}x^{n}", "the sum over n from 0 to infinity of a sub n times x to the power n"),
        (r"\int_{0}^{1}f(x)\diff{x}", "the integral from 0 to 1 of f of x with respect to x"),
        (
            r"x=\frac{-b\pm\sqrt{b^{2}-4ac}}{2a}",
            "x equals the fraction with numerator minus b plus or minus the square root of b squared minus 4 a c, "
            "end root, and denominator 2 a, end fraction",
        ),
        (r"a_{1}+\dots+a_{n}", "a sub 1 plus and so on plus a sub n"),
        (r"0<x\leq 1", "0 is less than x, which is less than or equal to 1"),
        (r"x\in[0,1)", "x is in the half-open interval from 0 to 1, including the lower end"),
        (r"\deriv[2]{w}{z}", "the second derivative with respect to z of w"),
    ],
)
def test_what_is_said(semantic: str, said: str) -> None:
    assert words(semantic) == said


def test_a_sign_with_several_meanings_is_named_and_not_interpreted() -> None:
    assert words(r"a\sim b") == "a tilde b"
    assert words(r"a\asympeq b") == "a is asymptotically equal to b"
    assert words("B_{k}^{n}") == "capital B sub k superscript n"


def test_what_is_not_understood_is_spelled_and_the_rest_is_said() -> None:
    done = convert(r"\EulerGamma@{z}\cong f^{-1}(x)", "words")
    assert done.code.startswith("the gamma function of z ")
    assert done.code.endswith("f superscript minus 1 open parenthesis x close parenthesis")
    assert any("spelled" in warning for warning in done.warnings)
    with pytest.raises(FormulaError):
        convert(r"\frac{a}{", "words")


def test_declared_roles_are_said() -> None:
    assert convert("Av", "words", {"A": "matrix", "v": "vector"}).code == "matrix capital A vector v"


def test_every_macro_has_a_name_without_signs() -> None:
    for macro in lexicon():
        call = macro.name + "{x}" * macro.parameters + ("@" + "{y}" * macro.variables if macro.variables else "")
        try:
            said = words(call)
        except FormulaError:
            continue
        assert "\\" not in said and "_" not in said and "{" not in said, (macro.name, said)


def test_output_is_bounded() -> None:
    with pytest.raises(FormulaError, match="characters in words"):
        words("+".join([r"\BesselJ{\nu}@{z}"] * 900))


def test_an_answer_says_what_it_means() -> None:
    answer = texlift.translate(r"J_\nu(z)", context="Bessel functions")
    assert answer.words() == "the Bessel function of the first kind of order nu at z"


X, Y, N, TWO = Symbol("x"), Symbol("y"), Symbol("n"), Number("2")


def _named(name: str, *arguments: Expression) -> Expression:
    return Unknown(Symbol(name, (0, 1)), arguments, None, (0, 3))


UNARY: list[Callable[[Expression], Expression]] = [
    *(lambda a, head=head: Apply(head, (a,)) for head in ("negate", "sqrt", r"\sin", "factorial", "abs")),
    lambda a: _named("f", a),
    lambda a: Series("sum", a, N, Number("1"), Y),
    lambda a: Series("sum", X, N, a, Y),
    lambda a: Derivative(a, ((X, Number("1")),)),
    lambda a: Integral(a, X, None, None),
    lambda a: Integral(X, X, Y, a),
    lambda a: Indexed("a", (a,)),
    lambda a: Limit(a, X, Y),
    lambda a: Apply(r"\BesselJ", (a, X)),
    lambda a: Apply(r"\BesselJ", (X, a)),
    lambda a: Apply("power", (a, TWO)),
]
BINARY: list[Callable[[Expression, Expression], Expression]] = [
    *(
        lambda a, b, head=head: Apply(head, (a, b))
        for head in ("plus", "times", "divide", "power", r"\binom", "union", "and", "dot", "probability")
    ),
    lambda a, b: _named("g", a, b),
    lambda a, b: Relation(("=",), (a, b)),
    lambda a, b: Sequence((a, b), "tuple"),
    lambda a, b: Interval(a, b),
]


def _flat(node: Expression) -> Expression:
    """Products in products are products: `a(bc)` may sound like `(ab)c`."""
    node = rebuild(node, _flat)
    if not isinstance(node, Apply) or node.head != "times":
        return node
    parts = [p.arguments if isinstance(p, Apply) and p.head == "times" else (p,) for p in node.arguments]
    return Apply("times", tuple(item for part in parts for item in part))


def test_no_two_formulae_sound_the_same() -> None:
    choice = random.Random(0)
    trees: list[Expression] = [X, TWO]
    trees += [make(a) for make in UNARY for a in (X, TWO)] + [
        make(a, b) for make in BINARY for a in trees[:2] for b in trees[:2]
    ]
    larger = [make(a) for make in UNARY for a in trees]
    larger += [make(choice.choice(trees), choice.choice(trees)) for make in BINARY for _ in range(150)]
    largest = [make(choice.choice(larger)) for make in UNARY for _ in range(150)]
    largest += [make(choice.choice(larger), choice.choice(trees)) for make in BINARY for _ in range(150)]
    largest += [make(choice.choice(trees), choice.choice(larger)) for make in BINARY for _ in range(150)]
    heard: dict[str, Expression] = {}
    printer = WordsPrinter("")
    for tree in (*trees, *larger, *largest):
        said = printer.bounded(printer.write(tree)).replace(",", "").replace(";", "")
        assert heard.setdefault(said, _flat(tree)) == _flat(tree), said
    assert len(heard) > 5000
