"""Macros whose meaning depends on the form of their arguments: transforms of functions, lists of parameters."""

from __future__ import annotations

from texlift.meaning.tree import (
    Apply,
    Constant,
    Expression,
    Indexed,
    Integral,
    Number,
    Sequence,
    Series,
    Symbol,
    Unknown,
    free_symbols,
    substitute,
)

__all__ = ["TRANSFORMS", "expand_listed", "jackson", "transform"]

_S, _T = Symbol("s_"), Symbol("t_")
_ZERO, _ONE, _TWO = Number("0"), Number("1"), Number("2")
_INFINITY = Constant("infinity")
_MINUS_INFINITY = Apply("negate", (_INFINITY,))
_I, _PI, _E = Constant("i"), Constant("pi"), Constant("e")

_UMBILICS = frozenset({r"\ellumbcatastrophe", r"\hyperumbcatastrophe", r"\ellumbcanonint", r"\hyperumbcanonint"})
TRANSFORMS = frozenset({r"\Laplacetrans", r"\Mellintrans", r"\Fouriertrans", r"\Fouriercostrans", r"\Fouriersintrans",
                        r"\Stieltjestrans", r"\Hilberttrans"})  # fmt: skip


def _times(*factors: Expression) -> Expression:
    return Apply("times", factors)


def _power(base: Expression, exponent: Expression) -> Expression:
    return Apply("power", (base, exponent))


def _minus(value: Expression) -> Expression:
    return Apply("negate", (value,))


def transform(head: str, function: Expression, at: Expression) -> Expression | None:
    """An integral transform of a function given by its name, DLMF 1.14; None where it is given otherwise."""
    order = None
    if isinstance(function, Symbol):
        name = function.name.rstrip("'")
        primes = len(function.name) - len(name)
        order = Number(str(primes)) if primes else None
        value: Expression = Unknown(Symbol(name, function.span), (_T,), order, function.span)
    elif isinstance(function, Indexed) and not function.upper:
        value = Unknown(function, (_T,), None, function.span)
    elif head == r"\Laplacetrans" and "t" in free_symbols(function) and isinstance(at, Symbol):
        return Apply("laplace", (function, Symbol("t", function.span), at), function.span)
    else:
        return None
    if head == r"\Laplacetrans":
        return Integral(_times(_power(_E, _minus(_times(at, _T))), value), _T, _ZERO, _INFINITY)
    if head == r"\Mellintrans":
        return Integral(_times(_power(_T, Apply("plus", (at, _minus(_ONE)))), value), _T, _ZERO, _INFINITY)
    if head == r"\Fouriertrans":
        wave = _times(value, _power(_E, _times(_I, at, _T)))
        return Apply("divide", (Integral(wave, _T, _MINUS_INFINITY, _INFINITY), Apply("sqrt", (_times(_TWO, _PI),))))
    if head in (r"\Fouriercostrans", r"\Fouriersintrans"):
        wave = _times(value, Apply(r"\cos" if "cos" in head else r"\sin", (_times(at, _T),)))
        return _times(Apply("sqrt", (Apply("divide", (_TWO, _PI)),)), Integral(wave, _T, _ZERO, _INFINITY))
    if head == r"\Stieltjestrans":
        return Integral(Apply("divide", (value, Apply("plus", (_T, at)))), _T, _ZERO, _INFINITY)
    kernel = Apply("divide", (value, Apply("plus", (_T, _minus(at)))))
    return Apply("divide", (Integral(kernel, _T, _MINUS_INFINITY, _INFINITY, "pv"), _PI))


def expand_listed(node: Apply) -> Expression | None:
    """Definitions over lists of parameters, written out for the number of parameters given."""
    lists = [a.items if isinstance(a, Sequence) else (a,) for a in node.arguments]
    if any(isinstance(item, Apply) and item.head == "enumerate" for items in lists for item in items):
        return None
    if node.head == r"\Carlsonmultivarhyper" and len(lists) == 3 and len(lists[1]) == len(lists[2]):
        return _carlson(node.arguments[0], lists[1], lists[2])
    if node.head == r"\genhyperOlverF" and len(lists) == 5:
        gammas = tuple(Apply(r"\EulerGamma", (b,)) for b in lists[3])
        value = Apply(r"\genhyperF", node.arguments, node.span)
        return Apply("divide", (value, _times(*gammas) if len(gammas) > 1 else gammas[0])) if gammas else value
    if node.head in (r"\qgenhyperphi", r"\qgenhyperpsi") and len(lists) == 6:
        return _basic(node, lists[2], lists[3])
    if node.head == r"\multinomial" and len(lists) == 2:
        below = tuple(Apply("factorial", (n,)) for n in lists[1])
        return Apply("divide", (Apply("factorial", (node.arguments[0],)), _times(*below)))
    if node.head in (r"\cuspcatastrophe", r"\canonint"):
        return _catastrophe(node)
    if node.head in _UMBILICS and len(lists[-1]) == 3:
        return _umbilic(node, *lists[-1])
    return None


