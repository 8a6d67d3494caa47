"""What a formula claims, in a form that can be tested at points: comparisons, constraints, standing definitions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from texlift.meaning.declarations import NOTHING_DECLARED, Declarations
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import (
    Apply,
    Constant,
    Derivative,
    Dots,
    Expression,
    Function,
    Indexed,
    Integral,
    Limit,
    Number,
    Relation,
    Sequence,
    Symbol,
    Unknown,
    free_symbols,
    rebuild,
    walk,
)
from texlift.verify.givens import Given, customary_sequence, givens_among, with_givens
from texlift.verify.letters import AMBIGUOUS, is_variable
from texlift.verify.matrices import entries_of, without_determinants
from texlift.verify.premises import parted

__all__ = [
    "ASYMPTOTIC",
    "Claim",
    "Comparison",
    "UncheckableError",
    "claim_from",
    "claim_of",
    "has_limit",
]

ASYMPTOTIC = "an asymptotic statement"
"""Why a claim about growing arguments is none about points."""

_TESTABLE = frozenset({"=", "===", "<", ">", "<=", ">=", "!=", "mod", "notmod", "divides", "notdivides"})
_JOINTS = frozenset({"and", "or", "not", "iff", "implies"})
_CONGRUENT = re.compile(r"\\(?:pmod|pod|mod)\b")
_ASYMPTOTIC = frozenset({"~", "~~", "->", "<<", ">>", "propto"})


class UncheckableError(Exception):
    """The formula states nothing that numbers could confirm or deny; `str()` says why."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right`."""

    operator: str
    left: Expression
    right: Expression
    tolerance: float = 0.0  # relative; for decimal numbers cut off by dots
    balanced: bool = False  # made from a sum that is 0
    other: tuple[Expression, Expression] | None = None  # an unpaired \\pm: one of the two is meant
    modulus: Expression | None = None  # of a congruence
    rough: bool = False  # "approximately", to the digits shown


@dataclass(frozen=True, slots=True)
class Claim:
    """All comparisons a formula makes, its free variables by TeX name, and the conditions it states itself."""

    comparisons: tuple[Comparison, ...]
    variables: tuple[str, ...]
    macros: frozenset[str]
    premises: tuple[Expression, ...] = ()
    remark: str = ""  # a meaning of letters that is only customary


def claim_of(
    source: str,
    known: Mapping[str, str] | None = None,
    declared: Declarations = NOTHING_DECLARED,
    beside: Iterable[Given] = (),
    bound: bool = False,
) -> Claim:
    """Read a formula as a claim. Raises UncheckableError with the reason where it makes none.

    `known` maps symbols to what they are, as far as somebody said; a symbol said to be something else than a
    variable or constant is defined elsewhere, and the formula cannot be tested alone. `beside` are definitions that
    stand beside the formula; letters that a quantifier has `bound` are not defined by an equation.
    """
    reading = read(source, declared=declared)
    comparisons: list[Comparison] = []
    half = len(reading.statements) // 2 if reading.split else 0
    premises, statements, remark = _with_definitions(*parted(reading), tuple(beside))
    for statement in statements:
        if isinstance(statement, Apply) and statement.head in _JOINTS:
            raise UncheckableError(f"statements joined by {statement.head}")
        if isinstance(statement, Relation):
            comparisons += _comparisons(statement, source)
    if half and "selection" not in source:
        comparisons = _pair(comparisons)
    if not comparisons:
        raise UncheckableError("states no equation or inequality")
    for comparison in comparisons:
        _refuse_unknown(comparison.left)
        _refuse_unknown(comparison.right)
    if not bound and not any(isinstance(premise, Relation) and "=" in premise.operators for premise in premises):
        _refuse_definitions(comparisons, known or {})
    claim = claim_from(comparisons, source)
    for name in claim.variables:
        meaning = (known or {}).get(name, "")
        if meaning and not is_variable(meaning):
            raise UncheckableError(f"{name} is defined elsewhere ({meaning})")
    return replace(claim, premises=tuple(premises), remark=remark)


