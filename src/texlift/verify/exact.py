"""Exact values: expressions over the rational numbers, for points whose values are rational.

What has no rational value, or too large a one, raises `NotExactError`; then the check computes with mpmath.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from texlift.meaning.tree import Apply, Cases, Expression, Number, Relation, Series, Symbol, walk

__all__ = ["MAX_BITS", "NotExactError", "exact_value", "is_exact", "jacobi_symbol", "residue"]

MAX_BITS = 400_000
"""Largest numerator or denominator."""

_MAX_TERMS = 4000
_MAX_FACTORIAL = 20_000

Environment = Mapping[str, Fraction]


class NotExactError(Exception):
    """The expression has no rational value here that is worth computing."""


def exact_value(node: Expression, values: Environment) -> Fraction:
    """The rational value of an expression. ZeroDivisionError where it is undefined."""
    if isinstance(node, Number):
        return Fraction(node.value)
    if isinstance(node, Symbol):
        if node.name not in values:
            raise NotExactError(node.name)
        return values[node.name]
    if isinstance(node, Series):
        return _series(node, values)
    if isinstance(node, Cases):
        return _cases(node, values)
    if not isinstance(node, Apply):
        raise NotExactError(type(node).__name__)
    function = _FUNCTIONS.get(node.head)
    if function is not None:
        return _sized(function(*[exact_value(part, values) for part in node.arguments]))
    raise NotExactError(node.head)


def is_exact(node: Expression) -> bool:
    """Whether an expression is made of functions with rational values at rational points, most of them."""
    return all(
        part.head in _FUNCTIONS
        if isinstance(part, Apply)
        else isinstance(part, Number | Symbol | Series | Cases | Relation)
        for part in walk(node)
    )


def residue(node: Expression, values: Environment, modulus: int) -> int:
    """The remainder of an integer by another; powers need not be computed for that."""
    if isinstance(node, Apply) and node.head in ("plus", "times", "negate"):
        parts = [residue(part, values, modulus) for part in node.arguments]
        if node.head == "plus":
            return sum(parts) % modulus
        return math.prod(parts) % modulus if node.head == "times" else -parts[0] % modulus
    if isinstance(node, Apply) and node.head == "power":
        exponent = _whole(exact_value(node.arguments[1], values))
        if exponent >= 0:
            return pow(residue(node.arguments[0], values, modulus), exponent, modulus)
    return _whole(exact_value(node, values)) % modulus


def jacobi_symbol(above: Fraction, below: Fraction) -> Fraction:
    """The Jacobi symbol, which is Legendre's for a prime."""
    a, n = _whole(above), _whole(below)
    if n <= 0 or n % 2 == 0:
        raise NotExactError("a symbol over an even number")
    a %= n
    sign = 1
    while a:
        while a % 2 == 0:
            a //= 2
            if n % 8 in (3, 5):
                sign = -sign
        a, n = n, a
        if a % 4 == n % 4 == 3:
            sign = -sign
        a %= n
    return Fraction(sign if n == 1 else 0)