def _carlson(minus_a: Expression, b: tuple[Expression, ...], z: tuple[Expression, ...]) -> Expression:
    """R_{-a}(b; z) as an integral, DLMF 19.16.9."""
    rest = Apply("plus", (*b, minus_a))
    factors = [_power(Apply("plus", (_T, zj)), _minus(bj)) for bj, zj in zip(b, z, strict=True)]
    body = _times(_power(_T, Apply("plus", (rest, _minus(_ONE)))), *factors)
    return Apply("divide", (Integral(body, _T, _ZERO, _INFINITY), Apply(r"\EulerBeta", (_minus(minus_a), rest))))


def _basic(node: Apply, a: tuple[Expression, ...], b: tuple[Expression, ...]) -> Expression:
    """Basic hypergeometric series, DLMF 17.4.1 and 17.4.3."""
    bilateral = node.head == r"\qgenhyperpsi"
    q, z = node.arguments[4], node.arguments[5]
    n = Symbol("n_")

    def pochhammer(x: Expression) -> Expression:
        return Apply(r"\qPochhammer", (x, q, n))

    below = [pochhammer(x) for x in (b if bilateral else (q, *b))]
    above: list[Expression] = [pochhammer(x) for x in a]
    excess = len(b) - len(a) + (0 if bilateral else 1)
    if excess:
        half = Apply("divide", (_times(n, Apply("plus", (n, _minus(_ONE)))), _TWO))
        sign = _times(_power(_minus(_ONE), n), _power(q, half))
        above.append(_power(sign, Number(str(excess))) if excess > 0 else _power(sign, _minus(Number(str(-excess)))))
    above.append(_power(z, n))
    body = (
        Apply("divide", (_times(*above), _times(*below) if len(below) > 1 else below[0])) if below else _times(*above)
    )
    return Series("sum", body, n, _MINUS_INFINITY if bilateral else _ZERO, _INFINITY)


def _catastrophe(node: Apply) -> Expression | None:
    """Cuspoid catastrophes and their canonical integrals, DLMF 36.2.1 and 36.2.4."""
    order, point = node.arguments[0], node.arguments[-1]
    t = node.arguments[1] if node.head == r"\cuspcatastrophe" else _T
    leading = _power(t, Apply("plus", (order, _TWO)))
    if isinstance(point, Sequence) and isinstance(order, Number) and order.value == str(len(point.items)):
        terms = [_times(x, _power(t, Number(str(m)))) for m, x in enumerate(point.items, 1)]
    elif isinstance(order, Number) and order.value == "1" and not isinstance(point, Sequence):
        terms = [_times(point, t)]
    elif isinstance(point, Symbol) and point.name.startswith(r"\mathbf"):
        m = Symbol("m_")
        terms = [Series("sum", _times(Indexed(point.name, (m,)), _power(t, m)), m, _ONE, order)]
    else:
        return None
    phase = Apply("plus", (leading, *terms))
    if node.head == r"\cuspcatastrophe":
        return phase
    return Integral(_power(_E, _times(_I, phase)), _T, _MINUS_INFINITY, _INFINITY)


def _umbilic(node: Apply, x: Expression, y: Expression, z: Expression) -> Expression:
    """Umbilic catastrophes and their canonical integrals, DLMF 36.2.2, 36.2.3 and 36.2.5."""
    s, t = node.arguments[:2] if "catastrophe" in node.head else (_S, _T)
    three = Number("3")
    linear = (_times(y, t), _times(x, s))
    if "ell" in node.head:
        cubic = (_power(s, three), _minus(_times(three, s, _power(t, _TWO))))
        phase = Apply("plus", (*cubic, _times(z, Apply("plus", (_power(s, _TWO), _power(t, _TWO)))), *linear))
    else:
        phase = Apply("plus", (_power(s, three), _power(t, three), _times(z, s, t), *linear))
    if "catastrophe" in node.head:
        return phase
    inner = Integral(_power(_E, _times(_I, phase)), _S, _MINUS_INFINITY, _INFINITY)
    return Integral(inner, _T, _MINUS_INFINITY, _INFINITY)


def jackson(
    body: Expression, variable: Symbol, q: Expression, lower: Expression | None, upper: Expression | None
) -> Expression | None:
    """Jackson's q-integral, DLMF 17.2.45 to 17.2.48; None where the bounds are not given."""
    if lower is None or upper is None:
        return None
    j = Symbol("j_")

    def total(end: Expression, first: Expression) -> Expression:
        at = _times(end, _power(q, j))
        terms = Series("sum", _times(substitute(body, {variable.name: at}), _power(q, j)), j, first, _INFINITY)
        return _times(end, Apply("plus", (_ONE, _minus(q))), terms)

    from_zero = isinstance(lower, Number) and lower.value == "0"
    if isinstance(upper, Constant) and upper.name == "infinity":
        return total(_ONE, _MINUS_INFINITY) if from_zero else None
    return total(upper, _ZERO) if from_zero else Apply("plus", (total(upper, _ZERO), _minus(total(lower, _ZERO))))
