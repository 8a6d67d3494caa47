"""SymPy and mpmath: the code runs, objects and callables are built from the same tree, nothing else can run."""

from __future__ import annotations

import ast

import mpmath
import pytest
import sympy
from samples import call_for, samples, value_of

from texlift.errors import FormulaError
from texlift.targets import convert
from texlift.targets.objects import sympy_objects


def test_sympy_code_and_objects_are_the_same() -> None:
    nu, z = sympy.symbols("nu z")
    assert convert(r"\BesselJ{\nu}@{z}", "sympy").code == "besselj(nu, z)"
    assert sympy_objects(r"\BesselJ{\nu}@{z}") == (sympy.besselj(nu, z),)
    (series,) = sympy_objects(r"\sum_{n=1}^{\infty}\frac{1}{n^{2}}")
    assert series.doit() == sympy.pi**2 / 6
    (integral,) = sympy_objects(r"\int_{0}^{\infty}e^{-t}t^{3}\diff{t}")
    assert integral.doit() == 6
    (relation,) = sympy_objects(r"\sin^{2}@@{z}+\cos^{2}@@{z}=1")
    assert sympy.simplify(relation) == sympy.true
    (limit,) = sympy_objects(r"\lim_{x\to0}\frac{\sin@@{x}}{x}")
    assert limit.doit() == 1


def test_sympy_conventions() -> None:
    k = sympy.Symbol("k")
    assert sympy_objects(r"\compellintKk@{k}") == (sympy.elliptic_k(k**2),)
    assert "parameter m = k²" in "".join(convert(r"\compellintKk@{k}", "sympy").notes)
    assert convert(r"\beta+\lambda", "sympy").code == "beta_ + lambda_"


def test_powers_before_and_behind_primes() -> None:
    assert convert(r"\sin'^{2}@{x}", "sympy").code == "Derivative(sin(x), x)**2"
    assert convert(r"\sin^{2}'@{x}", "sympy").code == "Derivative(sin(x)**2, x)"
    assert convert(r"\sin^{2}''@{2x}", "sympy").code == "Subs(Derivative(sin(t_)**2, (t_, 2)), t_, 2*x)"


def test_sympy_entries_agree_with_mpmath() -> None:
    agreed = 0
    for key, call in samples("sympy"):
        try:
            expected = value_of(call)
            (found,) = sympy_objects(call)
            number = complex(found.evalf(15))
        except (FormulaError, ArithmeticError, ValueError, TypeError, AttributeError):
            continue  # SymPy keeps it symbolic, or mpmath has no value
        assert abs(number - expected) <= 1e-6 * max(1, abs(expected)), f"{key}: {call}: {expected}, SymPy {number}"
        agreed += 1
    assert agreed >= 85


def test_mpmath_code_runs_with_mpmath_and_what_its_notes_name() -> None:
    from texlift.special import numbers

    alone = {name: getattr(mpmath, name) for name in dir(mpmath) if not name.startswith("_")}
    for key, call in samples("mpmath"):
        found = convert(call, "mpmath")
        tree = ast.parse(found.code, mode="eval")
        named = any("from texlift.special.numbers" in note for note in found.notes)
        names = alone | ({name: getattr(numbers, name) for name in numbers.__all__} if named else {})
        own = {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
        used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} - own
        assert used <= names.keys() | {"gcd", "min", "max"}, f"{key} uses {used - names.keys()}"


@pytest.mark.parametrize(
    ("semantic", "expected"),
    [
        (r"\sum_{k=0}^{5}\binom{5}{k}", 32),
        (r"\sum_{n=0}^{\infty}\frac{1}{n!}", float(mpmath.e)),
        (r"\prod_{k=1}^{\infty}(1-2^{-k})", float(mpmath.qp(0.5))),
        (r"\int_{0}^{\infty}\frac{\sin@@{t}}{t}\diff{t}", float(mpmath.pi / 2)),
        (r"\lim_{n\to\infty}(1+\frac{1}{n})^{n}", float(mpmath.e)),
        (r"\left.\deriv[2]{(x^{4})}{x}\right|_{x=2}", 48),
        (r"\begin{cases}1,&2>3,\\7,&\text{otherwise}\end{cases}", 7),
        (r"\begin{vmatrix}1&2\\3&4\end{vmatrix}", -2),
        (r"\Jacobithetaq{1}'@{0}{0.2}", float(mpmath.jtheta(1, 0, 0.2, 1).real)),
        (r"\Eulertotientphi@{12}+\Moebiusmu@{30}", 3),
    ],
)
def test_callables_compute(semantic: str, expected: float) -> None:
    assert value_of(semantic).real == pytest.approx(expected, rel=1e-6)


def test_hostile_names_stay_names() -> None:
    code = convert(r"\mathrm{exec}(x)+\mathrm{import}+\operatorname{eval}(y)", "mpmath").code
    tree = ast.parse(code, mode="eval")
    assert not any(isinstance(n, ast.Attribute | ast.Subscript) for n in ast.walk(tree))
    with pytest.raises((KeyError, FormulaError)):
        value_of(r"\operatorname{eval}(y)")


def test_every_sample_has_a_value() -> None:
    assert call_for(r"\BesselJ") == r"\BesselJ{0.31}@{0.72}"
    assert value_of(r"\BesselJ{0.31}@{0.72}") == pytest.approx(complex(mpmath.besselj(0.31, 0.72)))


def test_sympy_states_and_does_not_test() -> None:
    (matrix,) = sympy_objects(r"g=\begin{pmatrix}1&a\\0&1\end{pmatrix}")
    assert isinstance(matrix, sympy.Eq)  # SymPy finds a letter and a matrix different
    (number,) = sympy_objects(r"\Riemannzeta@{2}=\frac{\pi^{2}}{6}")
    assert isinstance(number, sympy.Eq)
    (order,) = sympy_objects(r"\WhittakerconfhyperW{\kappa}{0}@{z}=\sqrt{z}+\bigO@{z^{3/2}\ln@@{z}}")
    assert order.has(sympy.Order)


def test_lists_are_no_operands() -> None:
    for target in ("sympy", "mpmath", "mathematica", "maple"):
        with pytest.raises(FormulaError, match="list"):
            convert(r"2(a,b)", target)


def test_definitions_agree_with_known_functions() -> None:
    assert value_of(r"\genAiryODEA{1}@{0.7}") == pytest.approx(value_of(r"\AiryAi@{0.7}"))
    assert value_of(r"\PollaczekpolyP{0.4}{3}@{0.3}{0}{0}") == pytest.approx(value_of(r"\ultrasphpoly{0.4}{3}@{0.3}"))
    assert value_of(r"\int_{0}^{1}x^{2}\qdiff{0.5}{x}") == pytest.approx(0.5 / (1 - 0.125))
    assert value_of(r"\hyperumbcatastrophe@{1}{2}{3,4,5}") == pytest.approx(30)
    assert convert(r"{\cal H}_{\nu}(z)", "sympy").code == convert(r"\mathcal{H}_{\nu}(z)", "sympy").code


def test_a_missing_function_says_who_has_it() -> None:
    with pytest.raises(FormulaError) as caught:
        convert(r"\sphwaveQs{m}{n}@{z}{\gamma^{2}}", "sympy")
    assert "Mathematica" in caught.value.hint and "no runnable target" in caught.value.hint
