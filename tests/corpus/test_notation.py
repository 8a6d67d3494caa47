import json
import os
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texlift.corpus.habits import LETTERS, Habits
from texlift.corpus.notation import everyday, rewritten, variants
from texlift.corpus.scribe import Scribe
from texlift.errors import FormulaError
from texlift.latex.canonical import canonical_key
from texlift.latex.parser import parse

FORMULAE = [
    r"\mathrm{Ai}^{\prime}\left(z\right)=-\frac{z}{\pi\sqrt{3}}K_{\ifrac{2}{3}}\left(\zeta\right)",
    r"\int_{0}^{\infty}e^{-t}t^{z-1}\mathrm{d}t\leq\genfrac{(}{)}{0.0pt}{}{n}{k}",
    r"{{}_{2}F_{1}}\left({a,b\atop c};z\right)",
    r"\left({{}_{2}F_{1}}\left({a,b\atop c};z\right)\right)^{2}",
    r"\left.\frac{\mathrm{d}w}{\mathrm{d}z}\right|_{z=0}",
    r"\operatorname{arctan}x+\operatorname{sn}^{2}\left(z,k\right)",
    r"P^{(\alpha,\beta)}_{n}\left(x\right)\neq{\mathrm{d}z}^{2},\dots,\mathbf{F}",
    r"\begin{cases}\left[a,b\right],&x>0,\\\left[b,a\right],&x\leq0,\end{cases}",
    r"f'_{n}^{2}+\left(a\over b\right)+\left\{x\middle|y\right\}",
    r"{x^{2}}^{3}+{\rm Ec}(z)+[0,1)+\sqrt[3]{[x]}+\mathit{H\!\ell}\left(a\right)",
    r"x^{\left(\frac{1}{2}\right)}\bigl(y\bigr)_{n}\text{ if }{n\choose k}",
]
HABITS = st.integers(0, 10**6)


def write(formula: str, **habits: str) -> str:
    return Scribe(Habits(**{name: (way,) for name, way in habits.items()}), Random(0)).write(parse(formula), formula)


@pytest.mark.parametrize(
    ("generic", "expected"),
    [
        (r"\Gamma\left(z\right)", r"\Gamma(z)"),
        (r"\int f\mathrm{d}x", r"\int fdx"),
        (r"\alpha\mathrm{d}x+\mathrm{e}^{\mathrm{i}t}", r"\alpha dx+e^{it}"),
        (r"\operatorname{ph}z", r"\mathrm{ph}z"),
        (r"\mathrm{B}\left(a,b\right)", r"\mathrm{B}(a,b)"),
        (r"\left.f\right|_{0}", r"f|_{0}"),
        (r"\left\{x\,\middle|\,y\right\}", r"\{x\,|\,y\}"),
        (r"\left(a\over b\right)", r"({a\over b})"),
        (r"x_{1}^{2}-\frac{1}{2}", r"x_{1}^{2}-\frac{1}{2}"),
    ],
)
def test_everyday_notation(generic: str, expected: str) -> None:
    assert everyday(generic) == expected


def test_letters_for_operators() -> None:
    assert rewritten(r"\operatorname{ph}z<\mathrm{Ai}\left(x\right)+\mathrm{d}x", LETTERS) == "ph z<Ai (x)+dx"
    assert rewritten(r"A^{\mathrm{T}}", LETTERS) == r"A^{\mathrm{T}}"  # one upright letter is no operator


