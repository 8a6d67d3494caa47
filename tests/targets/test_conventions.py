"""Functions in other conventions, and concepts that the DLMF has no macro for, against independent definitions."""

from __future__ import annotations

import math
from typing import Any

import pytest
from mpmath import mp

from texlift.meaning.reader.reading import read
from texlift.targets import convert
from texlift.translate.shortcut import translate
from texlift.verify.evaluation import compile_expression, namespace
from texlift.verify.trust import Trust

POINTS = [(0.31 + 0.2j, 0.1 + 1.1j), (0.7, 1.3j), (-0.4 + 0.1j, 0.45 + 0.9j)]


def value(semantic: str, **letters: Any) -> Any:
    names = namespace(Trust(), complex_letters=True)
    code, labels = compile_expression(read(semantic).statements[0], semantic, names)
    known = {("\\tau" if name == "tau" else name): number for name, number in letters.items()}
    return mp.mpmathify(code({labels[tex]: mp.mpmathify(known[tex]) for tex in labels if tex in known}))


def close(found: Any, expected: Any) -> bool:
    return bool(abs(found - expected) < 1e-8 * max(1, abs(expected)))


@pytest.mark.parametrize(("z", "tau"), POINTS)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_theta_functions_of_period_one(number: int, z: complex, tau: complex) -> None:
    def series(z: Any) -> Any:  # by definition, with w = exp(i pi z) and powers of tau, not of q
        half, sign = (0.5 if number < 3 else 0), (number in (1, 4))
        terms = (mp.expjpi(tau * (n + half) ** 2 + 2 * (n + half) * z) * (-1) ** (n * sign) for n in range(-12, 13))
        return mp.fsum(terms) * (mp.mpc(0, -1) if number == 1 else 1)

    assert close(value(rf"\unitJacobitheta{{{number}}}@{{z}}{{\tau}}", z=z, tau=tau), series(z))
    slope = value(rf"\unitJacobitheta{{{number}}}'@{{z}}{{\tau}}", z=z, tau=tau)
    assert close(slope, mp.diff(series, z))


@pytest.mark.parametrize(("z", "tau"), POINTS)
def test_modular_functions_of_tau(z: complex, tau: complex) -> None:
    q = mp.expjpi(tau)
    two, three, four = (mp.jtheta(number, 0, q) for number in (2, 3, 4))  # only eighth powers are taken
    fourth = (two**8 + three**8 + four**8) / 2
    assert close(value(r"\EisensteinE{4}@{\tau}", tau=tau), fourth)
    assert close(value(r"\EisensteinE{8}@{\tau}", tau=tau), fourth**2)
    assert close(value(r"\modularj@{\tau}", tau=tau), fourth**3 / (two * three * four / 2) ** 8)


@pytest.mark.parametrize(("z", "tau"), POINTS)
def test_weierstrass_functions_of_tau(z: complex, tau: complex) -> None:
    def at(name: str, z: Any) -> Any:
        return value(rf"\{name}@{{z}}{{\tau}}", z=z, tau=tau)

    assert close(mp.diff(lambda w: at("Weierstrasszetatau", w), z), -at("Weierstrassptau", z))
    slope = mp.diff(lambda w: mp.log(at("Weierstrasssigmatau", w)), z)
    assert close(slope, at("Weierstrasszetatau", z))
    assert close(at("Weierstrasssigmatau", mp.mpf("1e-4")) * 10000, 1)


@pytest.mark.filterwarnings("ignore:sympy")
@pytest.mark.parametrize("latex", [r"\operatorname{Cl}_2(x)", r"\mathrm{Cl}_2 x"])
@pytest.mark.parametrize("x", [0.3, math.pi / 2, 2.5, -1.2, 4.0, 7.5])
def test_clausens_integral(latex: str, x: float) -> None:
    expected = -mp.quad(lambda t: mp.log(abs(2 * mp.sin(t / 2))), [0, x] if x < 6 else [0, 2 * mp.pi, x])
    reading = translate(latex)
    assert reading.semantic in (r"\Clausenint@{x}", r"\Clausenint@@{x}")
    assert close(value(reading.semantic, x=x), expected)  # mpmath has it
    assert close(mp.mpmathify(reading.sympy().subs("x", x).evalf()), expected)  # SymPy gets its definition


def test_catalans_constant_is_a_value_of_clausens_integral() -> None:
    assert close(value(r"\Clausenint@{\frac{\cpi}{2}}"), mp.catalan)


@pytest.mark.parametrize(
    ("latex", "letters", "expected"),
    [
        (r"\operatorname{lcm}(a,b)", {"a": 12, "b": -18}, 36),
        (r"\operatorname{lcm}(a,b)", {"a": 0, "b": 0}, 0),
        (r"\operatorname{lcm}(a,b,c)", {"a": 4, "b": 6, "c": 10}, 60),
        (r"x^{\underline{k}}", {"x": 0.7, "k": 3}, 0.7 * -0.3 * -1.3),
        (r"x^{\underline{k}}", {"x": -2, "k": 2}, 6),
        (r"\operatorname{atan2}(y,x)", {"y": 1, "x": -1}, 3 * math.pi / 4),
        (r"\operatorname{agm}(a,b)", {"a": 1, "b": math.sqrt(2)}, 1.19814023473559),
        (r"\operatorname{erfi}(z)", {"z": 0.5}, 0.614952094696511),
        (r"\operatorname{erfi}(z)", {"z": 2}, 18.5648024145755526),
        (r"\operatorname{atan2}(y,x)", {"y": -1, "x": -1}, -3 * math.pi / 4),
        (r"\operatorname{atan2}(y,x)", {"y": -2, "x": 0}, -math.pi / 2),
        (r"\eulerTotientFunction{n}", {"n": 12}, 4),
        (r"\eulerTotientFunction{n}", {"n": 7}, 6),
        (r"\moebiusFunction{n}", {"n": 30}, -1),
        (r"\moebiusFunction{n}", {"n": 12}, 0),
        (r"\moebiusFunction{n}", {"n": 6}, 1),
        (r"\divisorFunction{k}{n}", {"k": 1, "n": 12}, 28),
        (r"\divisorFunction{k}{n}", {"k": 0, "n": 12}, 6),
        (r"\primeCountingFunction{x}", {"x": 20}, 8),
        (r"\stirlingNumberOfSecondKind{n}{k}", {"n": 6, "k": 3}, 90),
        (r"\stirlingNumberOfSecondKind{n}{k}", {"n": 5, "k": 2}, 15),
    ],
)
def test_concepts_in_mpmath(latex: str, letters: dict[str, float], expected: float) -> None:
    assert close(value(latex, **letters), expected)


@pytest.mark.parametrize(
    ("latex", "codes"),
    [
        (
            r"\operatorname{atan2}(y,x)",
            {"mathematica": "ArcTan[x, y]", "maple": "arctan(y, x)", "maxima": "atan2(y, x)"},
        ),
        (r"x^{\underline{k}}", {"mathematica": "FactorialPower[x, k]", "sympy": "ff(x, k)"}),
        (r"\operatorname{erfi}(z)", {"mathematica": "Erfi[z]", "maple": "erfi(z)", "maxima": "erfi(z)"}),
    ],
)
def test_concepts_in_other_systems(latex: str, codes: dict[str, str]) -> None:
    for target, code in codes.items():
        assert convert(latex, target).code == code


def test_another_name_for_a_function_that_a_system_has_is_no_definition() -> None:
    assert convert(r"\eulerTotientFunction{n}", "mathematica").warnings == ()
    assert "by its definition" in convert(r"\eulerTotientFunction{n}", "mpmath").warnings[0]
