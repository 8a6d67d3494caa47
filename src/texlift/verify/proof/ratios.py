"""Quotients of terms as rational functions."""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from texlift.verify.proof.reduction import reduced

__all__ = ["rational_ratio"]


def rational_ratio(quotient: Any) -> Any:
    """A quotient of terms as a rational function; None where it is none."""
    plain, _ = reduced(sympy.expand_power_exp(sympy.powsimp(quotient)))
    names = {call: sympy.Dummy() for call in plain.atoms(AppliedUndef, sympy.exp, sympy.sin, sympy.cos)}
    plain = sympy.powsimp(sympy.expand_power_exp(plain.xreplace(names)))
    powers = {
        power: sympy.Dummy() for power in plain.atoms(sympy.Pow) if power.exp.free_symbols or not power.exp.is_Integer
    }
    found = sympy.cancel(plain.xreplace(powers))
    hidden = {*names.values(), *powers.values()}
    return found if found.is_rational_function() and not hidden & found.free_symbols else None
