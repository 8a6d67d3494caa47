"""Paths, principal values and operators applied a symbolic number of times, as integrals and derivatives."""

from __future__ import annotations

import pytest

from texlift.errors import FormulaError
from texlift.targets import convert

pytest.importorskip("sympy")


@pytest.mark.parametrize(
    "operator", [r"\frac{1}{z}\deriv{}{z}", r"z\deriv{}{z}z", r"z^{2}\deriv{}{z}", r"z\deriv{}{z}"]
)
def test_an_operator_to_a_letter_is_the_operator_that_often(operator: str) -> None:
    import sympy

    from texlift.targets.objects import sympy_objects

    z, n = sympy.symbols("z n")
    once = {
        r"\frac{1}{z}\deriv{}{z}": lambda u: sympy.diff(u, z) / z,
        r"z\deriv{}{z}z": lambda u: z * sympy.diff(z * u, z),
        r"z^{2}\deriv{}{z}": lambda u: z**2 * sympy.diff(u, z),
        r"z\deriv{}{z}": lambda u: z * sympy.diff(u, z),
    }[operator]
    found = sympy_objects(rf"\left({operator}\right)^{{n}}(z^{{3}}\sin@@{{z}})", assume=False)[0]
    wanted = once(once(z**3 * sympy.sin(z)))
    for point in (-0.7, 0.4):
        value = found.subs(n, 2).doit().subs(z, point)
        assert abs(sympy.N(value - wanted.subs(z, point))) < 1e-9


def test_an_operand_that_hides_its_variable_is_refused() -> None:
    with pytest.raises(FormulaError):
        convert(r"\left(z\deriv{}{z}\right)^{n}w", "sympy")


@pytest.mark.parametrize("target", ["sympy", "maple", "maxima"])
def test_a_named_path_is_a_function(target: str) -> None:
    found = convert(r"\int_{C}f(z)\diff{z}", target)
    assert "0" in found.code and any("path" in warning for warning in found.warnings)
    with pytest.raises(FormulaError):
        convert(r"\int_{C}f\diff{s}", target)  # along the arc


@pytest.mark.parametrize("target", ["sympy", "maple", "maxima", "mathematica"])
def test_a_loop_is_no_letter(target: str) -> None:
    with pytest.raises(FormulaError):
        convert(r"\int_{-\infty}^{(0+)}e^{t}t^{-z}\diff{t}", target)


def test_a_principal_value_is_a_limit() -> None:
    import sympy

    from texlift.targets.objects import sympy_objects

    for integrand in (r"\frac{e^{t}}{t}", r"\frac{e^{t}}{t-\frac{1}{2}}", r"\frac{e^{t}}{\frac{1}{2}-t}"):
        found = sympy_objects(rf"\pvint_{{-1}}^{{1}}{integrand}\diff{{t}}", assume=False)[0]
        assert isinstance(found, sympy.Limit)
        gap = found.args[1]
        near, nearer = (float(found.args[0].subs(gap, size).evalf()) for size in (0.01, 0.001))
        assert abs(near - nearer) < 0.1
    with pytest.raises(FormulaError):
        sympy_objects(r"\pvint_{0}^{2}\frac{\diff{t}}{\ln@@{t}}")  # where is the pole?


@pytest.mark.parametrize("target", ["sympy", "mathematica", "maple"])
def test_a_modulus_that_is_left_out_is_named_in_a_warning(target: str) -> None:
    found = convert(r"\Jacobiellsnk@@{z}{k}", target)
    assert any("the modulus" in warning and "leaves out" in warning for warning in found.warnings)
    assert not convert(r"\Jacobiellsnk@{z}{k}", target).warnings or target == "sympy"


def test_expansions_in_two_series_are_limits() -> None:
    import sympy

    from texlift.targets.objects import sympy_objects

    semantic = (
        r"f(x)\asympexp\sin@@{x}\sum_{k=0}^{\infty}\frac{a_{k}}{x^{k}}-\cos@@{x}\sum_{k=0}^{\infty}\frac{b_{k}}{x^{k}}"
    )
    (found,) = sympy_objects(semantic, assume=False)
    limit = found.lhs
    assert isinstance(limit, sympy.Limit) and found.rhs == 0 and limit.args[2] == sympy.oo
    above, below = sympy.fraction(sympy.together(limit.args[0].subs("n", 0).doit()))
    x = sympy.Symbol("x")
    a, b = sympy.IndexedBase("a")[0], sympy.IndexedBase("b")[0]
    wanted = sympy.Function("f")(x) - a * sympy.sin(x) + b * sympy.cos(x)
    assert (
        sympy.simplify(above - wanted) == 0
        and sympy.simplify(below - abs(a * sympy.sin(x)) - abs(b * sympy.cos(x))) == 0
    )
    with pytest.raises(FormulaError):  # one says that x is large, the other that it is small
        convert(r"f(x)\asympexp\sum_{k=0}^{\infty}\frac{a_{k}}{x^{k}}+\sum_{k=0}^{\infty}b_{k}x^{k}", "sympy")


def test_generalized_euler_and_bernoulli_polynomials_by_their_generating_functions() -> None:
    from texlift.targets.objects import sympy_objects

    assert str(sympy_objects(r"\genEulerpolyE{2}{2}@{x}")[0].doit()) == "x**2 - 2*x + 1/2"
    assert str(sympy_objects(r"\genBernoullipolyB{2}{2}@{x}")[0].doit()) == "x**2 - 2*x + 5/6"
