"""Claims that sampling cannot verify, however many points or digits agree."""

from __future__ import annotations

from fractions import Fraction

from texlift.meaning.tree import Apply, Constant, Expression, Integral, Number, Series, free_symbols, walk
from texlift.verify.statement import Claim, Comparison

__all__ = ["beyond_sampling", "is_infinite"]

_ARITHMETIC = frozenset({r"\nprimes", r"\MangoldtLambda", r"\Moebiusmu", r"\Liouvillelambda", r"\Eulertotientphi",
                         r"\ndivisors", r"\sumdivisors", r"\Chebyshevpsi"})  # fmt: skip
_STEPS = frozenset({"floor", "ceiling", r"\floor", r"\ceiling"})
_DIVISORS = frozenset({"gcd", "lcm", r"\pgcd"})
_LOW = 3  # power of a letter up to which common divisors of polynomials are small
_ORDERED = frozenset({"<", ">", "<=", ">="})
_ALGEBRAIC = frozenset({"plus", "times", "negate", "divide", "power", "sqrt", "abs"})


def beyond_sampling(claim: Claim) -> str:
    """Why agreement wherever a claim was tested says little; empty where it says much.

    Two analytic functions that agree at many points to many digits are equal. Sums of floors, counts of primes and
    greatest common divisors follow no such law: there are famous statements that fail first at enormous numbers.
    """
    for comparison in claim.comparisons:
        for side in (comparison.left, comparison.right):
            for node in walk(side):
                if reason := _reason(node, comparison):
                    return reason
    return ""


def _reason(node: Expression, comparison: Comparison) -> str:
    if isinstance(node, Series) and is_infinite(node) and any(_is_step(part) for part in walk(node.body)):
        return "an infinite sum of floors may agree to very many digits without being equal"
    if isinstance(node, Integral) and any(isinstance(part, Series) and is_infinite(part) for part in walk(node.body)):
        return "an integral over an infinite product or sum may agree to very many digits without being equal"
    if isinstance(node, Series) and is_infinite(node) and _slow(node):
        return "a sum of terms that hardly change may agree with an integral to very many digits"
    if isinstance(node, Apply) and node.head in _ARITHMETIC and comparison.operator in _ORDERED:
        return "an inequality about primes or divisors may fail first at enormous numbers"
    if _is_step(node) and isinstance(node, Apply) and _only_integers(node) and _transcendental(node):
        return "floors of such numbers may differ first at enormous integers"
    if isinstance(node, Apply) and node.head in _DIVISORS and any(_high_power(part) for part in node.arguments):
        return "divisors of such numbers may be common first at enormous integers"
    return ""


def _high_power(node: Expression) -> bool:
    """Whether a letter stands to the fourth power or higher."""
    return any(
        isinstance(part, Apply)
        and part.head == "power"
        and free_symbols(part.arguments[0])
        and isinstance(part.arguments[1], Number)
        and Fraction(part.arguments[1].value) > _LOW
        for part in walk(node)
    )


def _is_step(node: Expression) -> bool:
    return isinstance(node, Apply) and node.head in _STEPS


def is_infinite(node: Series) -> bool:
    """Whether a sum or product is infinite."""
    return any(
        isinstance(part, Constant) and part.name == "infinity"
        for end in (node.lower, node.upper)
        if end is not None
        for part in walk(end)
    )


def _slow(node: Series) -> bool:
    """Whether a number as large as 10^4 divides the index of a sum: e^{-n²/10^{10}}."""
    for part in walk(node.body):
        if isinstance(part, Apply) and part.head == "divide" and not free_symbols(part.arguments[1]):
            size = _size(part.arguments[1])
            if size >= 10**4 and free_symbols(part.arguments[0]):
                return True
    return False


def _size(node: Expression) -> float:
    from texlift.verify.exact import NotExactError, exact_value

    try:
        return float(min(abs(exact_value(node, {})), Fraction(10**9)))
    except (NotExactError, ZeroDivisionError):
        return 0.0


def _only_integers(node: Apply) -> bool:
    """Whether the letters in a floor are customarily integers: there are no points between to look at."""
    from texlift.verify.conditions import INTEGERS

    names = free_symbols(node)
    return bool(names) and set(names) <= INTEGERS


def _transcendental(node: Apply) -> bool:
    """Whether a floor contains logarithms, exponentials or similar functions."""
    for part in walk(node.arguments[0]):
        if isinstance(part, Apply):
            if part.head not in _ALGEBRAIC and not _is_step(part):
                return True
            if part.head == "power" and free_symbols(part.arguments[1]):
                return True
        if isinstance(part, Constant):
            return True
    return False