def claim_from(comparisons: list[Comparison], source: str, relation: Relation | None = None) -> Claim:
    """The claim that comparisons make, or those of a relation."""
    if relation is not None:
        comparisons = _comparisons(relation, source)
    for comparison in comparisons:
        _refuse_unknown(comparison.left)
        _refuse_unknown(comparison.right)
    variables: dict[str, None] = {}
    macros: set[str] = set()
    for comparison in comparisons:
        for side in (comparison.left, comparison.right, comparison.modulus or comparison.left):
            variables.update(dict.fromkeys(free_symbols(side)))
            macros.update(node.head for node in walk(side) if isinstance(node, Apply) and node.head[0] == "\\")
    return Claim(tuple(comparisons), tuple(variables), frozenset(macros))


def _comparisons(statement: Relation, source: str) -> list[Comparison]:
    """What a relation compares."""
    comparisons: list[Comparison] = []
    statement, modulus = _modulus(statement, source)
    for operator, left, right in statement.links:
        if operator in _ASYMPTOTIC:
            raise UncheckableError(ASYMPTOTIC)
        if operator not in _TESTABLE and operator != "approx":
            raise UncheckableError(f"the relation {operator} is not numeric")
        if modulus is not None:
            kind = "notmod" if operator == "notmod" else "mod"
            comparisons.append(Comparison(kind, left, right, modulus=modulus))
            continue
        if operator in ("mod", "notmod"):
            raise UncheckableError("a congruence without its modulus")
        if operator == "approx":
            comparisons.append(_approximation(left, right))
            continue
        entries = (_items_of(left, right) or entries_of(left, right)) if operator == "=" else None
        if entries is not None:
            comparisons += [Comparison("=", *pair) for pair in entries]
            continue
        left, right = without_determinants(left), without_determinants(right)
        sides = _balanced(*_differentiated(left, right)) if operator == "=" else _balanced(left, right)
        balanced = sides[0] is not left and not _is_primitive(left) and not _is_primitive(right)
        comparisons.append(Comparison(operator, *sides, _tolerance(left, right), balanced))
        if any(_two_sided(node) for side in sides for node in walk(side)):
            comparisons.append(Comparison(operator, _from_below(sides[0]), _from_below(sides[1])))
    return comparisons


def _items_of(left: Expression, right: Expression) -> list[tuple[Expression, Expression]] | None:
    """The items of two tuples of one length, in pairs."""
    if not (isinstance(left, Sequence) and isinstance(right, Sequence)) or {left.kind, right.kind} != {"tuple"}:
        return None
    if len(left.items) != len(right.items) or any(isinstance(part, Dots) for part in (*left.items, *right.items)):
        return None
    return list(zip(left.items, right.items, strict=True))


def _with_definitions(
    premises: list[Expression], statements: list[Expression], beside: tuple[Given, ...]
) -> tuple[list[Expression], list[Expression], str]:
    """Premises and statements with the definitions among them put in, and which customary meaning was assumed."""
    found, rest = givens_among([*statements, *premises])
    givens = [*beside, *found]
    premises = [with_givens(premise, givens) for premise in premises if premise in rest]
    statements = [with_givens(statement, givens) for statement in statements if statement in rest]
    customary, remark = customary_sequence(statements)
    if customary:
        statements = [with_givens(statement, customary) for statement in statements]
    return premises, statements, remark


def _is_primitive(node: Expression) -> bool:
    return isinstance(node, Integral) and node.lower is None and node.upper is None and node.domain is None


