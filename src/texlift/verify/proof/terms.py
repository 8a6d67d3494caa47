"""The sides of a claim as SymPy terms that nothing simplifies by itself: special functions stay names.

SymPy's own special functions rewrite themselves, not always for all arguments. Here only the elementary ones are
SymPy's; every other macro is a name with arguments, and what holds for it is in `families`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from texlift.meaning.declarations import NUMBERS
from texlift.meaning.tree import (
    Apply,
    Constant,
    Derivative,
    Expression,
    Integral,
    Limit,
    Number,
    Sequence,
    Series,
    Symbol,
    free_symbols,
    walk,
)
from texlift.targets.expansion import expand
from texlift.targets.table import definition
from texlift.verify.domains import Domain
from texlift.verify.proof.series import elementary_form, summed

__all__ = ["NoTermError", "Terms", "letter"]

Term = Any

_CONSTANTS = {"pi": sympy.pi, "e": sympy.E, "i": sympy.I, "gamma": sympy.EulerGamma}
_ELEMENTARY: dict[str, Callable[..., Any]] = {
    r"\sin": sympy.sin,
    r"\cos": sympy.cos,
    r"\tan": lambda u: sympy.sin(u) / sympy.cos(u),
    r"\cot": lambda u: sympy.cos(u) / sympy.sin(u),
    r"\sec": lambda u: 1 / sympy.cos(u),
    r"\csc": lambda u: 1 / sympy.sin(u),
    r"\sinh": sympy.sinh,
    r"\cosh": sympy.cosh,
    r"\tanh": lambda u: sympy.sinh(u) / sympy.cosh(u),
    r"\coth": lambda u: sympy.cosh(u) / sympy.sinh(u),
    r"\sech": lambda u: 1 / sympy.cosh(u),
    r"\csch": lambda u: 1 / sympy.sinh(u),
    r"\exp": sympy.exp,
    r"\ln": sympy.log,
    r"\genlog": lambda base, u: sympy.log(u) / sympy.log(base),
    r"\asin": sympy.asin,
    r"\acos": lambda u: sympy.pi / 2 - sympy.asin(u),
    r"\atan": sympy.atan,
    r"\asinh": sympy.asinh,
    r"\acosh": sympy.acosh,
    r"\atanh": sympy.atanh,
    r"\abs": sympy.Abs,
    "abs": sympy.Abs,
    r"\conj": sympy.conjugate,
    r"\realpart": lambda u: (u + sympy.conjugate(u)) / 2,
    r"\imagpart": lambda u: (u - sympy.conjugate(u)) / (2 * sympy.I),
    "factorial": lambda u: sympy.Function(r"\EulerGamma")(u + 1),
    r"\binom": lambda n, k: _gamma(n + 1) / (_gamma(k + 1) * _gamma(n - k + 1)),
    r"\Pochhammersym": lambda a, n: _gamma(a + n) / _gamma(a),
    r"\EulerBeta": lambda a, b: _gamma(a) * _gamma(b) / _gamma(a + b),
    r"\digamma": lambda u: sympy.Function(r"\polygamma")(sympy.Integer(0), u),
    r"\erfc": lambda u: 1 - sympy.Function(r"\erf")(u),
    "sqrt": sympy.sqrt,
    "root": lambda degree, u: u ** (1 / degree),
}


def _confluent(a: Term, b: Term, z: Term) -> Term:
    """1F1 with one of the two signs of its argument: Kummer's transformation, DLMF 13.2.39."""
    if z.could_extract_minus_sign():
        return sympy.exp(z) * elementary_form([b - a], [b], -z)
    return elementary_form([a], [b], z)


def _sorted(*terms: Term) -> list[Term]:
    """Arguments of a symmetric function in one order."""
    return sorted(terms, key=sympy.default_sort_key)


def _first_kind(sign: int, n: Term, z: Term) -> Term:
    """Bessel functions of the first kind and modified ones."""
    return (z / 2) ** n / _gamma(n + 1) * elementary_form([], [n + 1], sign * z**2 / 4)