@pytest.mark.parametrize(
    ("habits", "generic", "expected"),
    [
        ({"fences": "left"}, "f(x)^{2}", r"f\left(x\right)^{2}"),
        ({"fences": "short"}, r"f\left(x_{1}\right)+g\left(x+1\right)", r"f(x_{1})+g\left(x+1\right)"),
        ({"fences": "big"}, r"f\left(x\right)", r"f\bigl(x\bigr)"),
        ({"fences": "left"}, "[0,1)", "[0,1)"),
        ({"fences": "left"}, "(a", "(a"),
        ({"words": "text"}, r"\operatorname{sn}z", r"\text{sn}z"),
        ({"words": "rm"}, r"\mathrm{Ai}z", r"{\rm Ai}z"),
        ({"words": "command"}, r"\operatorname{arctan}x", r"\arctan x"),
        ({"words": "plain"}, r"\alpha\operatorname{sn}z", r"\alpha sn z"),
        ({"fonts": "switch"}, r"\mathbf{F}", r"{\bf F}"),
        ({"fractions": "over"}, r"\frac{a}{b}^{2}", r"{a\over b}^{2}"),
        ({"fractions": "dfrac"}, r"{a\over b}", r"\dfrac{a}{b}"),
        ({"fractions": "tfrac", "arguments": "short"}, r"\frac{1}{2}x", r"\tfrac12x"),
        ({"arguments": "short"}, r"\frac{\pi}{n}x", r"\frac\pi nx"),
        ({"arguments": "short"}, r"x^{2}_{\nu}\sqrt{z}", r"x^2_\nu\sqrt z"),
        ({"arguments": "short"}, r"x^{-1}", r"x^{-1}"),
        ({"arguments": "braced"}, r"x^2\sqrt z", r"x^{2}\sqrt{z}"),
        ({"binomials": "choose"}, r"\genfrac{(}{)}{0.0pt}{}{n}{k}", r"{n\choose k}"),
        ({"binomials": "binom"}, r"{n\choose k}", r"\binom{n}{k}"),
        ({"stacks": "genfrac"}, r"{a\atop b}", r"\genfrac{}{}{0pt}{}{a}{b}"),
        ({"order": "super"}, "x_{1}^{2}", "x^{2}_{1}"),
        ({"order": "sub"}, "x^{2}_{1}", "x_{1}^{2}"),
        ({"primes": "mark"}, r"f^{\prime\prime}_{n}", "f_{n}''"),
        ({"primes": "command"}, "f''", r"f^{\prime\prime}"),
        ({"primes": "command"}, "f'^{2}", "f'^{2}"),
        ({"groups": "drop"}, "{dz}^{2}", "dz^{2}"),
        ({"groups": "drop"}, "{x^{2}}^{3}", "{x^{2}}^{3}"),
        ({"groups": "drop"}, "{}_{2}F_{1}", "_{2}F_{1}"),
        ({"groups": "drop"}, "x{}_{2}F_{1}", "x{}_{2}F_{1}"),
        ({"groups": "drop"}, r"\foo{x}", r"\foo{x}"),
        ({"spaces": "drop"}, r"a\,|\,b", "a|b"),
        ({"signs": "unicode"}, r"\alpha\leq\infty", "α≤∞"),
        ({"blanks": "some"}, "a+b,c", "a + b, c"),
        ({"blanks": "some"}, "-a=(-b)^{-c}", "-a = (-b)^{-c}"),
    ],
)
def test_each_habit(habits: dict[str, str], generic: str, expected: str) -> None:
    assert write(generic, **habits) == expected


@pytest.mark.parametrize("generic", FORMULAE)
@given(seed=HABITS)
@settings(max_examples=25, deadline=None)
def test_whatever_the_habits_it_presents_the_same(generic: str, seed: int) -> None:
    rng = Random(seed)
    written = Scribe(Habits.random(rng), rng).write(parse(generic), generic)
    assert canonical_key(written) == canonical_key(generic)


@given(seed=HABITS, pieces=st.lists(st.sampled_from(FORMULAE), min_size=1, max_size=3))
@settings(max_examples=40, deadline=None)
def test_nested_formulae_present_the_same(seed: int, pieces: list[str]) -> None:
    generic = pieces[0]
    for piece in pieces[1:]:
        generic = rf"\sqrt{{{generic}}}\left({piece}\right)_{{{generic}}}"
    rng = Random(seed)
    written = Scribe(Habits.random(rng), rng).write(parse(generic), generic)
    assert canonical_key(written) == canonical_key(generic)


def test_variants_are_many_different_and_repeatable() -> None:
    first = variants(FORMULAE[0], seed=1, n=12)
    assert len(set(first)) == 12
    assert FORMULAE[0] not in first
    assert variants(FORMULAE[0], seed=1, n=12) == first
    assert variants(FORMULAE[0], seed=2, n=12) != first
    assert variants("", seed=1, n=3) == []


def test_broken_formulae_are_refused() -> None:
    for function in (everyday, lambda formula: variants(formula, 0, 1)):
        with pytest.raises(FormulaError):
            function(r"\left(x")


@pytest.mark.parametrize("formula", ["(" * 50_000, "{" * 110 + "x" + "}" * 110, "()" * 25_000, "x^{2}" * 20_000])
def test_hostile_formulae_take_bounded_time(formula: str) -> None:
    start = time.perf_counter()
    with suppress(FormulaError):  # refused, or written
        variants(formula, seed=0, n=1)
    assert time.perf_counter() - start < 10


@pytest.mark.skipif("TEXLIFT_DATA" not in os.environ, reason="TEXLIFT_DATA is not set: no DLMF pairs")
def test_dlmf_formulae_present_the_same() -> None:
    lines = (Path(os.environ["TEXLIFT_DATA"]) / "dlmf.jsonl").read_text("utf-8").splitlines()[::25]
    wrong = 0
    for line in lines:
        generic = json.loads(line)["generic"]
        try:
            row, key = parse(generic), canonical_key(generic)
        except FormulaError:
            continue
        rng = Random(generic)
        written = Scribe(Habits.random(rng), rng).write(row, generic)
        wrong += canonical_key(written) != key
        wrong += canonical_key(everyday(generic)) != key
    assert wrong == 0
