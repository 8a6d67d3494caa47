"""The symbolic stage of a check: is a claim shown to be true, by which method, under which conditions?

A proof holds wherever both sides are defined. What no method shows is not false: numbers decide about it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sympy

from texlift.errors import FormulaError
from texlift.meaning.tree import Expression
from texlift.targets.expansion import expand  # noqa: F401
from texlift.verify.domains import Domain
from texlift.verify.proof import congruences, identities, induction, inequalities, numbers, repeated
from texlift.verify.proof.derivatives import NoDerivativeError
from texlift.verify.proof.problem import Problem
from texlift.verify.proof.quotients import TooLargeError
from texlift.verify.proof.terms import NoTermError
from texlift.verify.statement import Claim, Comparison

__all__ = ["proof_of"]

_FAILURES = (
    NoTermError,
    NoDerivativeError,
    TooLargeError,
    FormulaError,
    ArithmeticError,
    ValueError,
    TypeError,
    AttributeError,
    NotImplementedError,
    KeyError,
    IndexError,
    RecursionError,
    sympy.SympifyError,
    sympy.PolynomialError,
    sympy.polys.polyerrors.BasePolynomialError,
)
"""What a method may throw at a claim it was not made for."""

_METHODS: tuple[Callable[[Problem], str], ...] = (
    congruences.proved,
    numbers.proved,
    identities.proved,
    induction.proved,
    repeated.proved,
    inequalities.proved,
)


def proof_of(claim: Claim, settled: Callable[[Expression], Expression], domains: Mapping[str, Domain]) -> str:
    """In words how the claim is proved; empty where it is not.

    `settled` puts definitions of letters into an expression.
    """
    reasons: list[str] = []
    for comparison in claim.comparisons:
        reason = _proof(comparison, settled, domains)
        if not reason:
            return ""
        reasons.append(reason)
    return "; ".join(dict.fromkeys(reasons))


def _proof(comparison: Comparison, settled: Callable[[Expression], Expression], domains: Mapping[str, Domain]) -> str:
    if comparison.tolerance or comparison.other is not None:
        return ""
    problem = Problem(
        comparison.operator,
        settled(comparison.left),
        settled(comparison.right),
        None if comparison.modulus is None else settled(comparison.modulus),
        domains,
    )
    for method in _METHODS:
        try:
            if reason := method(problem):
                return reason
        except _FAILURES:
            continue
    return ""