def _second_kind(sign: int, n: Term, z: Term, factor: Term, other: Term) -> Term:
    """factor times the function of order n, and other times that of order -n, over sin(n pi)."""
    below = sympy.sin(n * sympy.pi)
    if below.is_zero or n.is_integer:
        raise NoTermError("a Bessel function of integer order is a limit")
    return (factor * _first_kind(sign, n, z) + other * _first_kind(sign, -n, z)) / below


def _whole(n: Term) -> Term:
    """An order that must be an integer."""
    if not n.is_integer:
        raise NoTermError("a spherical Bessel function of an order that is no integer")
    return n


def _spherical(function: Callable[[Term, Term], Term]) -> Callable[[Term, Term], Term]:
    return lambda n, z: sympy.sqrt(sympy.pi / (2 * z)) * function(n + _HALF, z)


def _struve(sign: int, n: Term, z: Term) -> Term:
    threehalf = 3 * _HALF
    factor = (z / 2) ** (n + 1) / (sympy.sqrt(sympy.pi) / 2 * _gamma(n + threehalf))
    return factor * elementary_form([sympy.Integer(1)], [threehalf, n + threehalf], sign * z**2 / 4)


def _legendre(quotient: Term, m: Term, n: Term, x: Term) -> Term:
    if m.is_integer and not m.is_nonpositive:
        raise NoTermError("a Legendre function of positive integer order is a limit")
    return quotient ** (m / 2) / _gamma(1 - m) * elementary_form([n + 1, -n], [1 - m], (1 - x) / 2)


_ONE = sympy.Integer(1)
_HALF = sympy.Rational(1, 2)
_SERIES: dict[str, Callable[..., Any]] = {
    r"\BesselJ": lambda n, z: _first_kind(-1, n, z),
    r"\modBesselI": lambda n, z: _first_kind(1, n, z),
    r"\BesselY": lambda n, z: _second_kind(-1, n, z, sympy.cos(n * sympy.pi), -_ONE),
    r"\HankelH{1}": lambda n, z: _second_kind(-1, n, z, sympy.I * sympy.exp(-n * sympy.pi * sympy.I), -sympy.I),
    r"\HankelH{2}": lambda n, z: _second_kind(-1, n, z, -sympy.I * sympy.exp(n * sympy.pi * sympy.I), sympy.I),
    r"\modBesselK": lambda n, z: sympy.pi / 2 * _second_kind(1, n, z, -_ONE, _ONE),
    r"\sphBesselJ": _spherical(lambda n, z: _first_kind(-1, n, z)),
    r"\sphBesselY": lambda n, z: (-1) ** (_whole(n) + 1) * _spherical(lambda m, u: _first_kind(-1, -m, u))(n, z),
    r"\modsphBesseli{1}": _spherical(lambda n, z: _first_kind(1, n, z)),
    r"\modsphBesseli{2}": _spherical(lambda n, z: _first_kind(1, -n, z)),
    r"\modsphBesselK": _spherical(
        lambda n, z: sympy.pi / 2 * (-1) ** _whole(n - _HALF) * (_first_kind(1, -n, z) - _first_kind(1, n, z))
    ),
    r"\StruveH": lambda n, z: _struve(-1, n, z),
    r"\modStruveL": lambda n, z: _struve(1, n, z),
    r"\FerrersP[]": lambda m, n, x: _legendre((1 + x) / (1 - x), m, n, x),
    r"\assLegendreP[]": lambda m, n, x: _legendre((x + 1) / (x - 1), m, n, x),
    r"\Fresnelcosint": lambda z: z * elementary_form([_HALF / 2], [_HALF, 5 * _HALF / 2], -(sympy.pi**2) * z**4 / 16),
    r"\Fresnelsinint": lambda z: (
        sympy.pi * z**3 / 6 * elementary_form([3 * _HALF / 2], [3 * _HALF, 7 * _HALF / 2], -(sympy.pi**2) * z**4 / 16)
    ),
    r"\sinint": lambda z: z * elementary_form([_HALF], [3 * _HALF, 3 * _HALF], -(z**2) / 4),
    r"\sinhint": lambda z: z * elementary_form([_HALF], [3 * _HALF, 3 * _HALF], z**2 / 4),
    r"\expintEi": lambda z: (
        sympy.EulerGamma + sympy.log(z) + z * elementary_form([_ONE, _ONE], [2 * _ONE, 2 * _ONE], z)
    ),
    r"\DawsonsintF": lambda z: z * _confluent(_ONE, 3 * _HALF, -(z**2)),
    r"\CarlsonellintRC": lambda x, y: sympy.Function(r"\CarlsonsymellintRF")(*_sorted(x, y, y)),
    r"\CarlsonsymellintRF": lambda x, y, z: sympy.Function(r"\CarlsonsymellintRF")(*_sorted(x, y, z)),
    r"\CarlsonsymellintRG": lambda x, y, z: sympy.Function(r"\CarlsonsymellintRG")(*_sorted(x, y, z)),
    r"\CarlsonsymellintRJ": lambda x, y, z, p: sympy.Function(r"\CarlsonsymellintRJ")(*_sorted(x, y, z), p),
    r"\CarlsonsymellintRD": lambda x, y, z: sympy.Function(r"\CarlsonsymellintRJ")(*_sorted(x, y, z), z),
    r"\erf": lambda z: 2 * z / sympy.sqrt(sympy.pi) * _confluent(_HALF, 3 * _HALF, -(z**2)),
    r"\incgamma": lambda a, z: z**a / a * _confluent(a, a + 1, -z),
    r"\compellintKk": lambda k: sympy.pi / 2 * elementary_form([_HALF, _HALF], [sympy.Integer(1)], k**2),
    r"\compellintEk": lambda k: sympy.pi / 2 * elementary_form([-_HALF, _HALF], [sympy.Integer(1)], k**2),
}
"""Functions by their series and by others: DLMF 6.6, 7.6, 8.5, 10.2, 10.4, 10.25, 10.27, 10.47, 11.2, 14.3, 19."""


