"""The solutions for a letter: beside other solutions, a bare value, an equation that they solve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from texlift.meaning.declarations import Declarations
from texlift.meaning.tree import Apply, Expression, Relation, Symbol, free_symbols, substitute
from texlift.meaning.tree import Sequence as Items
from texlift.verify.equality.equations import same_equations, same_roots
from texlift.verify.equality.families import parameter_of, same_families
from texlift.verify.equality.forms import Condition, Solutions, Value
from texlift.verify.equality.lists import MOST_ITEMS, in_any_order, in_order
from texlift.verify.equality.polynomial import bare
from texlift.verify.equality.quantities import same_named, same_quantities, units_in
from texlift.verify.equality.realsets import NoRealSetError, compare
from texlift.verify.equality.regions import real_set
from texlift.verify.equality.result import Equality, different, equal_because, undecided
from texlift.verify.equality.scalars import same_values
from texlift.verify.equality.setting import Setting

__all__ = [
    "bare_value",
    "is_equation",
    "letters_in",
    "measured_segment",
    "same_members",
    "same_solutions",
    "solutions_and_condition",
    "without_name",
]


def without_name(found: Equality, name: str) -> Equality:
    return equal_because(f"{found.reason}; only one of them names {name}") if found.is_equal else found


def same_members(a: Sequence[Expression], b: Sequence[Expression], setting: Setting) -> Equality:
    """Values in any order, or in order where that counts."""
    if len(a) > MOST_ITEMS or len(b) > MOST_ITEMS:
        return undecided("lists of many things")
    join = in_order if setting.options.order else in_any_order
    return join(a, b, lambda one, other: same_quantities(one, other, setting))


def bare_value(a: Solutions, b: Value, setting: Setting) -> Equality:
    """`x=5` and `5`."""
    if b.name and b.name != a.name and not ("(" in b.name and a.name == "y"):
        return undecided(f"values of {a.name} and of {b.name}")
    if b.approximate and len(a.values) == 1:
        return same_named(Value(a.values[0]), Value(b.node, "", True), setting)
    if isinstance(b.node, Symbol) and b.node.name == a.name:
        return undecided("a letter and its value")
    if len(a.values) == 1:
        return without_name(same_quantities(a.values[0], b.node, setting), a.name)
    return without_name(same_members(a.values, (b.node,), setting), a.name)


def same_solutions(a: Solutions, b: Solutions, setting: Setting) -> Equality:
    first, second = parameter_of(a.values, a.parameters), parameter_of(b.values, b.parameters)
    if a.name == b.name and (first or second):
        found = same_families(a.values, first, b.values, second)
        if found is not None:
            return found
    letters = any(letters_in(value) for value in (*a.values, *b.values))
    if a.name == b.name:
        found = same_members(a.values, b.values, setting)
        if found.verdict != "different" or not letters or first or second:
            if found.verdict == "different" and (first or second):
                return undecided("families of solutions that cannot be compared")
            return found
        if all(len(form.values) == 1 for form in (a, b)):
            return found
    if not letters and any(name.isupper() for name in (a.name, b.name)):
        return undecided(f"{a.name} or {b.name} may be a name for the set of solutions")
    if not letters:
        example = {"point": {a.name: "the solution", b.name: "anything"}, "a": "holds", "b": "not implied"}
        return different(f"values of {a.name} and of {b.name}", example)
    if len(a.values) == len(b.values) == 1:
        return same_equations(_equation(a), _equation(b), setting)
    if len(a.values) == 1:
        return same_roots(b.name, b.values, _equation(a), setting)
    if len(b.values) == 1:
        return same_roots(a.name, a.values, _equation(b), setting)
    return undecided("solutions with letters that cannot be compared")


def letters_in(node: Expression) -> frozenset[str]:
    """The letters of an expression that are no units."""
    return frozenset(free_symbols(node)) - units_in(node)


def _equation(form: Solutions) -> Expression:
    return bare(Apply("plus", (Symbol(form.name), Apply("negate", (form.values[0],)))))


def solutions_and_condition(a: Solutions, b: Condition, setting: Setting) -> Equality:
    """`x=\\pm2` and `x^2=4`."""
    parameter = parameter_of(a.values, a.parameters)
    if parameter and a.name != parameter and parameter not in letters_in(b.node):
        return _family_and_condition(a, parameter, b, setting)
    names = letters_in(b.node) | {a.name} | {name for value in a.values for name in letters_in(value)}
    finite = Relation(("in",), (Symbol(a.name), Items(a.values, "set")))
    if names == {a.name}:
        try:
            return compare(real_set(finite, a.name), real_set(b.node, a.name))
        except NoRealSetError:
            pass
    if not is_equation(b.node) or len(b.node.operators) > 1:  # type: ignore[union-attr]
        return undecided("solutions and a condition that is not solved")
    left, right = b.node.operands  # type: ignore[union-attr]
    difference = bare(Apply("plus", (left, Apply("negate", (right,)))))
    if len(a.values) == 1:
        found = same_equations(_equation(a), difference, setting)
        if found.verdict != "undecided":
            return found
    if a.name not in letters_in(b.node):
        return undecided(f"an equation without {a.name}")
    return same_roots(a.name, a.values, difference, setting)


def _family_and_condition(a: Solutions, parameter: str, b: Condition, setting: Setting) -> Equality:
    """`x=n\\pi` and `\\sin x=0`: each member must solve it; that there are no others is left to a worker."""
    if not is_equation(b.node) or len(b.node.operators) > 1:  # type: ignore[union-attr]
        return undecided("a family of solutions and a condition")
    left, right = b.node.operands  # type: ignore[union-attr]
    whole = replace(setting, declared=Declarations.of({parameter: "integer"}).over(setting.declared))
    for value in a.values:
        sides = [bare(substitute(side, {a.name: value})) for side in (left, right)]
        found = same_values(sides[0], sides[1], whole)
        if found.verdict == "different":
            return different("a member of the family does not solve the equation", found.counterexample)
        if found.verdict == "undecided":
            return found
    return undecided("the values solve the equation, but there may be more solutions")


def is_equation(node: Expression) -> bool:
    return isinstance(node, Relation) and set(node.operators) == {"="}


def measured_segment(a: Expression, b: Value, setting: Setting) -> Equality | None:
    """`AB=4`, `\\frac{AB}{CD}=2` and the bare number: two capitals side by side name a segment."""
    if not isinstance(a, Relation) or a.operators != ("=",) or free_symbols(a.operands[1]) or free_symbols(b.node):
        return None
    if not _is_segment(a.operands[0]):
        return None
    found = same_named(Value(a.operands[1]), b, setting)
    return equal_because(f"{found.reason}; the other side names it") if found.is_equal else None


def _is_segment(node: Expression) -> bool:
    if isinstance(node, Apply) and node.head in ("divide", "abs"):
        return all(_is_segment(part) for part in node.arguments)
    capitals = isinstance(node, Apply) and node.head == "times" and 2 <= len(node.arguments) <= 3
    return capitals and all(
        isinstance(part, Symbol) and len(part.name) == 1 and part.name.isupper()
        for part in node.arguments  # type: ignore[union-attr]
    )
