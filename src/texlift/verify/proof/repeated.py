r"""Derivatives of unknown order, and operators that are applied n times: by induction over n.

`D^n f = g_n` holds for every n if g_0 is f and D g_n is g_{n+1}.
"""

from __future__ import annotations

from texlift.meaning.tree import Apply, Derivative, Expression, Number, Symbol, free_symbols, substitute
from texlift.targets.operators import PLACE
from texlift.verify.proof.identities import KNOWN, shown_zero
from texlift.verify.proof.problem import Problem
from texlift.verify.proof.signs import Signs
from texlift.verify.proof.terms import Terms

__all__ = ["proved"]


def proved(problem: Problem) -> str:
    """The proof of an equation with such a side, in words."""
    if problem.operator not in ("=", "==="):
        return ""
    for side, value in ((problem.left, problem.right), (problem.right, problem.left)):
        parts = _parts(side)
        if parts is None:
            continue
        once, order, body = parts
        domain = problem.domains.get(order)
        if domain is None or domain.kind != "integer" or order in free_symbols(body):
            continue
        first = substitute(value, {order: Number("0")})
        following = substitute(value, {order: Apply("plus", (Symbol(order), Number("1")))})
        step = substitute(once, {PLACE.name: value})
        if all(_equal(one, other, problem) for one, other in ((first, body), (step, following))):
            return f"by induction over {order}, derivatives carried out"
    return ""


def _parts(node: Expression) -> tuple[Expression, str, Expression] | None:
    """What is done once, to a place; the letter that counts how often; what it is done to."""
    if isinstance(node, Derivative) and len(node.variables) == 1:
        variable, order = node.variables[0]
        if isinstance(order, Symbol) and isinstance(variable, Symbol) and order.name != variable.name:
            return Derivative(PLACE, ((variable, Number("1")),), node.span), order.name, node.body
    if isinstance(node, Apply) and node.head == "iterated" and isinstance(node.arguments[1], Symbol):
        once, count, body = node.arguments
        assert isinstance(count, Symbol)
        return once, count.name, body
    return None


def _equal(left: Expression, right: Expression, problem: Problem) -> bool:
    terms = Terms(problem.domains, KNOWN)
    difference = terms.build(left) - terms.build(right)
    return bool(shown_zero(difference, Signs.of(problem.domains, terms.letters)))
