"""Both sides of an equation or inequality along one real variable, for plots."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mpmath import mp

from texlift.errors import TexliftError
from texlift.verify.domains import Domain
from texlift.verify.setting import Setting
from texlift.verify.statement import UncheckableError, claim_of
from texlift.verify.values import Value, value_of

__all__ = ["Curves", "curves"]

_STEPS = 121
_SPAN = 6.0  # length of an axis whose one end is given
_PREFERRED = ("x", "z", "t", "k", "q", "s", r"\theta", r"\phi", "y", "u", "w")


@dataclass(frozen=True, slots=True)
class Curves:
    """Values of both sides; None where a side has none."""

    variable: str
    kind: str
    fixed: dict[str, Any]
    places: list[float]
    left: list[complex | None]
    right: list[complex | None]


def curves(semantic: str, constraints: Sequence[str], seconds: float) -> Curves:
    """The first comparison of a formula, over the domain of a variable; the others are fixed at a sampled point.

    Raises TexliftError where there is nothing to draw.
    """
    try:
        claim = claim_of(semantic)
    except UncheckableError as reason:
        raise TexliftError(f"nothing to draw: {reason}") from None
    setting = Setting(semantic, claim, constraints, {}, seed=1)
    domains = setting.sampler.domains
    names = [name for name in setting.sampler.free if name not in setting.conditions.helpers]
    if not names:
        raise TexliftError("nothing to draw: there is no variable to draw along")
    continuous = [name for name in names if domains[name].kind not in ("integer", "prime")] or names
    variable = next((name for name in _PREFERRED if name in continuous), continuous[0])
    places = _places(domains[variable])
    start = setting.sampler.gentle(0) or {}
    fixed = {name: value_of(round(complex(value).real, 2)) for name, value in start.items() if name != variable}
    _, left, right, _ = setting.sides[0]
    deadline = time.monotonic() + seconds
    values: tuple[list[complex | None], list[complex | None]] = ([], [])
    for place in places:
        env: dict[str, Any] | None = None
        if time.monotonic() < deadline:
            point = {**fixed, variable: value_of(place)}
            env = setting.environment(point) if setting.allows(point) else None
        for side, found in zip((left, right), values, strict=True):
            found.append(_value(side, env))
    if not any(value is not None for side in values for value in side):
        raise TexliftError("nothing to draw: no point could be evaluated")
    shown = {name: _shown(value) for name, value in fixed.items()}
    return Curves(variable, domains[variable].kind, shown, places, *values)


def _places(domain: Domain) -> list[float]:
    """Places along the axis, over negative and positive numbers unless the domain has bounds."""
    low = float(domain.low) if domain.low is not None else None
    high = float(domain.high) if domain.high is not None else None
    if domain.kind in ("integer", "prime"):
        least = domain.least if domain.least is not None else 0
        first = max(least, round(low)) if low is not None else least
        return [float(first + step) for step in range(13) if high is None or first + step <= high]
    if domain.kind == "unit":
        low, high = 0.0, 1.0
    elif domain.kind == "large":
        low = 1.0
    elif low is None and high is None:
        low, high = -5.0, 5.0
    if low is None:
        assert high is not None
        low = high - _SPAN
    if high is None:
        high = low + _SPAN
    return [low + (high - low) * step / (_STEPS - 1) for step in range(_STEPS)]


def _value(side: Any, env: dict[str, Any] | None) -> complex | None:
    if env is None:
        return None
    try:
        with mp.workdps(20):
            value = complex(side(env))
    except Exception:  # noqa: BLE001  a pole, no convergence: a gap in the curve
        return None
    return value if abs(value) < 1e100 else None


def _shown(value: Value) -> Any:
    return value.shown()
