"""Conditions on letters: inequalities, systems of equations, anything joined by and, or, not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import flint

from texlift.meaning.tree import Apply, Expression, Number, Relation, Symbol
from texlift.verify.balls import NoBallError
from texlift.verify.equality.equations import difference, factors_of, letters_of, same_equations, solved_for
from texlift.verify.equality.evaluation import Evaluator, UndefinedError
from texlift.verify.equality.numerals import point_values
from texlift.verify.equality.polynomial import Quotient, TooLargeError, bare, quotient, quotients
from texlift.verify.equality.realsets import NoRealSetError, compare
from texlift.verify.equality.regions import real_set
from texlift.verify.equality.result import Equality, different, equal_because, undecided
from texlift.verify.equality.scalars import shown_letters
from texlift.verify.equality.setting import Setting
from texlift.verify.exact import NotExactError, exact_value
from texlift.verify.values import Value

__all__ = ["same_conditions", "same_systems"]

_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
_POINTS = 60


def same_conditions(a: Expression, b: Expression, setting: Setting) -> Equality:
    """Two conditions on letters: relations, or several joined by and, or, not."""
    a, b = _as_product(a), _as_product(b)
    names = letters_of(a, b)
    if len(names) == 1:
        try:
            found = compare(real_set(a, names[0]), real_set(b, names[0]))
            if found.verdict == "different" or not _is_equation(a) or not _is_equation(b):
                return found
            return _over_reals(found, a, b, names[0])
        except NoRealSetError:
            pass
    if _is_equation(a) and _is_equation(b):
        return same_equations(_difference(a), _difference(b), setting)
    single = isinstance(a, Relation) and isinstance(b, Relation) and len(a.operators) == len(b.operators) == 1
    if single:
        same = _same_inequalities(a, b)  # type: ignore[arg-type]
        if same is not None:
            return same
    systems = [_equations(node) for node in (a, b)]
    if systems[0] is not None and systems[1] is not None:
        same = same_systems(systems[0], systems[1])
        if same is not None:
            return same
    apart = _told_apart(a, b, setting)
    return undecided("no reason was found why the conditions say the same") if apart is None else apart


def _is_equation(node: Expression) -> bool:
    return isinstance(node, Relation) and node.operators == ("=",)


def _as_product(node: Expression) -> Expression:
    """`x=0 or y=0` as `xy=0`."""
    if not isinstance(node, Apply) or node.head != "or" or not all(_is_equation(part) for part in node.arguments):
        return node
    return Relation(("=",), (Apply("times", tuple(_difference(part) for part in node.arguments)), Number("0")))


def _difference(node: Expression) -> Expression:
    assert isinstance(node, Relation)
    return difference(node)


def _over_reals(found: Equality, a: Expression, b: Expression, name: str) -> Equality:
    """Equations with the same real solutions; if there are none, complex ones decide."""
    try:
        p, q = (quotient(_difference(node)) for node in (a, b))
    except (TooLargeError, ZeroDivisionError):
        return found
    if p.has_functions or q.has_functions or factors_of(p.above) == factors_of(q.above):
        return equal_because("equations with the same solutions")
    if any(real_set(a, name).inside):
        return equal_because("the same real solutions")
    return different(
        "no real solutions, and different complex ones", {"point": {}, "a": str(p.above), "b": str(q.above)}
    )


def _equations(node: Expression) -> list[Expression] | None:
    """Left minus right of the equations of a system."""
    parts = node.arguments if isinstance(node, Apply) and node.head == "and" else (node,)
    if any(not isinstance(part, Relation) or set(part.operators) != {"="} for part in parts):
        return None
    return [
        bare(Apply("plus", (left, Apply("negate", (right,)))))
        for part in parts
        if isinstance(part, Relation)
        for _, left, right in part.links
    ]


def same_systems(a: Sequence[Expression], b: Sequence[Expression]) -> Equality | None:
    """Two systems of linear equations by their reduced forms; None where they are not linear."""
    try:
        found = quotients([*a, *b])
    except (TooLargeError, ZeroDivisionError):
        return None
    kernels = found[0].kernels
    if any(not isinstance(kernel, Symbol) for kernel in kernels):
        return None
    rows = []
    for one in found:
        if not one.below.is_constant() or (not one.above.is_zero() and one.above.total_degree() > 1):
            return None
        row = [flint.fmpq(0)] * (len(kernels) + 1)
        for exponents, coefficient in one.above.to_dict().items():
            place = next((i for i, exponent in enumerate(exponents) if exponent), len(kernels))
            row[place] = coefficient
        rows.append(row)
    first, second = (_reduced(part, len(kernels)) for part in (rows[: len(a)], rows[len(a) :]))
    if first is None or second is None:
        if first is None and second is None:
            return equal_because("neither system has a solution")
        return different(
            "only one of the systems has a solution", {"point": {}, "a": _system(first), "b": _system(second)}
        )
    if first == second:
        return equal_because("the same solutions of the linear system")
    return different("the systems have different solutions", {"point": {}, "a": str(first), "b": str(second)})


def _system(reduced: Any) -> str:
    return "no solution" if reduced is None else "solutions"


def _reduced(rows: list[list[Any]], letters: int) -> list[list[str]] | None:
    """The reduced row echelon form without zero rows; None where it has no solution."""
    reduced, rank = flint.fmpq_mat(rows).rref()
    table = [[str(cell) for cell in row] for row in reduced.tolist()[:rank]]
    if any(all(cell == "0" for cell in row[:letters]) for row in table):
        return None
    return table


def _same_inequalities(a: Relation, b: Relation) -> Equality | None:
    """f<0 and c f<0 for a positive number c, or f>0 for a negative one."""
    operators = a.operators[0], b.operators[0]
    if any(operator not in _FLIPPED for operator in operators):
        return None
    try:
        p, q = quotients([difference(a), difference(b)])
    except (TooLargeError, ZeroDivisionError):
        return None
    if p.above.is_zero() or q.above.is_zero() or p.below != q.below:
        return None
    factor = p.above.leading_coefficient() / q.above.leading_coefficient()
    if p.above != q.above * factor:
        return None
    wanted = operators[1] if factor > 0 else _FLIPPED[operators[1]]
    if wanted == operators[0]:
        return equal_because("the same inequality, rearranged")
    return _at_the_edge(p, a, b) if wanted.rstrip("=") == operators[0].rstrip("=") else None


def _at_the_edge(found: Quotient, a: Relation, b: Relation) -> Equality | None:
    """A point where both sides of an inequality are equal: there a strict one fails."""
    degrees = found.above.degrees()
    for place, kernel in enumerate(found.kernels):
        if degrees[place] != 1 or not isinstance(kernel, Symbol):
            continue
        if any(isinstance(k, Symbol) is False for k in found.kernels):
            return None
        solution = solved_for(found.above, found.kernels, place)
        others = [k.name for k in found.kernels if isinstance(k, Symbol) and k.name != kernel.name]
        for number in (1, 2, -1, 0):
            values = {name: Fraction(number) for name in others}
            try:
                values[kernel.name] = exact_value(solution, values)
                point = {name: Value(value) for name, value in values.items()}
                first, second = (Evaluator(point_values(point)).holds(node) for node in (a, b))
            except (NotExactError, ZeroDivisionError, NoBallError, UndefinedError):
                continue
            if first != second:
                example = {"point": shown_letters(point), "a": _truth(first), "b": _truth(second)}
                return different("only one of the inequalities holds where both sides are equal", example)
    return None


def _told_apart(a: Expression, b: Expression, setting: Setting) -> Equality | None:
    """A point at which one condition holds and the other does not."""
    for point in setting.points((a, b), _POINTS):
        setting.checked()
        values = point_values(point)
        try:
            first, second = Evaluator(values).holds(a), Evaluator(values).holds(b)
        except (NoBallError, UndefinedError):
            continue
        if first != second:
            example = {"point": shown_letters(point), "a": _truth(first), "b": _truth(second)}
            return different("only one of the conditions holds", example)
    return None


def _truth(value: bool) -> str:
    return "holds" if value else "fails"
