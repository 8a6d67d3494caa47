"""Equations and inequalities as what they say: the points at which they hold.

Equal where the zeros are the same for a reason that can be named (the same factors, a system with the same reduced
form); different where a point satisfies one and, proven by balls, not the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import flint

from texlift.meaning.tree import Apply, Expression, Number, Relation, Symbol, free_symbols, substitute
from texlift.verify.balls import NoBallError
from texlift.verify.equality.evaluation import Evaluator, UndefinedError, shown_ball
from texlift.verify.equality.numerals import point_values
from texlift.verify.equality.polynomial import Quotient, TooLargeError, bare, quotient, quotients
from texlift.verify.equality.realsets import NoRealSetError, compare
from texlift.verify.equality.regions import real_roots, real_set
from texlift.verify.equality.result import Equality, different, equal_because, undecided
from texlift.verify.equality.scalars import same_values, shown_letters
from texlift.verify.equality.setting import Setting
from texlift.verify.values import Value

__all__ = ["difference", "factors_of", "letters_of", "same_equations", "same_roots", "solved_for"]

_ZERO = Number("0")
_MOST_TERMS = 80
_MOST_DEGREE = 40
_UNKNOWN = "no reason was found why the equations have the same solutions, and no point where they differ"


def difference(relation: Relation) -> Expression:
    """Left minus right of a single relation."""
    left, right = relation.operands
    return bare(Apply("plus", (left, Apply("negate", (right,)))))


def letters_of(*nodes: Expression) -> list[str]:
    return list(dict.fromkeys(name for node in nodes for name in free_symbols(node)))


def factors_of(polynomial: Any) -> frozenset[str]:
    """The irreducible factors of a polynomial, each once."""
    if polynomial.is_zero():
        return frozenset({"0"})
    return frozenset(str(factor / factor.leading_coefficient()) for factor, _ in _factored(polynomial))


def _factored(polynomial: Any) -> list[tuple[Any, int]]:
    """The irreducible factors of a polynomial; TooLargeError where finding them could take long."""
    if len(polynomial.coeffs()) > _MOST_TERMS or polynomial.total_degree() > _MOST_DEGREE:
        raise TooLargeError("a polynomial that is too large to factor")
    found: list[tuple[Any, int]] = polynomial.factor()[1]
    return found


# -- one equation ------------------------------------------------------------------------------------------


def same_equations(f: Expression, g: Expression, setting: Setting) -> Equality:
    """Whether f=0 and g=0 have the same solutions."""
    letters = [set(free_symbols(node)) for node in (f, g)]
    if any({"r", r"\theta"} <= one and {"x", "y"} & other for one, other in (letters, letters[::-1])):
        return undecided("polar and Cartesian coordinates")
    try:
        p, q = quotients([f, g])
    except TooLargeError:
        return undecided("equations that are too large to factor")
    except ZeroDivisionError:
        return undecided("a division by zero")
    if factors_of(p.above) == factors_of(q.above):
        lost = _lost(f, g, setting)
        return equal_because("the same equation, rearranged") if lost is None else lost
    implied = []
    for mine, theirs, other, first in ((p, q, g, True), (q, p, f, False)):
        found = _point_of_one(mine, factors_of(theirs.above), other, first, setting)
        if found is not None and found.verdict == "different":
            return found
        implied.append(found is not None)
    if all(implied):
        return equal_because("each equation, solved for a letter, fulfils the other")
    constant = _proportional(f, g, setting)
    return undecided(_UNKNOWN) if constant is None else constant


def _lost(f: Expression, g: Expression, setting: Setting) -> Equality | None:
    """A solution of one equation in one letter at which the other is not defined."""
    names = letters_of(f, g)
    if len(names) != 1:
        return None
    try:
        a, b = (real_set(Relation(("=",), (node, _ZERO)), names[0]) for node in (f, g))
    except NoRealSetError:
        return None
    found = compare(a, b)
    return found if found.verdict == "different" else None


def _point_of_one(
    mine: Quotient, theirs: frozenset[str], other: Expression, first: bool, setting: Setting
) -> Equality | None:
    """A point that satisfies one equation through a factor that the other does not have, and not the other.

    Equal where each such factor, solved for a letter, satisfies the other equation; None where nothing is known.
    """
    if mine.above.is_zero():
        return None
    known = True
    for factor, _ in _factored(mine.above):
        if str(factor / factor.leading_coefficient()) in theirs:
            continue
        found = _solved_for_a_letter(factor, mine.kernels, other, first, setting)
        if found is None:
            found = _on_a_line(factor, mine.kernels, other, first)
        if found is not None and found.verdict == "different":
            return found
        known = known and found is not None
    return equal_because("every solution") if known else None


def _solved_for_a_letter(
    factor: Any, kernels: Sequence[Expression], other: Expression, first: bool, setting: Setting
) -> Equality | None:
    """A factor that is linear in a letter is solved for it, and the solution put into the other equation."""
    degrees = factor.degrees()
    for place, kernel in enumerate(kernels):
        if degrees[place] != 1 or not isinstance(kernel, Symbol):
            continue
        if any(index != place and degrees[index] and kernel.name in free_symbols(k) for index, k in enumerate(kernels)):
            continue
        solution = solved_for(factor, kernels, place)
        put = bare(substitute(other, {kernel.name: solution}))
        verdict = same_values(put, _ZERO, setting)
        if verdict.verdict == "different" and verdict.counterexample is not None:
            where = dict(verdict.counterexample["point"])
            shown = _shown_value(solution, where)
            where[kernel.name] = shown
            return _holds_in_one(where, first, verdict.counterexample["a"])
        if verdict.verdict == "equal":
            return verdict
    return None


def _holds_in_one(point: dict[str, Any], first: bool, gap: Any) -> Equality:
    sides = ("holds", f"left minus right is {gap}")
    return different(
        f"a solution of {'the first' if first else 'the second'} only",
        {"point": point, "a": sides[0 if first else 1], "b": sides[1 if first else 0]},
    )


def _shown_value(node: Expression, point: dict[str, Any]) -> Any:
    try:
        values = {name: Value(Fraction(str(value))) for name, value in point.items()}
        return shown_ball(Evaluator(point_values(values))(node))
    except (NoBallError, UndefinedError, ValueError, ZeroDivisionError):
        return "see the equation"


def solved_for(factor: Any, kernels: Sequence[Expression], place: int) -> Expression:
    """-b/a for a factor a*letter + b."""
    slope: list[Expression] = []
    rest: list[Expression] = []
    for exponents, coefficient in factor.to_dict().items():
        term = [_number(coefficient)]
        for index, exponent in enumerate(exponents):
            if exponent and index != place:
                power = Number(str(int(exponent)))
                term.append(kernels[index] if exponent == 1 else Apply("power", (kernels[index], power)))
        (slope if exponents[place] else rest).append(Apply("times", tuple(term)) if len(term) > 1 else term[0])
    above: Expression = Apply("plus", tuple(rest)) if rest else _ZERO
    return Apply("negate", (Apply("divide", (above, Apply("plus", tuple(slope)))),))


def _number(value: Any) -> Expression:
    above, below = int(value.p), int(value.q)
    number: Expression = Number(str(abs(above)))
    if below != 1:
        number = Apply("divide", (number, Number(str(below))))
    return Apply("negate", (number,)) if above < 0 else number


def _on_a_line(factor: Any, kernels: Sequence[Expression], other: Expression, first: bool) -> Equality | None:
    """Real zeros of a factor, all letters but one fixed at rational numbers."""
    if any(not isinstance(kernel, Symbol) for kernel in kernels):
        return None
    degrees = factor.degrees()
    used = [index for index, degree in enumerate(degrees) if degree]
    for place in used:
        for numbers in ((1, 2, 3), (0, 1, -1), (2, -1, 5), (-3, 1, 2), (Fraction(1, 2), 0, 1)):
            fixed = {index: Fraction(numbers[rank % 3]) for rank, index in enumerate(i for i in used if i != place)}
            found = _root_on_line(factor, kernels, place, fixed, other, first)
            if found is not None:
                return found
    return None


def _root_on_line(
    factor: Any, kernels: Sequence[Expression], place: int, fixed: dict[int, Fraction], other: Expression, first: bool
) -> Equality | None:
    coefficients: dict[int, Fraction] = {}
    for exponents, coefficient in factor.to_dict().items():
        value = Fraction(int(coefficient.p), int(coefficient.q))
        for index, number in fixed.items():
            value *= number ** int(exponents[index])
        power = int(exponents[place])
        coefficients[power] = coefficients.get(power, Fraction(0)) + value
    most = max(coefficients)
    listed = [coefficients.get(power, Fraction(0)) for power in range(most + 1)]
    line = flint.fmpq_poly([flint.fmpq(c.numerator, c.denominator) for c in listed])
    try:
        cuts = real_roots(line)
    except TooLargeError:
        return None
    old = flint.ctx.prec
    try:
        flint.ctx.prec = 256
        for cut in cuts:
            names = [kernel.name if isinstance(kernel, Symbol) else "" for kernel in kernels]
            values = {names[index]: Value(number) for index, number in fixed.items()}
            balls = {**point_values(values), names[place]: flint.acb(cut.at())}
            for name in free_symbols(other):
                balls.setdefault(name, point_values({name: Value(Fraction(1))})[name])
            try:
                gap = Evaluator(balls).number(other)
            except (NoBallError, UndefinedError):
                continue
            if not gap.contains(0):
                shown = {**shown_letters(values), names[place]: str(cut)}
                return _holds_in_one(shown, first, shown_ball(gap))
    finally:
        flint.ctx.prec = old
    return None


def _proportional(f: Expression, g: Expression, setting: Setting) -> Equality | None:
    """Whether f/g is a constant."""
    names = letters_of(f, g)
    ratio = Apply("divide", (f, g))
    for point in setting.points((f, g), 6):
        values = {name: point[name].exact for name in names if name in point}
        if any(value is None for value in values.values()) or len(values) < len(names):
            continue
        put = {name: _fraction(value) for name, value in values.items() if value is not None}
        constant = substitute(ratio, put)
        found = same_values(ratio, constant, setting)
        if found.verdict == "equal":
            return equal_because("the equations differ by a constant factor only")
        if found.verdict == "different":
            return None
    return None


def _fraction(value: Fraction) -> Expression:
    return _number(flint.fmpq(value.numerator, value.denominator))


# -- roots ---------------------------------------------------------------------------------------------------


def same_roots(name: str, values: Sequence[Expression], equation: Expression, setting: Setting) -> Equality:
    """Whether a letter solves an equation (=0) exactly for the values given."""
    for value in values:
        put = same_values(bare(substitute(equation, {name: value})), _ZERO, setting)
        if put.verdict == "different":
            return different("a value that does not solve the equation", put.counterexample)
        if put.verdict == "undecided":
            return put
    try:
        found = quotient(equation)
    except (TooLargeError, ZeroDivisionError):
        return undecided("the values solve the equation, but there may be more solutions")
    place = next((i for i, k in enumerate(found.kernels) if k == Symbol(name)), -1)
    if place < 0 or any(i != place and name in free_symbols(k) for i, k in enumerate(found.kernels)):
        return undecided("the values solve the equation, but there may be more solutions")
    degrees = [int(factor.degrees()[place]) for factor, _ in _factored(found.above)]
    if 0 in degrees:
        return undecided("the values solve the equation, but it holds elsewhere as well")
    degree = sum(degrees)
    distinct = _distinct(values, setting)
    if distinct is None:
        return undecided("values that may be the same")
    if degree == distinct:
        return equal_because("the values are the solutions of the equation")
    if degree < distinct:
        return undecided("more values than the equation has solutions")
    missing = Number(str(degree - distinct))
    factors = [f for f, _ in _factored(found.above)]
    if len(found.kernels) == 1:
        real = sum(len(real_roots(_univariate(f, place))) for f in factors)
        if real <= distinct:
            return undecided("the values are the real solutions, but there are complex ones as well")
    return different(
        f"{missing.value} more solutions of the equation", {"point": {}, "a": str(degree), "b": str(distinct)}
    )


def _univariate(factor: Any, place: int) -> Any:
    from texlift.verify.equality.polynomial import univariate

    return univariate(factor, place)


def _distinct(values: Sequence[Expression], setting: Setting) -> int | None:
    found: list[Expression] = []
    for value in values:
        for known in found:
            verdict = same_values(value, known, setting).verdict
            if verdict == "undecided":
                return None
            if verdict == "equal":
                break
        else:
            found.append(value)
    return len(found)
