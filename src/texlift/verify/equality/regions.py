"""Sets of real numbers from what is written: intervals, unions, conditions on one letter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

import flint

from texlift.meaning.tree import (
    Apply,
    Constant,
    Expression,
    Interval,
    Matrix,
    Relation,
    Symbol,
    free_symbols,
    rebuild,
    walk,
)
from texlift.meaning.tree import Sequence as Items
from texlift.verify.balls import NoBallError
from texlift.verify.equality.evaluation import Evaluator, UndefinedError
from texlift.verify.equality.polynomial import Quotient, TooLargeError, bare, quotient, rational, univariate
from texlift.verify.equality.realsets import Cut, NoRealSetError, RealSet, between, merged, order, rational_cut, reals

__all__ = ["real_roots", "real_set"]

_MOST_DEGREE = 30
_ORDERED = frozenset({"<", ">", "<=", ">=", "=", "!="})


def real_set(node: Expression, name: str) -> RealSet:
    """The set of numbers that an expression is, or of the values of a letter for which a condition holds.

    Raises NoRealSetError for anything else.
    """
    try:
        return _Maker(name).of(bare(node)).tidy()
    except (TooLargeError, NoBallError, UndefinedError, ZeroDivisionError) as error:
        raise NoRealSetError(str(error)) from None


class _Maker:
    def __init__(self, name: str) -> None:
        self.name = name
        self.work = 0

    def of(self, node: Expression) -> RealSet:
        self.work += 1
        if self.work > 200:
            raise NoRealSetError("too many cases")
        if isinstance(node, Interval):
            return _interval(node)
        if isinstance(node, Constant) and node.name in ("reals", "emptyset"):
            return reals(node.name == "reals")
        if isinstance(node, Items) and node.kind in ("set", "list", "interval"):
            return self._finite(node.items)
        if isinstance(node, Items) and node.kind == "tuple" and len(node.items) == 2:
            return _interval(Interval(node.items[0], node.items[1]))
        if isinstance(node, Relation):
            return self._relation(node)
        if isinstance(node, Apply):
            return self._apply(node)
        raise NoRealSetError("no set of real numbers")

    def _apply(self, node: Apply) -> RealSet:
        head = node.head
        if head in ("union", "or", "intersect", "and"):
            join = (lambda a, b: a or b) if head in ("union", "or") else (lambda a, b: a and b)
            result = self.of(node.arguments[0])
            for part in node.arguments[1:]:
                result = result.joined(self.of(part), join)
            return result
        if head == "not":
            return self.of(node.arguments[0]).inverse()
        if head == "setminus":
            return self.of(node.arguments[0]).joined(self.of(node.arguments[1]), lambda a, b: a and not b)
        if head == "setbuilder":
            return self._builder(node)
        raise NoRealSetError("no set of real numbers")

    def _builder(self, node: Apply) -> RealSet:
        """`{x | x>2}`, `{x in R : x>2, x<5}`."""
        first, *conditions = node.arguments
        result = reals()
        variable = first
        if isinstance(first, Relation) and first.operators == ("in",):
            variable = first.operands[0]
            result = self.of(first.operands[1])
        if not isinstance(variable, Symbol):
            raise NoRealSetError("a set of other things than a letter")
        inner = _Maker(variable.name)
        for condition in conditions:
            result = result.joined(inner.of(condition), lambda a, b: a and b)
        return result

    def _finite(self, items: Sequence[Expression]) -> RealSet:
        result = reals(False)
        for item in items:
            point = RealSet((_constant(item),), (False, True, False))
            result = result.joined(point, lambda a, b: a or b)
        return result

    def _relation(self, node: Relation) -> RealSet:
        result = reals()
        for operator, left, right in node.links:
            result = result.joined(self._link(operator, left, right), lambda a, b: a and b)
        return result

    def _link(self, operator: str, left: Expression, right: Expression) -> RealSet:
        if operator in ("in", "notin") and isinstance(left, Symbol) and left.name == self.name:
            inner = self.of(right)
            return inner if operator == "in" else inner.inverse()
        if operator not in _ORDERED:
            raise NoRealSetError(f"the relation {operator}")
        for one, other, towards in ((left, right, "<"), (right, left, ">")):
            sign = _infinite(one)
            if sign and operator in ("<", "<=", ">", ">=") and not _infinite(other):
                # -oo < x holds for every real number
                return reals((operator[0] == towards) == (sign < 0))
        if operator in ("=", "!=") and isinstance(right, Items) and right.kind == "list":
            inner = reals(False)
            for item in right.items:
                inner = inner.joined(self._link("=", left, item), lambda a, b: a or b)
            return inner if operator == "=" else inner.inverse()
        return self._solved(operator, Apply("plus", (left, Apply("negate", (right,)))))

    def _solved(self, operator: str, difference: Expression) -> RealSet:
        """Where an expression is positive, negative or zero."""
        bars = _bars(difference, self.name)
        if bars is not None:
            inner = bars.arguments[0]
            result = reals(False)
            for sign, replaced in ((">=", inner), ("<", Apply("negate", (inner,)))):
                part = self._solved(sign, inner)
                part = part.joined(self._solved(operator, _replaced(difference, bars, replaced)), lambda a, b: a and b)
                result = result.joined(part, lambda a, b: a or b)
            return result
        self.work += 1
        if self.work > 200:
            raise NoRealSetError("too many cases")
        result = _signs(quotient(difference), operator, self.name)
        for below in _denominators(difference, self.name):  # also those that cancel
            zeros = _signs(quotient(below), "=", self.name)
            result = result.joined(zeros, lambda a, b: a and not b)
        return result


def _denominators(node: Expression, name: str) -> list[Expression]:
    found = []
    for part in walk(node):
        if isinstance(part, Apply) and part.head == "divide" and name in free_symbols(part.arguments[1]):
            found.append(part.arguments[1])
        elif isinstance(part, Apply) and part.head == "power" and name in free_symbols(part.arguments[0]):
            exponent = rational(part.arguments[1])
            if exponent is not None and exponent < 0:
                found.append(part.arguments[0])
    return found


def _signs(found: Quotient, operator: str, name: str) -> RealSet:
    """Where a rational function compares with zero as the operator says."""
    place = next(
        (i for i, kernel in enumerate(found.kernels) if isinstance(kernel, Symbol) and kernel.name == name), -1
    )
    if any(isinstance(part, Symbol) for kernel in found.kernels for part in walk(kernel) if part != Symbol(name)):
        raise NoRealSetError("another letter")
    if place < 0 and not found.kernels:
        value = found.above.leading_coefficient() if not found.above.is_zero() else 0
        return reals(_holds(operator, (value > 0) - (value < 0)))
    if any(index != place and name in free_symbols(kernel) for index, kernel in enumerate(found.kernels)):
        raise NoRealSetError("a function of the letter")
    if len(found.kernels) > 1 or place < 0:
        return _linear(found, operator, place)
    above, below = univariate(found.above, place), univariate(found.below, place)
    zeros, poles = real_roots(above), real_roots(below)
    cuts = merged((*zeros, *poles))
    inside = []
    for index in range(2 * len(cuts) + 1):
        if index % 2:
            cut = cuts[index // 2]
            if any(order(cut, pole) == 0 for pole in poles):
                inside.append(False)
            else:
                inside.append(_holds(operator, 0))
            continue
        number = between(cuts, index // 2)
        point = flint.fmpq(number.numerator, number.denominator)
        value = above(point) * below(point)
        inside.append(_holds(operator, (value > 0) - (value < 0)))
    return RealSet(cuts, tuple(inside))


def _linear(found: Quotient, operator: str, place: int) -> RealSet:
    """`a x + b` with constants such as pi or roots."""
    if place < 0:
        raise NoRealSetError("no letter")
    slope: list[tuple[Any, tuple[int, ...]]] = []
    rest: list[tuple[Any, tuple[int, ...]]] = []
    if found.below.degrees()[place]:
        raise NoRealSetError("a quotient with irrational coefficients")
    for exponents, coefficient in found.above.to_dict().items():
        power = exponents[place]
        if power > 1:
            raise NoRealSetError("a polynomial with irrational coefficients")
        (slope if power else rest).append((coefficient, exponents))

    def value(terms: list[tuple[Any, tuple[int, ...]]]) -> Any:
        evaluator = Evaluator({})
        kernels = [flint.acb(1) if i == place else evaluator.number(k) for i, k in enumerate(found.kernels)]
        total = flint.acb(0)
        for coefficient, exponents in terms:
            term = flint.acb(flint.arb(coefficient))
            for index, exponent in enumerate(exponents):
                if index != place and exponent:
                    term = term * kernels[index] ** int(exponent)
            total += term
        if not total.imag.contains(0):
            raise NoRealSetError("a number that is not real")
        return total.real

    below = [(coefficient, exponents) for exponents, coefficient in found.below.to_dict().items()]
    old = flint.ctx.prec
    flint.ctx.prec = 256
    try:
        sign_of = value(slope) * value(below) if slope else flint.arb(0)
    finally:
        flint.ctx.prec = old
    if sign_of.contains(0):
        raise NoRealSetError("a slope that may be zero")
    cut = Cut(lambda: -value(rest) / value(slope))
    up = 1 if sign_of > 0 else -1
    return RealSet((cut,), (_holds(operator, -up), _holds(operator, 0), _holds(operator, up)))


def _holds(operator: str, sign: int) -> bool:
    return {"=": sign == 0, "!=": sign != 0, "<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0}[operator]


def real_roots(polynomial: Any) -> tuple[Cut, ...]:
    """The real roots of an fmpq_poly, without repetition, in order."""
    if polynomial.degree() > _MOST_DEGREE:
        raise TooLargeError("a polynomial of high degree")
    if polynomial.degree() < 1:
        return ()
    whole = flint.fmpz_poly([int(c) for c in (polynomial * polynomial.denom()).coeffs()])
    cuts: list[Cut] = []
    for factor, _ in whole.factor()[1]:
        if factor.degree() == 1:
            root = Fraction(-int(factor[0]), int(factor[1]))
            cuts.append(rational_cut(root))
            continue
        count = sum(bool(root.imag.is_zero()) for root, _ in factor.complex_roots())
        known: dict[int, list[Any]] = {}
        cuts.extend(Cut(_root(factor, index, known)) for index in range(count))
    return tuple(sorted(cuts, key=cmp_to_key(order)))


def _root(factor: Any, index: int, known: dict[int, list[Any]]) -> Callable[[], Any]:
    """A real root by its number; `known` holds all of them by precision."""

    def at() -> Any:
        precision = flint.ctx.prec
        if precision not in known:
            found = [root.real for root, _ in factor.complex_roots() if root.imag.is_zero()]
            known[precision] = sorted(found, key=lambda ball: float(ball.mid()))
        return known[precision][index]

    return at


def _constant(node: Expression) -> Cut:
    value = rational(node)
    if value is not None:
        return rational_cut(value)
    if isinstance(node, Matrix | Items) or free_symbols(node):
        raise NoRealSetError("an end with letters")

    def at() -> Any:
        number = Evaluator({}).number(node)
        if not number.imag.contains(0):
            raise NoRealSetError("an end that is not real")
        return number.real

    at()
    return Cut(at)


def _interval(node: Interval) -> RealSet:
    low, high = _infinite(node.lower), _infinite(node.upper)
    if low > 0 or high < 0:
        raise NoRealSetError("an interval from infinity")
    result = reals()
    if not low:
        cut = _constant(node.lower)
        result = RealSet((cut,), (False, node.closed_lower, True))
    if not high:
        cut = _constant(node.upper)
        upper = RealSet((cut,), (True, node.closed_upper, False))
        result = result.joined(upper, lambda a, b: a and b)
    return result


def _infinite(node: Expression) -> int:
    """1 for infinity, -1 for minus infinity, else 0."""
    if isinstance(node, Constant) and node.name == "infinity":
        return 1
    if isinstance(node, Apply) and node.head == "negate":
        return -_infinite(node.arguments[0])
    if isinstance(node, Apply) and node.head == "plus" and len(node.arguments) == 1:
        return _infinite(node.arguments[0])
    return 0


def _bars(node: Expression, name: str) -> Apply | None:
    """An absolute value of the letter with no other inside."""
    for part in walk(node):
        bars = isinstance(part, Apply) and part.head in ("abs", r"\abs") and name in free_symbols(part)
        if bars and isinstance(part, Apply) and _bars(part.arguments[0], name) is None:
            return part
    return None


def _replaced(node: Expression, old: Expression, new: Expression) -> Expression:
    return new if node == old else rebuild(node, lambda part: _replaced(part, old, new))
