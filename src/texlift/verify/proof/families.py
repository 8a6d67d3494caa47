"""Relations of special functions: how a function changes with its parameter, and its derivative.

Each family has a basis: the function and, where its relations are of second order, its neighbour or derivative. A
relation is a matrix that takes the basis at one parameter to the basis at the next. Numbers are those of the DLMF.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import sympy
from sympy import I, Integer, Matrix, Rational, cos, exp, log, pi, sin, sqrt

__all__ = ["FAMILIES", "Family", "family_of", "neighbour"]

Rows = list[list[Any]]
Rule = Callable[..., Rows]


@dataclass(frozen=True, slots=True)
class Family:
    """A function with relations.

    `shifts` maps the place of a parameter to its direction (1, -1) and the matrix that takes the basis there.
    `derivative` is the matrix of the derivative by the argument at place `argument`. With `rest`, the last of the basis
    is the number 1. `start` gives the basis where the parameter at its place is a number: the first values.
    """

    size: int
    argument: int
    shifts: Mapping[int, tuple[int, Rule]] = field(default_factory=dict)
    derivative: Rule | None = None
    rest: bool = False
    start: tuple[int, int, Callable[..., list[Any]]] | None = None
    source: str = ""


def neighbour(head: str, number: int) -> str:
    """The name of a further function of the basis."""
    return f"{head}#{number}" if number else head


def _three_terms(
    place: int,
    argument: int,
    up: Callable[..., tuple[Any, Any]],
    slope: Callable[..., tuple[Any, Any]],
    source: str,
    start: Callable[..., list[Any]] | None = None,
    more: Mapping[int, tuple[int, Rule]] | None = None,
) -> Family:
    """f(n+1) = A f(n) + B f(n-1) and f'(n) = C f(n) + D f(n+1); the basis is f(n), f(n+1)."""

    def following(args: tuple[Any, ...]) -> tuple[Any, ...]:
        return (*args[:place], args[place] + 1, *args[place + 1 :])

    def shift(*args: Any) -> Rows:
        a, b = up(*following(args))
        return [[0, 1], [b, a]]

    def derivative(*args: Any) -> Rows:
        c, d = slope(*args)
        a, b = up(*following(args))
        c1, d1 = slope(*following(args))
        return [[c, d], [d1 * b, c1 + d1 * a]]

    begin = (place, 0, start) if start else None
    return Family(2, argument, {place: (1, shift), **(more or {})}, derivative, start=begin, source=source)


def _bessel(sign_a: int, sign_b: int, sign_d: int, source: str, spherical: bool = False) -> Family:
    extra = 1 if spherical else 0
    return _three_terms(
        0,
        1,
        lambda n, z: (sign_a * (2 * n + extra) / z, Integer(sign_b)),
        lambda n, z: (n / z, Integer(sign_d)),
        source,
    )


def _primitive(slope: Callable[..., Any], source: str, argument: int = 0) -> Family:
    """A function known by its derivative."""
    return Family(2, argument, {}, lambda *args: [[0, slope(*args)], [0, 0]], rest=True, source=source)


def _legendre(root: int) -> Family:
    """Legendre functions of order mu and degree nu; sqrt(1-x^2) on the cut, sqrt(x^2-1) off it."""

    def up(m: Any, n: Any, x: Any) -> tuple[Any, Any]:
        return (2 * n + 1) * x / (n - m + 1), -(n + m) / (n - m + 1)

    def order(m: Any, n: Any, x: Any) -> Rows:
        a, b = up(m, n + 1, x)
        w = sqrt(root * (1 - x**2))
        first = [-(n + m + 1) * x / w, (n - m + 1) / w]
        return [first, [(n - m + 2) * b / w, ((n - m + 2) * a - (n + m + 2) * x) / w]]

    def slope(m: Any, n: Any, x: Any) -> tuple[Any, Any]:
        return (n + 1) * x / (1 - x**2), (m - n - 1) / (1 - x**2)

    return _three_terms(1, 2, up, slope, "DLMF 14.10", more={0: (1, order)})