def _sized(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise NotExactError("too large")
    return value


def _whole(value: Fraction) -> int:
    if value.denominator != 1:
        raise NotExactError("no integer")
    return value.numerator


def _times(*factors: Fraction) -> Fraction:
    total = Fraction(1)
    for factor in factors:
        total *= factor
    return total


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        if base < 0:
            raise NotExactError("a fractional power of a negative number")
        base, exponent = _root(base, Fraction(exponent.denominator)), Fraction(exponent.numerator)
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if base not in (0, 1, -1) and size * abs(exponent) > MAX_BITS:
        raise NotExactError("too large")
    if base in (1, -1):
        return Fraction(1) if exponent % 2 == 0 else base
    if base == 0 and exponent == 0:
        raise NotExactError("0^0")
    return Fraction(base ** int(exponent))


def _root(value: Fraction, degree: Fraction = Fraction(2)) -> Fraction:
    n = _whole(degree)
    if value < 0 or not 2 <= n <= 64:
        raise NotExactError("no real root")
    parts = [_integer_root(part, n) for part in (value.numerator, value.denominator)]
    return Fraction(parts[0], parts[1])


def _integer_root(value: int, n: int) -> int:
    if value < 2:
        return value
    guess = math.isqrt(value) if n == 2 else round(math.exp(math.log(value) / n)) if value.bit_length() < 900 else 0
    for found in (guess, guess - 1, guess + 1):
        if found > 0 and found**n == value:
            return found
    raise NotExactError("an irrational root")


def _factorial(value: Fraction) -> Fraction:
    n = _whole(value)
    if not 0 <= n <= _MAX_FACTORIAL:
        raise NotExactError("a factorial out of range")
    return Fraction(math.factorial(n))


def _double_factorial(value: Fraction) -> Fraction:
    n = _whole(value)
    if not 0 <= n <= _MAX_FACTORIAL:
        raise NotExactError("a factorial out of range")
    return Fraction(math.prod(range(n, 0, -2)))


def _binomial(above: Fraction, below: Fraction) -> Fraction:
    k = _whole(below)
    if k < 0 or k > _MAX_FACTORIAL or (above.denominator == 1 and above < 0):
        raise NotExactError("a binomial coefficient with negative arguments")
    if above.denominator == 1:
        if abs(above) > _MAX_FACTORIAL and (k > 64 and above - k > 64):
            raise NotExactError("too large")
        return Fraction(math.comb(int(above), k))
    return _rising(above - k + 1, Fraction(k)) / math.factorial(k)


def _rising(start: Fraction, count: Fraction) -> Fraction:
    n = _whole(count)
    if not 0 <= n <= _MAX_TERMS:
        raise NotExactError("out of range")
    return _times(*(start + k for k in range(n)))


def _gcd(*values: Fraction) -> Fraction:
    return Fraction(math.gcd(*map(_whole, values)))


def _lcm(*values: Fraction) -> Fraction:
    return Fraction(math.lcm(*map(_whole, values)))


def _modulo(value: Fraction, modulus: Fraction) -> Fraction:
    return value - modulus * math.floor(value / modulus)


def _sign(value: Fraction) -> Fraction:
    return Fraction((value > 0) - (value < 0))


_FUNCTIONS: dict[str, Callable[..., Fraction]] = {
    "plus": lambda *terms: sum(terms, Fraction(0)),
    "times": _times,
    "negate": lambda value: -value,
    "divide": lambda above, below: above / below,
    "power": _power,
    "sqrt": _root,
    "root": _root,
    "abs": abs,
    r"\abs": abs,
    "factorial": _factorial,
    "factorial2": _double_factorial,
    r"\binom": _binomial,
    r"\Pochhammersym": _rising,
    "floor": lambda value: Fraction(math.floor(value)),
    r"\floor": lambda value: Fraction(math.floor(value)),
    "ceiling": lambda value: Fraction(math.ceil(value)),
    r"\ceiling": lambda value: Fraction(math.ceil(value)),
    "min": min,
    "max": max,
    "gcd": _gcd,
    r"\pgcd": _gcd,
    "lcm": _lcm,
    "modulo": _modulo,
    r"\sign": _sign,
    r"\Kroneckerdelta": lambda a, b: Fraction(a == b),
    r"\Legendresym": jacobi_symbol,
    r"\Jacobisym": jacobi_symbol,
}


def _series(node: Series, values: Environment) -> Fraction:
    if node.lower is None or node.upper is None or not isinstance(node.index, Symbol):
        raise NotExactError("series")
    low, high = (_whole(exact_value(end, values)) for end in (node.lower, node.upper))
    if high - low > _MAX_TERMS:
        raise NotExactError("too many terms")
    total = Fraction(0 if node.kind == "sum" else 1)
    for k in range(low, high + 1):
        inner = {**values, node.index.name: Fraction(k)}
        if node.condition is not None and not _holds(node.condition, inner):
            continue
        term = exact_value(node.body, inner)
        total = _sized(total + term if node.kind == "sum" else total * term)
    return total


def _cases(node: Cases, values: Environment) -> Fraction:
    for value, condition in node.branches:
        if condition is None or _holds(condition, values):
            return exact_value(value, values)
    raise NotExactError("no case applies")


def _holds(condition: Expression, values: Environment) -> bool:
    if isinstance(condition, Apply) and condition.head in ("and", "or"):
        join = all if condition.head == "and" else any
        return join(_holds(part, values) for part in condition.arguments)
    if isinstance(condition, Apply) and condition.head in ("even", "odd"):
        return _whole(exact_value(condition.arguments[0], values)) % 2 == (condition.head == "odd")
    if not isinstance(condition, Relation):
        raise NotExactError("condition")
    return all(
        _compared(operator, exact_value(left, values), exact_value(right, values))
        for operator, left, right in condition.links
    )


def _compared(operator: str, a: Fraction, b: Fraction) -> bool:
    if operator in ("divides", "notdivides"):
        return (a != 0 and (b / a).denominator == 1) is (operator == "divides")
    known = {"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}
    if operator not in known:
        raise NotExactError(operator)
    return known[operator]
