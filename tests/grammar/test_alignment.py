"""Which rule produced which part of a formula."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from texlift.grammar.induction.alignment import Aligner, Alignment
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical
from texlift.macros.semantic import semantic_row

RULES = [
    Rule(r"\BesselJ{#1}#'@{#2}", r"J_{#1}#'\left(#2\right)", 9),
    Rule(r"\sin#'@@{#1}", r"{\sin#'}#1", 9, 2),
    Rule(r"\cpi", r"\pi", 4),
    Rule(r"\transpose{#1}", r"#1^{\mathrm{T}}", 2, 1),
]


def align(semantic: str, generic: str, gaps: int = 0) -> Alignment | None:
    return Aligner(RULES, gaps).align(semantic_row(semantic), canonical(generic))


@pytest.mark.parametrize(
    ("semantic", "generic", "names"),
    [
        ("x+1", "x+1", []),
        (r"\BesselJ{\nu}@{z}", r"J_\nu(z)", [r"\BesselJ"]),
        (r"2\BesselJ{0}^{2}@{\cpi x}", r"2J_0^2(\pi x)", [r"\BesselJ", r"\cpi"]),
        (r"\sin@@{\sin@@{x}}", r"\sin\sin x", [r"\sin", r"\sin"]),
        (r"\sin@@{x}\cpi", r"\sin x\pi", [r"\sin", r"\cpi"]),
        (r"\sin@@{x\cpi}", r"\sin x\pi", [r"\sin", r"\cpi"]),
        (r"\frac{\cpi}{2}", r"\tfrac{\pi}2", [r"\cpi"]),
        (r"\BesselJ{0}@{z}^{\cpi}", r"J_0(z)^\pi", [r"\BesselJ", r"\cpi"]),
        (r"\transpose{A}B", r"A^{\rm T}B", [r"\transpose"]),
    ],
)
def test_derivations(semantic: str, generic: str, names: list[str]) -> None:
    alignment = align(semantic, generic)
    assert alignment is not None
    assert [step.match.rule.name for step in alignment.steps if step.match is not None] == names


@pytest.mark.parametrize(
    ("semantic", "generic"),
    [("x+1", "x+2"), ("x", "x+1"), ("x+1", "x"), (r"\BesselJ{1}@{z}", "J_2(z)"), (r"\BesselJ{1}@@{z}", "J_1(z)"),
     (r"\EulerGamma@{z}", r"\Gamma(z)"), (r"\BesselJ{}@{z}", "J(z)"), (r"\BesselJ{1}'@{z}", "J_1(z)'")],
)  # fmt: skip
def test_what_the_rules_do_not_explain(semantic: str, generic: str) -> None:
    assert align(semantic, generic) is None


def test_a_call_without_a_rule_leaves_a_gap() -> None:
    alignment = align(r"1+\EulerGamma@{\cpi}x", r"1+\Gamma(\pi)x", gaps=1)
    assert alignment is not None
    (gap,) = alignment.gaps
    assert (gap.call.label, gap.start, gap.end) == (r"\EulerGamma", 2, 4)


def test_every_place_is_visited_once() -> None:
    alignment = align(r"a\BesselJ{0}@{b}", "aJ_0(b)")
    assert alignment is not None
    assert len({(id(step.row), step.position) for step in alignment.steps}) == len(alignment.steps) == 4


def test_time_is_bounded(promptly: Callable[..., AbstractContextManager[None]]) -> None:
    with promptly(3):
        align(r"\sin@@{" * 60 + "x" + "}" * 60, r"\sin " * 60 + "y")
        align(r"\cpi" * 3000 + "x", r"\pi" * 3000 + "y")
