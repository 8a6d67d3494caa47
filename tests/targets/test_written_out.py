"""What a target lacks is written out by its definition, and the definition has the right value."""

from __future__ import annotations

import mpmath
import pytest
import sympy
from mpmath import mp, mpc, mpf
from sympy.physics.wigner import wigner_6j

from texlift.errors import FormulaError
from texlift.meaning.reader.reading import read
from texlift.targets import convert
from texlift.targets.objects import sympy_objects
from texlift.targets.writers.mpmath import MpmathBuilder
from texlift.targets.writers.pycode import compile_tree
from texlift.verify.evaluation import Trust, namespace

HALF = {1: mpf("1.1"), 3: mpc("0.3", "0.9")}
FAR = 40
POINTS = [
    2 * m * HALF[1] + 2 * n * HALF[3] for m in range(-FAR, FAR + 1) for n in range(-FAR, FAR + 1) if (m, n) != (0, 0)
]
Z = mpc("0.37", "0.21")


def value(semantic: str, **letters: object) -> mpc:
    (statement,) = read(semantic).statements
    code = compile_tree(MpmathBuilder(semantic).build(statement), namespace(Trust()))
    return mpc(code({"L": lambda index: HALF[int(index)], **letters}))


def near(found: mpc, expected: mpc, digits: float = 1e-9) -> bool:
    return bool(abs(found - expected) <= digits * max(1, abs(expected)))


def test_weierstrass_functions_are_their_sums_over_the_lattice() -> None:
    p = 1 / Z**2 + sum(1 / (Z - w) ** 2 - 1 / w**2 for w in POINTS)
    zeta = 1 / Z + sum(1 / (Z - w) + 1 / w + Z / w**2 for w in POINTS)
    logarithm = mp.log(Z) + sum(mp.log(1 - Z / w) + Z / w + Z**2 / (2 * w**2) for w in POINTS)
    assert near(value(r"\Weierstrassplatt@{z}{L}", z=Z), p, 1e-5)
    assert near(value(r"\Weierstrasszetalatt@{z}{L}", z=Z), zeta, 1e-5)
    assert near(value(r"\Weierstrasssigmalatt@{z}{L}", z=Z), mp.exp(logarithm), 1e-5)
    assert near(value(r"\Weierstrassinvarlatt{2}@{L}"), 60 * sum(w**-4 for w in POINTS), 1e-3)
    assert near(value(r"\Weierstrassinvarlatt{3}@{L}"), 140 * sum(w**-6 for w in POINTS), 1e-6)


@pytest.mark.parametrize(("number", "half"), [(1, HALF[1]), (2, -HALF[1] - HALF[3]), (3, HALF[3])])
def test_lattice_roots_are_values_at_half_periods(number: int, half: mpc) -> None:
    assert near(value(rf"\Weierstrasselatt{{{number}}}@{{L}}"), value(r"\Weierstrassplatt@{z}{L}", z=half))


def test_the_user_is_told_how_the_lattice_is_given() -> None:
    assert any("half-periods" in warning for warning in convert(r"\Weierstrassplatt@{z}{L}", "mpmath").warnings)
    with pytest.raises(FormulaError):
        convert(r"\Weierstrassplatt@{z}{x+1}", "sympy")  # no lattice


@pytest.mark.parametrize("spins", [(1, 1, 1, 1, 1, 1), (2, 1, 1, 1, 2, 2), ("3/2", "3/2", 1, "1/2", "1/2", 1)])
def test_six_j_symbols(spins: tuple[object, ...]) -> None:
    exact = [sympy.Rational(spin) for spin in spins]
    letters = dict(zip("abcdfg", (mpf(spin.p) / spin.q for spin in exact), strict=True))
    assert near(value(r"\Wignersixjsym{a}{b}{c}{d}{f}{g}", **letters), mpc(wigner_6j(*exact).evalf(30)))


def test_lists_of_symbolic_length_are_products_in_sympy() -> None:
    (series,) = sympy_objects(r"\genhyperF{p}{q}@@{a_{1},\dots,a_{p}}{b_{1},\dots,b_{q}}{z}")
    a, b = sympy.IndexedBase("a"), sympy.IndexedBase("b")
    numbers = {a[1]: 2, a[2]: sympy.Rational(1, 3), b[1]: sympy.Rational(5, 2)}
    given = {"p": 2, "q": 1, "z": sympy.Rational(1, 4)}
    letters = {s: given[s.name] for s in series.function.free_symbols if s.name in given}
    term = series.function.subs(letters).doit()
    total = sum(float(term.subs({series.limits[0][0]: n}).doit().subs(numbers)) for n in range(60))
    assert total == pytest.approx(float(mpmath.hyp2f1(2, mpf(1) / 3, mpf(5) / 2, 0.25)))


LINES = [
    # integral, value
    (r"\frac{1}{2\pi i}\int_{c-i\infty}^{c+i\infty}\EulerGamma@{s}x^{-s}\diff{s}", mp.exp(-mpf("0.8"))),
    (r"\int_{-i\infty}^{i\infty}e^{t^{2}}\diff{t}", mpc(0, mp.sqrt(mp.pi))),
    (r"\int_{0}^{\infty e^{i\pi/8}}e^{-t^{2}}\diff{t}", mp.sqrt(mp.pi) / 2),
    (r"\frac{1}{2\pi i}\int_{|z|=2}\frac{e^{z}}{z}\diff{z}", 1),
    (r"\frac{1}{2\pi i}\int_{|z-1|=1/2}\frac{z}{z-1}\diff{z}", 1),
]


@pytest.mark.parametrize(("semantic", "expected"), LINES)
def test_lines_to_infinity_and_circles_are_integrals_over_a_real_variable(semantic: str, expected: mpc) -> None:
    code = convert(semantic, "mpmath").code
    assert "y_" in code and "inf)" not in code.replace("inf])", "")
    with mp.workdps(15):
        names = {name: getattr(mpmath, name) for name in dir(mpmath)}
        (statement,) = read(semantic).statements
        found = compile_tree(MpmathBuilder(semantic).build(statement), names)({"c": mpf(1), "x": mpf("0.8")})
    assert near(found, expected, 1e-8)


OPEN = [(r"\int_{-\infty}^{(0+)}", target) for target in ("sympy", "mpmath", "maxima", "mathematica")] + [
    (r"\int_{C}", "mpmath"),
    (r"\int_{\infty-\pi i}^{\infty+\pi i}", "maxima"),
]


@pytest.mark.parametrize(("path", "target"), OPEN)
def test_paths_that_the_formula_leaves_open_are_refused(path: str, target: str) -> None:
    with pytest.raises(FormulaError):
        convert(rf"{path}f(t)\diff{{t}}", target)
