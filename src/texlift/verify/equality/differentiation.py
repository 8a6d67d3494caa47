"""Derivatives of elementary expressions on the meaning tree."""

from __future__ import annotations

from collections.abc import Callable

from texlift.meaning.tree import Apply, Constant, Derivative, Expression, Number, Symbol, free_symbols
from texlift.verify.balls import NoBallError

__all__ = ["derivative", "differentiated"]

_MAX_ORDER = 6
_MAX_NODES = 5000
_ZERO, _ONE, _TWO = Number("0"), Number("1"), Number("2")


def differentiated(node: Derivative) -> Expression:
    """A derivative, carried out. Raises NoBallError where that is not known."""
    body = node.body
    for variable, order in node.variables:
        if not isinstance(variable, Symbol) or not isinstance(order, Number) or not order.value.isdigit():
            raise NoBallError("a derivative of unknown order")
        if int(order.value) > _MAX_ORDER:
            raise NoBallError("a derivative of high order")
        for _ in range(int(order.value)):
            body = derivative(body, variable.name)
    return body


def derivative(node: Expression, name: str) -> Expression:
    """The derivative by a letter. Raises NoBallError where it is not known."""
    return _Rule(name).of(node)


class _Rule:
    def __init__(self, name: str) -> None:
        self.name = name
        self.made = 0

    def of(self, node: Expression) -> Expression:
        self.made += 1
        if self.made > _MAX_NODES:
            raise NoBallError("a large derivative")
        if isinstance(node, Symbol):
            return _ONE if node.name == self.name else _ZERO
        if isinstance(node, Number | Constant) or self.name not in free_symbols(node):
            return _ZERO
        if isinstance(node, Derivative):
            return self.of(differentiated(node))
        if not isinstance(node, Apply):
            raise NoBallError(f"the derivative of {type(node).__name__}")
        return self._apply(node)

    def _apply(self, node: Apply) -> Expression:
        head, arguments = node.head, node.arguments
        if head == "plus":
            return _sum(*(self.of(part) for part in arguments))
        if head == "negate":
            return _minus(self.of(arguments[0]))
        if head == "times":
            return _sum(
                *(
                    _product(*arguments[:place], self.of(part), *arguments[place + 1 :])
                    for place, part in enumerate(arguments)
                )
            )
        if head == "divide":
            above, below = arguments
            first = _quotient(self.of(above), below)
            second = _quotient(_product(above, self.of(below)), _power(below, _TWO))
            return _sum(first, _minus(second))
        if head == "power":
            return self._power(*arguments)
        if head == "sqrt":
            return _quotient(self.of(arguments[0]), _product(_TWO, node))
        if head == "root" and self.name not in free_symbols(arguments[1]):
            return _quotient(_product(node, self.of(arguments[0])), _product(arguments[1], arguments[0]))
        if head == r"\genlog" and self.name not in free_symbols(arguments[0]):
            return _quotient(self.of(arguments[1]), _product(arguments[1], Apply(r"\ln", (arguments[0],))))
        if head in ("abs", r"\abs"):
            return _product(_quotient(arguments[0], node), self.of(arguments[0]))
        if head in _KNOWN and len(arguments) == 1:
            return _product(_KNOWN[head](arguments[0]), self.of(arguments[0]))
        raise NoBallError(f"the derivative of {head}")

    def _power(self, base: Expression, exponent: Expression) -> Expression:
        if self.name not in free_symbols(exponent):
            lower = _sum(exponent, _minus(_ONE))
            return _product(exponent, _power(base, lower), self.of(base))
        whole = _power(base, exponent)
        if isinstance(base, Constant) and base.name == "e":
            return _product(whole, self.of(exponent))
        grown = _product(whole, Apply(r"\ln", (base,)), self.of(exponent))
        return _sum(grown, _product(whole, exponent, _quotient(self.of(base), base)))


def _sum(*terms: Expression) -> Expression:
    kept = tuple(term for term in terms if term != _ZERO)
    return _ZERO if not kept else kept[0] if len(kept) == 1 else Apply("plus", kept)


def _product(*factors: Expression) -> Expression:
    if any(factor == _ZERO for factor in factors):
        return _ZERO
    kept = tuple(factor for factor in factors if factor != _ONE)
    return _ONE if not kept else kept[0] if len(kept) == 1 else Apply("times", kept)


def _minus(node: Expression) -> Expression:
    return _ZERO if node == _ZERO else Apply("negate", (node,))


def _quotient(above: Expression, below: Expression) -> Expression:
    return _ZERO if above == _ZERO else Apply("divide", (above, below))


def _power(base: Expression, exponent: Expression) -> Expression:
    return Apply("power", (base, exponent))


def _call(head: str, argument: Expression) -> Expression:
    return Apply(head, (argument,))


def _square(head: str) -> Callable[[Expression], Expression]:
    return lambda u: _power(_call(head, u), _TWO)


def _one_plus(sign: int, u: Expression) -> Expression:
    square = _power(u, _TWO)
    return Apply("plus", (_ONE, square if sign > 0 else _minus(square)))


_KNOWN: dict[str, Callable[[Expression], Expression]] = {
    r"\exp": lambda u: _call(r"\exp", u),
    r"\ln": lambda u: _quotient(_ONE, u),
    r"\sin": lambda u: _call(r"\cos", u),
    r"\cos": lambda u: _minus(_call(r"\sin", u)),
    r"\tan": _square(r"\sec"),
    r"\cot": lambda u: _minus(_square(r"\csc")(u)),
    r"\sec": lambda u: _product(_call(r"\sec", u), _call(r"\tan", u)),
    r"\csc": lambda u: _minus(_product(_call(r"\csc", u), _call(r"\cot", u))),
    r"\sinh": lambda u: _call(r"\cosh", u),
    r"\cosh": lambda u: _call(r"\sinh", u),
    r"\tanh": _square(r"\sech"),
    r"\coth": lambda u: _minus(_square(r"\csch")(u)),
    r"\asin": lambda u: _quotient(_ONE, Apply("sqrt", (_one_plus(-1, u),))),
    r"\acos": lambda u: _minus(_quotient(_ONE, Apply("sqrt", (_one_plus(-1, u),)))),
    r"\atan": lambda u: _quotient(_ONE, _one_plus(1, u)),
    r"\acot": lambda u: _minus(_quotient(_ONE, _one_plus(1, u))),
    r"\asinh": lambda u: _quotient(_ONE, Apply("sqrt", (_one_plus(1, u),))),
    r"\atanh": lambda u: _quotient(_ONE, _one_plus(-1, u)),
}
