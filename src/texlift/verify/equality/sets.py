"""Sets of real numbers in any writing: intervals, inequalities, lists of numbers."""

from __future__ import annotations

from collections.abc import Sequence

from texlift.meaning.tree import Constant, Expression, Interval
from texlift.meaning.tree import Sequence as Items
from texlift.verify.equality.forms import Condition, Form, Listing, Numbers, Solutions, Value
from texlift.verify.equality.realsets import NoRealSetError, compare
from texlift.verify.equality.regions import real_set
from texlift.verify.equality.result import Equality, different, equal_because, undecided
from texlift.verify.equality.scalars import same_values
from texlift.verify.equality.setting import Setting
from texlift.verify.equality.solutions import letters_in

__all__ = ["plain_items", "same_sets"]

_NUMBER_SETS = frozenset({"integers", "rationals", "reals", "complexes"})


def same_sets(a: Numbers | Condition | Solutions, b: Numbers | Listing, setting: Setting) -> Equality | None:
    """Sets of real numbers, however they are written."""
    if isinstance(b, Listing) and (b.kind == "tuple" or any(not isinstance(item, Value) for item in b.items)):
        return None
    nodes = [_set_node(form) for form in (a, b)]
    constants = [node.name for node in nodes if isinstance(node, Constant)]
    if len(constants) == 2 and (constants[0] == constants[1] or set(constants) <= _NUMBER_SETS):
        if constants[0] == constants[1]:
            return equal_because("the same set")
        return different("different sets of numbers", {"a": constants[0], "b": constants[1]})
    names = _variables(a, b)
    if len(names) > 1:
        return _ends(nodes, setting)
    name = names.pop() if names else "x"
    try:
        found = compare(real_set(nodes[0], name), real_set(nodes[1], name))
    except NoRealSetError as error:
        ends = _ends(nodes, setting)
        return ends if ends is not None else undecided(f"sets that are not understood: {error}")
    return found


def _variables(*forms: Form) -> set[str]:
    found: set[str] = set()
    for form in forms:
        if isinstance(form, Solutions | Numbers) and form.name:
            found.add(form.name)
        elif isinstance(form, Condition):
            found |= letters_in(form.node)
    return found


def _set_node(form: Form) -> Expression:
    if isinstance(form, Numbers | Condition):
        return form.node
    if isinstance(form, Solutions):
        return Items(form.values, "set")
    assert isinstance(form, Listing)
    return Items(plain_items(form), "set")


def _ends(nodes: Sequence[Expression], setting: Setting) -> Equality | None:
    """Two intervals with letters in their ends."""
    a, b = nodes
    if not isinstance(a, Interval) or not isinstance(b, Interval):
        return None
    results = [same_values(x, y, setting) for x, y in ((a.lower, b.lower), (a.upper, b.upper))]
    same = all(found.is_equal for found in results)
    if same and (a.closed_lower, a.closed_upper) == (b.closed_lower, b.closed_upper):
        return equal_because("intervals with the same ends")
    if same:
        return different("only one of the intervals holds an end", {"a": "interval", "b": "interval"})
    return undecided("intervals whose ends hold letters")


def plain_items(listing: Listing) -> tuple[Expression, ...]:
    return tuple(item.node for item in listing.items if isinstance(item, Value))
