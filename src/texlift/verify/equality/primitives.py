"""Antiderivatives: `x^2+C` is every function that differs from x^2 by a constant."""

from __future__ import annotations

import re
from itertools import permutations

from texlift.meaning.tree import Apply, Expression, Integral, Number, Symbol, free_symbols, substitute, walk
from texlift.verify.balls import NoBallError
from texlift.verify.equality.differentiation import derivative
from texlift.verify.equality.polynomial import bare
from texlift.verify.equality.result import Equality, different, equal_because, undecided
from texlift.verify.equality.scalars import same_values
from texlift.verify.equality.setting import Setting

__all__ = ["constant_of", "same_primitives", "same_up_to_constants"]

_ARBITRARY = re.compile(r"C|[CcKkAB]_\{\d\}|\\mathrm\{C\}")

_MOST = 3  # constants that are given other names
_CERTAIN = frozenset({"C", r"\mathrm{C}", r"\mathrm{const}", r"\mathrm{constant}"})
_CUSTOMARY = _CERTAIN | {"c", "K", "k", "D", "C_{1}", "C_{0}", r"\mathrm{c}", r"\mathrm{K}"}


def constant_of(node: Expression) -> str:
    """The constant of integration: a customary letter that is added and stands nowhere else; else nothing."""
    if not isinstance(node, Apply) or node.head != "plus":
        return ""
    for term in node.arguments:
        inner = term.arguments[0] if isinstance(term, Apply) and term.head == "negate" else term
        if isinstance(inner, Symbol) and inner.name in _CUSTOMARY:
            uses = sum(isinstance(part, Symbol) and part.name == inner.name for part in walk(node))
            if uses == 1 and len(free_symbols(node)) > 1:
                return inner.name
    return ""


def same_primitives(a: Expression, b: Expression, setting: Setting) -> Equality | None:
    """Compare two families of antiderivatives; None where they are none."""
    one, other = _integral(a), _integral(b)
    if one is not None and other is not None:
        if one.variable == other.variable or _name(one) == _name(other):
            found = same_values(one.body, other.body, setting)
            return equal_because("the same integrand") if found.verdict == "equal" else found
        return None
    if one is not None:
        return _differentiated(one, b, setting)
    if other is not None:
        return _differentiated(other, a, setting)
    names = constant_of(a), constant_of(b)
    if not (names[0] and names[1]):
        return None
    bodies = [substitute(node, {name: Number("0")}) for node, name in zip((a, b), names, strict=True)]
    gap = bare(Apply("plus", (bodies[0], Apply("negate", (bodies[1],)))))
    found = _constant(gap, setting)
    if found.verdict == "equal":
        certain = names[0] != names[1] or set(names) <= _CERTAIN
        if same_values(bodies[0], bodies[1], setting).verdict == "equal":
            return equal_because(
                "the same antiderivative" + ("" if names[0] == names[1] else ", constants named apart")
            )
        if not certain:
            return undecided(f"equal if {names[0]} is a constant of integration")
        return equal_because("antiderivatives that differ by a constant")
    return found


def _integral(node: Expression) -> Integral | None:
    """An indefinite integral, perhaps with a constant added."""
    if isinstance(node, Integral) and node.lower is None and node.upper is None and node.domain is None:
        return node
    return None


def _name(node: Integral) -> str:
    return node.variable.name if isinstance(node.variable, Symbol) else ""


def _differentiated(integral: Integral, other: Expression, setting: Setting) -> Equality:
    name = _name(integral)
    try:
        slope = derivative(other, name)
    except NoBallError as error:
        return undecided(str(error))
    found = same_values(slope, integral.body, setting)
    if found.verdict != "equal":
        return found
    if constant_of(other):
        return equal_because("its derivative is the integrand")
    return undecided("its derivative is the integrand, but the constant of integration is missing")


def _constant(gap: Expression, setting: Setting) -> Equality:
    """Whether an expression is the same number everywhere."""
    names = list(free_symbols(gap))
    if not names:
        return equal_because("a constant")
    last = undecided("no value could be computed")
    for point in setting.points((gap, gap), 30):
        values = {name: point[name].exact for name in names if name in point}
        if len(values) < len(names) or any(value is None for value in values.values()):
            continue
        put: dict[str, Expression] = {}
        for name, value in values.items():
            assert value is not None
            number: Expression = Number(str(abs(value.numerator)))
            if value.denominator != 1:
                number = Apply("divide", (number, Number(str(value.denominator))))
            put[name] = Apply("negate", (number,)) if value < 0 else number
        last = same_values(gap, substitute(gap, put), setting)
        if last.verdict == "equal":
            return last
        if last.verdict == "different":
            if _locally_constant(gap, setting):
                return undecided("they differ by a constant, but not by the same everywhere")
            return different("the antiderivatives do not differ by a constant", last.counterexample)
    return last


def _locally_constant(gap: Expression, setting: Setting) -> bool:
    """Whether the derivative by each letter is zero."""
    try:
        slopes = [derivative(gap, name) for name in free_symbols(gap)]
    except NoBallError:
        return True  # not known to be otherwise
    return all(same_values(slope, Number("0"), setting).verdict != "different" for slope in slopes)


def same_up_to_constants(a: Expression, b: Expression, setting: Setting) -> Equality | None:
    """Solutions of differential equations: arbitrary constants may have other names or hold a factor."""
    letters = [set(free_symbols(node)) for node in (a, b)]
    own = sorted(letters[0] - letters[1]), sorted(letters[1] - letters[0])
    named = own[0] and len(own[0]) == len(own[1]) <= _MOST and any(all(map(_is_arbitrary, one)) for one in own)
    if named and _renamed(a, own[0], b, own[1], setting):
        return equal_because("the same up to the names of arbitrary constants")
    names = [sorted(filter(_is_arbitrary, one)) for one in letters]
    if not names[0] or not names[1] or len(names[0]) != len(names[1]) or len(names[0]) > _MOST:
        return None
    if _renamed(a, names[0], b, names[1], setting):
        return equal_because("the same up to the names of arbitrary constants")
    one = Number("1")
    fixed = [substitute(node, dict.fromkeys(known, one)) for node, known in zip((a, b), names, strict=True)]
    if len(names[0]) == 1 and _constant(Apply("divide", (fixed[0], fixed[1])), setting).verdict == "different":
        return None
    return undecided("formulae with arbitrary constants, which may stand for one another")


def _is_arbitrary(name: str) -> bool:
    return _ARBITRARY.fullmatch(name) is not None


def _renamed(a: Expression, mine: list[str], b: Expression, theirs: list[str], setting: Setting) -> bool:
    """Whether the sides are the same with letters of one named as in the other."""
    for order in permutations(theirs):
        names: dict[str, Expression] = {old: Symbol(new) for old, new in zip(order, mine, strict=True)}
        if same_values(a, substitute(b, names), setting).is_equal:
            return True
    return False
