"""Functions of lists whose length is a letter, `a_{1},\\dots,a_{p}`: their series with a product over the list.

For systems that have no lists of symbolic length, such as SymPy.
"""

from __future__ import annotations

from collections.abc import Callable

from texlift.meaning.reader.progression import INDEX
from texlift.meaning.tree import Apply, Constant, Expression, Number, Sequence, Series, Symbol

__all__ = ["OPEN", "has_open_list", "over_open_lists"]

OPEN = frozenset({r"\genhyperF", r"\genhyperOlverF", r"\qgenhyperphi", r"\qmultiPochhammersym", r"\multinomial"})
"""The functions of lists that have such a definition."""

_N = Symbol("n_")
_ONE = Number("1")


def has_open_list(node: Apply) -> bool:
    """Whether an argument is a list of symbolic length."""
    return any(_is_run(item) for argument in node.arguments for item in _items(argument))


def over_open_lists(node: Apply) -> Expression | None:
    """The definition with products over the lists, DLMF 16.2.1, 16.2.5, 17.2.5, 17.4.1, 26.4.2; None for the others."""
    arguments = node.arguments
    if node.head in (r"\genhyperF", r"\genhyperOlverF") and len(arguments) == 5:
        regular = node.head == r"\genhyperF"
        above = _each(arguments[2], lambda a: Apply(r"\Pochhammersym", (a, _N)))
        below = _each(
            arguments[3],
            lambda b: (
                Apply(r"\Pochhammersym", (b, _N)) if regular else Apply(r"\EulerGamma", (Apply("plus", (b, _N)),))
            ),
        )
        factorial = Apply("factorial", (_N,))
        term = Apply("divide", (_times(*above, Apply("power", (arguments[4], _N))), _times(*below, factorial)))
        return Series("sum", term, _N, Number("0"), Constant("infinity"), None, node.span)
    if node.head == r"\qgenhyperphi" and len(arguments) == 6:
        return _basic(node)
    if node.head == r"\qmultiPochhammersym" and len(arguments) == 3:
        return _times(*_each(arguments[0], lambda a: Apply(r"\qPochhammer", (a, arguments[1], arguments[2]))))
    if node.head == r"\multinomial" and len(arguments) == 2:
        below = _each(arguments[1], lambda n: Apply("factorial", (n,)))
        return Apply("divide", (Apply("factorial", (arguments[0],)), _times(*below)), node.span)
    return None


def _basic(node: Apply) -> Expression:
    """The basic hypergeometric series of r and s parameters."""
    r, s, a, b, q, z = node.arguments
    above = _each(a, lambda x: Apply(r"\qPochhammer", (x, q, _N)))
    below = _each(b, lambda x: Apply(r"\qPochhammer", (x, q, _N)))
    half = Apply("divide", (Apply("times", (_N, Apply("plus", (_N, Apply("negate", (_ONE,)))))), Number("2")))
    sign = Apply("times", (Apply("power", (Apply("negate", (_ONE,)), _N)), Apply("power", (q, half))))
    excess = Apply("plus", (_ONE, s, Apply("negate", (r,))))
    factor = Apply("power", (sign, excess))
    top = _times(*above, factor, Apply("power", (z, _N)))
    term = Apply("divide", (top, _times(*below, Apply(r"\qPochhammer", (q, q, _N)))))
    return Series("sum", term, _N, Number("0"), Constant("infinity"), None, node.span)


def _each(argument: Expression, function: Callable[[Expression], Expression]) -> list[Expression]:
    """The function of each item, a product over each run of items."""
    found: list[Expression] = []
    for item in _items(argument):
        if isinstance(item, Apply) and item.head == "enumerate":
            general, first, last = item.arguments
            found.append(Series("product", function(general), INDEX, first, last, None, item.span))
        else:
            found.append(function(item))
    return found


def _items(argument: Expression) -> tuple[Expression, ...]:
    return argument.items if isinstance(argument, Sequence) else (argument,)


def _is_run(item: Expression) -> bool:
    return isinstance(item, Apply) and item.head == "enumerate"


def _times(*factors: Expression) -> Expression:
    if not factors:
        return _ONE
    return factors[0] if len(factors) == 1 else Apply("times", factors)
