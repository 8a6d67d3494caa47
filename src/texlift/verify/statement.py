"""What a formula claims, in a form that can be tested at points: comparisons, constraints, standing definitions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from texlift.errors import FormulaError
from texlift.targets.expression import (
    Apply,
    Constant,
    Derivative,
    Dots,
    Expression,
    Function,
    Indexed,
    Integral,
    Interval,
    Limit,
    Number,
    Relation,
    Sequence,
    Series,
    Symbol,
    Unknown,
    free_symbols,

    walk,
)
from texlift.targets.reading import read

__all__ = ["Claim", "Comparison", "Conditions", "Uncheckable", "claim_of", "conditions_of", "customary_definitions", "is_condition", "standing_definitions"]

_TESTABLE = frozenset({"=", "===", "<", ">", "<=", ">=", "!=", "mod"})
_ASYMPTOTIC = frozenset({"~", "~~", "approx", "->", "<<", ">>", "propto"})
_ELLIPTIC = ("ellint", "Jacobi", "Weierstrass", "Carlson", "AGM")


class Uncheckable(Exception):
    """The formula states nothing that numbers could confirm or deny; `str()` says why."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right`."""

    operator: str
    left: Expression
    right: Expression
    tolerance: float = 0.0  # relative; for decimal numbers cut off by dots
    other: tuple[Expression, Expression] | None = None  # an unpaired \\pm: one of the two is meant


@dataclass(frozen=True, slots=True)
class Claim:
    """All comparisons a formula makes, and its free variables by TeX name."""

    comparisons: tuple[Comparison, ...]
    variables: tuple[str, ...]
    macros: frozenset[str]


@dataclass(slots=True)
class Conditions:
    """Constraints as tests, as fixed definitions of variables, and as domains of integers."""

    tests: list[Expression] = field(default_factory=list)
    defined: dict[str, Expression] = field(default_factory=dict)
    least: dict[str, int] = field(default_factory=dict)  # integers from here on
    choices: dict[str, tuple[Expression, ...]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)  # "integer", "real", "complex"
    ignored: list[str] = field(default_factory=list)


def claim_of(source: str, known: Mapping[str, str] | None = None) -> Claim:
    """Read a formula as a claim. Raises Uncheckable with the reason where it makes none.

    `known` maps symbols to what they are, as far as somebody said; a symbol said to be something else than a
    variable or constant is defined elsewhere, and the formula cannot be tested alone.
    """
    reading = read(source)
    comparisons: list[Comparison] = []
    half = len(reading.statements) // 2 if reading.split else 0
    for statement in reading.statements:
        if not isinstance(statement, Relation):
            continue
        for operator, left, right in zip(statement.operators, statement.operands, statement.operands[1:], strict=False):
            if operator in _ASYMPTOTIC:
                raise Uncheckable("an asymptotic statement")
            if operator not in _TESTABLE:
                raise Uncheckable(f"the relation {operator} is not numeric")
            comparisons.append(Comparison(operator, *_balanced(left, right), _tolerance(left, right)))
    if half and "selection" not in source:
        comparisons = _pair(comparisons)
    if not comparisons:
        raise Uncheckable("states no equation or inequality")
    _refuse_definitions(comparisons, known or {})
    variables: dict[str, None] = {}
    macros: set[str] = set()
    for comparison in comparisons:
        for side in (comparison.left, comparison.right):
            _refuse_unknown(side)
            variables.update(dict.fromkeys(free_symbols(side)))
            macros.update(node.head for node in walk(side) if isinstance(node, Apply) and node.head[0] == "\\")
    for name in variables:
        meaning = (known or {}).get(name, "")
        if meaning and not is_variable(meaning):
            raise Uncheckable(f"{name} is defined elsewhere ({meaning})")
    return Claim(tuple(comparisons), tuple(variables), frozenset(macros))