def _differentiated(left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """An indefinite integral and its value as the integrand and the derivative of the value."""
    for one, other in ((left, right), (right, left)):
        if not (isinstance(one, Integral) and _is_primitive(one) and one.kind == "int"):
            continue
        if any(isinstance(part, Integral) and _is_primitive(part) for part in (*walk(other), *walk(one.body))):
            continue
        return one.body, Derivative(other, ((one.variable, Number("1")),), other.span)
    return left, right


def _approximation(left: Expression, right: Expression) -> Comparison:
    """`\\pi\\approx 3.14`: equal up to half a unit of the last digit."""
    number = right.arguments[0] if isinstance(right, Apply) and right.head == "negate" else right
    if not isinstance(number, Number) or "." not in number.value or not float(number.value):
        raise UncheckableError("an approximation to an unknown number of digits")
    unit = 10.0 ** -len(number.value.partition(".")[2])
    return Comparison("=", left, right, 0.5001 * unit / float(number.value), rough=True)


def _two_sided(node: Expression) -> bool:
    """A limit at a finite point, which is to be the same from both sides."""
    infinite = isinstance(node, Limit) and any(
        isinstance(part, Constant) and part.name == "infinity" for part in walk(node.point)
    )
    return isinstance(node, Limit) and not node.direction and not infinite


def _from_below(node: Expression) -> Expression:
    node = rebuild(node, _from_below)
    return replace(node, direction="-") if isinstance(node, Limit) and _two_sided(node) else node


def _modulus(statement: Relation, source: str) -> tuple[Relation, Expression | None]:
    """A congruence without its `\\pmod{m}`, and m, which holds for the whole chain.

    `7\\bmod 3=1` is no congruence but states a remainder.
    """
    signs = set(statement.operators)
    if not (signs <= {"mod", "notmod", "==="} or (signs <= {"mod", "===", "="} and _CONGRUENT.search(source))):
        return statement, None
    modulus: Expression | None = None
    operands: list[Expression] = []
    for operand in statement.operands:
        if isinstance(operand, Apply) and operand.head == "modulo":
            operand, modulus = operand.arguments
        operands.append(operand)
    if modulus is None:
        return statement, None
    return Relation(statement.operators, tuple(operands), statement.span), modulus


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
    """`a+b+c=0` as a=-(b+c), `0<a+b` as -b<a: two sides that vanish would say nothing about their size."""
    for zero, total in ((right, left), (left, right)):
        if isinstance(zero, Number) and zero.value == "0" and isinstance(total, Apply) and total.head == "plus":
            first, *rest = total.arguments
            others = rest[0] if len(rest) == 1 else Apply("plus", tuple(rest), total.span)
            moved = Apply("negate", (others,), total.span)
            return (first, moved) if zero is right else (moved, first)
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
            result.append(Comparison("=", upper.left, upper.right, upper.tolerance, False, (lower.left, lower.right)))
        else:
            result += [upper, lower]
    return result


def _alike(left: Expression, right: Expression) -> bool:
    return left == right


def _refuse_definitions(comparisons: list[Comparison], known: Mapping[str, str]) -> None:
    """An equation whose one side is a bare name that the other side does not use defines that name."""
    for comparison in comparisons:
        if comparison.operator not in ("=", "==="):
            continue
        for side, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
            squared = isinstance(side, Apply) and side.head == "power" and isinstance(side.arguments[1], Number)
            name = side.arguments[0] if isinstance(side, Apply) and squared else side
            if not isinstance(name, Symbol) or name.name in free_symbols(other) or name.name in AMBIGUOUS:
                continue
            if name is side or not known.get(name.name):
                raise UncheckableError(f"defines or relates {name.name}")


def _refuse_unknown(node: Expression) -> None:
    for part in walk(node):
        if isinstance(part, Unknown):
            raise UncheckableError("contains an unknown function")
        if isinstance(part, Indexed):
            raise UncheckableError(f"{part.base} with an index is defined elsewhere")
        if isinstance(part, Dots):
            raise UncheckableError("contains dots")
        if isinstance(part, Function):
            raise UncheckableError(f"{part.head} stands without its variable")
        if isinstance(part, Apply) and part.head in (r"\bigO", r"\littleo"):
            raise UncheckableError(ASYMPTOTIC)
        if isinstance(part, Apply) and part.head == "times" and _one_sided(part):
            raise UncheckableError("a value on one side of a branch cut")
        if isinstance(part, Integral) and part.lower is None and part.domain is None:
            raise UncheckableError("contains an indefinite integral")
        if isinstance(part, Derivative) and isinstance(part.body, Symbol):
            raise UncheckableError("contains an unknown function")
        if isinstance(part, Symbol) and part.name.endswith("''"):
            raise UncheckableError("contains an unknown function")
        if isinstance(part, Symbol) and (part.name.startswith((r"\mathbf", r"\boldsymbol", r"\nabla", r"\mathcal"))):
            raise UncheckableError(f"{part.name} is no number")


def _one_sided(node: Apply) -> bool:
    """`x+i0`: the limit from above the cut."""
    names = [part.name if isinstance(part, Constant) else getattr(part, "value", "") for part in node.arguments]
    return names == ["i", "0"]


def has_limit(claim: Claim) -> bool:
    """Whether a side has a limit, which numbers only approach."""
    return any(isinstance(node, Limit) for c in claim.comparisons for side in (c.left, c.right) for node in walk(side))