def _ultraspherical() -> Family:
    def up(l: Any, n: Any, x: Any) -> tuple[Any, Any]:  # noqa: E741
        return 2 * (n + l) * x / (n + 1), -(n + 2 * l - 1) / (n + 1)

    def slope(l: Any, n: Any, x: Any) -> tuple[Any, Any]:  # noqa: E741
        return (n + 2 * l) * x / (1 - x**2), -(n + 1) / (1 - x**2)

    def parameter(l: Any, n: Any, x: Any) -> Rows:  # noqa: E741  the derivative of the next one, over 2 lambda
        rows = []
        for m in (n + 1, n + 2):
            c, d = slope(l, m, x)
            a, b = up(l, n + 1, x)
            if m == n + 1:
                rows.append([d * b / (2 * l), (c + d * a) / (2 * l)])
            else:  # f(n+2) = a f(n+1) + b f(n), f(n+3) = a2 f(n+2) + b2 f(n+1)
                a2, b2 = up(l, n + 2, x)
                first, second = (c + d * a2), d * b2
                rows.append([first * b / (2 * l), (first * a + second) / (2 * l)])
        return rows

    return _three_terms(1, 2, up, slope, "DLMF 18.9", lambda a, n, x: [1, 2 * a * x], {0: (1, parameter)})


def _laguerre() -> Family:
    def up(a: Any, n: Any, x: Any) -> tuple[Any, Any]:
        return (2 * n + 1 + a - x) / (n + 1), -(n + a) / (n + 1)

    def slope(a: Any, n: Any, x: Any) -> tuple[Any, Any]:
        return (x - n - 1 - a) / x, (n + 1) / x

    def parameter(a: Any, n: Any, x: Any) -> Rows:
        c, d = up(a, n + 1, x)
        return [[(n + a + 1) / x, -(n + 1) / x], [-(n + 2) * d / x, (n + a + 2 - (n + 2) * c) / x]]

    return _three_terms(1, 2, up, slope, "DLMF 18.9", lambda a, n, x: [1, 1 + a - x], {0: (1, parameter)})


def _struve(sign: int) -> Family:
    def extra(n: Any, z: Any) -> Any:
        return (z / 2) ** n / (sqrt(pi) * sympy.Function(r"\EulerGamma")(n + Rational(3, 2)))

    def shift(n: Any, z: Any) -> Rows:  # H: f(n+2) = 2(n+1)/z f(n+1) - f(n) + t(n+1); L: the signs turn
        return [[0, 1, 0], [-sign, sign * 2 * (n + 1) / z, sign * extra(n + 1, z)], [0, 0, 1]]

    def derivative(n: Any, z: Any) -> Rows:  # from f(n) and f(n-1) = ..., DLMF 11.4.25, 11.4.27
        return [[n / z, -sign, extra(n, z)], [1, -(n + 1) / z, 0], [0, 0, 0]]

    return Family(3, 1, {0: (1, shift)}, derivative, rest=True, source="DLMF 11.4")


def _with_rest(shift: Callable[..., tuple[Any, Any]], slope: Callable[..., tuple[Any, Any]] | None, place: int,
               argument: int, source: str) -> Family:  # fmt: skip
    """f(n+1) = A f(n) + R and f' = C f + S."""

    def step(*args: Any) -> Rows:
        a, r = shift(*args)
        return [[a, r], [0, 1]]

    def derivative(*args: Any) -> Rows:
        assert slope is not None
        c, s = slope(*args)
        return [[c, s], [0, 0]]

    return Family(2, argument, {place: (1, step)}, derivative if slope else None, rest=True, source=source)


def _polygamma() -> Family:
    def shift(n: Any, z: Any) -> Rows:
        return [[1, (-1) ** n * sympy.Function(r"\EulerGamma")(n + 1) / z ** (n + 1)], [0, 1]]

    return Family(2, 1, {1: (1, shift)}, None, rest=True, source="DLMF 5.5, 5.15")


def _second_kind() -> Family:
    """Kummer's U with the basis U, zU'."""

    def theta(a: Any, b: Any, z: Any) -> Matrix:
        return Matrix([[0, 1], [a * z, 1 - b + z]])

    return Family(
        2,
        2,
        {
            0: (1, lambda a, b, z: ((theta(a, b, z) + a * sympy.eye(2)) / (a * (a - b + 1))).tolist()),
            1: (1, lambda a, b, z: (Matrix([[1, 0], [0, 1 + 1 / z]]) - theta(a, b, z) / z).tolist()),
        },
        lambda a, b, z: (theta(a, b, z) / z).tolist(),
        source="DLMF 13.3",
    )


