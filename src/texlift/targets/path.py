"""Integrals along lines to infinity and around circles in the complex plane, as integrals over a real variable.

Only paths that the formula itself fixes are followed: the line from `c-i\\infty` to `c+i\\infty`, the ray from `c` to
`c+\\infty e^{i\\phi}`, the circle `|z|=r`. A path that the formula names is a function of a number between 0 and 1. A
path between other ends is for the author to choose.

A principal value is the limit of what is left when the same is taken away on both sides of a pole.
"""

from __future__ import annotations

from texlift.meaning.tree import (
    Apply,
    Constant,
    Derivative,
    Expression,
    Indexed,
    Integral,
    Limit,
    Number,
    Relation,
    Series,
    Symbol,
    Unknown,
    free_symbols,
    substitute,
    walk,
)

__all__ = ["along_named_path", "is_path", "over_real_line", "principal_value"]

_ENTIRE = frozenset({r"\exp", r"\sin", r"\cos", r"\sinh", r"\cosh", r"\Hilberttrans"})
_ZERO, _ONE, _TWO = Number("0"), Number("1"), Number("2")
_INFINITY = Constant("infinity")
_REAL, _TIME = Symbol("y_"), Symbol("t_")


def over_real_line(node: Integral) -> Expression | None:
    """The integral with its path written as a function of a real variable; None where the formula leaves the path open.

    Integrals between real or finite ends come back as None, too: they need no such thing.
    """
    if node.kind not in ("int", "contour") or not isinstance(node.variable, Symbol):
        return None
    if node.domain is not None:
        return _around_circle(node)
    if node.lower is None or node.upper is None:
        return None
    lower, upper = _end(node.lower), _end(node.upper)
    if lower is None or upper is None or (_is_real(lower[1]) and _is_real(upper[1])):
        return None
    if lower[1] is not None and upper[1] is not None:
        if not (_same(lower[0], upper[0]) and _same(_opposite(lower[1]), upper[1])):
            return None
        return _along(node, upper[0], upper[1], Apply("negate", (_INFINITY,)))
    if upper[1] is not None:
        return _along(node, lower[0], upper[1], _ZERO) if _same(lower[0], upper[0]) else None
    if lower[1] is None or not _same(lower[0], upper[0]):
        return None
    return Apply("negate", (_along(node, upper[0], lower[1], _ZERO),), node.span)


def _along(node: Integral, start: Expression, direction: Expression, first: Expression) -> Expression:
    """The integral along `start + direction*y` for y from `first` to infinity."""
    assert isinstance(node.variable, Symbol)
    step = Apply("times", (direction, _REAL), node.span)
    point = step if _same(start, _ZERO) else Apply("plus", (start, step), node.span)
    body = substitute(node.body, {node.variable.name: point})
    return Apply("times", (direction, Integral(body, _REAL, first, _INFINITY, "int", None, node.span)), node.span)


def _around_circle(node: Integral) -> Expression | None:
    """`\\int_{|z|=r}` and `\\int_{|z-a|=r}`, once around in the positive sense."""
    domain = node.domain
    if not isinstance(domain, Relation) or domain.operators != ("=",) or not isinstance(node.variable, Symbol):
        return None
    left, radius = domain.operands
    if not isinstance(left, Apply) or left.head not in ("abs", r"\abs") or node.variable.name in free_symbols(radius):
        return None
    inside = left.arguments[0]
    centre: Expression | None = None
    if isinstance(inside, Symbol) and inside.name == node.variable.name:
        centre = _ZERO
    elif isinstance(inside, Apply) and inside.head == "plus" and len(inside.arguments) == 2:
        first, second = inside.arguments
        plain = isinstance(first, Symbol) and first.name == node.variable.name
        if plain and node.variable.name not in free_symbols(second):
            centre = second.arguments[0] if _is_negated(second) else Apply("negate", (second,), second.span)  # type: ignore[union-attr]
    if centre is None:
        return None
    turn = Apply("power", (Constant("e"), Apply("times", (Constant("i"), _REAL))), node.span)
    arm = turn if _same(radius, _ONE) else Apply("times", (radius, turn), node.span)
    point = arm if _same(centre, _ZERO) else Apply("plus", (centre, arm), node.span)
    body = Apply("times", (substitute(node.body, {node.variable.name: point}), Constant("i"), arm), node.span)
    return Integral(body, _REAL, _ZERO, Apply("times", (_TWO, Constant("pi"))), "int", None, node.span)


def is_path(node: Expression | None) -> bool:
    """Whether a letter names a path in the complex plane: script letters and C do; a loop `(0+)` is no letter."""
    name = node.name if isinstance(node, Symbol) else node.base if isinstance(node, Indexed) else ""
    return name.startswith((r"\mathscr", r"\mathcal", "C"))


def along_named_path(node: Integral) -> Expression | None:
    """The integral along a path that is a letter C, as that of f(C(t)) C'(t) for t from 0 to 1; None for others."""
    if not is_path(node.domain) or node.kind not in ("int", "contour") or not isinstance(node.variable, Symbol):
        return None
    name = node.variable.name
    if name not in free_symbols(node.body) or any(isinstance(part, Integral) for part in walk(node.body)):
        return None  # along an arc, or over a region
    assert isinstance(node.domain, Symbol | Indexed)
    point = Unknown(node.domain, (_TIME,), None, node.domain.span)
    speed = Derivative(point, ((_TIME, _ONE),), node.domain.span)
    body = Apply("times", (substitute(node.body, {name: point}), speed), node.span)
    return Integral(body, _TIME, _ZERO, _ONE, "int", None, node.span)


