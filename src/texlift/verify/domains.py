"""The domain of each letter of a claim: said by a constraint, shown by its role, or customary.

Letters are real numbers. They are integers where a role says so (in factorials, bounds of sums, gcd, congruences)
or custom does (n, m, k, ...), and complex where a constraint or a role (conjugate, real part) says so or custom
does (z, w).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from texlift.meaning.tree import Apply, Constant, Expression, Number, Relation, Series, Symbol, free_symbols, walk
from texlift.verify.conditions import COMPLEX, INTEGERS, Conditions
from texlift.verify.exact import NotExactError, exact_value
from texlift.verify.statement import Claim

__all__ = ["ELEMENTARY", "Domain", "domains_of", "is_complex_claim"]

_MODULUS = ("ellintKk", "ellintEk", "ellintDk", "ellintPik", "ellintFk", "Jacobiell", "Jacobiam", "JacobiEpsilon",
            "JacobiZeta", "aJacobiell", "ellintKk", "Bulirsch")  # fmt: skip
_HALF_PLANE = frozenset({r"\Dedekindeta", r"\modularlambdatau", r"\KleincompinvarJtau"})
_COMPLEX_WITH_FUNCTIONS = frozenset({"s"})  # Riemann's s; elsewhere a length or a time
ELEMENTARY = frozenset({
    r"\sin", r"\cos", r"\tan", r"\cot", r"\sec", r"\csc", r"\sinh", r"\cosh", r"\tanh", r"\coth", r"\sech",
    r"\csch", r"\asin", r"\acos", r"\atan", r"\acot", r"\asec", r"\acsc", r"\asinh", r"\acosh", r"\atanh",
    r"\acoth", r"\exp", r"\ln", r"\log", r"\abs", r"\sign", r"\floor", r"\ceiling", r"\binom", r"\pgcd",
})  # fmt: skip
_PARTS = frozenset({r"\conj", r"\realpart", r"\imagpart", r"\phase"})
_ABSOLUTE = _PARTS | {"abs", r"\abs"}
_COUNTING = frozenset({"gcd", "lcm", r"\pgcd", "modulo", r"\Legendresym", r"\Jacobisym"})
_CONTINUOUS = frozenset({"x", "y", "z", "r", "s", "t", "u", "v", "w"})
_ORDERED = frozenset({"<", ">", "<=", ">="})


@dataclass(frozen=True, slots=True)
class Domain:
    """Where a letter is sampled.

    `kind` is integer, prime, real, unit (between 0 and 1), large (above 1), complex or upper (half-plane).
    """

    kind: str
    least: int | None = None  # integers from here on
    said: bool = False  # by a constraint or a list of symbols, not by custom
    negative: bool = True  # whether real values below zero are tried
    exponent: bool = False
    low: Fraction | None = None  # bounds that constraints set
    high: Fraction | None = None

    def described(self, name: str) -> str:
        """`x real`, `n = 0, 1, 2, ...`."""
        if self.kind == "integer":
            return f"{name} = {self.least}, {self.least + 1}, ..." if self.least is not None else f"{name} integer"
        words = {"unit": f"0 < {name} < 1", "large": f"{name} > 1", "upper": f"Im {name} > 0"}
        if self.kind == "real" and not self.negative:
            return f"{name} > 0"
        return words.get(self.kind, f"{name} {self.kind}")


def domains_of(
    claim: Claim, conditions: Conditions, known: Mapping[str, str], excerpt: bool = False
) -> dict[str, Domain]:
    """The domain of each free variable.

    `known` says what symbols are. Of an excerpt from a text, which may restrict its letters, only positive values
    are tried unless something is said.
    """
    roles = _Roles(claim)
    result: dict[str, Domain] = {}
    for name in claim.variables:
        domain = _said(name, conditions, known.get(name, "").lower(), roles)
        if domain is None:
            domain = roles.domain(name, excerpt)
        elif domain.kind == "integer" and domain.least is None and name in roles.counts:
            domain = replace(domain, least=0)
        if name in roles.exponents:
            domain = replace(domain, exponent=True)
        low, high = _bounds(name, conditions)
        if domain.kind == "integer" and low is not None and not domain.said:
            domain = replace(domain, said=True)
        result[name] = replace(domain, low=low, high=high)
    return result


def is_complex_claim(claim: Claim, domains: Mapping[str, Domain]) -> bool:
    """Whether a formula speaks of complex numbers: by the domain of a letter, or by i."""
    if any(domain.kind in ("complex", "upper") for domain in domains.values()):
        return True
    return any(isinstance(node, Constant) and node.name == "i" for node in _nodes(claim))


def _said(name: str, conditions: Conditions, meaning: str, roles: _Roles) -> Domain | None:
    kind = conditions.kinds.get(name, "")
    least = conditions.least.get(name)
    if "prime" in meaning or kind == "prime" or (roles.congruence and name == "p" and not meaning and not kind):
        return Domain("prime", said=bool(meaning or kind))
    if kind == "integer" or ("integer" in meaning and "half" not in meaning):
        if least is None and meaning:
            least = 0 if "nonnegative" in meaning else 1
        return Domain("integer", least, said=True)
    if roles.special.get(name):
        return Domain(roles.special[name])
    if ("real" in meaning and "complex" not in meaning) or kind == "real":
        return Domain("real", said=True)
    if "complex" in meaning or kind == "complex":
        return Domain("complex", said=True)
    return Domain("real", said=True, negative=False) if meaning else None


class _Roles:
    """What the places where letters stand say about them."""

    def __init__(self, claim: Claim) -> None:
        self.names = set(claim.variables)
        self.functions = bool(claim.macros - ELEMENTARY)
        self.congruence = any(
            comparison.operator in ("mod", "notmod", "divides", "notdivides") for comparison in claim.comparisons
        )
        self.ordered = any(comparison.operator in _ORDERED for comparison in claim.comparisons)
        self.whole: set[str] = set()
        self.counts: set[str] = set()  # integers that are not negative
        self.parts: set[str] = set()  # letters with a conjugate or a real part
        self.bare: set[str] = set()  # letters outside bars
        self.exponents: set[str] = set()
        self.special: dict[str, str] = {}
        for node in _nodes(claim):
            self._look(node)
        for comparison in claim.comparisons:
            for side in (comparison.left, comparison.right):
                self.bare |= _outside_bars(side)

    def domain(self, name: str, excerpt: bool) -> Domain:
        """The domain of a letter about which nothing is said."""
        if (
            self.congruence
            or name in self.counts
            or name in self.whole
            or (name in INTEGERS and name not in self.parts)
        ):
            return Domain("integer", 0 if name in self.counts else 1 if excerpt else None)
        if name == "q" and excerpt:
            return Domain("unit")
        if name in self.parts or (name in COMPLEX and not self._real_sibling(name)):
            return Domain("complex")
        if name in _COMPLEX_WITH_FUNCTIONS and self.functions and not (self.ordered and name in self.bare):
            return Domain("complex")
        return Domain("real", negative=not excerpt)

    def _real_sibling(self, name: str) -> bool:
        """Whether z stands beside x and y, or is compared with something: then it is real."""
        return {"x", "y"} <= self.names or (self.ordered and name in self.bare)

    def _look(self, node: Expression) -> None:
        if isinstance(node, Series):
            for end in (node.lower, node.upper):
                self.counts.update(free_symbols(end) if end is not None else ())
            return
        if not isinstance(node, Apply):
            return
        arguments = node.arguments
        if node.head in ("factorial", "factorial2"):
            self.counts.update(free_symbols(arguments[0]))
        elif node.head == r"\binom":
            self.counts.update(free_symbols(arguments[1]))
            self.counts.update(
                name for name in free_symbols(arguments[0]) if name not in _CONTINUOUS and not name.startswith("\\")
            )
        elif node.head in _COUNTING:
            self.whole.update(name for part in arguments for name in free_symbols(part))
        elif node.head in _PARTS:
            self.parts.update(free_symbols(arguments[0]))
        elif node.head == "power" and not isinstance(arguments[1], Number):
            self.exponents.update(free_symbols(arguments[1]))
        elif node.head[0] == "\\":
            self._look_at_function(node)

    def _look_at_function(self, node: Apply) -> None:
        """Symbols that stand where a modulus, a nome or a point of the upper half-plane is expected."""
        last = node.arguments[-1] if node.arguments else None
        if isinstance(last, Symbol):
            if any(part in node.head for part in _MODULUS) or "Ferrers" in node.head:
                self.special[last.name] = "unit"
            elif "assLegendre" in node.head:
                self.special[last.name] = "large"
            elif "thetaq" in node.head or node.head in (r"\qexp", r"\qGamma"):
                self.special[last.name] = "unit"
            elif ("tau" in node.head and "theta" in node.head) or node.head in _HALF_PLANE:
                self.special[last.name] = "upper"
        if node.head == r"\qPochhammer" and isinstance(node.arguments[1], Symbol):
            self.special[node.arguments[1].name] = "unit"


def _nodes(claim: Claim) -> Iterator[Expression]:
    for comparison in claim.comparisons:
        for side in (comparison.left, comparison.right):
            yield from walk(side)
        if comparison.modulus is not None:
            yield from walk(comparison.modulus)


def _outside_bars(node: Expression) -> set[str]:
    """Free symbols that stand outside |...|, real parts and arguments."""
    if isinstance(node, Apply):
        if node.head in _ABSOLUTE - {r"\conj"}:
            return set()
        return {name for part in node.arguments for name in _outside_bars(part)}
    return set(free_symbols(node))


def _bounds(name: str, conditions: Conditions) -> tuple[Fraction | None, Fraction | None]:
    """Numbers that constraints set as bounds of a letter: `0<x<1`, `|x|<2`."""
    low: Fraction | None = None
    high: Fraction | None = None
    for test in conditions.tests:
        if not isinstance(test, Relation):
            continue
        for operator, left, right in test.links:
            if operator not in _ORDERED:
                continue
            for one, other, upward in ((left, right, operator[0] == ">"), (right, left, operator[0] == "<")):
                number = _rational(other)
                if number is None:
                    continue
                inner = one.arguments[0] if isinstance(one, Apply) and one.head in ("abs", r"\abs") else None
                if isinstance(one, Symbol) and one.name == name:
                    if upward:
                        low = number if low is None else max(low, number)
                    else:
                        high = number if high is None else min(high, number)
                elif isinstance(inner, Symbol) and inner.name == name and not upward:
                    low = -number if low is None else max(low, -number)
                    high = number if high is None else min(high, number)
    return low, high


def _rational(node: Expression) -> Fraction | None:
    if isinstance(node, Constant):
        return {"pi": Fraction(355, 113), "e": Fraction(2721, 1001)}.get(node.name)
    if isinstance(node, Apply) and node.head in ("negate", "divide", "times"):
        parts = [_rational(part) for part in node.arguments]
        numbers = [part for part in parts if part is not None]
        if len(numbers) < len(parts):
            return None
        if node.head == "negate":
            return -numbers[0]
        return numbers[0] * numbers[1] if node.head == "times" else numbers[0] / numbers[1] if numbers[1] else None
    try:
        return exact_value(node, {})
    except (NotExactError, ZeroDivisionError):
        return None
