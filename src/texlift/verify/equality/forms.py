"""What an answer is: a value, a list, the solutions for a letter, an equation, a condition, a set of numbers, words."""

from __future__ import annotations

from dataclasses import dataclass

from texlift.meaning.reader.reading import Reading
from texlift.meaning.tree import (
    Apply,
    Constant,
    Dots,
    Expression,
    Indexed,
    Interval,
    Relation,
    Sequence,
    Symbol,
    Unknown,
    free_symbols,
    walk,
)
from texlift.verify.equality.polynomial import bare

__all__ = [
    "Assigned",
    "Condition",
    "Form",
    "Listing",
    "Numbers",
    "Solutions",
    "Value",
    "Words",
    "described",
    "form_of",
]

_SET_HEADS = frozenset({"union", "intersect", "setminus", "setbuilder", "symmetricdifference"})
_SETS = frozenset({"reals", "emptyset", "integers", "naturals", "rationals", "complexes", "nonnegative"})
_NAMED = frozenset({"probability", "expectation", "variance", "covariance"})


@dataclass(frozen=True, slots=True)
class Value:
    """An expression; `name` is what it was given to, as in `f(x)=x^2`."""

    node: Expression
    name: str = ""
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """Several things; `kind` is `list`, `set` or `tuple`."""

    items: tuple[Form, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Solutions:
    """A letter is one of some values: `x=1 or x=2`; `parameters` run over all integers."""

    name: str
    values: tuple[Expression, ...]
    parameters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Assigned:
    """Letters with a value each: `x=1, y=2`; `others` are further solutions."""

    values: tuple[tuple[str, Expression], ...]
    others: tuple[tuple[tuple[str, Expression], ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """A relation between letters, or several joined by and, or, not."""

    node: Expression


@dataclass(frozen=True, slots=True)
class Numbers:
    """A set of numbers: an interval, a union; `name` is the letter said to be in it."""

    node: Expression
    name: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """An answer in words; `known` where different words mean different things."""

    text: str
    known: bool = False


Form = Value | Listing | Solutions | Assigned | Condition | Numbers | Words


def described(form: Form) -> str:
    """What a form is, in a few words."""
    if isinstance(form, Listing):
        return {"set": "a set", "tuple": "a tuple"}.get(form.kind, "a list")
    if isinstance(form, Condition):
        relation = form.node
        if isinstance(relation, Relation):
            return "an equation" if set(relation.operators) == {"="} else "an inequality"
        return "a condition"
    names: dict[type, str] = {Value: "an expression", Solutions: "solutions", Assigned: "values of several letters",
                              Numbers: "a set of numbers", Words: "words"}  # fmt: skip
    return names[type(form)]


def form_of(reading: Reading) -> Form:
    """The form of what was read."""
    statements = list(reading.statements)
    parameters = tuple(name for statement in statements if (name := _parameter(statement)))
    statements = [statement for statement in statements if not _parameter(statement)] or statements
    if len(statements) == 1:
        return _with_parameters(_single(statements[0]), parameters)
    if not any(isinstance(statement, Relation) for statement in statements):
        forms = [_single(statement) for statement in statements]
        parted = [form.items if isinstance(form, Listing) and form.kind == "list" else (form,) for form in forms]
        return Listing(tuple(item for items in parted for item in items), "list")  # "1, 2, and 3"
    half = len(statements) // 2 if reading.split else 0
    if half:
        first, second = statements[:half], statements[half:]
        if half == 1:
            forms = [_single(first[0]), _single(second[0])]
            return _with_parameters(_alternatives(forms, Apply("or", (first[0], second[0]))), parameters)
        one, other = _assigned(first), _assigned(second)
        if one is not None and other is not None:
            return Assigned(one, (other,))
    return _with_parameters(_together(statements), parameters)


def _with_parameters(form: Form, parameters: tuple[str, ...]) -> Form:
    if isinstance(form, Solutions) and parameters:
        return Solutions(form.name, form.values, parameters)
    if isinstance(form, Condition | Numbers) and parameters:  # a condition on integers
        known = tuple(Relation(("in",), (Symbol(name), Constant("integers"))) for name in parameters)
        return Condition(Apply("and", (form.node, *known)))
    return form


def _parameter(statement: Expression) -> str:
    """The letter of `k\\in\\mathbb{Z}` or `k=0,\\pm1,...`."""
    if isinstance(statement, Relation) and statement.operators == ("in",) and isinstance(statement.operands[0], Symbol):
        where = statement.operands[1]
        if isinstance(where, Constant) and where.name == "integers":
            return statement.operands[0].name
    return ""


def _single(node: Expression) -> Form:
    if isinstance(node, Relation):
        return _relation(node)
    if isinstance(node, Sequence):
        kind = node.kind if node.kind in ("set", "tuple") else "list"
        return Listing(tuple(_single(item) for item in node.items), kind)
    if isinstance(node, Interval) or (isinstance(node, Apply) and node.head in _SET_HEADS):
        return Numbers(node)
    if isinstance(node, Constant) and node.name in _SETS:
        return Numbers(node)
    if isinstance(node, Apply) and node.head == "or":
        return _alternatives([_single(part) for part in node.arguments], node)
    if isinstance(node, Apply) and node.head in ("and", "not", "implies", "iff"):
        assigned = _assigned(list(node.arguments)) if node.head == "and" else None
        return Condition(node) if assigned is None else Assigned(assigned)
    return Value(node)


def _relation(node: Relation) -> Form:
    operators, operands = node.operators, node.operands
    first, last = operands[0], operands[-1]
    if set(operators) <= {"=", "approx", "==="} and len(operators) >= 1:
        exact = operators.index("approx") if "approx" in operators else 0
        if exact or ("approx" in operators and not free_symbols(first)):
            # x = 7/3 ≈ 2.33 gives the exact value first
            kept = operands[: exact + 1]
            return _relation(Relation(operators[:exact], kept, node.span)) if exact else Value(first)
        about = "approx" in operators
        if isinstance(first, Symbol) and not _uses(last, first.name):
            if isinstance(last, Sequence) and last.kind == "list" and not _has_dots(last):
                return Solutions(first.name, last.items)
            if len(operators) == 1 or not free_symbols(last):
                return Value(last, first.name, True) if about else Solutions(first.name, (last,))
        if len(operators) == 1 and isinstance(first, Sequence) and isinstance(last, Sequence):
            pairs = _pairs(first, last)
            if pairs is not None:
                return Assigned(pairs)
        if isinstance(first, Unknown):
            return Value(last, _function(first), about)
        if isinstance(first, Indexed) or (isinstance(first, Apply) and first.head in _NAMED):
            return Value(last, repr(bare(first)), about)
        if len(operators) == 1 and isinstance(last, Symbol) and not _uses(first, last.name):
            return Value(first, last.name, True) if about else Solutions(last.name, (first,))
        if about:
            return Value(last, "", True)
    if operators == ("in",) and isinstance(first, Symbol):
        if isinstance(last, Sequence) and last.kind == "set" and not _has_dots(last):
            return Solutions(first.name, last.items)
        return Numbers(last, first.name)
    if operators == ("in",) and isinstance(first, Sequence) and isinstance(last, Sequence) and last.kind == "set":
        return _single(last)
    return Condition(node)


def _pairs(names: Sequence, values: Sequence) -> tuple[tuple[str, Expression], ...] | None:
    """`(x,y)=(1,2)`."""
    if len(names.items) != len(values.items):
        return None
    found = []
    for name, value in zip(names.items, values.items, strict=True):
        if not isinstance(name, Symbol):
            return None
        found.append((name.name, value))
    return tuple(sorted(found, key=lambda pair: pair[0]))


def _function(node: Unknown) -> str:
    inner = ",".join(part.name for part in node.arguments if isinstance(part, Symbol))
    return f"{node.function.name if isinstance(node.function, Symbol) else 'f'}({inner})"


def _alternatives(forms: list[Form], node: Expression) -> Form:
    """Forms joined by or."""
    solutions = [form for form in forms if isinstance(form, Solutions)]
    values = [form for form in forms if isinstance(form, Value) and not form.name]
    if solutions and len(solutions) + len(values) == len(forms) and len({form.name for form in solutions}) == 1:
        # "x = 1 or 2"
        listed = [value for form in forms for value in _values(form)]
        return Solutions(solutions[0].name, tuple(listed))
    if len(values) == len(forms):
        return Listing(tuple(forms), "list")
    if all(isinstance(form, Assigned) and not form.others for form in forms):
        pairs = [form.values for form in forms if isinstance(form, Assigned)]
        return Assigned(pairs[0], tuple(pairs[1:]))
    if all(isinstance(form, Listing) for form in forms):
        return Listing(tuple(forms), "list")
    if all(isinstance(form, Numbers) for form in forms) and len({form.name for form in forms}) == 1:  # type: ignore[union-attr]
        parts = tuple(form.node for form in forms if isinstance(form, Numbers))
        return Numbers(Apply("union", parts), forms[0].name)  # type: ignore[union-attr]
    if isinstance(node, Apply) and node.head == "or":
        conjunctions = [_conjunction(part) for part in node.arguments]
        if all(one is not None for one in conjunctions):
            known = [one for one in conjunctions if one is not None]
            return Assigned(known[0], tuple(known[1:]))
    return Condition(node)


def _conjunction(node: Expression) -> tuple[tuple[str, Expression], ...] | None:
    """The values in `x=1 and y=2`."""
    if isinstance(node, Apply) and node.head == "and":
        return _assigned(list(node.arguments))
    return None


def _values(form: Form) -> tuple[Expression, ...]:
    return form.values if isinstance(form, Solutions) else (form.node,) if isinstance(form, Value) else ()


def _assigned(statements: list[Expression]) -> tuple[tuple[str, Expression], ...] | None:
    """`x=1, y=2`: each letter once, with one value that holds none of them."""
    found: dict[str, Expression] = {}
    for statement in statements:
        form = _single(statement)
        if not isinstance(form, Solutions) or len(form.values) != 1 or form.name in found:
            return None
        found[form.name] = form.values[0]
    if any(name in free_symbols(value) for value in found.values() for name in found):
        return None
    return tuple(sorted(found.items()))


def _together(statements: list[Expression]) -> Form:
    """Several statements beside each other."""
    forms = [_single(statement) for statement in statements]
    solutions = [form for form in forms if isinstance(form, Solutions)]
    if len(solutions) == len(forms):
        if len({form.name for form in solutions}) == 1:
            return Solutions(solutions[0].name, tuple(value for form in solutions for value in form.values))
        assigned = _assigned(statements)
        if assigned is not None:
            return Assigned(assigned)
    if all(isinstance(statement, Relation) for statement in statements):
        return Condition(Apply("and", tuple(statements)))
    further = [_like(form, forms[0]) for form in forms]
    if isinstance(forms[0], Assigned) and all(further) and _in_alphabet(statements[0]):  # (x,y)=(1,2) and (2,1)
        return Assigned(forms[0].values, tuple(one for one in further[1:] if one is not None))
    return Listing(tuple(forms), "list")


def _in_alphabet(statement: Expression) -> bool:
    """Whether the letters of `(x,y)=(1,2)` stand in the order of the alphabet."""
    names = statement.operands[0] if isinstance(statement, Relation) else None
    letters = [item.name for item in names.items if isinstance(item, Symbol)] if isinstance(names, Sequence) else []
    return bool(letters) and letters == sorted(letters)


def _like(form: Form, first: Form) -> tuple[tuple[str, Expression], ...] | None:
    """The values of another pair for the letters of the first; None where it is none."""
    if isinstance(form, Assigned) and isinstance(first, Assigned) and not form.others:
        return form.values if [name for name, _ in form.values] == [name for name, _ in first.values] else None
    if not isinstance(form, Listing) or form.kind != "tuple" or not isinstance(first, Assigned):
        return None
    values = [item.node for item in form.items if isinstance(item, Value)]
    if len(values) != len(first.values) or len(values) != len(form.items):
        return None
    return tuple((name, value) for (name, _), value in zip(first.values, values, strict=True))


def _uses(node: Expression, name: str) -> bool:
    return name in free_symbols(node)


def _has_dots(node: Expression) -> bool:
    return any(isinstance(part, Dots) for part in walk(node))
