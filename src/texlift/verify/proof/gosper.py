"""Gosper's method: which rational multiple of a term has the term as its difference?"""

from __future__ import annotations

from typing import Any

import sympy

__all__ = ["antidifference"]

_MOST_DEGREE = 8
_FARTHEST = 30  # steps between factors


def antidifference(ratio: Any, index: Any) -> Any:
    """A rational function R with R(k+1) t(k+1) - R(k) t(k) = t(k), for t(k+1)/t(k) = ratio; None if there is none."""
    above, below = sympy.fraction(sympy.cancel(ratio))
    a, b, c = _normal(above, below, index)
    b = b.shift(-1)
    n, m, k = (sympy.Integer(poly.degree()) for poly in (a, b, c))
    if n != m or a.LC() != b.LC():
        degrees = {k - max(n, m)}
    elif not n:
        degrees = {k - n + 1, sympy.Integer(0)}
    else:
        degrees = {k - n + 1, (b.nth(int(n) - 1) - a.nth(int(n) - 1)) / a.LC()}
    known = [int(d) for d in degrees if d.is_Integer and 0 <= d <= _MOST_DEGREE]
    if not known:
        return None
    letters = sympy.symbols(f"c:{max(known) + 1}", cls=sympy.Dummy)
    unknown = sympy.Poly(letters, index, domain=a.get_domain().inject(*letters))
    equation = a * unknown.shift(1) - b * unknown - c
    solution = sympy.solve(equation.coeffs(), letters)
    if not solution:
        return None
    value = unknown.as_expr().subs(solution)
    value = value.subs(dict.fromkeys(letters, 0))
    return None if value == 0 else sympy.cancel(b.as_expr() * value / c.as_expr())


def _normal(above: Any, below: Any, index: Any) -> tuple[Any, Any, Any]:
    """Polynomials A, B, C with above/below = A(k) C(k+1)/(B(k) C(k)), and A(k), B(k+h) prime for h = 0, 1, 2, ..."""
    a, b = sympy.Poly(above, index, field=True), sympy.Poly(below, index, field=True)
    leading = a.LC() / b.LC()
    a, b = a.monic(), b.monic()
    c = a.one
    tops, bottoms = (
        [sympy.Poly(factor, index, field=True).monic() for factor, _ in sympy.factor_list(part)[1] if factor.has(index)]
        for part in (above, below)
    )
    for h in sorted({h for top in tops for bottom in bottoms if (h := _distance(top, bottom)) is not None}):
        common = a.gcd(b.shift(h))
        a, b = a.quo(common), b.quo(common.shift(-h))
        for step in range(1, h + 1):
            c = c * common.shift(-step)
    return a * leading, b, c


def _distance(top: Any, bottom: Any) -> int | None:
    """The integer h >= 0 with top(k) = bottom(k+h)."""
    degree = top.degree()
    if degree != bottom.degree():
        return None
    steps = sympy.cancel((top.nth(degree - 1) - bottom.nth(degree - 1)) / degree)
    if not steps.is_Integer or not 0 <= steps <= _FARTHEST:
        return None
    return int(steps) if sympy.cancel((top - bottom.shift(steps)).as_expr()) == 0 else None
