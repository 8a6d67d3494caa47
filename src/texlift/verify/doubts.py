"""Claims that sampling cannot verify, however many points or digits agree, and differences that refute nothing."""

from __future__ import annotations

from fractions import Fraction

from texlift.meaning.tree import Apply, Constant, Expression, Integral, Limit, Number, Series, free_symbols, walk
from texlift.verify.statement import Claim, Comparison

__all__ = ["beyond_sampling", "doubt_about", "is_condition", "is_infinite", "relates_letters"]

_ARITHMETIC = frozenset({r"\nprimes", r"\MangoldtLambda", r"\Moebiusmu", r"\Liouvillelambda", r"\Eulertotientphi",
                         r"\ndivisors", r"\sumdivisors", r"\Chebyshevpsi"})  # fmt: skip
_STEPS = frozenset({"floor", "ceiling", r"\floor", r"\ceiling"})
_DIVISORS = frozenset({"gcd", "lcm", r"\pgcd"})
_LOW = 3  # power of a letter up to which common divisors of polynomials are small
_MULTIVALUED = frozenset(
    {r"\Ln", r"\Asin", r"\Acos", r"\Atan", r"\Acsc", r"\Asec", r"\Acot", r"\Asinh", r"\Acosh", r"\Atanh"}
)
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


def doubt_about(claim: Claim) -> str:
    """Why a difference may come from how the formula is evaluated and not from the formula."""
    for comparison in claim.comparisons:
        if _by_limit(comparison.left, comparison.right) or _by_limit(comparison.right, comparison.left):
            return "a value is defined by a limit"
        for side in (comparison.left, comparison.right):
            for node in walk(side):
                if isinstance(node, Apply) and node.head[0] == "\\" and any(map(_is_turned, node.arguments)):
                    return "a function is continued beyond its principal branch"
                if isinstance(node, Apply) and node.head in _MULTIVALUED:
                    return f"{node.head} has many values, one of which is meant"
                if isinstance(node, Integral) and node.lower is not None and node.upper is not None:
                    ends = {*free_symbols(node.lower), *free_symbols(node.upper)}
                    names = {n.name for n in walk(node.upper) if isinstance(n, Constant)}
                    path = {"infinity", "i"} <= names
                    below = {n.name for n in walk(node.lower) if isinstance(n, Constant)}
                    if path and {"infinity", "i"} <= below:
                        return "the path of an integral may have to go round poles"
                    if path and ends and not ends & set(free_symbols(node.body)):
                        return "the path of an integral is described in the text"
    return ""


def _by_limit(value: Expression, limit: Expression) -> bool:
    """A function at a point where its formula fails, and the limit of the same function: a convention."""
    return (
        isinstance(value, Apply)
        and value.head[0] == "\\"
        and isinstance(limit, Limit)
        and any(isinstance(node, Apply) and node.head == value.head for node in walk(limit.body))
    )


def _is_turned(node: Expression) -> bool:
    """Whether an argument is something turned around 0; e^{2 pi i tau} alone is a number like any other."""
    alone = isinstance(node, Apply) and node.head == "power" and bool(free_symbols(node))
    return not alone and _rotated(node)


def _rotated(node: Expression) -> bool:
    """Whether an argument has a factor such as e^{2 pi i m}, half a circle or more, outside sums."""
    if isinstance(node, Apply) and node.head in ("times", "divide", "negate"):
        return any(_rotated(part) for part in node.arguments)
    if not isinstance(node, Apply) or node.head != "power":
        return False
    base, exponent = node.arguments
    names = {n.name for n in walk(exponent) if isinstance(n, Constant)}
    if not (isinstance(base, Constant) and base.name == "e" and {"i", "pi"} <= names):
        return False
    if free_symbols(exponent):
        return True
    for part in walk(exponent):  # e^{\\pi i/2} turns by less than half a circle
        if isinstance(part, Apply) and part.head == "divide" and isinstance(part.arguments[1], Number):
            above = [float(n.value) for n in walk(part.arguments[0]) if isinstance(n, Number)]
            return max(above, default=1.0) >= float(part.arguments[1].value)
    return True


def is_condition(claim: Claim) -> bool:
    """A relation without functions whose sides have different variables: to be fulfilled, no identity.

    `x+y=2a` and `0<u<1/6` restrict their variables; `(a+b)^{2}=a^{2}+b^{2}` claims to hold for all.
    """
    if claim.macros or not claim.variables:
        return False
    for comparison in claim.comparisons:
        if any(
            isinstance(n, Series | Integral | Limit) for side in (comparison.left, comparison.right) for n in walk(side)
        ):
            return False
    for c in claim.comparisons:
        shared = set(free_symbols(c.modulus)) if c.modulus is not None else set()
        if shared | set(free_symbols(c.left)) != shared | set(free_symbols(c.right)):
            return True
    return False


def relates_letters(claim: Claim) -> bool:
    """Equations without functions each of whose sides has letters that the other has not: `x+y=2a`."""
    return is_condition(claim) and all(
        c.operator == "="
        and set(free_symbols(c.left)) - set(free_symbols(c.right))
        and set(free_symbols(c.right)) - set(free_symbols(c.left))
        for c in claim.comparisons
    )
