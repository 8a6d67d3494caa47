"""What a plot of a formula shows: its sides as functions of one letter, the other letters fixed at simple numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, pairwise, product

from mpmath import mp

from texlift.errors import TexliftError
from texlift.meaning.declarations import Declarations
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import (
    Derivative,
    Expression,
    Integral,
    Limit,
    Relation,
    Series,
    Symbol,
    Unknown,
    free_symbols,
    walk,
)
from texlift.targets.writers.pycode import Code
from texlift.verify.declared import NotSampledError, constraints_of
from texlift.verify.domains import Domain
from texlift.verify.givens import definitions_beside
from texlift.verify.plots.sources import sources
from texlift.verify.quantifiers import unquantified
from texlift.verify.setting import Setting
from texlift.verify.statement import Claim, Comparison, UncheckableError, claim_from, claim_of
from texlift.verify.values import Point, Value

__all__ = ["EQUAL", "Row", "Side", "Subject", "subject_of"]

EQUAL = frozenset({"=", "==="})
_DRAWN = EQUAL | {"<", ">", "<=", ">=", "!="}
_MOST_SIDES = 4
_DIGITS = 30  # enough for differences that nearly cancel beside a removable singularity
_MORE_DIGITS = (40, 70)  # for what seems to fail
_NEARLY = 1e-6
_LARGEST = 1e100
_DOUBTFUL = 1e-3  # relative error from which a value is a gap
_SAME = 1e-9  # relative difference up to which values are equal
_PREFERRED = ("x", "z", "t", "k", "q", "s", r"\theta", r"\phi", "y", "u", "w")
_WHOLE = ("integer", "prime")
_SIMPLE = {"integer": (2, 3, 1, 4), "prime": (3, 5, 7), "unit": ("1/2", "1/3", "1/4"), "large": (2, 3)}
_REAL = (2, 3, "1/2", 1, "3/2", -1)
_MOST_TRIED = 400  # choices of the other letters
_TRIAL = ("1/2", "3/10", 2, "3/2", 5, "-1/2", 0, 1, 3, 4)  # where a choice of the other letters must have a value

Row = tuple[complex | None, ...]
"""The value of each side at a place."""


@dataclass(frozen=True, slots=True)
class Side:
    """One curve: the expression, its code, and its place in the source."""

    node: Expression
    code: Code
    source: str


@dataclass(frozen=True, slots=True)
class Subject:
    """The sides of a statement, `sides[0] operators[0] sides[1] ...`; a function alone has one side."""

    setting: Setting
    sides: tuple[Side, ...]
    operators: tuple[str, ...]
    variable: str
    domain: Domain
    fixed: Point
    name: str = ""  # what a function alone is called: `y`, `f(x)`
    rough: bool = False  # "approximately": sides may differ

    @property
    def is_sequence(self) -> bool:
        return self.domain.kind in _WHOLE

    @property
    def is_complex(self) -> bool:
        """Whether values that are not real are drawn too."""
        return self.setting.is_complex

    @property
    def is_costly(self) -> bool:
        """Whether a value takes long: integrals, series, limits."""
        slow = (Integral, Series, Limit, Derivative)
        return any(isinstance(node, slow) for side in self.sides for node in walk(side.node))

    def values(self, place: Value, complex_too: bool = False, digits: int = _DIGITS) -> Row:
        """The value of each side; None where it has none that can be trusted, or none that is real."""
        point = {**self.fixed, self.variable: place}
        if not self.setting.allows(point):
            return (None,) * len(self.sides)
        with mp.workdps(digits):
            try:
                env = self.setting.environment(point)
            except (ArithmeticError, ValueError, TypeError):
                return (None,) * len(self.sides)
            return tuple(self._value(side.code, env, complex_too or self.is_complex) for side in self.sides)

    def _value(self, code: Code, env: dict[str, object], complex_too: bool) -> complex | None:
        trust = self.setting.trust
        trust.reset()
        try:
            number = mp.mpmathify(code(env))
            is_real = abs(number.imag) <= mp.mpf(10) ** -12 * abs(number)  # before it is rounded, perhaps to zero
            value = complex(number)
        except TimeoutError:
            raise
        except Exception:  # noqa: BLE001  a pole, no convergence: a gap in the curve
            return None
        if not abs(value) < _LARGEST or trust.wild or not trust.error < _DOUBTFUL or not trust.absolute < _DOUBTFUL:
            return None
        if is_real:
            return complex(value.real)
        return value if complex_too else None

    def judged(self, place: Value) -> tuple[Row, bool | None]:
        """The values, and whether the relations hold between them; None where that is not certain.

        What seems to fail is computed again with more digits: rounding must not look like a difference.
        """
        values = self.values(place)
        holds = self._holds(values)
        if holds is None or (holds and set(self.operators) <= EQUAL) or not self._is_close(values):
            return values, holds
        first, second = (self.values(place, digits=digits) for digits in _MORE_DIGITS)
        if not all(_agree(a, b) for a, b in zip(first, second, strict=True)):
            return tuple(b if _agree(a, b) else None for a, b in zip(first, second, strict=True)), None
        return second, self._holds(second)

    def _holds(self, values: Row) -> bool | None:
        if not self.operators or None in values:
            return None
        numbers = [value for value in values if value is not None]
        return all(_compare(op, a, b) for op, a, b in zip(self.operators, numbers, numbers[1:], strict=False))

    def _is_close(self, values: Row) -> bool:
        """Whether rounding may decide: for equations always."""
        numbers = [value for value in values if value is not None]
        return bool(set(self.operators) & EQUAL) or any(
            abs(a - b) <= _NEARLY * max(abs(a), abs(b), 1.0) for a, b in pairwise(numbers)
        )


def subject_of(semantic: str, constraints: Sequence[str] = (), declared: Mapping[str, str] | None = None) -> Subject:
    """What a plot of a formula shows. Raises TexliftError where there is nothing to draw."""
    letters = Declarations.of(declared or {})
    quantified = unquantified(semantic)
    if quantified is not None:
        constraints = (*constraints, *quantified.conditions)
        semantic = quantified.body
    try:
        claim, sides, name = _drawn(semantic, constraints, letters, quantified is not None)
        if letters:
            constraints = (*constraints_of(letters, claim.variables), *constraints)
        _, constraints = definitions_beside(constraints)
    except (UncheckableError, NotSampledError) as reason:
        raise TexliftError(f"nothing to draw: {reason}") from None
    setting = Setting(semantic, claim, constraints, {}, seed=1)
    domains = setting.sampler.domains
    names = [letter for letter in setting.sampler.free if letter not in setting.conditions.helpers]
    if not names:
        raise TexliftError("nothing to draw: there is no variable to draw along")
    continuous = [letter for letter in names if domains[letter].kind not in _WHOLE] or names
    preferred = ("n", *_PREFERRED) if continuous == names and domains[names[0]].kind in _WHOLE else _PREFERRED
    variable = next((letter for letter in preferred if letter in continuous), continuous[0])
    made = tuple(map(Side, sides, map(setting.compiled, sides), sources(semantic, [side.span for side in sides])))
    operators = tuple(comparison.operator for comparison in claim.comparisons[: len(made) - 1])
    rough = any(comparison.rough or comparison.tolerance for comparison in claim.comparisons)
    subject = Subject(setting, made, operators, variable, domains[variable], {}, name, rough)
    return _fixed(subject, [letter for letter in names if letter != variable], domains)


def _drawn(
    semantic: str, constraints: Sequence[str], declared: Declarations, bound: bool
) -> tuple[Claim, list[Expression], str]:
    """The claim, the sides to draw, and the name of a function that is defined."""
    statements = read(semantic, declared=declared).statements
    if len(statements) == 1:
        statement = statements[0]
        function, name = _function(statement, semantic)
        if function is not None:
            return claim_from([Comparison("=", function, function)], semantic), [function], name
    beside, _ = definitions_beside(constraints)
    claim = claim_of(semantic, {}, declared, beside, bound)
    sides = [claim.comparisons[0].left]
    for comparison in claim.comparisons[: _MOST_SIDES - 1]:
        if comparison.operator not in _DRAWN or comparison.other is not None:
            raise UncheckableError("only equations and inequalities of numbers are drawn, without ±")
        if comparison.left != sides[-1]:
            break  # another statement
        sides.append(comparison.right)
    return replace(claim, comparisons=claim.comparisons[: len(sides) - 1]), sides, ""


def _function(statement: Expression, source: str) -> tuple[Expression | None, str]:
    """The function that a formula is or defines (`y=x^2`, `f(x)=x^2`), and its name."""
    if not isinstance(statement, Relation):
        return statement, ""
    if statement.operators != ("=",):
        return None, ""
    left, right = statement.operands
    used = set(free_symbols(right))
    if isinstance(left, Symbol) and left.name not in used and used:
        return right, left.name
    if isinstance(left, Unknown) and left.order is None:
        arguments = [part.name for part in left.arguments if isinstance(part, Symbol)]
        called = any(isinstance(node, Unknown) for node in walk(right))
        if len(arguments) == len(left.arguments) and not called:
            return right, source[slice(*left.span)]
    return None, ""


def _fixed(subject: Subject, names: list[str], domains: Mapping[str, Domain]) -> Subject:
    """The subject with simple numbers for the other letters, such that the sides have values somewhere."""
    for numbers in _choices([domains[name] for name in names]):
        chosen = replace(subject, fixed=dict(zip(names, numbers, strict=True)))
        places = (Value(Fraction(place)) for place in _TRIAL if not subject.is_sequence or "/" not in str(place))
        if any(value is not None for place in places for value in chosen.values(place)):
            return chosen
        if not names:
            return chosen  # values elsewhere, perhaps
    start = subject.setting.sampler.gentle(0)
    if start is None:
        raise TexliftError("nothing to draw: no point satisfies the constraints")
    rounded = {name: Value(Fraction(round(float(start[name].real), 2)).limit_denominator(100)) for name in names}
    return replace(subject, fixed=rounded)


def _choices(domains: list[Domain]) -> Iterator[tuple[Value, ...]]:
    """Numbers for the letters, simple and different ones first."""
    options = [_options(domain) for domain in domains]
    if len(domains) > 4:  # too many to combine
        yield tuple(option[index % len(option)] for index, option in enumerate(options))
        return
    combined = list(islice(product(*options), _MOST_TRIED))
    yield from sorted(combined, key=lambda numbers: len(numbers) - len(set(numbers)))


def _options(domain: Domain) -> list[Value]:
    numbers = [Fraction(number) for number in _SIMPLE.get(domain.kind, _REAL)]
    low, high = domain.low, domain.high
    if low is not None and high is not None:
        numbers.append((low + high) / 2)
    elif low is not None:
        numbers.append(low + 1)
    elif high is not None:
        numbers.append(high - 1)
    inside = [n for n in numbers if (low is None or n > low) and (high is None or n < high)]
    return [Value(number) for number in inside or numbers]


def _agree(a: complex | None, b: complex | None) -> bool:
    if a is None or b is None:
        return a is b
    return abs(a - b) <= _SAME * max(abs(a), abs(b))


def _compare(operator: str, a: complex, b: complex) -> bool:
    equal = abs(a - b) <= _SAME * max(abs(a), abs(b), 1e-3)
    if operator in EQUAL:
        return equal
    if operator == "!=":
        return not equal
    if a.imag or b.imag:
        return False
    if equal:
        return operator in ("<=", ">=")
    return a.real < b.real if operator[0] == "<" else a.real > b.real
