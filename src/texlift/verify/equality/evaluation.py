"""Values of expressions as balls of python-flint: complex numbers and matrices with proven error bounds.

Real letters give principal values. Where people disagree about odd roots of negative numbers, both conventions can be
asked for: `rooted` takes the real one, also for powers such as `x^{1/3}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import flint

from texlift.meaning.tree import (
    Apply,
    Cases,
    Constant,
    Derivative,
    Expression,
    Integral,
    Matrix,
    Number,
    Relation,
    Sequence,
    Series,
    Substitution,
    Symbol,
    substitute,
    walk,
)
from texlift.targets.expansion import expand
from texlift.verify.balls import FUNCTIONS, SPECIAL, NoBallError
from texlift.verify.equality.differentiation import differentiated
from texlift.verify.equality.numerals import ExactBall, fraction_ball, literal, rational_of
from texlift.verify.equality.operations import (
    OPERATIONS,
    UndefinedError,
    determinant,
    is_apart_from_zero,
    is_finite,
    is_negative,
    logarithm,
    matrix_power,
    overlapping,
    plain_root,
    shown_ball,
)
from texlift.verify.exact import NotExactError, exact_value

__all__ = ["Evaluator", "UndefinedError", "overlapping", "shown_ball"]

_MAX_TERMS = 2000
_MAX_WORK = 200_000  # nodes of one value
_MAX_SIZE = 12  # rows of a matrix


def _coth(x: Any) -> Any:
    return x.coth()


_MORE: dict[str, Callable[[Any], Any]] = {
    r"\sec": lambda x: x.sec(),
    r"\csc": lambda x: x.csc(),
    r"\coth": _coth,
    r"\sech": lambda x: x.sech(),
    r"\csch": lambda x: x.csch(),
    r"\acot": lambda x: (1 / x).atan(),
    r"\asec": lambda x: (1 / x).acos(),
    r"\acsc": lambda x: (1 / x).asin(),
    r"\acoth": lambda x: (1 / x).atanh(),
    r"\realpart": lambda x: flint.acb(x.real),
    r"\imagpart": lambda x: flint.acb(x.imag),
}
_CONSTANTS: dict[str, Callable[[], Any]] = {
    "pi": flint.acb.pi,
    "e": lambda: flint.acb(1).exp(),
    "i": lambda: flint.acb(0, 1),
    "gamma": lambda: flint.acb(flint.arb.const_euler()),
}


class Evaluator:
    """Values of expressions at one point. The precision is that of `flint.ctx`."""

    def __init__(self, values: Mapping[str, Any], rooted: bool = False, patient: bool = False) -> None:
        self.values = values
        self.rooted = rooted
        self.patient = patient
        self.work = 0
        self.negative_root = False  # an odd root of a negative number was taken
        self.analytic = False
        self.left_reals = False  # a root or logarithm of a real number was not real

    def __call__(self, node: Expression) -> Any:
        """The value of a node; UndefinedError where there is none, NoBallError where it is not known how."""
        value = self._value(node)
        if not is_finite(value):
            raise UndefinedError("no finite value")
        return value

    def number(self, node: Expression) -> Any:
        """The value of a node that is a number."""
        value = self(node)
        if not isinstance(value, flint.acb):
            raise NoBallError("a matrix")
        return value

    def _value(self, node: Expression) -> Any:
        self.work += 1
        if self.work > _MAX_WORK:
            raise NoBallError("too much to compute")
        kind = type(node)
        if kind is Number:
            return literal(node.value)  # type: ignore[union-attr]
        if kind is Symbol:
            found = self.values.get(node.name)  # type: ignore[union-attr]
            if found is None:
                raise NoBallError(node.name)  # type: ignore[union-attr]
            return found
        if kind is Apply:
            return self._apply(node)  # type: ignore[arg-type]
        if isinstance(node, Constant):
            if node.name not in _CONSTANTS:
                raise NoBallError(node.name)
            return _CONSTANTS[node.name]()
        if isinstance(node, Matrix):
            return self._matrix(node)
        if isinstance(node, Sequence) and node.kind == "tuple" and len(node.items) <= _MAX_SIZE:
            return flint.acb_mat([[self._value(item)] for item in node.items])
        if isinstance(node, Series):
            return self._series(node)
        if isinstance(node, Cases):
            return self._cases(node)
        if isinstance(node, Derivative):
            return self._value(differentiated(node))
        if isinstance(node, Substitution) and isinstance(node.variable, Symbol):
            body = differentiated(node.body) if isinstance(node.body, Derivative) else node.body
            return self._value(substitute(body, {node.variable.name: node.point}))
        if isinstance(node, Integral):
            return self._integral(node)
        raise NoBallError(kind.__name__)

    # -- operations --------------------------------------------------------------------------------------

    def _apply(self, node: Apply) -> Any:
        head, arguments = node.head, node.arguments
        if head == "power":
            return self._power(*arguments)
        if head in ("sqrt", "root"):
            degree = arguments[1] if len(arguments) > 1 else Number("2")
            return self._root(self._value(arguments[0]), degree)
        known = OPERATIONS.get(head)
        if known is not None:
            values = [self._value(part) for part in arguments]
            return known(*values)
        if head in FUNCTIONS or head in _MORE or head in SPECIAL:
            return self._function(head, [self._value(part) for part in arguments])
        if head in _EXACT_HEADS:
            return self._rounded(node)
        if head == r"\binom":
            return self._binomial(*arguments)
        if head == r"\genlog":
            base, value = (self._value(part) for part in arguments)
            return logarithm(value, self.analytic) / logarithm(base, self.analytic)
        expanded = expand(node) if head[0] == "\\" else None
        if expanded is None:
            raise NoBallError(head)
        return self._value(expanded)

    def _function(self, head: str, values: list[Any]) -> Any:
        if any(not isinstance(value, flint.acb) for value in values):
            raise NoBallError(head)
        if head == r"\ln":
            self.left_reals = self.left_reals or is_negative(values[0])
            return logarithm(values[0], self.analytic)
        if head in _MORE:
            return _MORE[head](values[0])
        if head in FUNCTIONS:
            return getattr(values[0], FUNCTIONS[head])()
        if not self.patient and any(float(abs(value).upper()) > 100 for value in values):
            raise NoBallError(head)  # may take long
        return getattr(values[-1], SPECIAL[head])(*values[:-1])

    def _power(self, base: Expression, exponent: Expression) -> Any:
        value = self._value(base)
        rational = rational_of(exponent)
        if not isinstance(value, flint.acb):
            if rational is None or rational.denominator != 1 or abs(rational) > 1000:
                raise NoBallError("a power of a matrix")
            power = matrix_power(value, abs(rational.numerator))
            return power.inv() if rational < 0 else power
        if rational is not None:
            if rational.denominator == 1:
                if rational <= 0 and not is_apart_from_zero(value):
                    raise UndefinedError("a power of zero")
                return value**rational.numerator
            if rational.denominator % 2 and is_negative(value):
                self.negative_root = True
                if self.rooted:
                    root = -((-value) ** (flint.acb(1) / rational.denominator))
                    return root**rational.numerator
        power = self._value(exponent)
        if not isinstance(power, flint.acb):
            raise NoBallError("a matrix as an exponent")
        if value.contains(0):
            if not value.is_zero() or power.contains(0) or not power.real > 0:
                raise UndefinedError("a power of zero")
            return flint.acb(0)
        if isinstance(base, Constant) and base.name == "e":
            return power.exp()
        if is_negative(value) and power.real.unique_fmpz() is None:
            self.left_reals = True
        return value.pow(power, analytic=True) if self.analytic else value**power

    def _root(self, value: Any, degree: Expression) -> Any:
        n = rational_of(degree)
        if n is None or n.denominator != 1 or not 1 <= abs(n) <= 10**6:
            power = self._value(degree)
            if not isinstance(value, flint.acb) or value.contains(0):
                raise NoBallError("root")
            return value ** (1 / power)
        if not isinstance(value, flint.acb):
            raise NoBallError("a root of a matrix")
        if n == 2:
            self.left_reals = self.left_reals or is_negative(value)
            return value.sqrt(analytic=True) if self.analytic else value.sqrt()
        if n % 2 and is_negative(value):
            self.negative_root = True
            return -((-value) ** (flint.acb(1) / n.numerator)) if not self._complex() else plain_root(value, n)
        self.left_reals = self.left_reals or is_negative(value)
        return plain_root(value, n)

    def _complex(self) -> bool:
        return any(not value.imag.is_zero() for value in self.values.values())

    def _rounded(self, node: Apply) -> Any:
        """Floor, remainder and others that jump: of exact numbers exactly, else where the balls decide it."""
        try:
            return fraction_ball(exact_value(node, self._exact_values()))
        except (NotExactError, TypeError):
            pass
        except ZeroDivisionError:
            raise UndefinedError("division by zero") from None
        values = [self._value(part) for part in node.arguments]
        if any(not isinstance(v, flint.acb) or not v.imag.is_zero() for v in values):
            raise NoBallError(node.head)
        first = values[0].real
        head = node.head.lstrip("\\")
        if head in ("floor", "ceiling"):
            result = first.floor() if head == "floor" else first.ceil()
            if result.unique_fmpz() is None:
                raise UndefinedError("on a jump")
            return flint.acb(result)
        if head == "sign" and not first.contains(0):
            return flint.acb(1 if first > 0 else -1)
        if head in ("min", "max"):
            result = first
            for other in values[1:]:
                result = result.min(other.real) if head == "min" else result.max(other.real)
            return flint.acb(result)
        raise NoBallError(node.head)

    def _exact_values(self) -> dict[str, Fraction]:
        found: dict[str, Fraction] = {}
        for name, value in self.values.items():
            if isinstance(value, ExactBall):
                found[name] = value.fraction
        return found

    def _binomial(self, above: Expression, below: Expression) -> Any:
        n, k = self._value(above), self._value(below)
        whole = k.real.unique_fmpz() if k.is_exact() and k.imag.is_zero() else None
        if whole is not None and 0 <= whole <= _MAX_TERMS:
            total = flint.acb(1)
            for j in range(int(whole)):
                total = total * (n - j) / (j + 1)
            return total
        return (n + 1).gamma() * (k + 1).rgamma() * (n - k + 1).rgamma()

    # -- sums, cases, integrals, matrices ----------------------------------------------------------------

    def _series(self, node: Series) -> Any:
        if node.lower is None or node.upper is None or node.condition is not None or not isinstance(node.index, Symbol):
            raise NoBallError("series")
        ends = []
        for end in (node.lower, node.upper):
            value = self._value(end)
            whole = value.real.unique_fmpz() if isinstance(value, flint.acb) and value.imag.is_zero() else None
            if whole is None:
                raise NoBallError("a bound that is no integer")
            ends.append(int(whole))
        low, high = ends
        if high - low > _MAX_TERMS:
            raise NoBallError("too many terms")
        total: Any = flint.acb(0 if node.kind == "sum" else 1)
        outer = self.values
        try:
            for k in range(low, high + 1):
                self.values = {**outer, node.index.name: fraction_ball(Fraction(k))}
                term = self._value(node.body)
                total = total + term if node.kind == "sum" else total * term
        finally:
            self.values = outer
        return total

    def _cases(self, node: Cases) -> Any:
        for value, condition in node.branches:
            if condition is None or self.holds(condition):
                return self._value(value)
        raise UndefinedError("no case applies")

    def holds(self, condition: Expression) -> bool:
        """Whether a condition is true; UndefinedError where balls cannot tell."""
        if isinstance(condition, Apply) and condition.head in ("and", "or", "not"):
            if condition.head == "not":
                return not self.holds(condition.arguments[0])
            results = [self.holds(part) for part in condition.arguments]
            return all(results) if condition.head == "and" else any(results)
        if not isinstance(condition, Relation):
            raise NoBallError("condition")
        return all(self._compared(op, left, right) for op, left, right in condition.links)

    def _compared(self, operator: str, left: Expression, right: Expression) -> bool:
        try:
            known = self._exact_values()
            gap = exact_value(left, known) - exact_value(right, known)
            sign = (gap > 0) - (gap < 0)
        except (NotExactError, ZeroDivisionError):
            difference = self.number(left) - self.number(right)
            if not difference.imag.is_zero() or difference.real.contains(0):
                raise UndefinedError("on the edge of a condition") from None
            sign = 1 if difference.real > 0 else -1
        known_operators = {"=": sign == 0, "!=": sign != 0, "<": sign < 0, "<=": sign <= 0, ">": sign > 0,
                           ">=": sign >= 0}  # fmt: skip
        if operator not in known_operators:
            raise NoBallError(operator)
        return known_operators[operator]

    def _integral(self, node: Integral) -> Any:
        if node.kind != "int" or node.domain is not None or not isinstance(node.variable, Symbol):
            raise NoBallError("integral")
        if node.lower is None or node.upper is None:
            raise NoBallError("integral without bounds")
        low, high = self.number(node.lower), self.number(node.upper)
        outer, name = self.values, node.variable.name

        def integrand(x: Any, analytic: bool) -> Any:
            self.values, before = {**outer, name: x}, self.analytic
            self.analytic = analytic
            try:
                return self._value(node.body)
            except UndefinedError:
                return flint.acb("nan", "nan")
            finally:
                self.values, self.analytic = outer, before

        if not _is_analytic(node.body):
            raise NoBallError("an integrand with corners")
        limits = {"deg_limit": 300, "eval_limit": 3000, "depth_limit": 60}
        return flint.acb.integral(integrand, low, high, **limits)

    def _matrix(self, node: Matrix) -> Any:
        width = len(node.rows[0])
        if not width or any(len(row) != width for row in node.rows):
            raise UndefinedError("a matrix with rows of different length")
        if max(len(node.rows), width) > _MAX_SIZE:
            raise NoBallError("a large matrix")
        found = flint.acb_mat([[self.number(cell) for cell in row] for row in node.rows])
        return determinant(found) if node.determinant else found


_EXACT_HEADS = frozenset({
    "floor", r"\floor", "ceiling", r"\ceiling", "min", "max", "gcd", r"\pgcd", "lcm", "modulo", r"\sign",
    r"\Kroneckerdelta", r"\Legendresym", r"\Jacobisym", "factorial2",
})  # fmt: skip
_CORNERS = frozenset({"abs", r"\abs", "norm", r"\conj", r"\realpart", r"\imagpart"}) | _EXACT_HEADS


def _is_analytic(body: Expression) -> bool:
    return not any(
        (isinstance(node, Apply) and node.head in _CORNERS) or isinstance(node, Cases | Integral) for node in walk(body)
    )
