"""Both sides of an equation or inequality along one real variable, as numbers for the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from texlift.errors import TexliftError
from texlift.verify.plots.subject import subject_of
from texlift.verify.plots.trace import trace_of

__all__ = ["Curves", "curves"]


@dataclass(frozen=True, slots=True)
class Curves:
    """Values of both sides; None where a side has none, and where it is broken.

    `ends` and `frame` are the ranges of the axes, `of_pi` says that ticks are multiples of pi, `differ` and `hold`
    where the sides of an equation differ and where an inequality holds.
    """

    variable: str
    kind: str
    fixed: dict[str, Any]
    places: list[float]
    left: list[complex | None]
    right: list[complex | None]
    ends: tuple[float, float]
    frame: tuple[float, float]
    of_pi: bool
    differ: list[bool]
    hold: list[bool]


def curves(semantic: str, constraints: Sequence[str]) -> Curves:
    """The first statement of a formula, over an interval that shows it; other letters are fixed at simple numbers.

    Raises TexliftError where there is nothing to draw. Takes as long as it takes: call it in a process that is limited.
    """
    subject = subject_of(semantic, constraints)
    if len(subject.sides) < 2:
        raise TexliftError("nothing to draw: states no equation or inequality")
    trace = trace_of(subject)
    fixed = {name: value.shown() for name, value in subject.fixed.items()}
    return Curves(
        subject.variable, subject.domain.kind, fixed, list(trace.places), trace.side(0), trace.side(1),
        trace.ends, trace.frame, trace.of_pi, list(trace.differ), list(trace.hold),
    )  # fmt: skip
