"""Two answers of any form: which comparison fits them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from texlift.meaning.declarations import Declarations
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
    substitute,
    walk,
)
from texlift.meaning.tree import Sequence as Items
from texlift.verify.equality.equations import same_conditions, same_equations, same_roots, same_systems
from texlift.verify.equality.families import parameter_of, same_families
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
from texlift.verify.equality.polynomial import TooLargeError, bare, quotient, rational
from texlift.verify.equality.primitives import same_primitives, same_up_to_constants
from texlift.verify.equality.realsets import NoRealSetError, compare, real_set
from texlift.verify.equality.result import Equality, different, equal_because, undecided
from texlift.verify.equality.scalars import NOT_COMPUTED, same_values
from texlift.verify.equality.setting import Setting
from texlift.verify.equality.shape import shape
from texlift.verify.equality.source import Source
from texlift.verify.equality.units import BASE

__all__ = ["compared", "same_forms"]

_MOST_ITEMS = 40
_FAR = Fraction(1, 50)
_NUMBER_SETS = frozenset({"integers", "rationals", "reals", "complexes"})
_ONE = Number("1")


def compared(a: Source, b: Source, setting: Setting) -> Equality:
    """Compare two answers."""
    for source in (a, b):
        if _is_false(source, setting):
            return undecided("an equation between numbers that does not hold")
    first, second = (_form(source) for source in (a, b))
    found = same_forms(first, second, setting)
    if found.verdict == "different" and a.answer.degrees != b.answer.degrees and not _angle(a, b):
        return undecided("an angle in degrees and a number without a unit")
    if setting.options.form and found.verdict == "equal":
        mine, other = _nodes(first), _nodes(second)
        if _shapes(mine, setting.options.order) != _shapes(other, setting.options.order):
            return different("the same meaning, but another form", {"a": a.answer.latex, "b": b.answer.latex})
        return equal_because("the same meaning and form")
    return found


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
        return _values(a, b, setting)
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
            return _bare(_members(_plain_items(a), b.values, setting), b.name)
        if isinstance(b, Assigned):
            return _assigned_list(b, a, setting)
        if isinstance(b, Value):
            return _single_item(a, b, setting)
    if isinstance(a, Solutions):
        if isinstance(b, Solutions):
            return _solutions(a, b, setting)
        if isinstance(b, Value):
            return _bare_value(a, b, setting)
        if isinstance(b, Condition):
            return _solutions_and_condition(a, b, setting)
    if isinstance(a, Assigned):
        if isinstance(b, Assigned):
            return _assignments(a, b, setting)
        if isinstance(b, Condition | Solutions):
            return _assigned_and_condition(a, b)
    if isinstance(a, Condition) and isinstance(b, Condition):
        return same_conditions(a.node, b.node, setting)
    if isinstance(a, Numbers | Condition | Solutions) and isinstance(b, Numbers | Listing):
        if isinstance(b, Listing) and b.kind == "tuple":
            return undecided("a tuple and a set of numbers")
        return _sets(a, b, setting)
    return None


def _kinds(a: Form, b: Form) -> Equality:
    """Two things of different kinds."""
    kinds = described(a), described(b)
    if kinds[0] == kinds[1]:
        return undecided(f"two answers of one kind that cannot be compared: {kinds[0]}")
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
    if isinstance(form, Listing) and form.kind == "tuple" and len(form.items) == 2:
        if (isinstance(other, Numbers) and not _is_empty(other.node)) or (
            isinstance(other, Condition) and not _is_equation(other.node)
        ):
            low, high = form.items
            if isinstance(low, Value) and isinstance(high, Value):
                return Numbers(Interval(low.node, high.node))
    return form


def _is_empty(node: Expression) -> bool:
    return isinstance(node, Constant) and node.name == "emptyset"


def _is_equation(node: Expression) -> bool:
    return isinstance(node, Relation) and set(node.operators) == {"="}


# -- values ----------------------------------------------------------------------------------------------------


def _values(a: Value, b: Value, setting: Setting) -> Equality:
    named = a.name and b.name and a.name != b.name
    found = _nodes_compared(a.node, b.node, setting)
    if a.approximate or b.approximate:
        found = _approximately(a, b, found, setting)
    if found.verdict != "equal":
        return found
    if named:
        return undecided(f"the same value, given to {a.name} and to {b.name}")
    if a.name or b.name:
        return equal_because(f"{found.reason}; {a.name or b.name} is its name") if a.name != b.name else found
    return found


def _nodes_compared(a: Expression, b: Expression, setting: Setting) -> Equality:
    units = _units(a), _units(b)
    if units[0] or units[1]:
        return _measured(a, b, units, setting)
    infinite = _infinity(a), _infinity(b)
    if infinite[0] or infinite[1]:
        return _infinities(a, b, infinite)
    primitives = same_primitives(a, b, setting)
    if primitives is not None:
        return primitives
    found = same_values(a, b, setting)
    constants = same_up_to_constants(a, b, setting) if found.verdict == "different" else None
    return found if constants is None else constants


def _approximately(a: Value, b: Value, found: Equality, setting: Setting) -> Equality:
    """An approximate number is only told apart from what is far from it."""
    if found.verdict != "different" or setting.options.tolerance:
        return found
    near = Setting(
        type(setting.options)(tolerance=float(_FAR)), setting.where, setting.declared, setting.patient, setting.deadline
    )
    if same_values(a.node, b.node, near).verdict == "different":
        return found
    return undecided("an approximate number; give a tolerance")


def _infinity(node: Expression) -> int:
    if isinstance(node, Constant) and node.name == "infinity":
        return 1
    if isinstance(node, Apply) and node.head == "negate":
        return -_infinity(node.arguments[0])
    if isinstance(node, Apply) and node.head == "plus" and len(node.arguments) == 1:
        return _infinity(node.arguments[0])
    return 0


def _infinities(a: Expression, b: Expression, signs: tuple[int, int]) -> Equality:
    if signs[0] == signs[1]:
        return equal_because("both are infinite")
    other = b if signs[0] else a
    if signs[0] and signs[1]:
        return different("infinities of opposite sign", {"point": {}, "a": "oo" if signs[0] > 0 else "-oo",
                                                         "b": "oo" if signs[1] > 0 else "-oo"})  # fmt: skip
    finite = rational(other) is not None or (isinstance(other, Symbol | Constant) and not _infinity(other))
    if finite:
        return different("an infinity and a number", {"point": {}, "a": "infinite" if signs[0] else "finite",
                                                      "b": "infinite" if signs[1] else "finite"})  # fmt: skip
    return undecided(f"{NOT_COMPUTED}: infinity")


# -- units -----------------------------------------------------------------------------------------------------


def _units(node: Expression) -> frozenset[str]:
    return frozenset(part.name for part in walk(node) if isinstance(part, Symbol) and part.name.startswith(BASE))


def _measured(a: Expression, b: Expression, units: tuple[frozenset[str], frozenset[str]], setting: Setting) -> Equality:
    """Values with units: the same kind of unit, then the numbers in base units."""
    numbers = [substitute(node, dict.fromkeys(found, _ONE)) for node, found in zip((a, b), units, strict=True)]
    if not (units[0] and units[1]):
        nouns = units[0] or units[1]
        if all(_is_noun(name) for name in nouns):
            found = same_values(numbers[0], numbers[1], setting)
            return equal_because(f"{found.reason}; one of them names what is counted") if found.is_equal else found
        if rational(numbers[0]) == rational(numbers[1]) == 0:
            return undecided("zero with a unit and without")
        return undecided("only one of them has a unit")
    dimensions = [_dimension(node) for node in (a, b)]
    if dimensions[0] is None or dimensions[1] is None:
        return same_values(a, b, setting)
    if dimensions[0] != dimensions[1]:
        if any(_is_noun(name) for name in units[0] | units[1]):
            return undecided("units or nouns that cannot be compared")
        shown = [_shown_dimension(one) for one in dimensions]
        return different("units of different kinds", {"point": {}, "a": shown[0], "b": shown[1]})
    return same_values(numbers[0], numbers[1], setting)


_BASES = frozenset({"m", "kg", "s", "A", "K", "mol", "cd", "dollar", "euro", "degree Celsius", "degree Fahrenheit"})


def _is_noun(name: str) -> bool:
    return name.removeprefix(BASE) not in _BASES


def _dimension(node: Expression) -> tuple[tuple[str, int], ...] | None:
    """Powers of the base units in a product; None for anything else."""
    try:
        found = quotient(node)
    except (TooLargeError, ZeroDivisionError):
        return None
    places = [i for i, k in enumerate(found.kernels) if isinstance(k, Symbol) and k.name.startswith(BASE)]
    powers: dict[str, int] = {}
    for polynomial, sign in ((found.above, 1), (found.below, -1)):
        terms = {tuple(int(exponents[place]) for place in places) for exponents in polynomial.to_dict()}
        if len(terms) != 1:
            return None
        for place, power in zip(places, terms.pop(), strict=True):
            kernel = found.kernels[place]
            assert isinstance(kernel, Symbol)
            powers[kernel.name] = powers.get(kernel.name, 0) + sign * power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def _shown_dimension(dimension: tuple[tuple[str, int], ...] | None) -> str:
    return " ".join(f"{name.removeprefix(BASE)}^{power}" for name, power in dimension or ()) or "no unit"


# -- lists -----------------------------------------------------------------------------------------------------


def _plain_items(listing: Listing) -> tuple[Expression, ...]:
    return tuple(item.node for item in listing.items if isinstance(item, Value))


def _listings(a: Listing, b: Listing, setting: Setting) -> Equality:
    if len(a.items) > _MOST_ITEMS or len(b.items) > _MOST_ITEMS:
        return undecided("lists of many things")
    kinds = {a.kind, b.kind}
    if "tuple" in kinds:
        found = _in_order(a, b, setting)
        if kinds != {"tuple"} and found.verdict == "equal":
            return undecided("a tuple and a list of the same things")
        if kinds != {"tuple"} and found.verdict == "different":
            any_order = _in_any_order(a.items, b.items, setting)
            return any_order if any_order.verdict == "different" else undecided("a tuple and a list")
        return found
    if setting.options.order:
        found = _in_order(a, b, setting)
        if found.verdict == "different" and "set" in kinds and _in_any_order(a.items, b.items, setting).is_equal:
            return undecided("sets have no order")
        return found
    found = _in_any_order(a.items, b.items, setting)
    if found.is_equal and kinds == {"list"} and len(a.items) != len(b.items):
        return undecided("the same values, but not as often")
    return found


def _in_order(a: Listing, b: Listing, setting: Setting) -> Equality:
    if len(a.items) != len(b.items):
        return different(f"{len(a.items)} and {len(b.items)} entries", {"a": len(a.items), "b": len(b.items)})
    open_reason = ""
    for index, (one, other) in enumerate(zip(a.items, b.items, strict=True)):
        found = same_forms(one, other, setting)
        if found.verdict == "different":
            return Equality("different", f"entry {index + 1}: {found.reason}", found.counterexample)
        open_reason = open_reason or (found.reason if found.verdict == "undecided" else "")
    return undecided(open_reason) if open_reason else equal_because("equal entry by entry")


def _in_any_order(a: Sequence[Form], b: Sequence[Form], setting: Setting) -> Equality:
    """Each has an equal partner on the other side."""
    open_reason = ""
    for mine, others, which in ((a, b, "the first"), (b, a, "the second")):
        for index, one in enumerate(mine):
            results = []
            for other in others:
                results.append(same_forms(one, other, setting))
                if results[-1].is_equal:
                    break
            if any(found.is_equal for found in results):
                continue
            doubtful = next((found for found in results if found.verdict == "undecided"), None)
            if doubtful is None:
                example = next((found.counterexample for found in results if found.counterexample), None)
                sides = {"entry": index + 1, "in": which, "differs from": len(others)}
                return different(f"entry {index + 1} of {which} is missing in the other", example or sides)
            open_reason = open_reason or doubtful.reason
    return undecided(open_reason) if open_reason else equal_because("the same members")


def _members(a: Sequence[Expression], b: Sequence[Expression], setting: Setting) -> Equality:
    if len(a) > _MOST_ITEMS or len(b) > _MOST_ITEMS:
        return undecided("lists of many things")
    if setting.options.order:
        listings = [Listing(tuple(Value(node) for node in nodes), "list") for nodes in (a, b)]
        return _in_order(listings[0], listings[1], setting)
    return _in_any_order([Value(node) for node in a], [Value(node) for node in b], setting)


def _single_item(a: Listing, b: Value, setting: Setting) -> Equality | None:
    """A set with one member and a bare value, a tuple and a vector."""
    if a.kind == "tuple" and isinstance(b.node, Matrix) and 1 in (len(b.node.rows), len(b.node.rows[0])):
        cells = tuple(Value(cell) for row in b.node.rows for cell in row)
        found = _in_order(a, Listing(cells, "tuple"), setting)
        return equal_because(f"{found.reason}; one of them is written as a vector") if found.is_equal else found
    if len(a.items) == 1 and a.kind != "tuple":
        found = same_forms(a.items[0], b, setting)
        return equal_because(f"{found.reason}; one of them is written as a set") if found.is_equal else found
    return None


def _bare(found: Equality, name: str) -> Equality:
    return equal_because(f"{found.reason}; only one of them names {name}") if found.is_equal else found


# -- solutions ---------------------------------------------------------------------------------------------------


def _bare_value(a: Solutions, b: Value, setting: Setting) -> Equality:
    """`x=5` and `5`."""
    if b.name and b.name != a.name and not ("(" in b.name and a.name == "y"):
        return undecided(f"values of {a.name} and of {b.name}")
    if b.approximate and len(a.values) == 1:
        return _values(Value(a.values[0]), Value(b.node, "", True), setting)
    if isinstance(b.node, Symbol) and b.node.name == a.name:
        return undecided("a letter and its value")
    if len(a.values) == 1:
        return _bare(_nodes_compared(a.values[0], b.node, setting), a.name)
    return _bare(_members(a.values, (b.node,), setting), a.name)


def _solutions(a: Solutions, b: Solutions, setting: Setting) -> Equality:
    first, second = parameter_of(a.values, a.parameters), parameter_of(b.values, b.parameters)
    if a.name == b.name and (first or second):
        found = same_families(a.values, first, b.values, second)
        if found is not None:
            return found
    letters = any(_letters(value) for value in (*a.values, *b.values))
    if a.name == b.name:
        found = _members(a.values, b.values, setting)
        if found.verdict != "different" or not letters or first or second:
            if found.verdict == "different" and (first or second):
                return undecided("families of solutions that cannot be compared")
            return found
        if all(len(form.values) == 1 for form in (a, b)):
            return found
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


def _letters(node: Expression) -> frozenset[str]:
    """The letters of an expression that are no units."""
    return frozenset(free_symbols(node)) - _units(node)


def _equation(form: Solutions) -> Expression:
    return bare(Apply("plus", (Symbol(form.name), Apply("negate", (form.values[0],)))))


def _solutions_and_condition(a: Solutions, b: Condition, setting: Setting) -> Equality:
    """`x=\\pm2` and `x^2=4`."""
    parameter = parameter_of(a.values, a.parameters)
    if parameter and a.name != parameter and parameter not in _letters(b.node):
        return _family_and_condition(a, parameter, b, setting)
    names = _letters(b.node) | {a.name} | {name for value in a.values for name in _letters(value)}
    finite = Relation(("in",), (Symbol(a.name), Items(a.values, "set")))
    if names == {a.name}:
        try:
            return compare(real_set(finite, a.name), real_set(b.node, a.name))
        except NoRealSetError:
            pass
    if not _is_equation(b.node) or len(b.node.operators) > 1:  # type: ignore[union-attr]
        return undecided("solutions and a condition that is not solved")
    left, right = b.node.operands  # type: ignore[union-attr]
    difference = bare(Apply("plus", (left, Apply("negate", (right,)))))
    if len(a.values) == 1 and any(_letters(value) for value in a.values):
        found = same_equations(_equation(a), difference, setting)
        if found.verdict != "undecided":
            return found
    if a.name not in _letters(b.node):
        return undecided(f"an equation without {a.name}")
    return same_roots(a.name, a.values, difference, setting)


def _family_and_condition(a: Solutions, parameter: str, b: Condition, setting: Setting) -> Equality:
    """`x=n\\pi` and `\\sin x=0`: each member must solve it; that there are no others is left to a worker."""
    if not _is_equation(b.node) or len(b.node.operators) > 1:  # type: ignore[union-attr]
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


# -- several letters -------------------------------------------------------------------------------------------------


def _assignments(a: Assigned, b: Assigned, setting: Setting) -> Equality:
    rows = [[dict(one) for one in (form.values, *form.others)] for form in (a, b)]
    names = [sorted(row) for part in rows for row in part]
    if any(one != names[0] for one in names):
        return undecided("values of different letters")
    listings = [[Listing(tuple(Value(row[name]) for name in names[0]), "tuple") for row in part] for part in rows]
    return _in_any_order(listings[0], listings[1], setting)


def _assigned_list(a: Assigned, b: Listing, setting: Setting) -> Equality:
    """`x=1, y=2` and `(1,2)`: the letters in alphabetical order."""
    mine = [Listing(tuple(Value(value) for _, value in one), "tuple") for one in (a.values, *a.others)]
    if b.kind == "tuple" and len(mine) == 1:
        found = _in_order(mine[0], b, setting)
    elif all(isinstance(item, Listing) for item in b.items):
        found = _in_any_order(mine, b.items, setting)
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
    if any(not _is_equation(part) for part in parts) or (isinstance(b, Solutions) and len(b.values) > 1):
        return None
    theirs = [
        Apply("plus", (left, Apply("negate", (right,))))
        for part in parts
        if isinstance(part, Relation)
        for _, left, right in part.links
    ]
    mine = [Apply("plus", (Symbol(name), Apply("negate", (value,)))) for name, value in a.values]
    return same_systems(mine, theirs)


# -- sets -----------------------------------------------------------------------------------------------------------


def _sets(a: Numbers | Condition | Solutions, b: Numbers | Listing, setting: Setting) -> Equality | None:
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
            found |= _letters(form.node)
    return found


def _set_node(form: Form) -> Expression:
    if isinstance(form, Numbers | Condition):
        return form.node
    if isinstance(form, Solutions):
        return Items(form.values, "set")
    assert isinstance(form, Listing)
    return Items(_plain_items(form), "set")


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
