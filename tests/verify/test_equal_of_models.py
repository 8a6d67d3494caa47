r"""Answers as language models write them: several boxes, doubled backslashes, chatter, percent, commas, currency."""

from __future__ import annotations

import pytest

pytest.importorskip("flint")

from texlift import equal

EQUAL = [
    (r"-3\le x\le4", r"$-3 \\le x \\le 4$"),
    (r"\left(\frac12,\frac13\right)", r"$\\left(\\frac{1}{2},\\frac{1}{3}\\right)$"),
    ("3, 5", r"$\boxed{3}$ and $\boxed{5}$"),
    ("3, 5", r"$\boxed{3}\boxed{5}$"),
    (r"(1,4),(4,1)", r"\boxed{(1,4)} \quad \text{and} \quad \boxed{(4,1)}"),
    (r"(1,4),(4,1)", r"(x,y)=(1,4) \text{ and } (4,1)"),
    ("3, 5, 8", r"$3, 5, and 8$"),
    ("3, 5, 8", r"$3, 5, \text{ and } 8$"),
    (r"(1,4)\text{ or }(4,1)", "$(1,4)or(4,1)$"),
    (r"45\%", "$45$ %"),
    (r"45\%", "45 pct"),
    (r"45\%", r"it is $\boxed{45}$ percent"),
    ("1234.50", r"\$1{,}234.50"),
    ("12.75", "12,75"),
    (r"125\text{ miles}", r"\boxed{125\textnormal{ miles}}"),
    ("15{,}300", "The final answer is $15 {, }300$. I hope it is correct. Note: it may be wrong."),
    ("x>3", "Hence $x>3$ is the solution."),
    ("7", "The largest possible value is $7$"),
    (r"\frac{AB}{CD}=\frac{2}{3}", r"\frac{2}{3}"),
    ("x_1=2,\\quadx_2=3", r"\boxed{3} \text{ and } \boxed{2}"),
    (r"a_n=\sum_{k=0}^{n}a_kb_{n-k}", r"a_n=\sum_{k=0}^{n}b_{n-k}a_k"),
    ("12:30", "12:30"),
]
DIFFERENT = [
    ("3, 5", r"$\boxed{3}$ and $\boxed{6}$"),
    (r"(1,4),(4,1)", r"(x,y)=(1,4) \text{ and } (4,2)"),
    (r"45\%", "46 pct"),
    ("12.75", "12,85"),
    (
        "[1,2]",
        r"The final answer is $[1,2]$. I hope it is correct. No: the final answer is $[2,3]$. I hope it is correct.",
    ),
]
UNDECIDED = [
    (r"45\%", "45"),
    (r"\frac13", "0.333333333333333"),
    ("5", r"5\textbf{ meters}"),
    (r"AB=4,CD=5", "4,6"),
    ("3, 5", r"\boxed{3} not \boxed{5}"),
]


@pytest.mark.parametrize(("a", "b"), EQUAL)
def test_equal(a: str, b: str) -> None:
    assert equal(a, b).verdict == "equal", equal(a, b)
    assert equal(b, a).verdict == "equal", equal(b, a)


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_different(a: str, b: str) -> None:
    assert equal(a, b).verdict == "different", equal(a, b)


@pytest.mark.parametrize(("a", "b"), UNDECIDED)
def test_undecided(a: str, b: str) -> None:
    assert equal(a, b).verdict == "undecided", equal(a, b)


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        (r"3\text{E}5", "300000", "equal"),
        (r"\text{approximately }3.14", "3.14", "equal"),
        (r"12\,\mathrm{N\,m}", r"12\,\mathrm{Nm}", "equal"),
        (r"5\,\mathrm{nm}", r"5\,\mathrm{Nm}", "different"),
        (r"1\,\mu\mathrm{m}", r"10^{-6}\,\mathrm{m}", "equal"),
        (r"2\,\mathrm{k\Omega}", r"2000\,\Omega", "equal"),
        (r"9.8\,\mathrm{m/s^2}", r"9.8\,\frac{\mathrm m}{\mathrm s^2}", "equal"),
        (r"2\hat{i}+3\hat{j}", "(2,3)", "equal"),
        (r"\mathbf{i}-2\mathbf{k}", "(1,0,-2)", "equal"),
        (r"2\hat{i}+3\hat{j}", "(2,4)", "different"),
        (r"2\hat{x}", "(2,0)", "undecided"),
        (r"\textbf{Answer:} $x=7$", "7", "equal"),
    ],
)
def test_units_and_powers_of_ten_as_models_write_them(a: str, b: str, verdict: str) -> None:
    assert equal(a, b).verdict == verdict