FAMILIES: dict[str, Family] = {
    r"\BesselJ": _bessel(1, -1, -1, "DLMF 10.6"),
    r"\BesselY": _bessel(1, -1, -1, "DLMF 10.6"),
    r"\BesselC": _bessel(1, -1, -1, "DLMF 10.6"),
    r"\modBesselI": _bessel(-1, 1, 1, "DLMF 10.29"),
    r"\modBesselK": _bessel(1, 1, -1, "DLMF 10.29"),
    r"\sphBesselJ": _bessel(1, -1, -1, "DLMF 10.51", True),
    r"\sphBesselY": _bessel(1, -1, -1, "DLMF 10.51", True),
    r"\modsphBesseli{1}": _bessel(-1, 1, 1, "DLMF 10.51", True),
    r"\modsphBesseli{2}": _bessel(-1, 1, 1, "DLMF 10.51", True),
    r"\modsphBesselK": _bessel(1, 1, -1, "DLMF 10.51", True),
    r"\StruveH": _struve(1),
    r"\modStruveL": _struve(-1),
    r"\FerrersP[]": _legendre(1),
    r"\FerrersQ[]": _legendre(1),
    r"\assLegendreP[]": _legendre(-1),
    r"\assLegendreQ[]": _legendre(-1),
    r"\ultrasphpoly": _ultraspherical(),
    r"\LaguerrepolyL[]": _laguerre(),
    r"\LegendrepolyP": _three_terms(
        0, 1, lambda n, x: ((2 * n + 1) * x / (n + 1), -n / (n + 1)),
        lambda n, x: ((n + 1) * x / (1 - x**2), -(n + 1) / (1 - x**2)), "DLMF 18.9", lambda n, x: [1, x]),
    r"\ChebyshevpolyT": _three_terms(
        0, 1, lambda n, x: (2 * x, Integer(-1)), lambda n, x: (n * x / (1 - x**2), -n / (1 - x**2)), "DLMF 18.9",
        lambda n, x: [1, x]),
    r"\ChebyshevpolyU": _three_terms(
        0, 1, lambda n, x: (2 * x, Integer(-1)), lambda n, x: ((n + 2) * x / (1 - x**2), -(n + 1) / (1 - x**2)),
        "DLMF 18.9", lambda n, x: [1, 2 * x]),
    r"\HermitepolyH": _three_terms(
        0, 1, lambda n, x: (2 * x, -2 * n), lambda n, x: (2 * x, Integer(-1)), "DLMF 18.9", lambda n, x: [1, 2 * x]),
    r"\dilHermitepolyHe": _three_terms(
        0, 1, lambda n, x: (x, -n), lambda n, x: (x, Integer(-1)), "DLMF 18.9", lambda n, x: [1, x]),
    r"\paraU": _three_terms(
        0, 1, lambda a, z: (-z / (a + Rational(1, 2)), 1 / (a + Rational(1, 2))),
        lambda a, z: (-z / 2, -(a + Rational(1, 2))), "DLMF 12.8"),
    r"\paraV": _three_terms(
        0, 1, lambda a, z: (z, a - Rational(1, 2)), lambda a, z: (-z / 2, Integer(1)), "DLMF 12.8"),
    r"\AiryAi": Family(2, 0, {}, lambda z: [[0, 1], [z, 0]], source="DLMF 9.2"),
    r"\AiryBi": Family(2, 0, {}, lambda z: [[0, 1], [z, 0]], source="DLMF 9.2"),
    r"\KummerconfhyperU": _second_kind(),
    r"\EulerGamma": Family(1, 0, {0: (1, lambda z: [[z]])}, lambda z: [[sympy.Function(r"\polygamma")(Integer(0), z)]],
                           source="DLMF 5.5"),
    r"\polygamma": _polygamma(),
    r"\incGamma": _with_rest(
        lambda a, z: (a, z**a * exp(-z)), lambda a, z: (0, -(z ** (a - 1)) * exp(-z)), 0, 1, "DLMF 8.8"),
    r"\incgamma": _with_rest(
        lambda a, z: (a, -(z**a) * exp(-z)), lambda a, z: (0, z ** (a - 1) * exp(-z)), 0, 1, "DLMF 8.8"),
    r"\genexpintE": _with_rest(lambda p, z: (-z / p, exp(-z) / p), lambda p, z: ((p - 1) / z, -exp(-z) / z), 0, 1,
                               "DLMF 8.19"),
    r"\Hurwitzzeta": _with_rest(lambda s, a: (Integer(1), -(a ** (-s))), None, 1, 1, "DLMF 25.11"),
    r"\LerchPhi": _with_rest(lambda z, s, a: (1 / z, -(a ** (-s)) / z), None, 2, 2, "DLMF 25.14"),
    r"\BernoullipolyB": _with_rest(lambda n, x: (Integer(1), n * x ** (n - 1)), None, 1, 1, "DLMF 24.4"),
    r"\EulerpolyE": _with_rest(lambda n, x: (Integer(-1), 2 * x**n), None, 1, 1, "DLMF 24.4"),
    r"\erf": _primitive(lambda z: 2 / sqrt(pi) * exp(-(z**2)), "DLMF 7.2"),
    r"\DawsonsintF": Family(2, 0, {}, lambda z: [[-2 * z, 1], [0, 0]], rest=True, source="DLMF 7.5"),
    r"\Faddeevaw": Family(2, 0, {}, lambda z: [[-2 * z, 2 * I / sqrt(pi)], [0, 0]], rest=True, source="DLMF 7.10"),
    r"\sinint": _primitive(lambda z: sin(z) / z, "DLMF 6.2"),
    r"\cosint": _primitive(lambda z: cos(z) / z, "DLMF 6.2"),
    r"\sinhint": _primitive(lambda z: sympy.sinh(z) / z, "DLMF 6.2"),
    r"\coshint": _primitive(lambda z: sympy.cosh(z) / z, "DLMF 6.2"),
    r"\expintEi": _primitive(lambda z: exp(z) / z, "DLMF 6.2"),
    r"\logint": _primitive(lambda z: 1 / log(z), "DLMF 6.2"),
    r"\Fresnelcosint": _primitive(lambda z: cos(pi * z**2 / 2), "DLMF 7.2"),
    r"\Fresnelsinint": _primitive(lambda z: sin(pi * z**2 / 2), "DLMF 7.2"),
    r"\dilog": _primitive(lambda z: -log(1 - z) / z, "DLMF 25.12"),
    r"\qPochhammer": Family(1, 0, {2: (1, lambda a, q, n: [[1 - a * q**n]])}, None, source="DLMF 17.2"),
}  # fmt: skip
"""Functions with relations, by macro. Hypergeometric functions are made by `family_of`."""


