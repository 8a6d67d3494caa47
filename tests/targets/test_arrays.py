"""Declared vectors and matrices: each writer has the product of matrices, or refuses."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import mpmath
import numpy as np
import pytest

from texlift.errors import FormulaError
from texlift.targets import convert

DECLARED = {"A": "matrix(2,2)", "B": "matrix(2,2)", "x": "vector(2)", "y": "vector(2)"}
A = np.array([[1.0, 2.0], [3.0, 5.0]])
B = np.array([[0.0, 1.0], [4.0, -1.0]])
X = np.array([2.0, -1.0])
Y = np.array([0.5, 3.0])
PRODUCTS = [
    ("AB-BA", A @ B - B @ A),
    ("2A^{2}x", 2 * A @ A @ X),
    ("A^{-1}x", np.linalg.solve(A, X)),
    ("x^{T}Ay", X @ A @ Y),
    (r"\frac{AB}{2}", A @ B / 2),
    ("A^{T}A", A.T @ A),
]


@pytest.mark.parametrize(("semantic", "expected"), PRODUCTS)
def test_numpy_and_mpmath_compute_products_of_matrices(semantic: str, expected: np.ndarray) -> None:
    names: dict[str, object] = {}
    code = convert(semantic, "numpy", DECLARED).code
    exec(compile(code, "formula", "exec"), names)  # noqa: S102  the code under test
    arguments = code.split("def formula(")[1].split(")")[0].split(", ")
    values = {"A": A, "B": B, "x": X, "y": Y}
    assert np.allclose(names["formula"](*(values[name] for name in arguments)), expected)  # type: ignore[operator]
    columns = {name: mpmath.matrix(value.tolist()) for name, value in values.items()}
    space = {name: getattr(mpmath, name) for name in dir(mpmath)}
    found = eval(convert(semantic, "mpmath", DECLARED).code, space, columns)  # noqa: S307  the code under test
    shape = expected.shape if expected.ndim == 2 else (expected.size, 1)
    assert np.allclose(np.array(found.tolist(), dtype=float).reshape(shape), expected.reshape(shape))


def test_maxima_computes_products_of_matrices(tmp_path: Path) -> None:
    program = shutil.which("maxima")
    if program is None:
        pytest.skip("Maxima is not installed: Maxima code is not run")
    script = tmp_path / "products.mac"
    setting = "A: matrix([1,2],[3,5])$ B: matrix([0,1],[4,-1])$ x: matrix([2],[-1])$ y: matrix([1/2],[3])$"
    lines = [f"display2d:false$ {setting}"]
    for index, (semantic, _) in enumerate(PRODUCTS):
        code = convert(semantic, "maxima", DECLARED).code
        value = f"block([r: {code}], if matrixp(r) then float(flatten(args(r))) else [float(r)])"
        lines.append(f'print("@{index}", {value})$')
    script.write_text("\n".join(lines), "utf-8")
    command = [program, "--very-quiet", "-b", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    found = [line for line in done.stdout.splitlines() if line.startswith("@")]
    assert len(found) == len(PRODUCTS)
    for line, (semantic, expected) in zip(found, PRODUCTS, strict=True):
        numbers = [float(number) for number in line.split("[")[1].split("]")[0].split(",")]
        assert np.allclose(numbers, expected.ravel()), semantic


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("mathematica", "2*(MatrixPower[A, 2] . Inverse[B] . x)"),
        ("maple", "2*(A^2 . B^(-1) . x)"),
        ("maxima", "2*(A^^2 . B^^(-1) . x)"),
    ],
)
def test_powers_and_inverses(target: str, code: str) -> None:
    assert convert("2A^{2}B^{-1}x", target, DECLARED).code == code


def test_types_in_content_mathml_and_mathjson() -> None:
    assert convert("AB", "mathjson", DECLARED).code == '["MatrixMultiply", "A", "B"]'
    assert '<ci type="matrix">A</ci><ci type="vector">x</ci>' in convert("Ax", "mathml", DECLARED).code


TARGETS = ["sympy", "mpmath", "numpy", "mathematica", "maple", "maxima", "julia", "mathjson"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("semantic", ["A+1", "A/B", r"\sin@{A}", "x^{2}", r"\sqrt{A}", "2^{A}"])
def test_what_systems_do_element_by_element_is_refused(semantic: str, target: str) -> None:
    with pytest.raises(FormulaError, match=r"matrix|vector"):
        convert(semantic, target, DECLARED)


def test_outer_products_are_not_inner_ones() -> None:
    assert "np.outer(x" in convert("xy^{T}", "numpy", DECLARED).code
    assert convert("xy^{T}", "mathematica", DECLARED).code == "Outer[Times, x, y]"
    with pytest.raises(FormulaError):
        convert("Axy^{T}", "numpy", DECLARED)
