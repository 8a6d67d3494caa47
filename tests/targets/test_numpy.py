"""NumPy functions: complete, vectorised, with names that exist and the values that mpmath computes."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from samples import samples, value_of
from scipy import integrate

from texlift.errors import FormulaError
from texlift.targets import convert
from texlift.targets.table import load_table
from texlift.targets.writers.pycode import template

Load = Callable[..., Any]
REAL = {  # keys whose first or only variable may be complex in SciPy, with a call
    r"\BesselJ": r"\BesselJ{1.3}@{Z}", r"\BesselY": r"\BesselY{1.3}@{Z}", r"\modBesselI": r"\modBesselI{0.3}@{Z}",
    r"\modBesselK": r"\modBesselK{0.3}@{Z}", r"\HankelH{1}": r"\HankelH{1}{0.3}@{Z}",
    r"\EulerGamma": r"\EulerGamma@{Z}",
    r"\digamma": r"\digamma@{Z}", r"\erf": r"\erf@{Z}", r"\erfc": r"\erfc@{Z}", r"\AiryAi": r"\AiryAi@{Z}",
    r"\AiryBi": r"\AiryBi@{Z}", r"\expintE": r"\expintE@{Z}", r"\sinint": r"\sinint@{Z}", r"\cosint": r"\cosint@{Z}",
    r"\Fresnelcosint": r"\Fresnelcosint@{Z}", r"\hyperF": r"\hyperF@{0.3}{0.4}{1.7}{Z}",
    r"\KummerconfhyperM": r"\KummerconfhyperM@{0.3}{1.4}{Z}", r"\LambertW": r"\LambertW@{Z}", r"\dilog": r"\dilog@{Z}",
    r"\CarlsonsymellintRF": r"\CarlsonsymellintRF@{0.4}{0.7}{Z}", r"\ln": r"\ln@{Z}", r"\asin": r"\asin@{Z}",
    r"\atan": r"\atan@{Z}", r"\acosh": r"\acosh@{Z}", r"\LegendrepolyP": r"\LegendrepolyP{3}@{Z}",
    r"\Riemannzeta": r"\Riemannzeta@{Z}",
}  # fmt: skip


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """The function that a formula becomes, loaded as a module is."""

    def loaded(semantic: str, declare: dict[str, str] | None = None) -> Any:
        code = convert(semantic, "numpy", declare).code
        path = tmp_path / "made.py"
        path.write_text(code, "utf-8")
        names = runpy.run_path(str(path))
        (name,) = [node.name for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
        return names[name]

    return loaded


def test_every_name_of_the_table_exists() -> None:
    modules = {"np": np, "special": importlib.import_module("scipy.special"), "integrate": integrate}
    for entry in load_table("numpy").entries.values():
        for code in filter(None, (entry.code, entry.derivative)):
            for node in ast.walk(template(code)):
                if isinstance(node, ast.Attribute):
                    path = ast.unparse(node).split(".")
                    owner: Any = modules[path[0]]
                    for part in path[1:]:
                        owner = getattr(owner, part)
                elif isinstance(node, ast.Name):
                    assert node.id in modules or re.fullmatch(r"_(\d|n)", node.id), code


def test_every_entry_has_the_value_of_mpmath(load: Load) -> None:
    wrong = []
    without = {r"\Mathieueigvala", r"\Mathieueigvalb", r"\Mathieuce", r"\Mathieuse"}  # mpmath lacks them; see below
    cases = [(key, call) for key, call in samples("numpy") if key not in without]
    for key, call in cases:
        expected, found = value_of(call), complex(load(call)())
        if abs(found - expected) > 1e-9 * max(1.0, abs(expected)):
            wrong.append(f"{key}: {call} is {expected}, SciPy says {found}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("key", REAL)
def test_complex_arguments_have_the_value_of_mpmath(key: str, load: Load) -> None:
    call = REAL[key].replace("Z", "z")
    for z, text in ((0.4 + 0.3j, r"0.4+0.3\iunit"), (1.2 - 0.8j, r"1.2-0.8\iunit"), (-0.7 + 0.2j, r"-0.7+0.2\iunit")):
        expected = value_of(REAL[key].replace("Z", text))
        assert complex(load(call)(z)) == pytest.approx(expected, rel=1e-8), (key, z)


def test_mathieu_functions_solve_their_equation(load: Load) -> None:
    """w'' + (a - 2q cos 2z) w = 0, and the mean of the square over a period is 1/2 (DLMF 28.2.1, 28.2.30)."""
    for function, value in (("Mathieuce", "Mathieueigvala"), ("Mathieuse", "Mathieueigvalb")):
        made = load(rf"\{function}{{2}}@{{z}}{{q}}")
        q, z, h = 0.8, 0.6, 1e-4
        assert list(inspect.signature(made).parameters) == ["z", "q"]
        second = (made(z + h, q) - 2 * made(z, q) + made(z - h, q)) / h**2
        eigenvalue = load(rf"\{value}{{2}}@{{q}}")(q)
        assert second + (eigenvalue - 2 * q * np.cos(2 * z)) * made(z, q) == pytest.approx(0, abs=1e-5)
        points = np.linspace(0, 2 * np.pi, 400, endpoint=False)
        assert np.mean(made(points, q) ** 2) == pytest.approx(0.5, rel=1e-6)


def test_derivatives_are_those_of_mpmath(load: Load) -> None:
    for semantic in (r"\BesselJ{1.3}'@{z}", r"\modBesselK{0.3}'@{z}", r"\AiryAi'@{z}", r"\digamma'@{z}"):
        expected = value_of(semantic.replace("{z}", "{0.7}"))
        assert complex(load(semantic)(0.7)) == pytest.approx(expected, rel=1e-9)


def test_arrays_are_taken_element_by_element(load: Load) -> None:
    made = load(r"y=a\BesselJ{\nu}@{x}+x^{2}")
    x = np.linspace(0.1, 3, 7)
    single = [made(value, 0.5, 1.5) for value in x]
    assert np.allclose(made(x, 0.5, 1.5), single)


def test_arguments_are_variables_then_parameters() -> None:
    def header(semantic: str) -> str:
        return next(line for line in convert(semantic, "numpy").code.splitlines() if line.startswith("def "))

    assert header(r"a\sin@{bx}+y") == "def formula(x, y, a, b):"
    assert header(r"y=a\sin@{bx}") == "def y(x, a, b):"
    assert header(r"f(a,x)=ax^{2}+c") == "def f(a, x, c):"
    assert header(r"g(x)+a") == "def formula(x, a, g):"


def test_an_equation_returns_what_it_says(load: Load) -> None:
    assert load("y=x^{2}")(3) == 9
    circle = load("x^{2}+y^{2}=1")
    assert circle(0.6, 0.8) == pytest.approx(0)
    assert "left minus right" in (circle.__doc__ or "")
    assert list(load("x<2")(np.array([1, 3]))) == [True, False]
    assert list(load(r"1\leq x<2")(np.array([0.5, 1.5]))) == [False, True]


def test_sums_products_integrals_cases(load: Load) -> None:
    x = np.array([0.5, -1.5])
    assert np.allclose(load(r"\sum_{k=0}^{n}\binom{n}{k}x^{k}")(x, 3), (1 + x) ** 3)
    assert load(r"\prod_{k=1}^{5}k")() == 120
    assert np.allclose(load(r"\int_{0}^{x}t^{2}\diff{t}")(x), x**3 / 3)
    assert np.allclose(load(r"\begin{cases}x,&x>0,\\0,&\text{otherwise}\end{cases}")(x), [0.5, 0])
    assert np.isrealobj(load("x^{n}")(x, 2))
    assert load(r"\sqrt{x}")(-4.0) == 2j


def test_declared_matrices_are_multiplied_as_matrices(load: Load) -> None:
    a, v = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, -1.0])
    made = load("Av", {"A": "matrix", "v": "vector"})
    assert np.allclose(made(v, a), a @ v)
    assert np.allclose(load("A^{-1}", {"A": "matrix"})(a), np.linalg.inv(a))
    assert load(r"\|v\|", {"v": "vector"})(v) == pytest.approx(2**0.5)


@pytest.mark.parametrize(
    ("semantic", "named"),
    [
        (r"\lim_{x\to0}\frac{\sin@@{x}}{x}", "limit"),
        (r"\sum_{k=0}^{\infty}x^{k}", "infinite sum"),
        (r"\deriv{f(x)}{x}", "derivative"),
        (r"\LameEc{m}{\nu}@{z}{k^{2}}", r"\LameEc"),
    ],
)
def test_what_it_cannot_say_is_named(semantic: str, named: str) -> None:
    with pytest.raises(FormulaError, match=re.escape(named)):
        convert(semantic, "numpy")


def test_a_docstring_cannot_be_left() -> None:
    code = convert(r"x+y\,", "numpy").code
    assert [type(node) for node in ast.parse(code).body] == [ast.Import, ast.FunctionDef]
