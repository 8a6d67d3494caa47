"""One form for codes that say the same in other words: relations, binders, lists, matrices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from texlift.bench.spelling import renamed, sorted_arguments, spelled_alike, symbols_in
from texlift.bench.term import CodeError, Term, call, names, number, symbol

__all__ = ["is_statement", "normal"]

_SWAPPED = {"Gt": "Lt", "Ge": "Le", "Superset": "Subset", "ProperSuperset": "ProperSubset"}
_NEGATED = {"Eq": "Ne", "Ne": "Eq", "Lt": "Ge", "Le": "Gt", "Gt": "Le", "Ge": "Lt"}
_FACTORS_OUT = ("Sum", "Integral")
_ONE = number(1)
_NUMBER_SETS = frozenset({"Reals", "Integers", "Naturals", "Naturals0", "Rationals", "Complexes"})


def normal(term: Term) -> Term:
    """The normal form of a whole statement. Raises CodeError where a call makes no sense."""
    return sorted_arguments(_normal(spelled_alike(term)))


def is_statement(term: Term) -> bool:
    """Whether a term is true or false, not a value."""
    if term.kind == "call":
        return term.name in names()["statements"] or term.name.startswith("Q.")
    return term.kind == "constant" and term.name in ("true", "false")


def _normal(term: Term) -> Term:
    if term.name in ("Sum", "Product", "Integral", "Derivative", "Limit", "Subs", "Lambda", "ConditionSet") and (
        term.kind == "call"
    ):
        return _binder(term)
    term = Term(term.kind, term.name, tuple(map(_normal, term.parts)))
    if term.kind == "unknown":
        return _indexed(term)
    if term.kind in ("list", "tuple"):
        return _conjunction(term.parts) if term.parts and all(map(is_statement, term.parts)) else term
    if term.kind != "call":
        return term
    form = _FORMS.get(term.name)
    return form(term) if form else term


def _norm(term: Term) -> Term:
    """The Euclidean length of a vector."""
    (vector,) = term.parts if len(term.parts) == 1 else (None,)
    return _normal(call("sqrt", call("Dot", vector, vector))) if vector is not None else term


def _indexed(term: Term) -> Term:
    """`a_1` is a name; `f()` is one too."""
    if all(part.kind == "number" and part.name.isdigit() for part in term.parts):
        return symbol(term.name + "".join(part.name for part in term.parts)) if term.parts else symbol(term.name)
    return term


def _conjunction(parts: tuple[Term, ...]) -> Term:
    return _flat(call("And", *parts))


def _flat(term: Term) -> Term:
    parts: list[Term] = []
    for part in term.parts:
        parts += part.parts if part.kind == "call" and part.name == term.name else [part]
    unique = tuple(dict.fromkeys(parts))
    return unique[0] if len(unique) == 1 else call(term.name, *unique)


def _sum_of(term: Term) -> Term:
    parts: list[Term] = []
    for part in term.parts:
        parts += part.parts if part.kind == "call" and part.name == term.name else [part]
    return call(term.name, *parts)


def _swapped(term: Term) -> Term:
    left, right = _two(term)
    return call(_SWAPPED[term.name], right, left)


def _not(term: Term) -> Term:
    (inner,) = term.parts
    if inner.kind == "call" and inner.name == "Not":
        return inner.parts[0]
    if inner.kind == "call" and inner.name in _NEGATED:
        turned = call(_NEGATED[inner.name], *inner.parts)
        return _swapped(turned) if turned.name in _SWAPPED else turned
    return term


def _equation(term: Term) -> Term:
    """A congruence has one form: Mod(a, n) = Mod(b, n) is Mod(a - b, n) = 0."""
    left, right = _two(term)
    if _is_call(left, "Mod") and _is_call(right, "Mod") and left.parts[1:] == right.parts[1:]:
        difference = call("Add", left.parts[0], call("Mul", number(-1), right.parts[0]))
        return call("Congruent", _sum_of(difference), left.parts[1])
    for value, other in ((left, right), (right, left)):
        if _is_call(value, "Mod") and other == number(0):
            return call("Congruent", *value.parts)
    return term


def _divides(term: Term) -> Term:
    left, right = _two(term)
    return call("Congruent", right, left)


def _root(term: Term) -> Term:
    base, *degree = term.parts
    index = degree[0] if degree else number({"sqrt": 2, "cbrt": 3}.get(term.name, 2))
    return call("Pow", base, call("Pow", index, number(-1)))


def _inverse(term: Term) -> Term:
    return call("Pow", term.parts[0], number(-1))


def _power(term: Term) -> Term:
    """A power of a number set is a product of sets."""
    base, exponent = _two(term)
    of_sets = base.kind == "constant" and base.name in _NUMBER_SETS
    if of_sets and exponent.kind == "number" and exponent.name.isdigit() and 1 < int(exponent.name) < 9:
        return call("ProductSet", *[base] * int(exponent.name))
    return term


def _exponential(term: Term) -> Term:
    return call("Pow", Term("constant", "E"), term.parts[0])


def _logarithm(term: Term) -> Term:
    if len(term.parts) == 1:
        return term
    value, base = term.parts
    return call("Mul", call("log", value), call("Pow", call("log", base), number(-1)))


def _interval(term: Term) -> Term:
    """With both flags; an end at infinity is open."""
    lower, upper, *flags = term.parts
    no = Term("constant", "false")
    ends = [*flags, no, no][:2]
    shown = [Term("constant", "true") if _infinite(e) else f for e, f in zip((lower, upper), ends, strict=True)]
    return call("Interval", lower, upper, *shown)


def _infinite(term: Term) -> bool:
    return term == Term("constant", "oo") or (_is_call(term, "Mul") and Term("constant", "oo") in term.parts)


def _matrix(term: Term) -> Term:
    """A matrix as its rows, each a tuple."""
    parts = term.parts
    if len(parts) == 3 and parts[0].kind == parts[1].kind == "number" and parts[2].kind == "list":
        width = int(parts[1].name)
        cells = parts[2].parts
        rows = [cells[at : at + width] for at in range(0, len(cells), width)]
    elif len(parts) == 1 and parts[0].kind in ("list", "tuple"):
        rows = [row.parts if row.kind in ("list", "tuple") else (row,) for row in parts[0].parts]
    else:
        raise CodeError("a matrix without its elements")
    return call("Matrix", *(Term("tuple", "", tuple(row)) for row in rows))


def _pairs(term: Term) -> Term:
    """Branches as tuples of value and condition."""
    if any(part.kind != "tuple" or len(part.parts) != 2 for part in term.parts):
        raise CodeError("a case without its condition")
    return term


def _order(term: Term) -> Term:
    """`Order(f)` and `Order(f, (x, 0))` are the same."""
    kept = tuple(p for p in term.parts[1:] if not (p.kind == "tuple" and len(p.parts) == 2 and p.parts[1] == number(0)))
    return call("Order", term.parts[0], *(p for p in kept if p.kind != "symbol"))


def _tuple(term: Term) -> Term:
    return Term("tuple", "", term.parts)


def _text_symbols(term: Term) -> Term:
    """Ket('psi') is Ket(psi)."""
    return call(term.name, *(symbol(p.name) if p.kind == "text" else p for p in term.parts))


def _two(term: Term) -> tuple[Term, Term]:
    if len(term.parts) != 2:
        raise CodeError(f"{term.name} of {len(term.parts)}")
    return term.parts[0], term.parts[1]


def _is_call(term: Term, name: str) -> bool:
    return term.kind == "call" and term.name == name


_FORMS = {
    "And": _flat, "Or": _flat, "Union": _flat, "Intersection": _flat,
    "Add": _sum_of, "Mul": _sum_of, "Gt": _swapped, "Ge": _swapped, "Superset": _swapped, "ProperSuperset": _swapped,
    "Not": _not, "Eq": _equation, "Divides": _divides, "sqrt": _root, "cbrt": _root, "root": _root,
    "exp": _exponential, "Pow": _power,
    "Inverse": _inverse, "Norm": _norm,
    "log": _logarithm, "Interval": _interval, "Matrix": _matrix, "Piecewise": _pairs, "Order": _order, "Tuple": _tuple,
    "Ket": _text_symbols, "Bra": _text_symbols,
}  # fmt: skip


def _binder(term: Term) -> Term:
    if not term.parts:
        raise CodeError(f"{term.name} of nothing")
    match term.name:
        case "Sum" | "Product" | "Integral":
            return _series(term)
        case "Derivative":
            return _derivative(term)
        case "Limit":
            return _limit(term)
        case "Subs":
            return _substitution(term)
        case "Lambda":
            return _map(term)
    variable, *others = (part for part in map(_normal, term.parts) if part != Term("constant", "UniversalSet"))
    return call("ConditionSet", variable, *others)


def _series(term: Term) -> Term:
    """One variable each, the first innermost: (body, variable, bounds...)."""
    body = _normal(term.parts[0])
    for limits in term.parts[1:]:
        variable, *bounds = map(_normal, limits.parts if limits.kind in ("tuple", "list") else (limits,))
        if variable.kind != "symbol":
            raise CodeError(f"{term.name} by something that is no symbol")
        body = _factored(term.name, body, variable, tuple(bounds))
    return body


def _factored(head: str, body: Term, variable: Term, bounds: tuple[Term, ...]) -> Term:
    """The binder with the factors that do not depend on its variable in front."""
    if head not in _FACTORS_OUT or not _is_call(body, "Mul"):
        return call(head, body, variable, *bounds)
    free = [part for part in body.parts if variable.name not in symbols_in(part)]
    kept = [part for part in body.parts if part not in free]
    if not free or any(_is_call(part, "Matrix") for part in body.parts):
        return call(head, body, variable, *bounds)
    inner = _ONE if not kept else kept[0] if len(kept) == 1 else call("Mul", *kept)
    return _sum_of(call("Mul", *free, call(head, inner, variable, *bounds)))


def _derivative(term: Term) -> Term:
    """(body, tuple of variable and order...), the variables in order of their names, inner derivatives taken up."""
    body = _normal(term.parts[0])
    steps: list[tuple[str, Term]] = []
    for part in map(_normal, term.parts[1:]):
        if part.kind == "number" and steps:  # Derivative(f, x, 2)
            steps[-1] = (steps[-1][0], part)
        elif part.kind == "tuple" and len(part.parts) == 2:
            steps.append((part.parts[0].name, part.parts[1]))
        elif part.kind == "symbol":
            steps.append((part.name, _ONE))
        else:  # by another function, as in Lagrange's equations: compared unchanged
            return call("Derivative", body, *map(_normal, term.parts[1:]))
    if not steps:
        free = sorted(symbols_in(body))
        if len(free) != 1:
            raise CodeError("a derivative without its variable")
        steps = [(free[0], _ONE)]
    if _is_call(body, "Derivative") and all(step.kind == "tuple" for step in body.parts[1:]):
        steps += [(step.parts[0].name, step.parts[1]) for step in body.parts[1:]]
        body = body.parts[0]
    return call("Derivative", body, *_merged(steps))


def _merged(steps: list[tuple[str, Term]]) -> Iterator[Term]:
    for name, group in groupby(sorted(steps, key=lambda step: step[0]), key=lambda step: step[0]):
        orders = [order for _, order in group]
        total = orders[0]
        for order in orders[1:]:
            if total.kind == order.kind == "number" and (total.name + order.name).isdigit():
                total = number(int(total.name) + int(order.name))
            else:
                total = call("Add", total, order)
        yield Term("tuple", "", (symbol(name), total))


def _limit(term: Term) -> Term:
    """(body, variable, point, direction): "+" unless it says otherwise, as in SymPy; none at infinity."""
    parts = tuple(map(_normal, term.parts))
    if len(parts) not in (3, 4) or parts[1].kind != "symbol":
        raise CodeError("a limit without its variable and point")
    direction = parts[3] if len(parts) == 4 else Term("text", "+")
    if _infinite(parts[2]):
        direction = Term("text", "")
    return call("Limit", *parts[:3], direction)


def _substitution(term: Term) -> Term:
    """(body, variable, point); the derivative of f at a symbol is its derivative by that symbol."""
    body, variables, points = _three(tuple(map(_normal, term.parts)))
    many = variables.parts if variables.kind in ("tuple", "list") else (variables,)
    where = points.parts if points.kind in ("tuple", "list") else (points,)
    for variable, point in zip(many, where, strict=False):
        free_point = point.kind == "symbol" and point.name not in symbols_in(body)
        body = renamed(body, variable.name, point.name) if free_point else call("Subs", body, variable, point)
    return body


def _three(parts: tuple[Term, ...]) -> tuple[Term, Term, Term]:
    if len(parts) == 3:
        return parts[0], parts[1], parts[2]
    raise CodeError("a substitution without its variable and point")


def _map(term: Term) -> Term:
    """One variable each, the first outermost."""
    variables, body = term.parts[0], _normal(term.parts[-1])
    for variable in reversed(variables.parts if variables.kind in ("tuple", "list") else (variables,)):
        body = call("Lambda", body, _normal(variable))
    return body
