"""Mathematica code runs in Mathics3 and gives the numbers mpmath gives, for every table entry Mathics can evaluate."""

from __future__ import annotations

import pytest
from samples import recorded, samples, value_of

from texlift.errors import FormulaError
from texlift.targets import convert

# Mathics 10 swaps the arguments of the first six (its EllipticPi[n, m] is Π(m, n)), and has no Stieltjes constants.
FAULTY = {r"\compellintPik", r"\incellintPik", r"\compellintPim", r"\incellintPim", r"\LambertWm", r"\LambertW[]",
          r"\StieltjesConstants"}  # fmt: skip


@pytest.fixture(scope="module")
def session():
    pytest.importorskip("mathics", reason="Mathics3 is not installed: Mathematica code is not run")
    from mathics.core.load_builtin import import_and_load_builtins
    from mathics.session import MathicsSession

    import_and_load_builtins()
    return MathicsSession(add_builtin=True, catch_interrupt=False)


def _number(session, code: str) -> complex | None:
    try:
        return complex(session.evaluate(f"N[{code}]").to_sympy())
    except (TypeError, ValueError, AttributeError):
        return None


def executed(session) -> dict[str, tuple[str, complex, complex]]:
    """By entry of the table, where Mathics computes a number: the call, the value it should have, what Mathics says."""
    found: dict[str, tuple[str, complex, complex]] = {}
    for key, call in samples("mathematica"):
        if key in FAULTY:
            continue
        try:
            expected = value_of(call)
        except (FormulaError, ArithmeticError, ValueError):
            continue
        value = _number(session, convert(call, "mathematica").code)
        if value is not None:  # else Mathics knows the name at most
            found[key] = (call, expected, value)
    return found


def test_every_entry_that_mathics_can_evaluate(session) -> None:
    found = executed(session)
    for key, (call, expected, value) in found.items():
        assert abs(value - expected) <= 1e-6 * max(1, abs(expected)), (
            f"{key}: {call} is {expected}, Mathics says {value}"
        )
    assert set(recorded("mathematica")) <= set(found)  # what the page of functions says


@pytest.mark.parametrize(
    ("semantic", "expected"),
    [
        (r"\sum_{k=0}^{5}\binom{5}{k}", 32),
        (r"\prod_{k=1}^{4}k", 24),
        (r"\int_{0}^{1}x^{2}\diff{x}", 1 / 3),
        (r"\lim_{x\to0}\frac{\sin@@{x}}{x}", 1),
        (r"\left.\deriv{(x^{3})}{x}\right|_{x=2}", 12),
        (r"\begin{vmatrix}1&2\\3&4\end{vmatrix}", -2),
        (r"2^{-\frac{1}{2}}\sqrt[3]{8}", 2**0.5),
    ],
)
def test_constructs(session, semantic: str, expected: float) -> None:
    found = _number(session, convert(semantic, "mathematica").code)
    assert found == pytest.approx(expected)


def test_parses_relations_and_unknown_functions(session) -> None:
    code = convert(r"a_{n}=f^{\prime}(x)\geq\BesselJ{\nu}@{z},n=0,1,2,\dots", "mathematica").code
    assert "SyntaxError" not in str(session.evaluate(code))
    assert "Derivative[1][f][x]" in code and "Subscript[a, n]" in code
