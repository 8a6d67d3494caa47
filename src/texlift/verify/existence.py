"""Statements that something exists: a point at which the claim holds is found, or all roots are known."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from texlift.errors import FormulaError
from texlift.meaning.tree import Apply, Constant, Number, Symbol, walk
from texlift.verify.judging import Judge
from texlift.verify.setting import Setting
from texlift.verify.statement import Claim, UncheckableError, claim_of
from texlift.verify.values import shown_point
from texlift.verify.verdict import Verdict

__all__ = ["check_existence"]

_ATTEMPTS = 400
_MOST_DEGREE = 20
_CONTINUOUS = frozenset({"plus", "times", "negate", "power", "abs", r"\abs", r"\sin", r"\cos", r"\sinh", r"\cosh",
                         r"\tanh", r"\exp", r"\atan", r"\asinh"})  # fmt: skip


def check_existence(
    semantic: str, constraints: Sequence[str], known: Mapping[str, str], seconds: float, seed: int = 1
) -> Verdict:
    """The verdict; a single point is enough, and none found means nothing unless all solutions are known."""
    deadline = time.process_time() + seconds * 0.6
    try:
        claim = claim_of(semantic, known, bound=True)
        setting = Setting(semantic, claim, constraints, known, seed)
    except UncheckableError as why:
        return Verdict("undecided", reason=str(why), checkable=False)
    except FormulaError as error:
        return Verdict("undecided", reason=error.message)
    if setting.conditions.ignored:
        return Verdict("undecided", reason=f"a constraint was not understood: {setting.conditions.ignored[0]}")
    domain = setting.domain()
    if (roots := _roots(claim, setting)) is not None:
        if roots:
            return Verdict("proved", 1, reason=f"a solution exists: {roots}", domain=domain)
        example = {"point": {}, "left": "no solution", "right": ""}
        return Verdict("refuted", 1, example, "the equation has no solution there", certain=True, domain=domain)
    judge = Judge(setting, claim, max(0.2, seconds * 0.1))
    orders: set[int | None] = set()
    for tried, point in enumerate(setting.sampler.sweep() if setting.sampler.free else iter([{}])):
        if tried > _ATTEMPTS or time.process_time() > deadline:
            break
        if point is None:
            continue
        outcome = judge(point)
        if outcome.holds:
            where = ", ".join(f"{name} = {value}" for name, value in shown_point(point).items())
            verdict = "proved" if outcome.exact else "verified"
            return Verdict(verdict, 1, reason=f"holds at {where}", domain=domain, digits=outcome.digits)
        if outcome.failure is not None and _is_continuous(claim, setting):
            orders.add(outcome.failure[1].order)
            if {1, -1} <= orders:
                return Verdict("proved", 2, reason="the difference of the sides changes its sign", domain=domain)
    return Verdict("undecided", reason="no point was found at which it holds", domain=domain)


def _is_continuous(claim: Claim, setting: Setting) -> bool:
    """Whether a claim is one equation in a real letter whose sides are continuous everywhere."""
    if len(claim.comparisons) != 1 or claim.comparisons[0].operator != "=" or setting.tests or setting.fixed:
        return False
    if [setting.sampler.domains[name].kind for name in setting.sampler.free] != ["real"]:
        return False
    return all(
        isinstance(node, Number | Symbol | Constant)
        or (isinstance(node, Apply) and node.head in _CONTINUOUS and _is_entire_power(node))
        for side in (claim.comparisons[0].left, claim.comparisons[0].right)
        for node in walk(side)
    )


def _is_entire_power(node: Apply) -> bool:
    if node.head != "power":
        return True
    base, exponent = node.arguments
    whole = isinstance(exponent, Number) and exponent.value.isdigit()
    return (
        whole or (isinstance(base, Constant) and base.name == "e") or (isinstance(base, Number) and base.value != "0")
    )


def _roots(claim: Claim, setting: Setting) -> str | None:
    """A solution of a polynomial equation in one letter, "" where there is none, None where that is not known."""
    import sympy

    from texlift.verify.proof.problem import least_of
    from texlift.verify.proof.terms import NoTermError, Terms

    letters = setting.sampler.free
    if len(claim.comparisons) != 1 or claim.comparisons[0].operator != "=" or len(letters) != 1 or setting.fixed:
        return None
    domain = setting.sampler.domains[letters[0]]
    terms = Terms(setting.sampler.domains, frozenset())
    try:
        term = terms.build(claim.comparisons[0].left) - terms.build(claim.comparisons[0].right)
        poly: Any = sympy.Poly(term, *term.free_symbols, domain="QQ")
    except (NoTermError, sympy.PolynomialError, sympy.CoercionFailed, ValueError, TypeError):
        return None
    if poly.is_zero or poly.degree() > _MOST_DEGREE or len(poly.gens) != 1:
        return None
    if domain.kind == "integer":
        least = least_of(domain)
        high = domain.high
        found = [
            root
            for root in poly.ground_roots()
            if root.is_Integer and (least is None or root >= least) and (high is None or root <= high)
        ]
        return f"{letters[0]} = {found[0]}" if found else ""
    if domain.kind != "real" or setting.tests:
        return None
    count = poly.count_roots()
    return f"the polynomial has {count} real roots" if count else ""
