"""What plots show: sensible windows, gaps instead of lies, ticks people would choose."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

pytest.importorskip("mpmath")
pytest.importorskip("matplotlib")

from texlift.verify.plots.frame import frame_of
from texlift.verify.plots.labels import formula_label
from texlift.verify.plots.sources import sources
from texlift.verify.plots.subject import subject_of
from texlift.verify.plots.ticks import pi_label, pi_ticks
from texlift.verify.plots.trace import Trace, trace_of


def traced(semantic: str, *constraints: str, **declared: str) -> Trace:
    return trace_of(subject_of(semantic, constraints, declared))


def gap_at(trace: Trace, place: float, side: int = 0) -> bool:
    """Whether the curve is broken at a place: no two neighbouring values stand on both sides of it."""
    pairs = zip(trace.places, trace.side(side), trace.places[1:], trace.side(side)[1:], strict=False)
    return not any(x < place < y and None not in (a, b) for x, a, y, b in pairs)


@pytest.mark.parametrize(
    ("formula", "poles"),
    [
        (r"\tan@@{x}", [-math.pi / 2, math.pi / 2, 3 * math.pi / 2]),
        (r"\frac{1}{x^2}", [0.0]),
        (r"\EulerGamma@{x}", [0.0, -1.0, -2.0]),
        (r"\frac{1}{3x-1}", [1 / 3]),
        (r"\floor{x}", [1.0, 2.0, -1.0]),
        (r"\frac{x}{x^2-2}", [math.sqrt(2), -math.sqrt(2)]),
    ],
)
def test_curves_are_broken_at_poles_and_jumps(formula: str, poles: list[float]) -> None:
    trace = traced(formula)
    for pole in poles:
        assert trace.ends[0] < pole < trace.ends[1]
        assert gap_at(trace, pole), pole


@pytest.mark.parametrize("formula", [r"\tanh@{40x}", "x^{1/3}", "|x|", r"\sin@{20x}", r"e^{-100x^2}"])
def test_steep_is_not_broken(formula: str) -> None:
    trace = traced(formula)
    values = trace.side(0)
    assert None not in values[values.index(next(v for v in values if v is not None)) :]


@pytest.mark.parametrize(
    ("formula", "shown", "widest"),
    [
        ("(x-100)(x-200)", (100, 150, 200), 500),
        (r"\ln@@{x}", (1,), 20),
        (r"\sqrt{x-100}", (101,), 50),
        (r"e^{-x^2}", (-1, 0, 1), 8),
        (r"x^3-3x", (-1.7, 1.7), 8),
        (r"e^x\geq 1+x", (-0.5, 0.5), 12),
        (r"\asin@@{x}", (-0.9, 0.9), 2.5),
    ],
)
def test_the_window_shows_where_something_happens(formula: str, shown: tuple[float, ...], widest: float) -> None:
    low, high = traced(formula).ends
    assert all(low < place < high for place in shown) and high - low <= widest


def test_a_pole_does_not_ruin_the_vertical_range() -> None:
    low, high = traced(r"\frac{1}{x}").frame
    assert -20 < low < -1 and 1 < high < 20
    assert frame_of([2.0] * 50, False) == (1.0, 3.0)


def test_points_outside_the_domain_are_gaps() -> None:
    trace = traced(r"\sqrt{x}", "x>-4", "x<4")
    assert all(value is None for place, value in zip(trace.places, trace.side(0), strict=True) if place < 0)
    first = next(place for place, value in zip(trace.places, trace.side(0), strict=True) if value is not None)
    assert 0 <= first < 0.01  # the curve reaches the end of the domain


def test_trigonometric_functions_have_multiples_of_pi() -> None:
    trace = traced(r"\sin@{2x}")
    assert trace.of_pi and trace.ends == pytest.approx((-math.pi, math.pi))
    assert not traced(r"\sin@{\cpi x}").of_pi
    assert [label for _, label in pi_ticks(-math.pi, math.pi)][::2] == [
        "$-\\pi$",
        "$-\\pi/2$",
        "$0$",
        "$\\pi/2$",
        "$\\pi$",
    ]
    assert pi_label(Fraction(-3, 2)) == r"$-3\pi/2$"
    assert len(pi_ticks(-20, 20)) <= 9


def test_sequences_are_points_at_integers() -> None:
    trace = traced(r"\sum_{k=0}^{n}k=\frac{n(n+1)}{2}")
    assert trace.subject.is_sequence and all(place == int(place) for place in trace.places)
    assert trace.side(0)[:4] == [0, 1, 3, 6] and not any(trace.differ)
    assert traced("n!>2^n").logarithmic


def test_where_sides_differ() -> None:
    trace = traced(r"\sqrt{x^2}=x")
    assert {flag for place, flag in zip(trace.places, trace.differ, strict=True) if place < -0.01} == {True}
    assert {flag for place, flag in zip(trace.places, trace.differ, strict=True) if place >= 0} == {False}


@pytest.mark.parametrize("constraints", [(), ("x>-40", "x<-20")])
def test_rounding_is_no_difference(constraints: tuple[str, ...]) -> None:
    assert not any(traced(r"\sum_{n=0}^{\infty}\frac{x^n}{n!}=e^x", *constraints).differ)
    assert not any(traced(r"(x-1)^8=x^8-8x^7+28x^6-56x^5+70x^4-56x^3+28x^2-8x+1", *constraints).differ)


def test_where_an_inequality_holds() -> None:
    trace = traced("x^2<x")
    held = [place for place, flag in zip(trace.places, trace.hold, strict=True) if flag]
    assert 0 < held[0] < 0.001 and 0.999 < held[-1] < 1


def test_functions_and_other_letters() -> None:
    assert traced("y=mx+b").subject.name == "y"
    trace = traced("f(t)=t^2")
    assert (trace.subject.name, trace.subject.variable, len(trace.subject.sides)) == ("f(t)", "t", 1)
    fixed = traced(r"\BesselJ{\nu}@{x}").subject.fixed
    assert {name: value.shown() for name, value in fixed.items()} == {r"\nu": 2}
    assert traced(r"\sqrt{x^2}=x", x="positive").ends[0] >= 0


def test_labels() -> None:
    assert formula_label(r"\EulerGamma@{x}", "left side") == r"$\Gamma(x)$"
    assert formula_label(r"\begin{pmatrix}1\end{pmatrix}", "left side") == "left side"
    assert formula_label("x+" * 80 + "x", "left side") == "left side"
    assert sources("(a-b)(a+b)=a^2-b^2", [(1, 9), (11, 18)]) == ["(a-b)(a+b)", "a^2-b^2"]
