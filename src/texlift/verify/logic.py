"""Statements that are no comparison of numbers: tautologies, sets of letters, sets of numbers. Decided exactly."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from texlift.meaning.tree import Apply, Constant, Expression, Interval, Relation, Sequence, Symbol, walk
from texlift.verify.verdict import Verdict

__all__ = ["decided_logically"]

_MOST_LETTERS = 10
_CONNECTIVES: dict[str, Callable[..., bool]] = {
    "and": lambda *parts: all(parts),
    "or": lambda *parts: any(parts),
    "not": lambda part: not part,
    "implies": lambda one, other: not one or other,
    "iff": lambda *parts: len(set(parts)) == 1,
    "xor": lambda *parts: sum(parts) % 2 == 1,
}
_SET_OPERATIONS: dict[str, Callable[..., bool]] = {
    "union": lambda *parts: any(parts),
    "intersect": lambda *parts: all(parts),
    "setminus": lambda one, other: one and not other,
    "symmetricdifference": lambda one, other: one != other,
}
_SET_RELATIONS = frozenset({"=", "!=", "subset", "subseteq", "supset", "supseteq", "in", "notin"})
_NUMBER_SETS = {"reals": "Reals", "integers": "Integers", "complexes": "Complexes", "naturals": "Naturals",
                "nonnegative": "Naturals0", "rationals": "Rationals"}  # fmt: skip


def decided_logically(statement: Expression) -> Verdict | None:
    """The verdict about a statement of logic or sets; None where it is something else."""
    if isinstance(statement, Apply) and statement.head in _CONNECTIVES and _is_propositional(statement):
        return _tautology(statement)
    if not isinstance(statement, Relation) or len(statement.operators) != 1:
        return None
    operator, (left, right) = statement.operators[0], statement.operands
    if operator not in _SET_RELATIONS:
        return None
    if operator not in ("in", "notin", "!=") and _is_algebra(left, right):
        return _of_letters(operator, left, right)
    if operator.startswith("su"):  # (0,1) beside an interval is one, too
        left, right = _as_interval(left, right), _as_interval(right, left)
    if _is_explicit(right) and (operator in ("in", "notin") or _is_explicit(left)):
        return _of_numbers(operator, left, right)
    return None


# -- propositions ------------------------------------------------------------------------------------------


def _is_propositional(node: Expression) -> bool:
    if isinstance(node, Apply):
        return node.head in _CONNECTIVES and all(map(_is_propositional, node.arguments))
    return isinstance(node, Symbol)


def _tautology(node: Apply) -> Verdict:
    names = sorted({part.name for part in walk(node) if isinstance(part, Symbol)})
    domain = f"{', '.join(names)} true or false"
    if len(names) > _MOST_LETTERS:
        return Verdict("undecided", reason="too many letters for a truth table", checkable=False)
    rows = 2 ** len(names)
    for values in product((True, False), repeat=len(names)):
        point = dict(zip(names, values, strict=True))
        if _true(node, point):
            continue
        if node.head not in ("implies", "iff"):
            return Verdict("undecided", reason="a formula of logic that is true for some of its letters, no claim")
        sides = [_true(part, point) for part in node.arguments]
        example = {"point": dict(point), "left": sides[0], "right": sides[-1]}
        return Verdict("refuted", rows, example, "false in a row of its truth table", certain=True, domain=domain)
    return Verdict("proved", rows, reason="true in every row of its truth table", domain=domain)


def _true(node: Expression, point: dict[str, bool]) -> bool:
    if isinstance(node, Symbol):
        return point[node.name]
    assert isinstance(node, Apply)
    return _CONNECTIVES[node.head](*(_true(part, point) for part in node.arguments))


# -- sets that are letters ---------------------------------------------------------------------------------


def _is_algebra(left: Expression, right: Expression) -> bool:
    """Whether both sides are made of letters by operations of sets, of which there is one at least."""
    nodes = [part for side in (left, right) for part in walk(side)]
    return any(isinstance(part, Apply) for part in nodes) and all(
        (isinstance(part, Apply) and part.head in _SET_OPERATIONS)
        or isinstance(part, Symbol)
        or (isinstance(part, Constant) and part.name == "emptyset")
        for part in nodes
    )


def _of_letters(operator: str, left: Expression, right: Expression) -> Verdict:
    names = sorted({part.name for side in (left, right) for part in walk(side) if isinstance(part, Symbol)})
    domain = f"{', '.join(names)} sets"
    if len(names) > _MOST_LETTERS:
        return Verdict("undecided", reason="too many letters", checkable=False)
    if operator in ("supset", "supseteq"):
        left, right = right, left
    for values in product((True, False), repeat=len(names)):
        point = dict(zip(names, values, strict=True))
        one, other = _member(left, point), _member(right, point)
        if one == other if operator == "=" else (not one or other):
            continue
        inside = [name for name in names if point[name]]
        outside = [name for name in names if not point[name]]
        where = " and ".join(
            ([f"in {', '.join(inside)}"] if inside else []) + ([f"not in {', '.join(outside)}"] if outside else [])
        )
        example = {"point": {name: [1] if point[name] else [] for name in names}, "left": [1] if one else [],
                   "right": [1] if other else []}  # fmt: skip
        reason = f"fails for an element that is {where}"
        return Verdict("refuted", 2 ** len(names), example, reason, certain=True, domain=domain)
    return Verdict(
        "proved", 2 ** len(names), reason="holds for an element of any of the sets or of none", domain=domain
    )


def _member(node: Expression, point: dict[str, bool]) -> bool:
    if isinstance(node, Symbol):
        return point[node.name]
    if isinstance(node, Constant):
        return False
    assert isinstance(node, Apply)
    return _SET_OPERATIONS[node.head](*(_member(part, point) for part in node.arguments))


# -- sets of numbers ---------------------------------------------------------------------------------------


def _is_explicit(node: Expression) -> bool:
    """Whether a set is made of intervals, numbers that are written out, and the sets of numbers."""
    if isinstance(node, Apply):
        return node.head in _SET_OPERATIONS and all(map(_is_explicit, node.arguments))
    if isinstance(node, Constant):
        return node.name in _NUMBER_SETS or node.name == "emptyset"
    return isinstance(node, Interval) or (isinstance(node, Sequence) and node.kind == "set")


def _as_interval(node: Expression, other: Expression) -> Expression:
    pair = isinstance(node, Sequence) and node.kind in ("tuple", "list") and len(node.items) == 2
    if isinstance(node, Sequence) and pair and isinstance(other, Interval | Constant):
        low, high = node.items
        return Interval(low, high, span=node.span)
    return node


def _of_numbers(operator: str, left: Expression, right: Expression) -> Verdict | None:
    import sympy

    from texlift.verify.proof.terms import NoTermError, Terms

    terms = Terms({}, frozenset())
    try:
        other = _set(right, terms)
        one = terms.build(left) if operator in ("in", "notin") else _set(left, terms)
    except (NoTermError, ValueError, TypeError):
        return None
    if one.free_symbols or other.free_symbols:
        return None
    if operator in ("in", "notin"):
        found = other.contains(one)
    elif operator in ("=", "!="):
        found = sympy.true if one == other else _both(one.is_subset(other), other.is_subset(one))
    else:
        if operator in ("supset", "supseteq"):
            one, other = other, one
        found = _known(one.is_subset(other))
    if found not in (sympy.true, sympy.false):
        return Verdict("undecided", reason="SymPy cannot compare these sets")
    holds = bool(found) is (operator not in ("notin", "!="))
    if holds:
        return Verdict("proved", 1, reason="compared exactly")
    example = {"point": {}, "left": str(one), "right": str(other)}
    return Verdict("refuted", 1, example, "it fails, compared exactly", certain=True)


def _known(value: Any) -> Any:
    import sympy

    return None if value is None else sympy.true if value else sympy.false


def _both(one: Any, other: Any) -> Any:
    import sympy

    if one is False or other is False:
        return sympy.false
    return sympy.true if one and other else None


def _set(node: Expression, terms: Any) -> Any:
    import sympy

    if isinstance(node, Constant):
        return sympy.S.EmptySet if node.name == "emptyset" else getattr(sympy.S, _NUMBER_SETS[node.name])
    if isinstance(node, Interval):
        ends = [
            (-sympy.oo if _is_negative(end) else sympy.oo) if _is_infinite(end) else terms.build(end)
            for end in (node.lower, node.upper)
        ]
        return sympy.Interval(*ends, not node.closed_lower, not node.closed_upper)
    if isinstance(node, Sequence):
        return sympy.FiniteSet(*map(terms.build, node.items))
    assert isinstance(node, Apply)
    parts = [_set(part, terms) for part in node.arguments]
    if node.head == "union":
        return sympy.Union(*parts)
    if node.head == "intersect":
        return sympy.Intersection(*parts)
    return sympy.Complement(*parts) if node.head == "setminus" else sympy.SymmetricDifference(*parts)


def _is_infinite(node: Expression) -> bool:
    return any(isinstance(part, Constant) and part.name == "infinity" for part in walk(node))


def _is_negative(node: Expression) -> bool:
    return isinstance(node, Apply) and node.head == "negate"
