"""Both sides of an equation and their difference, drawn over one variable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from texlift.errors import TexliftError
from texlift.extras import require
from texlift.verify.conditions import conditions_of
from texlift.verify.evaluation import Trust, compile_expression, namespace
from texlift.verify.letters import standing_definitions
from texlift.verify.sampling import Sampler, domains_of
from texlift.verify.statement import UncheckableError, claim_of

__all__ = ["draw"]

_STEPS = 120
_FAVOURITES = ("x", "z", "t", "y", "s", r"\theta", r"\phi", "u")


def draw(semantic: str, constraints: list[str], path: Path) -> None:
    """Draw the first comparison of a formula; variables but one are fixed at a sampled point."""
    try:
        claim = claim_of(semantic)
    except UncheckableError as reason:
        raise TexliftError(f"nothing to draw: {reason}") from None
    names = namespace(Trust())
    conditions = conditions_of(constraints)
    conditions.defined |= standing_definitions(claim)
    comparison = claim.comparisons[0]
    left, labels = compile_expression(comparison.left, semantic, names)
    right, more = compile_expression(comparison.right, semantic, names)
    labels |= more
    domains = domains_of(claim, conditions, {})
    variable = _axis([name for name in claim.variables if domains[name].kind != "integer"] or list(claim.variables))
    point = Sampler(domains, conditions, lambda _: True, seed=1).draw(0) or {}
    points, first, second = [], [], []
    for step in range(1, _STEPS + 1):
        value = 0.02 + step * (2.98 / _STEPS)
        if variable and domains[variable].kind == "unit":
            value = step / (_STEPS + 1)
        environment: dict[str, Any] = {labels.get(name, name): _number(v) for name, v in point.items()}
        if variable:
            environment[labels.get(variable, variable)] = _number(value)
        try:
            a, b = complex(left(environment)), complex(right(environment))
        except (ArithmeticError, ValueError, TypeError, KeyError, NotImplementedError):
            continue
        points.append(value)
        first.append(a)
        second.append(b)
    if not points:
        raise TexliftError("nothing to draw: no point could be evaluated")
    fixed = ", ".join(f"${name} = {value}$" for name, value in point.items() if name != variable)
    _figure(points, first, second, variable, fixed, path)


def _axis(candidates: list[str]) -> str:
    for name in _FAVOURITES:
        if name in candidates:
            return name
    return candidates[0] if candidates else ""


def _number(value: complex) -> Any:
    from mpmath import mp

    return mp.mpc(value) if isinstance(value, complex) else mp.mpf(str(value))


def _figure(
    points: list[float], first: list[complex], second: list[complex], variable: str, fixed: str, path: Path
) -> None:
    """Two panels: the sides above, the size of their difference below."""
    require("matplotlib")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 6), layout="constrained")
    FigureCanvasAgg(figure)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    above.plot(points, [a.real for a in first], label="left", linewidth=3, alpha=0.5)
    above.plot(points, [b.real for b in second], "--", label="right", color="black", linewidth=1)
    if any(abs(v.imag) > 1e-12 for v in (*first, *second)):
        above.plot(points, [a.imag for a in first], label="left, imaginary part", linewidth=3, alpha=0.5)
        above.plot(points, [b.imag for b in second], ":", label="right, imaginary part", color="gray", linewidth=1)
    above.legend()
    above.set_title(fixed or "both sides", fontsize=9)
    below.semilogy(points, [max(abs(a - b), 1e-18) for a, b in zip(first, second, strict=True)], color="firebrick")
    below.set_ylabel("difference")
    below.set_xlabel(f"${variable}$" if variable else "")
    try:
        figure.savefig(path)
    except OSError as error:
        raise TexliftError(f"cannot write {path}: {error.strerror}") from None
    except ValueError as error:  # a suffix that is no format, a name that it cannot typeset
        raise TexliftError(f"cannot draw {path}: {error}") from None
