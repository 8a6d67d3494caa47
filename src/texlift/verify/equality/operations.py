"""Operations on balls and on matrices of balls, and how values are compared and shown."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint

from texlift.verify.balls import NoBallError

__all__ = [
    "OPERATIONS",
    "UndefinedError",
    "determinant",
    "is_apart_from_zero",
    "is_finite",
    "is_negative",
    "logarithm",
    "matrix_power",
    "overlapping",
    "plain_root",
    "shown_ball",
]


class UndefinedError(Exception):
    """The expression has no value here."""


def is_finite(value: Any) -> bool:
    if isinstance(value, flint.acb):
        return bool(value.is_finite())
    return all(entry.is_finite() for entry in value.entries())


def is_negative(value: Any) -> bool:
    return bool(value.imag.is_zero() and value.real < 0)


def is_apart_from_zero(value: Any) -> bool:
    return not value.contains(0)


def plain_root(value: Any, n: Fraction) -> Any:
    if value.is_zero():
        return flint.acb(0)
    return value ** (flint.acb(1) / n.numerator)


def logarithm(value: Any, analytic: bool) -> Any:
    if value.contains(0):
        raise UndefinedError("the logarithm of zero")
    return value.log(analytic=True) if analytic else value.log()


def matrix_power(value: Any, exponent: int) -> Any:
    if value.nrows() != value.ncols():
        raise UndefinedError("a power of a matrix that is not square")
    return value**exponent


def determinant(value: Any) -> Any:
    if value.nrows() != value.ncols():
        raise UndefinedError("the determinant of a matrix that is not square")
    return value.det()


def _plus(*terms: Any) -> Any:
    if len({isinstance(term, flint.acb) for term in terms}) > 1:
        raise NoBallError("a matrix and a number")
    total = terms[0]
    for term in terms[1:]:
        if not isinstance(term, flint.acb) and (term.nrows(), term.ncols()) != (total.nrows(), total.ncols()):
            raise UndefinedError("matrices of different size")
        total = total + term
    return total


def _times(*factors: Any) -> Any:
    total = factors[0]
    for factor in factors[1:]:
        both = not isinstance(total, flint.acb) and not isinstance(factor, flint.acb)
        if both and total.ncols() != factor.nrows():
            raise UndefinedError("matrices that cannot be multiplied")
        total = factor * total if isinstance(total, flint.acb) and not isinstance(factor, flint.acb) else total * factor
    return total


def _divide(above: Any, below: Any) -> Any:
    if not isinstance(below, flint.acb):
        raise NoBallError("division by a matrix")
    if below.contains(0):
        raise UndefinedError("division by zero")
    return above * (1 / below) if not isinstance(above, flint.acb) else above / below


def _absolute(value: Any) -> Any:
    return flint.acb(abs(value)) if isinstance(value, flint.acb) else determinant(value)


def _norm(value: Any) -> Any:
    if isinstance(value, flint.acb):
        return flint.acb(abs(value))
    if min(value.nrows(), value.ncols()) != 1:
        raise NoBallError("the norm of a matrix")
    return flint.acb(sum((abs(entry) ** 2 for entry in value.entries()), flint.arb(0))).sqrt()


def _dot(left: Any, right: Any) -> Any:
    if isinstance(left, flint.acb) or isinstance(right, flint.acb):
        return _times(left, right)
    a, b = left.entries(), right.entries()
    if len(a) != len(b):
        raise UndefinedError("vectors of different length")
    return sum((x * y for x, y in zip(a, b, strict=True)), flint.acb(0))


def _cross(left: Any, right: Any) -> Any:
    if isinstance(left, flint.acb) or isinstance(right, flint.acb):
        return _times(left, right)
    a, b = left.entries(), right.entries()
    if len(a) != 3 or len(b) != 3:
        raise UndefinedError("a cross product outside three dimensions")
    return flint.acb_mat([[a[1] * b[2] - a[2] * b[1]], [a[2] * b[0] - a[0] * b[2]], [a[0] * b[1] - a[1] * b[0]]])


def _factorial(value: Any) -> Any:
    return (value + 1).gamma()


def _only_matrices(operation: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def call(value: Any) -> Any:
        if isinstance(value, flint.acb):
            raise NoBallError("a matrix was expected")
        return operation(value)

    return call


OPERATIONS: dict[str, Callable[..., Any]] = {
    "plus": _plus,
    "times": _times,
    "negate": lambda value: -value,
    "divide": _divide,
    "abs": _absolute,
    r"\abs": _absolute,
    "norm": _norm,
    "dot": _dot,
    "cross": _cross,
    "factorial": _factorial,
    "det": _only_matrices(determinant),
    r"\det": _only_matrices(determinant),
    "transpose": _only_matrices(lambda value: value.transpose()),
    "trace": _only_matrices(lambda value: value.trace()),
}


def overlapping(left: Any, right: Any) -> bool:
    """Whether two values may be the same; False is proven."""
    if isinstance(left, flint.acb) and isinstance(right, flint.acb):
        return bool(left.overlaps(right))
    if isinstance(left, flint.acb) or isinstance(right, flint.acb):
        return False
    if (left.nrows(), left.ncols()) != (right.nrows(), right.ncols()):
        return False
    return all(a.overlaps(b) for a, b in zip(left.entries(), right.entries(), strict=True))


def shown_ball(value: Any) -> Any:
    """A value as people and JSON read it: twelve digits."""
    if not isinstance(value, flint.acb):
        return [[shown_ball(cell) for cell in row] for row in value.tolist()]
    real, imag = (_digits(part) for part in (value.real, value.imag))
    if imag == "0":
        return real
    return f"{imag}i" if real == "0" else f"{real}{'' if imag.startswith('-') else '+'}{imag}i"


def _digits(part: Any) -> str:
    text = str(part.str(12, radius=False))
    if text.startswith("["):  # nothing is known but a bound
        return "0" if part.contains(0) else text
    mantissa, mark, exponent = text.partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return mantissa + mark + exponent