@cache
def family_of(head: str) -> Family | None:
    """The family of a function by its name."""
    if head.startswith("hyper") and "," in head:
        above, below = map(int, head[5:].split(","))
        return _hypergeometric(above, below) if above <= below + 1 and below <= 3 else None
    return FAMILIES.get(head)


def _hypergeometric(above: int, below: int) -> Family:
    """pFq with the basis F, zF', (zd/dz)^2 F, ..."""
    size = below + 1

    def theta(*args: Any) -> Matrix:
        a, b, z = args[:above], args[above:-1], args[-1]
        t = sympy.Dummy("t")
        left = sympy.Poly(sympy.expand(t * sympy.Mul(*(t + value - 1 for value in b))), t)
        right = sympy.Poly(sympy.expand(z * sympy.Mul(*(t + value for value in a))), t)
        difference = left - right  # annihilates F
        lead = difference.coeff_monomial(t**size)
        matrix = sympy.zeros(size, size)
        for k in range(size - 1):
            matrix[k, k + 1] = 1
        for k in range(size):
            matrix[size - 1, k] = -difference.coeff_monomial(t**k) / lead
        return matrix

    def upper(place: int) -> Rule:
        return lambda *args: ((theta(*args) + args[place] * sympy.eye(size)) / args[place]).tolist()

    def lower(place: int) -> Rule:
        return lambda *args: (
            (theta(*args) + (args[place] - 1) * sympy.eye(size)) / (args[place] - 1)
        ).tolist()  # fmt: skip

    shifts: dict[int, tuple[int, Rule]] = {place: (1, upper(place)) for place in range(above)}
    shifts |= {place: (-1, lower(place)) for place in range(above, above + below)}
    return Family(
        size, above + below, shifts, lambda *args: (theta(*args) / args[-1]).tolist(), source="DLMF 15.5, 16.3"
    )
