"""Identities by normal forms: special functions in one basis, everything else as a fraction of polynomials."""

from __future__ import annotations

from typing import Any

import sympy

from texlift.meaning.tree import Integral
from texlift.verify.proof.derivatives import SLOPED, NoDerivativeError, differentiated, without_derivatives
from texlift.verify.proof.elementary import NormalForms
from texlift.verify.proof.families import FAMILIES
from texlift.verify.proof.problem import Problem
from texlift.verify.proof.quotients import TooLargeError
from texlift.verify.proof.reduction import reduced
from texlift.verify.proof.signs import Signs
from texlift.verify.proof.terms import NoTermError, Terms

__all__ = ["KNOWN", "proved", "shown_zero"]

KNOWN = frozenset(FAMILIES) | SLOPED
"""Macros with relations, which are not replaced by their definitions at first."""

_LARGE = 3000  # operations of a term that is looked at
_WAVES = (sympy.sin, sympy.cos, sympy.sinh, sympy.cosh)


def proved(problem: Problem) -> str:
    """The proof of an equation, in words."""
    if problem.operator not in ("=", "==="):
        return ""
    trials = ((KNOWN, False), (frozenset(), True)) if problem.left != problem.right else ((KNOWN, False),)
    for known, definitions in trials:
        terms = Terms(problem.domains, known)
        try:
            left, right = terms.build(problem.left), terms.build(problem.right)
            if isinstance(problem.left, Integral) and problem.left.lower is None:
                return _primitive(left, right, terms, problem)
            words = terms.said(shown_zero(left - right, Signs.of(problem.domains, terms.letters)))
        except (NoTermError, NoDerivativeError, TooLargeError):
            continue
        if words:
            return f"{words}, from definitions" if definitions else words
    return ""


def _primitive(left: Any, right: Any, terms: Terms, problem: Problem) -> str:
    """An indefinite integral: the derivative of the other side is the integrand."""
    if not isinstance(left, sympy.Integral) or right.has(sympy.Integral):
        return ""
    variable = left.limits[0][0]
    difference = differentiated(without_derivatives(right), variable) - left.function
    words = shown_zero(difference, Signs.of(problem.domains, terms.letters))
    return f"the derivative of the right-hand side is the integrand ({words})" if words else ""


def shown_zero(term: Any, signs: Signs) -> str:
    """How a term is shown to be zero wherever it is defined; empty where it is not."""
    if sympy.count_ops(term) > _LARGE:
        return ""
    had_derivatives = term.has(sympy.Derivative)
    plain = without_derivatives(term)
    in_bases, used = reduced(plain)
    if not NormalForms(signs).is_zero(in_bases):
        return ""
    names = sorted({name.lstrip("\\").split("#")[0] for name in used})
    parts: list[str] = []
    if names:
        parts.append(
            f"by the relations of {', '.join('pFq' if n.startswith('hyper') and ',' in n else n for n in names)}"
        )
    if had_derivatives:
        parts.append("derivatives carried out")
    parts.append(_kind(term))
    return ", ".join(parts)


def _kind(term: Any) -> str:
    if term.has(*_WAVES, sympy.exp, sympy.log, sympy.asin, sympy.atan):
        return "both sides have one normal form in exponentials and logarithms"
    if any(power.exp.is_Rational and not power.exp.is_Integer for power in term.atoms(sympy.Pow)):
        return "both sides have one normal form as algebraic functions"
    return "both sides have one normal form as rational functions"