def principal_value(node: Integral) -> Expression | None:
    """A principal value with one pole, at the zero of a denominator `t-x` or `t`; None for others."""
    if node.kind != "pv" or not isinstance(node.variable, Symbol) or node.lower is None or node.upper is None:
        return None
    name = node.variable.name
    poles = [pole for part in walk(node.body) if (pole := _pole(part, name)) is not None]
    if len(poles) != 1 or sum(_may_be_singular(part, name) for part in walk(node.body)) != 1:
        return None
    gap = Symbol("epsilon_")
    minus = Apply("negate", (gap,))
    left = Integral(node.body, node.variable, node.lower, Apply("plus", (poles[0], minus)), "int", None, node.span)
    right = Integral(node.body, node.variable, Apply("plus", (poles[0], gap)), node.upper, "int", None, node.span)
    return Limit(Apply("plus", (left, right), node.span), gap, _ZERO, "+", node.span)


def _may_be_singular(node: Expression, name: str) -> bool:
    """Whether an operation may have poles in a variable: a quotient, a power, functions but a few."""
    if not isinstance(node, Apply) or name not in free_symbols(node):
        return isinstance(node, Series | Integral)
    if node.head == "divide":
        return name in free_symbols(node.arguments[1])
    if node.head == "power":
        base, exponent = node.arguments
        return name in free_symbols(base) and not (isinstance(exponent, Number) and exponent.value.isdigit())
    return node.head[0] == "\\" and node.head not in _ENTIRE


def _pole(node: Expression, name: str) -> Expression | None:
    """The zero of a linear denominator."""
    if not isinstance(node, Apply) or node.head != "divide":
        return None
    below = node.arguments[1]
    if isinstance(below, Symbol):
        return _ZERO if below.name == name else None
    if not isinstance(below, Apply) or below.head != "plus" or len(below.arguments) != 2:
        return None
    first, second = below.arguments
    if isinstance(second, Symbol) and second.name == name:
        first, second = second, first
    for here, other in ((first, second), (second, first)):
        if _is_negated(here) and _same(_opposite(here), Symbol(name)):  # x-t
            return None if name in free_symbols(other) else other
    if not isinstance(first, Symbol) or first.name != name or name in free_symbols(second):
        return None
    return _opposite(second)


# -- ends of a path ----------------------------------------------------------------------------------------


def _end(node: Expression) -> tuple[Expression, Expression | None] | None:
    """An end as its finite part and the direction in which it lies at infinity; None where it is neither."""
    if not _infinite(node):
        return node, None
    if isinstance(node, Apply) and node.head == "plus":
        far = [term for term in node.arguments if _infinite(term)]
        near = tuple(term for term in node.arguments if not _infinite(term))
        if len(far) != 1:
            return None
        direction = _direction(far[0])
        return None if direction is None else (near[0] if len(near) == 1 else Apply("plus", near), direction)
    direction = _direction(node)
    return None if direction is None else (_ZERO, direction)


def _direction(node: Expression) -> Expression | None:
    """The factor of infinity."""
    if isinstance(node, Constant):
        return _ONE
    if not isinstance(node, Apply):
        return None
    if node.head == "negate":
        inner = _direction(node.arguments[0])
        return None if inner is None else _opposite(inner)
    if node.head == "times":
        far = [factor for factor in node.arguments if _infinite(factor)]
        near = tuple(factor for factor in node.arguments if not _infinite(factor))
        if len(far) != 1 or not isinstance(far[0], Constant) or not near or not all(map(_is_turn, near)):
            return None
        return near[0] if len(near) == 1 else Apply("times", near, node.span)
    return None


def _is_turn(node: Expression) -> bool:
    """Whether a factor has the modulus 1: i, and powers of e with i in the exponent."""
    if isinstance(node, Constant):
        return node.name == "i"
    if not isinstance(node, Apply):
        return False
    if node.head == r"\exp":
        exponent = node.arguments[0]
    elif node.head == "power" and isinstance(node.arguments[0], Constant) and node.arguments[0].name == "e":
        exponent = node.arguments[1]
    else:
        return False
    return sum(isinstance(part, Constant) and part.name == "i" for part in walk(exponent)) == 1 and not any(
        isinstance(part, Apply) and part.head == "plus" for part in walk(exponent)
    )


def _infinite(node: Expression) -> bool:
    return any(isinstance(part, Constant) and part.name == "infinity" for part in walk(node))


def _is_real(direction: Expression | None) -> bool:
    return direction is None or isinstance(_opposite(direction) if _is_negated(direction) else direction, Number)


def _is_negated(node: Expression) -> bool:
    return isinstance(node, Apply) and node.head == "negate"


def _opposite(node: Expression) -> Expression:
    if isinstance(node, Apply) and node.head == "negate":
        return node.arguments[0]
    return Apply("negate", (node,), node.span)


def _same(left: Expression, right: Expression) -> bool:
    """Equality without places in the source."""
    if type(left) is not type(right):
        return False
    if isinstance(left, Apply) and isinstance(right, Apply):
        return (
            left.head == right.head
            and len(left.arguments) == len(right.arguments)
            and all(map(_same, left.arguments, right.arguments))
        )
    if isinstance(left, Number) and isinstance(right, Number):
        return left.value == right.value
    if isinstance(left, Symbol | Constant) and isinstance(right, Symbol | Constant):
        return left.name == right.name
    return left == right
