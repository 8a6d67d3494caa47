"""Two answers of any form: which comparison fits them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from texlift.meaning.reader.vectors import is_vector
from texlift.meaning.tree import (
    Apply,
    Constant,
    Expression,
    Integral,
    Interval,
    Matrix,
    Number,
    Relation,
    Symbol,
    free_symbols,
    walk,
)
from texlift.meaning.tree import Sequence as Items
from texlift.verify.equality.axes import in_axes
from texlift.verify.equality.forms import (
    Assigned,
    Condition,
    Form,
    Listing,
    Numbers,
    Solutions,
    Value,
    Words,
    described,
    form_of,
)
from texlift.verify.equality.lists import MOST_ITEMS, in_any_order, in_order
from texlift.verify.equality.polynomial import rational
from texlift.verify.equality.quantities import hundredfold, rounded_alike, same_named
from texlift.verify.equality.result import Equality, different, equal_because, undecided
from texlift.verify.equality.scalars import same_values
from texlift.verify.equality.sets import plain_items, same_sets
from texlift.verify.equality.setting import Setting
from texlift.verify.equality.shape import shape
from texlift.verify.equality.solutions import (
    bare_value,
    is_equation,
    measured_segment,
    same_members,
    same_solutions,
    solutions_and_condition,
    without_name,
)
from texlift.verify.equality.source import Source
from texlift.verify.equality.systems import same_conditions, same_systems

__all__ = ["compared", "same_forms"]

_SCALAR = frozenset(
    {"plus", "times", "negate", "divide", "power", "sqrt", "root", "abs", "factorial", "floor", "ceiling"}
)
_UPRIGHT = re.compile(r"\\(?:mathrm|text|rm)\s*\{\s*[kMGTmµnp]\s*\}\s*\\[A-Za-z]")  # \mathrm{k}\Omega
_PARTED = re.compile(r"\(\s*[^()|]*(?:\\mid|\|)[^()|]*\)|\(\s*[^()]*\\mid[^()]*\\right\)")


def compared(a: Source, b: Source, setting: Setting) -> Equality:
    """Compare two answers."""
    for source in (a, b):
        if _is_false(source, setting):
            return undecided("an equation between numbers that does not hold")
    first, second = (_form(source) for source in (a, b))
    found = same_forms(first, second, setting)
    if found.verdict == "undecided" and type(first) is type(second) and _written_alike(a, b):
        found = equal_because("the same formula, up to the order of its parts")
    if found.verdict == "different" and _is_percentage(a) != _is_percentage(b) and hundredfold(first, second):
        return undecided("a percentage, and a number that may be one")
    if found.verdict == "different" and not setting.options.tolerance and rounded_alike(first, second, setting):
        return undecided("equal to all the digits that are shown; give a tolerance")
    if found.verdict == "different" and a.answer.degrees != b.answer.degrees and not _angle(a, b):
        return undecided("an angle in degrees and a number without a unit")
    if found.verdict == "different" and (doubt := _doubt(a) or _doubt(b)):
        return undecided(doubt)
    if setting.options.form and found.verdict == "equal":
        mine, other = _nodes(first), _nodes(second)
        if _shapes(mine, setting.options.order) != _shapes(other, setting.options.order):
            return different("the same meaning, but another form", {"a": a.answer.latex, "b": b.answer.latex})
        return equal_because("the same meaning and form")
    return found


def _written_alike(a: Source, b: Source) -> bool:
    """Whether the two are the same formula up to order and brackets, whatever it means."""
    if a.reading is None or b.reading is None or a.reading.split or b.reading.split:
        return False
    return _shapes(a.reading.statements, True) == _shapes(b.reading.statements, True)


def _is_percentage(source: Source) -> bool:
    return r"\%" in source.answer.latex


def _doubt(source: Source) -> str:
    """Why an answer may be misread: a prefix before a sign that may be a unit, a bar between coordinates."""
    latex = source.answer.latex
    if _UPRIGHT.search(latex):
        return "a prefix before a sign that may be a unit"
    return "a bar between brackets that may part coordinates" if _PARTED.search(latex) else ""


def _form(source: Source) -> Form:
    if source.reading is None:
        words = source.answer.words
        known: dict[str, Form] = {
            "empty": Numbers(Constant("emptyset")),
            "reals": Numbers(Constant("reals")),
            "infinity": Value(Constant("infinity")),
        }
        return known.get(words, Words(words, source.answer.known_words))
    form = form_of(source.reading)
    if source.answer.approximate and isinstance(form, Value):
        return Value(form.node, form.name, True)
    if source.answer.approximate and isinstance(form, Solutions) and len(form.values) == 1:
        return Value(form.values[0], form.name, True)
    return _evaluated(form)


def _evaluated(form: Form) -> Form:
    """`2+3=5` and `\\int f = F+C` as the last of their sides."""
    if isinstance(form, Condition) and isinstance(form.node, Relation) and set(form.node.operators) == {"="}:
        first = form.node.operands[0]
        primitive = isinstance(first, Integral) and first.lower is None
        if not free_symbols(form.node) or primitive:
            return Value(form.node.operands[-1])
    return form


def _is_false(source: Source, setting: Setting) -> bool:
    """Whether an answer is a chain such as `3+4=8`."""
    statements = source.reading.statements if source.reading is not None else ()
    if len(statements) != 1 or not isinstance(statements[0], Relation) or set(statements[0].operators) != {"="}:
        return False
    numbers = [side for side in statements[0].operands if not free_symbols(side) and not isinstance(side, Items)]
    return len(numbers) > 1 and any(same_values(numbers[0], one, setting).verdict == "different" for one in numbers[1:])


def _angle(a: Source, b: Source) -> bool:
    """Whether the answer without degrees is an angle by its look: it holds pi or radians."""
    plain = b if a.answer.degrees else a
    return r"\pi" in plain.answer.latex or any(not unit.powers for unit in plain.answer.units)


def _nodes(form: Form) -> tuple[Any, ...]:
    if isinstance(form, Value | Condition | Numbers):
        return (form.node,)
    if isinstance(form, Solutions):
        return form.values
    if isinstance(form, Listing):
        return tuple(node for item in form.items for node in _nodes(item))
    if isinstance(form, Assigned):
        return tuple(value for _, value in form.values)
    return ()


def _shapes(nodes: Sequence[Expression], ordered: bool) -> list[str]:
    shapes = [repr(shape(node)) for node in nodes]
    return shapes if ordered else sorted(shapes)


# -- forms ---------------------------------------------------------------------------------------------------


def same_forms(a: Form, b: Form, setting: Setting) -> Equality:
    """Compare two forms."""
    setting.checked()
    if isinstance(a, Words) or isinstance(b, Words):
        return _words(a, b)
    if isinstance(a, Value) and isinstance(b, Value):
        return same_named(a, b, setting)
    a, b = _as_interval(a, b), _as_interval(b, a)
    for first, second, swapped in ((a, b, False), (b, a, True)):
        found = _one_way(first, second, setting)
        if found is not None:
            return _swapped(found) if swapped else found
    return _kinds(a, b)


def _swapped(found: Equality) -> Equality:
    example = found.counterexample
    if example is not None and "a" in example and "b" in example:
        example = {**example, "a": example["b"], "b": example["a"]}
    reason = found.reason
    if "the first" in reason or "the second" in reason:
        reason = reason.replace("the first", "\0").replace("the second", "the first").replace("\0", "the second")
    return Equality(found.verdict, reason, example)


def _one_way(a: Form, b: Form, setting: Setting) -> Equality | None:
    """A comparison that looks from one side; None where that side has none for the other."""
    if isinstance(a, Listing):
        if isinstance(b, Listing):
            return _listings(a, b, setting)
        if isinstance(b, Solutions) and a.kind != "tuple":
            return without_name(same_members(plain_items(a), b.values, setting), b.name)
        if isinstance(b, Assigned):
            return _assigned_list(b, a, setting)
        if isinstance(b, Value):
            return _single_item(a, b, setting)
    if isinstance(a, Solutions):
        if isinstance(b, Solutions):
            return same_solutions(a, b, setting)
        if isinstance(b, Value):
            return bare_value(a, b, setting)
        if isinstance(b, Condition):
            return solutions_and_condition(a, b, setting)
    if isinstance(a, Assigned):
        if isinstance(b, Assigned):
            return _assignments(a, b, setting)
        if isinstance(b, Condition | Solutions):
            return _assigned_and_condition(a, b)
    if isinstance(a, Condition) and isinstance(b, Value):
        return measured_segment(a.node, b, setting)
    if isinstance(a, Condition) and isinstance(b, Condition):
        return same_conditions(a.node, b.node, setting)
    if isinstance(a, Numbers | Condition | Solutions) and isinstance(b, Numbers | Listing):
        if isinstance(b, Listing) and b.kind == "tuple":
            return undecided("a tuple and a set of numbers")
        return same_sets(a, b, setting)
    return None


def _is_number(node: Expression) -> bool:
    """Whether an expression is certainly one number: arithmetic and functions of letters and numbers."""
    return all(
        isinstance(part, Number | Constant)
        or (isinstance(part, Symbol) and not part.role and not is_vector(part) and r"\hat" not in part.name)
        or (isinstance(part, Apply) and (part.head in _SCALAR or part.head.startswith("\\")))
        for part in walk(node)
    )


def _kinds(a: Form, b: Form) -> Equality:
    """Two things of different kinds."""
    kinds = described(a), described(b)
    if kinds[0] == kinds[1]:
        return undecided(f"two answers of one kind that cannot be compared: {kinds[0]}")
    values = [form.node for form in (a, b) if isinstance(form, Value)]
    if not all(_is_number(node) for node in values):
        return undecided(f"{kinds[0]} and {kinds[1]}")
    if isinstance(a, Value) and isinstance(b, Value | Listing | Numbers):
        return different(f"{kinds[0]} and {kinds[1]}", {"a": kinds[0], "b": kinds[1]})
    if isinstance(b, Value) and isinstance(a, Listing | Numbers):
        return different(f"{kinds[0]} and {kinds[1]}", {"a": kinds[0], "b": kinds[1]})
    return undecided(f"{kinds[0]} and {kinds[1]}")


def _words(a: Form, b: Form) -> Equality:
    if isinstance(a, Words) and isinstance(b, Words):
        if a.text == b.text:
            return equal_because("the same words")
        if a.known and b.known and {a.text, b.text} not in ({"true", "yes"}, {"false", "no"}, {"none", "no"}):
            return different("different words", {"a": a.text, "b": b.text})
        return undecided("words are only compared by their letters")
    words, other = (a, b) if isinstance(a, Words) else (b, a)
    assert isinstance(words, Words)
    if (
        isinstance(other, Value)
        and isinstance(other.node, Symbol)
        and words.text == f"choice {other.node.name.lower()}"
    ):
        return equal_because("the same choice")
    if isinstance(other, Value) and rational(other.node) is not None and words.known and words.text != "none":
        return different("a number and words", {"a": described(a), "b": described(b)})
    return undecided("words and a formula")


def _as_interval(form: Form, other: Form) -> Form:
    """A pair in parentheses beside a set of numbers is an open interval."""
    if not isinstance(form, Listing) or form.kind != "tuple" or len(form.items) != 2:
        return form
    low, high = form.items
    beside_set = isinstance(other, Numbers) and not _is_empty(other.node)
    beside_inequality = isinstance(other, Condition) and not is_equation(other.node)
    if (beside_set or beside_inequality) and isinstance(low, Value) and isinstance(high, Value):
        return Numbers(Interval(low.node, high.node))
    return form


def _is_empty(node: Expression) -> bool:
    return isinstance(node, Constant) and node.name == "emptyset"


# -- lists -----------------------------------------------------------------------------------------------------


def _listings(a: Listing, b: Listing, setting: Setting) -> Equality:
    same = partial(same_forms, setting=setting)
    if len(a.items) > MOST_ITEMS or len(b.items) > MOST_ITEMS:
        return undecided("lists of many things")
    kinds = {a.kind, b.kind}
    if "tuple" in kinds:
        found = in_order(a.items, b.items, same)
        if kinds != {"tuple"} and found.verdict == "equal":
            return undecided("a tuple and a list of the same things")
        if kinds != {"tuple"} and found.verdict == "different":
            any_order = in_any_order(a.items, b.items, same)
            return any_order if any_order.verdict == "different" else undecided("a tuple and a list")
        return found
    if setting.options.order:
        found = in_order(a.items, b.items, same)
        if found.verdict == "different" and "set" in kinds and in_any_order(a.items, b.items, same).is_equal:
            return undecided("sets have no order")
        return found
    found = in_any_order(a.items, b.items, same)
    if found.is_equal and kinds == {"list"} and len(a.items) != len(b.items):
        return undecided("the same values, but not as often")
    return found


def _single_item(a: Listing, b: Value, setting: Setting) -> Equality | None:
    """A set with one member and a bare value, a tuple and a vector."""
    same = partial(same_forms, setting=setting)
    if a.kind == "tuple" and isinstance(b.node, Matrix) and 1 in (len(b.node.rows), len(b.node.rows[0])):
        cells = tuple(Value(cell) for row in b.node.rows for cell in row)
        found = in_order(a.items, cells, same)
        return equal_because(f"{found.reason}; one of them is written as a vector") if found.is_equal else found
    if a.kind == "tuple" and any(isinstance(part, Items | Matrix) for part in walk(b.node)):
        found = same_values(Items(plain_items(a), "tuple"), b.node, setting)
        return undecided(found.reason) if found.verdict == "different" and isinstance(b.node, Matrix) else found
    if a.kind == "tuple" and (components := in_axes(b.node, len(a.items))) is not None:
        found = in_order(a.items, tuple(map(Value, components)), same)
        return equal_because(f"{found.reason}; one of them is written with unit vectors") if found.is_equal else found
    if len(a.items) == 1 and a.kind != "tuple":
        found = same_forms(a.items[0], b, setting)
        return equal_because(f"{found.reason}; one of them is written as a set") if found.is_equal else found
    return None


# -- several letters -------------------------------------------------------------------------------------------------


def _assignments(a: Assigned, b: Assigned, setting: Setting) -> Equality:
    same = partial(same_forms, setting=setting)
    rows = [[dict(one) for one in (form.values, *form.others)] for form in (a, b)]
    names = [sorted(row) for part in rows for row in part]
    if any(one != names[0] for one in names):
        return undecided("values of different letters")
    listings = [[Listing(tuple(Value(row[name]) for name in names[0]), "tuple") for row in part] for part in rows]
    return in_any_order(listings[0], listings[1], same)


def _assigned_list(a: Assigned, b: Listing, setting: Setting) -> Equality:
    """`x=1, y=2` and `(1,2)`: the letters in alphabetical order."""
    same = partial(same_forms, setting=setting)
    mine = [Listing(tuple(Value(value) for _, value in one), "tuple") for one in (a.values, *a.others)]
    if b.kind == "tuple" and len(mine) == 1:
        found = in_order(mine[0].items, b.items, same)
    elif all(isinstance(item, Listing) for item in b.items):
        found = in_any_order(mine, b.items, same)
    elif len(mine) == 1 and len({name.partition("_")[0] for name, _ in a.values}) == 1:  # x_1 and x_2
        found = in_any_order(mine[0].items, b.items, same)
    else:
        return undecided("values of several letters and a list")
    names = ", ".join(name for name, _ in a.values)
    return equal_because(f"{found.reason}, for {names} in this order") if found.is_equal else found


def _assigned_and_condition(a: Assigned, b: Condition | Solutions) -> Equality | None:
    """`x=2, y=-1` and the system it solves."""
    if a.others:
        return None
    node = b.node if isinstance(b, Condition) else Relation(("=",), (Symbol(b.name), b.values[0]))
    parts = node.arguments if isinstance(node, Apply) and node.head == "and" else (node,)
    if any(not is_equation(part) for part in parts) or (isinstance(b, Solutions) and len(b.values) > 1):
        return None
    theirs = [
        Apply("plus", (left, Apply("negate", (right,))))
        for part in parts
        if isinstance(part, Relation)
        for _, left, right in part.links
    ]
    mine = [Apply("plus", (Symbol(name), Apply("negate", (value,)))) for name, value in a.values]
    return same_systems(mine, theirs)