def _tolerance(left: Expression, right: Expression) -> float:
    """How exact a decimal number written out to some digits can be."""
    tolerance = 0.0
    for side in (left, right):
        for node in walk(side):
            if isinstance(node, Apply) and node.head == "truncated" and isinstance(node.arguments[0], Number):
                digits = len(node.arguments[0].value.replace(".", "").lstrip("0"))
                tolerance = max(tolerance, 10.0 ** (1 - digits))
    return tolerance


def _balanced(left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """`a+b+c=0` as a=-(b+c): two sides that vanish would say nothing about their size."""
    for zero, total in ((right, left), (left, right)):
        if isinstance(zero, Number) and zero.value == "0" and isinstance(total, Apply) and total.head == "plus":
            first, *rest = total.arguments
            others = rest[0] if len(rest) == 1 else Apply("plus", tuple(rest), total.span)
            return first, Apply("negate", (others,), total.span)
    return left, right


def _pair(comparisons: list[Comparison]) -> list[Comparison]:
    """Where only one side of an equation has a \\pm, one of the two signs is claimed, not both."""
    half = len(comparisons) // 2
    result: list[Comparison] = []
    for upper, lower in zip(comparisons[:half], comparisons[half:], strict=True):
        left, right = _alike(upper.left, lower.left), _alike(upper.right, lower.right)
        if left and right:
            result.append(upper)
        elif (left or right) and upper.operator == "=":
            result.append(Comparison("=", upper.left, upper.right, upper.tolerance, (lower.left, lower.right)))
        else:
            result += [upper, lower]
    return result


def _alike(left: Expression, right: Expression) -> bool:
    return left == right


_VARIABLE_WORDS = ("variable", "parameter", "integer", "real", "complex", "modulus", "base", "nome", "degree", "order",
                   "argument", "constant", "angle", "positive", "number", "coordinate", "nonnegative", "non-negative")  # fmt: skip
_DEFINED_WORDS = ("change of", "coefficient", "function", "solution", "small", "expansion", "point", "null space", "zero",
                  "root of", "remainder", "arbitrary small", "large", "local", "matrix", "lattice", "vector", "locally")  # fmt: skip


def is_variable(meaning: str) -> bool:
    """Whether a described symbol is free to take values."""
    text = meaning.lower()
    if "’s constant" in text or "'s constant" in text or "catalan" in text:
        return False
    return any(word in text for word in _VARIABLE_WORDS) and not any(word in text for word in _DEFINED_WORDS)


def _refuse_definitions(comparisons: list[Comparison], known: Mapping[str, str]) -> None:
    """An equation whose one side is a bare name that the other side does not use defines that name."""
    for comparison in comparisons:
        if comparison.operator not in ("=", "==="):
            continue
        for side, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
            if isinstance(side, Symbol) and side.name not in free_symbols(other) and not isinstance(other, Number):
                raise Uncheckable(f"defines or relates {side.name}")
            power = side.arguments[0] if isinstance(side, Apply) and side.head == "power" else side
            if isinstance(power, Symbol) and not known.get(power.name):
                raise Uncheckable(f"fixes {power.name}")


def _refuse_unknown(node: Expression) -> None:
    for part in walk(node):
        if isinstance(part, Unknown):
            raise Uncheckable("contains an unknown function")
        if isinstance(part, Indexed):
            raise Uncheckable(f"{part.base} with an index is defined elsewhere")
        if isinstance(part, Dots):
            raise Uncheckable("contains dots")
        if isinstance(part, Function):
            raise Uncheckable(f"{part.head} stands without its variable")
        if isinstance(part, Apply) and part.head in (r"\bigO", r"\littleo"):
            raise Uncheckable("an asymptotic statement")
        if isinstance(part, Apply) and part.head == "times" and _one_sided(part):
            raise Uncheckable("a value on one side of a branch cut")
        if isinstance(part, Integral) and part.lower is None and part.domain is None:
            raise Uncheckable("contains an indefinite integral")
        if isinstance(part, Derivative) and isinstance(part.body, Symbol):
            raise Uncheckable("contains an unknown function")
        if isinstance(part, Symbol) and part.name.endswith("''"):
            raise Uncheckable("contains an unknown function")
        if isinstance(part, Symbol) and (part.name.startswith((r"\mathbf", r"\boldsymbol", r"\nabla", r"\mathcal"))):
            raise Uncheckable(f"{part.name} is no number")


def _one_sided(node: Apply) -> bool:
    """`x+i0`: the limit from above the cut."""
    names = [part.name if isinstance(part, Constant) else getattr(part, "value", "") for part in node.arguments]
    return names == ["i", "0"]


def conditions_of(texts: list[str]) -> Conditions:
    """Read constraints; what is not understood is kept in `ignored`."""
    conditions = Conditions()
    for text in texts:
        for piece in text.replace("$,$", ",").replace("$", "").split(r"\quad"):
            if not piece.strip(" ,."):
                continue
            try:
                for statement in read(piece).statements:
                    _take(conditions, statement, piece)
            except FormulaError:
                conditions.ignored.append(piece)
    return conditions


def _take(conditions: Conditions, statement: Expression, text: str) -> None:
    if not isinstance(statement, Relation):
        conditions.ignored.append(text)
        return
    for operator, left, right in zip(statement.operators, statement.operands, statement.operands[1:], strict=False):
        if operator == "=" and isinstance(left, Symbol):
            _take_equation(conditions, left.name, right, text)
        elif operator == "in" and isinstance(left, Symbol) and isinstance(right, Constant):
            kind = {"integers": "integer", "reals": "real", "complexes": "complex", "naturals": "integer",
                    "nonnegative": "integer"}.get(right.name)  # fmt: skip
            if kind is None:
                conditions.ignored.append(text)
            else:
                conditions.kinds[left.name] = kind
                if right.name in ("naturals", "nonnegative"):
                    conditions.least[left.name] = 1 if right.name == "naturals" else 0
        elif operator == "in" and isinstance(right, Interval):
            conditions.tests.append(_inside(left, right))
        elif operator == "in" and isinstance(right, Apply) and right.head == "setminus":
            conditions.tests.append(Relation(("!=",), (left, Number("0"))))
            if isinstance(right.arguments[1], Interval):
                conditions.tests.append(Apply("not", (_inside(left, right.arguments[1]),)))
        elif operator in ("<", ">", "<=", ">=", "!=", "="):
            if isinstance(right, Sequence):
                if operator == "!=":
                    values = [v for v in right.items if not isinstance(v, Dots)]
                    conditions.tests.extend(Relation(("!=",), (left, value)) for value in values)
                    if len(values) < len(right.items):  # the poles go on in the same way
                        conditions.tests.append(Apply("noninteger", (left, *values)))
                elif operator == "=" and any(isinstance(v, Dots) for v in right.items):
                    conditions.tests.append(Apply("integral", (left,)))
                else:
                    conditions.ignored.append(text)
            else:
                conditions.tests.append(Relation((operator,), (left, right)))
        elif operator == "->":
            conditions.ignored.append(text)
        elif operator == "notin" and isinstance(right, Constant) and right.name == "integers":
            conditions.tests.append(Apply("noninteger", (left,)))
        else:
            conditions.ignored.append(text)


def _inside(value: Expression, interval: Interval) -> Expression:
    low = "<=" if interval.closed_lower else "<"
    high = "<=" if interval.closed_upper else "<"
    return Relation((low, high), (interval.lower, value, interval.upper))


def _take_equation(conditions: Conditions, name: str, right: Expression, text: str) -> None:
    if isinstance(right, Sequence):
        numbers = [v for v in right.items if not isinstance(v, Dots)]
        if len(numbers) < len(right.items):
            first = numbers[0] if numbers else None
            conditions.kinds[name] = "integer"
            if isinstance(first, Number):
                conditions.least[name] = int(float(first.value))
            elif first is not None and not (isinstance(first, Apply) and first.head == "negate"):
                conditions.tests.append(Relation((">=",), (Symbol(name), first)))
            last = right.items[-1]
            if not isinstance(last, Dots):
                conditions.tests.append(Relation(("<=",), (Symbol(name), last)))
        elif all(_is_plain(number) for number in numbers):
            conditions.choices[name] = tuple(numbers)
        else:
            conditions.ignored.append(text)
    elif name in free_symbols(right):
        conditions.ignored.append(text)
    else:
        conditions.defined[name] = right


def _is_plain(node: Expression) -> bool:
    """Whether a value is written with digits alone."""
    if isinstance(node, Apply):
        return node.head in ("negate", "divide") and all(_is_plain(part) for part in node.arguments)
    return isinstance(node, Number)


def is_condition(claim: Claim) -> bool:
    """A relation without functions whose sides have different variables: to be fulfilled, no identity.

    `x+y=2a` and `0<u<1/6` restrict their variables; `(a+b)^{2}=a^{2}+b^{2}` claims to hold for all.
    """
    if claim.macros or not claim.variables:
        return False
    for comparison in claim.comparisons:
        if any(isinstance(n, Series | Integral | Limit) for side in (comparison.left, comparison.right) for n in walk(side)):
            return False
    return any(set(free_symbols(c.left)) != set(free_symbols(c.right)) for c in claim.comparisons)


def customary_definitions(claim: Claim) -> list[dict[str, Expression]]:
    """Meanings that letters often have beside each other, to be tried where the letters alone fail."""
    names = set(claim.variables)
    x, y, r, theta, k, i = Symbol("x"), Symbol("y"), Symbol("r"), Symbol(r"\theta"), Symbol("k"), Constant("i")
    found: list[dict[str, Expression]] = []
    for z in ("z", "s"):
        if z in names and {"x", "y"} <= names:
            found.append({z: Apply("plus", (x, Apply("times", (i, y))))})
    if "z" in names and {"r", r"\theta"} <= names:
        found.append({"z": Apply("times", (r, Apply("power", (Constant("e"), Apply("times", (i, theta))))))})
    if "s" in names and {r"\sigma", "t"} <= names:
        found.append({"s": Apply("plus", (Symbol(r"\sigma"), Apply("times", (i, Symbol("t")))))})
    if "x" in names and r"\theta" in names:
        found.append({"x": Apply(r"\cos", (theta,))})
    if "k" in names:
        quarter = Apply(r"\compellintKk", (k,))
        other = Apply(r"\ccompellintKk", (k,))
        values: dict[str, Expression] = {"K": quarter, "K'": other, "E": Apply(r"\compellintEk", (k,)),
                                         "E'": Apply(r"\ccompellintEk", (k,))}  # fmt: skip
        nome = Apply("negate", (Apply("divide", (Apply("times", (Constant("pi"), other)), quarter)),))
        values["q"] = Apply("power", (Constant("e"), nome))
        values |= {r"\tau": Apply("divide", (Apply("times", (i, other)), quarter))}
        if names & set(values):
            found.append({name: value for name, value in values.items() if name in names})
    if "q" in names and r"\tau" in names:
        found.append({"q": Apply("power", (Constant("e"), Apply("times", (i, Constant("pi"), Symbol(r"\tau")))))})
    return found


def standing_definitions(claim: Claim) -> dict[str, Expression]:
    """What the DLMF fixes once for a chapter: k' = sqrt(1-k²) beside elliptic functions."""
    found: dict[str, Expression] = {}
    if "k'" in claim.variables and "k" in claim.variables or any("ell" in m for m in claim.macros):
        if "k'" in claim.variables and any(part in m for m in claim.macros for part in _ELLIPTIC):
            k = Symbol("k")
            square = Apply("power", (k, Number("2")))
            found["k'"] = Apply("sqrt", (Apply("plus", (Number("1"), Apply("negate", (square,)))),))
    return found