class NoTermError(Exception):
    """A part of the formula has no counterpart among the terms."""


def _gamma(u: Term) -> Term:
    return sympy.Function(r"\EulerGamma")(u)


def letter(name: str, domain: Domain | None) -> Term:
    """The symbol of a letter, with what is certain about it."""
    traits: dict[str, bool] = {}
    if domain is not None:
        if domain.kind in ("integer", "prime"):
            traits["integer"] = True
        elif domain.kind in ("real", "unit", "large"):
            traits["real"] = True
        else:
            traits["complex"] = True
        if domain.kind in ("unit", "large", "prime") or (domain.low is not None and domain.low > 0):
            traits["positive"] = True
        elif domain.low is not None and domain.low == 0:
            traits["nonnegative"] = True
        if domain.kind == "integer" and domain.least is not None and domain.least >= 0:
            traits["positive" if domain.least > 0 else "nonnegative"] = True
        if domain.high is not None and domain.high < 0:
            traits["negative"] = True
    if traits.get("positive"):
        traits.pop("nonnegative", None)
    return sympy.Symbol(name, **traits)


class Terms:
    """Builds terms of expressions; macros that are not `known` are replaced by their definitions, if they have one."""

    def __init__(self, domains: Mapping[str, Domain], known: frozenset[str]) -> None:
        self.letters: dict[str, Term] = {name: letter(name, domain) for name, domain in domains.items()}
        self.known = known  # macros with relations of their own
        self.depth = 0
        self.steps: dict[str, None] = {}  # what was done on the way, in words

    def build(self, node: Expression) -> Term:
        """The term of an expression; raises NoTermError."""
        self.depth += 1
        try:
            if self.depth > 120:
                raise NoTermError("nested too deeply")
            return self._build(node)
        finally:
            self.depth -= 1

    def _build(self, node: Expression) -> Term:
        if isinstance(node, Number):
            return sympy.Rational(node.value)  # decimals are exact: 0.5 is a half
        if isinstance(node, Symbol):
            if node.role and node.role not in NUMBERS:
                raise NoTermError(f"{node.name} is no number")
            return self.letters.setdefault(node.name, sympy.Symbol(node.name))
        if isinstance(node, Constant):
            if node.name not in _CONSTANTS:
                raise NoTermError(node.name)
            return _CONSTANTS[node.name]
        if isinstance(node, Apply):
            return self._apply(node)
        if isinstance(node, Derivative):
            return self._derivative(node)
        if isinstance(node, Series):
            return self._series(node)
        if isinstance(node, Integral):
            return self._integral(node)
        if isinstance(node, Limit):
            return self._limit(node)
        raise NoTermError(type(node).__name__.lower())

    def _apply(self, node: Apply) -> Term:
        head = node.head
        if head == r"\genhyperF":
            return self._hypergeometric(node)
        if any(isinstance(part, Sequence) for part in node.arguments):
            raise NoTermError(f"{head} of a list")
        if head == "plus":
            return sympy.Add(*map(self.build, node.arguments))
        if head == "times":
            return sympy.Mul(*map(self.build, node.arguments))
        if head == "negate":
            return -self.build(node.arguments[0])
        if head == "divide":
            above, below = map(self.build, node.arguments)
            if below.is_zero:
                raise NoTermError("a division by zero")
            return above / below
        if head == "power":
            return self._power(*map(self.build, node.arguments))
        if head == "root" and len(node.arguments) == 2:
            value, degree = map(self.build, node.arguments)
            return value ** (1 / degree)
        if head in _ELEMENTARY:
            return _ELEMENTARY[head](*map(self.build, node.arguments))
        first = node.arguments[0] if node.arguments else None
        if isinstance(first, Number) and f"{head}{{{first.value}}}" in self.known:
            return sympy.Function(f"{head}{{{first.value}}}")(*map(self.build, node.arguments[1:]))
        if head in self.known:
            return sympy.Function(head)(*map(self.build, node.arguments))
        if not self.known and isinstance(first, Number) and f"{head}{{{first.value}}}" in _SERIES:
            return _SERIES[f"{head}{{{first.value}}}"](*map(self.build, node.arguments[1:]))
        if not self.known and head in _SERIES:
            return _SERIES[head](*map(self.build, node.arguments))
        found = definition(node)
        meaning = expand(node) if found is not None and not found.conditions else None
        if meaning is not None:
            return self.build(meaning)
        if head[0] != "\\":
            raise NoTermError(head)
        return sympy.Function(head)(*map(self.build, node.arguments))

    @staticmethod
    def _power(base: Term, exponent: Term) -> Term:
        if exponent.is_Integer and abs(int(exponent)) > 60:
            raise NoTermError("a large power")
        if any(abs(number) > 60 for number in exponent.atoms(sympy.Rational)):
            raise NoTermError("a large exponent")
        if base.is_zero and not exponent.is_positive:
            raise NoTermError("a power of zero")
        return base**exponent

    def _hypergeometric(self, node: Apply) -> Term:
        _, _, above, below, z = node.arguments
        rows = [
            sorted(map(self.build, row.items if isinstance(row, Sequence) else (row,)), key=sympy.default_sort_key)
            for row in (above, below)
        ]
        sizes = [int(part.value) if isinstance(part, Number) else -1 for part in node.arguments[:2]]
        if sizes != [len(row) for row in rows]:
            if sizes[0] == 0 or sizes[1] == 0:  # an empty list is written as a dash
                rows = [row if size else [] for row, size in zip(rows, sizes, strict=True)]
            if sizes != [len(row) for row in rows]:
                raise NoTermError("a hypergeometric function with dots")
        argument = self.build(z)
        if not self.known and sizes == [1, 1]:
            return _confluent(rows[0][0], rows[1][0], argument)
        return elementary_form(rows[0], rows[1], argument)

    def _derivative(self, node: Derivative) -> Term:
        body = self.build(node.body)
        for variable, order in node.variables:
            times = self.build(order)
            if not isinstance(variable, Symbol) or not times.is_Integer or not 0 <= int(times) <= 4:
                raise NoTermError("a derivative of high or unknown order")
            for _ in range(int(times)):
                body = sympy.Derivative(body, self.build(variable), evaluate=False)
        return body

    def _series(self, node: Series) -> Term:
        if node.lower is None or node.upper is None or node.condition is not None or not isinstance(node.index, Symbol):
            raise NoTermError("a sum over a set")
        index = node.index.name
        if index in {*free_symbols(node.lower), *free_symbols(node.upper)}:
            raise NoTermError("a bound that depends on the index")
        outer = self.letters.pop(index, None)
        self.letters[index] = sympy.Symbol(index, integer=True)
        try:
            body, number = self.build(node.body), self.letters[index]
        finally:
            self.letters.pop(index, None)
            if outer is not None:
                self.letters[index] = outer
        dummy = sympy.Symbol(f"{index}'", integer=True)
        if isinstance(node.upper, Constant):
            low = self.build(node.lower)
            if node.upper.name != "infinity" or node.kind != "sum" or not low.is_Integer:
                raise NoTermError("an infinite product")
            self.steps["the series summed by the quotient of its terms"] = None
            return summed(body.xreplace({number: dummy}), dummy, int(low))
        bounds = (dummy, self.build(node.lower), self.build(node.upper))
        body = body.xreplace({number: dummy})
        return (sympy.Sum if node.kind == "sum" else sympy.Product)(body, bounds)

    def _integral(self, node: Integral) -> Term:
        if node.kind != "int" or node.domain is not None or not isinstance(node.variable, Symbol):
            raise NoTermError("an integral over a path")
        name = node.variable.name
        if node.lower is None or node.upper is None:
            return sympy.Integral(self.build(node.body), self.build(node.variable))
        if isinstance(node.lower, Constant) or (isinstance(node.upper, Constant) and node.upper.name == "infinity"):
            raise NoTermError("an improper integral")
        outer = self.letters.pop(name, None)
        self.letters[name] = sympy.Symbol(name)
        try:
            body, variable = self.build(node.body), self.letters[name]
        finally:
            self.letters.pop(name, None)
            if outer is not None:
                self.letters[name] = outer
        dummy = sympy.Symbol(f"{name}'", real=True)
        return sympy.Integral(body.xreplace({variable: dummy}), (dummy, self.build(node.lower), self.build(node.upper)))

    def _limit(self, node: Limit) -> Term:
        """The limit of an elementary function, by Gruntz's method."""
        if not isinstance(node.variable, Symbol):
            raise NoTermError("a limit of several letters")
        name = node.variable.name
        outer = self.letters.pop(name, None)
        at_infinity = any(isinstance(part, Constant) and part.name == "infinity" for part in walk(node.point))
        negative = isinstance(node.point, Apply)
        try:
            self.letters[name] = sympy.Symbol(name, positive=True) if at_infinity and not negative else sympy.Symbol(
                name, real=True)  # fmt: skip
            body, variable = self.build(node.body), self.letters[name]
        finally:
            self.letters.pop(name, None)
            if outer is not None:
                self.letters[name] = outer
        if body.atoms(AppliedUndef) or body.has(sympy.Sum, sympy.Product, sympy.Integral, sympy.Derivative):
            raise NoTermError("a limit of a function that is not elementary")
        if body.free_symbols != {variable}:
            raise NoTermError("a limit that depends on a letter")
        if at_infinity:
            found = {sympy.limit(body, variable, -sympy.oo if negative else sympy.oo)}
        else:
            point = self.build(node.point)
            found = {sympy.limit(body, variable, point, side) for side in (node.direction or "+-")}
        value = found.pop()
        if found or not value.is_finite or value.free_symbols or value.has(sympy.Limit, sympy.AccumBounds):
            raise NoTermError("a limit that is not known")
        self.steps["the limit computed by Gruntz's method"] = None
        return value

    def said(self, reason: str) -> str:
        """The reason of a proof, with the steps before it."""
        return ", ".join((*self.steps, reason)) if reason else ""
