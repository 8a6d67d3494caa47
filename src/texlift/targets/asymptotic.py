r"""Asymptotic statements as limits, for systems that have limits and no such relation.

f \sim g                  f/g tends to 1
f = g + o(h)              (f-g)/h tends to 0
f \sim \sum_s a_s z^{-s}  (f - the terms up to n)/(term n) tends to 0, for every n
f \sim a + b + \cdots     (f - a - b)/b tends to 0

Where the variable tends to is said in the formula (`, z\to\infty`), or shown by the powers that must get smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from texlift.meaning.reader.linear import linear
from texlift.meaning.reader.progression import exponents, order_point
from texlift.meaning.tree import (
    Apply,
    Constant,
    Dots,
    Expression,
    Indexed,
    Limit,
    Number,
    Relation,
    Series,
    Symbol,
    free_symbols,
    substitute,
    walk,
)
from texlift.targets.orders import growth, has_order, is_order, split_sum, times

__all__ = ["Limiting", "Tendency", "as_limits", "growing", "limiting", "tendencies"]

_ZERO, _ONE = Number("0"), Number("1")
_LETTERS = ("n", "m", "j", "r", "p", "q")
_COUNTING = frozenset({"n", "m", "k", "N", "M", "K"})  # where nothing is said, they grow


@dataclass(frozen=True, slots=True)
class Tendency:
    """A variable, where it tends to, and from which side."""

    name: str
    point: Expression
    direction: str = ""

    @property
    def at_infinity(self) -> bool:
        return any(isinstance(part, Constant) and part.name == "infinity" for part in walk(self.point))

    def limit(self, body: Expression) -> Limit:
        """The limit of an expression."""
        return Limit(body, Symbol(self.name), self.point, self.direction, body.span)


@dataclass(frozen=True, slots=True)
class Limiting:
    """An equation between a limit and a number, the tendency used, and what a reader must know."""

    relation: Relation
    tendency: Tendency
    cautions: tuple[str, ...] = ()


def tendencies(statements: Iterable[Expression]) -> dict[str, Tendency]:
    r"""What the statements of a formula say of variables that tend somewhere: `z\to\infty`, `x\to 0+`."""
    found: dict[str, Tendency] = {}
    for statement in statements:
        if not isinstance(statement, Relation) or statement.operators != ("->",):
            continue
        variable, point = statement.operands
        if not isinstance(variable, Symbol) or variable.name in free_symbols(point):
            continue
        direction = ""
        if isinstance(point, Apply) and point.head in ("above", "below"):
            direction, point = ("+" if point.head == "above" else "-"), point.arguments[0]
        found[variable.name] = Tendency(variable.name, point, direction)
    return found


def growing(statements: Iterable[Expression], stated: Mapping[str, Tendency]) -> dict[str, Tendency]:
    r"""Letters that count, in O-terms of which nothing is said: `O(n^2)` holds as n tends to infinity."""
    found: dict[str, Tendency] = {}
    for statement in statements:
        for part in walk(statement):
            names = set(free_symbols(part)) if is_order(part) else set()
            if len(names) == 1 and names <= _COUNTING - set(stated):
                name = names.pop()
                found[name] = Tendency(name, Constant("infinity"))
    return found


def as_limits(
    statements: tuple[Expression, ...],
    stated: Mapping[str, Tendency],
    certain: Callable[[str], bool],
    orders: bool = True,
    dots: bool = False,
) -> tuple[tuple[Expression, ...], list[str]]:
    r"""Statements with asymptotic ones as equations of limits, and what a reader must know.

    Where a variable tends to is no statement of its own when another one holds it. `certain` says whether a relation
    sign is an asymptotic one where the formula does not say that anything tends somewhere; `orders` whether the system
    has O-terms, `dots` whether O-terms stand for dots that the author wrote.
    """
    found: list[Expression] = []
    cautions: list[str] = []
    used: set[str] = set()
    for statement in statements:
        if not isinstance(statement, Relation) or tendencies([statement]):
            found.append(statement)
            continue
        made = [
            limiting(operator, left, right, stated, dots and not orders)
            if operator in ("=", "->") or certain(operator) or _stated(Apply("plus", (left, right)), stated)
            else None
            for operator, left, right in statement.links
        ]
        if orders and has_order(statement) and not any(made):
            signs = tuple("=" if certain(operator) else operator for operator in statement.operators)
            statement = Relation(signs, statement.operands, statement.span)
        if not any(made):
            found.append(statement)
            used |= _in_orders(statement, stated)
            continue
        for one, (operator, left, right) in zip(made, statement.links, strict=True):
            found.append(Relation((operator,), (left, right), statement.span) if one is None else one.relation)
            cautions += [] if one is None else one.cautions
            used |= {one.tendency.name} if one is not None else set()
    kept = [part for part in found if not set(tendencies([part])) & used]
    return tuple(kept), cautions


def _in_orders(statement: Relation, stated: Mapping[str, Tendency]) -> set[str]:
    """The variables of O-terms of which the formula says where they tend to."""
    orders = [part for part in walk(statement) if isinstance(part, Apply) and part.head == r"\bigO"]
    return {name for order in orders for name in free_symbols(order) if name in stated}


def limiting(
    operator: str, left: Expression, right: Expression, stated: Mapping[str, Tendency], dots: bool = False
) -> Limiting | None:
    """An asymptotic statement as an equation of a limit; None where it is none, or says not where it holds.

    `dots` says that O-terms stand for dots, and that the system has none.
    """
    if operator == "->":
        tendency = _stated(left, stated)
        return None if tendency is None else _made(tendency, left, right)
    if dots and has_order(right):
        return _listed(left, right, stated)
    if has_order(right):
        return _small(operator, left, right, stated)
    if operator not in ("~", "~~"):
        return None
    if any(isinstance(part, Dots) for part in walk(right)):
        return _listed(left, right, stated)
    if any(map(_is_open, walk(right))):
        return _expansion(left, right, stated)
    tendency = _stated(Apply("plus", (left, right)), stated)
    return None if tendency is None else _made(tendency, Apply("divide", (left, right), left.span), _ONE)


def _made(tendency: Tendency, body: Expression, value: Expression, *cautions: str) -> Limiting:
    return Limiting(Relation(("=",), (tendency.limit(body), value), body.span), tendency, cautions)


def _stated(node: Expression, stated: Mapping[str, Tendency]) -> Tendency | None:
    """The one variable of an expression of which the formula says where it tends to."""
    names = set(free_symbols(node)) & set(stated)
    return stated[names.pop()] if len(names) == 1 else None


def _shown(name: str, at_infinity: bool) -> Tendency:
    return Tendency(name, Constant("infinity") if at_infinity else _ZERO)


def _said(tendency: Tendency) -> str:
    where = "infinity" if tendency.at_infinity else "0"
    return f"{tendency.name} was taken to tend to {where}, as the powers show"


def _small(operator: str, left: Expression, right: Expression, stated: Mapping[str, Tendency]) -> Limiting | None:
    """`f = g + o(h)`."""
    found = growth(operator, left, right)
    if found is None or not found.little:
        return None
    tendency = _stated(Apply("plus", (left, right)), stated)
    cautions: tuple[str, ...] = ()
    if tendency is None:
        orders = [part for part in walk(right) if isinstance(part, Apply) and part.head == r"\littleo"]
        points = {order_point(order.arguments[0]) for order in orders}
        point = points.pop() if len(points) == 1 else None
        if point is None or stated:
            return None
        tendency = _shown(*point)
        cautions = (_said(tendency),)
    return _made(tendency, Apply("divide", (found.remainder, found.bound), left.span), _ZERO, *cautions)


# -- expansions --------------------------------------------------------------------------------------------


def _is_open(node: Expression) -> bool:
    return (
        isinstance(node, Series)
        and node.kind == "sum"
        and isinstance(node.upper, Constant)
        and node.upper.name == "infinity"
    )


def _without(left: Expression, *parts: Expression | None) -> Expression:
    minus = tuple(Apply("negate", (part,), part.span) for part in parts if part is not None)
    return Apply("plus", (left, *minus), left.span) if minus else left


def _expansion(left: Expression, right: Expression, stated: Mapping[str, Tendency]) -> Limiting | None:
    """An expansion in one or several series of which all terms are given.

    With several series, what is left after n terms of each is small beside the sum of the sizes of their last terms.
    """
    parted = split_sum(right, _is_open)
    if parted is None or not parted[1]:
        return None
    rest, found = parted
    series = [(part, factor) for part, factor in found if isinstance(part, Series)]
    if any(not isinstance(one.index, Symbol) or one.lower is None or one.condition is not None for one, _ in series):
        return None
    tendency = _stated(Apply("plus", (left, right)), stated)
    cautions: list[str] = []
    if tendency is None:
        scales = {_scale(one.body, one.index.name) for one, _ in series if isinstance(one.index, Symbol)}
        tendency = None if stated or len(scales) != 1 else scales.pop()
        if tendency is None:
            return None
        cautions.append(_said(tendency))
    used = {part.name for side in (left, right) for part in walk(side) if isinstance(part, Symbol)}
    used |= {part.base for side in (left, right) for part in walk(side) if isinstance(part, Indexed)}
    letter = next((name for name in _LETTERS if name not in used), "")
    if not letter:
        return None
    last = Symbol(letter, right.span)
    partial = [
        times(factor, Series("sum", one.body, one.index, one.lower, last, None, one.span)) for one, factor in series
    ]
    terms = [times(factor, substitute(one.body, {getattr(one.index, "name", ""): last})) for one, factor in series]
    several = len(terms) > 1
    scale = Apply("plus", tuple(Apply("abs", (term,), term.span) for term in terms)) if several else terms[0]
    cautions.append(
        f"the expansion is written as its definition, for every {letter} from the first index on"
        f" at which {'the terms are not all' if several else 'the term is not'} 0"
    )
    body = Apply("divide", (_without(left, rest, *partial), scale), left.span)
    return _made(tendency, body, _ZERO, *cautions)


def _scale(term: Expression, index: str) -> Tendency | None:
    """The variable whose power changes with the index; it tends to where the terms get smaller."""
    found: dict[str, Fraction] = {}
    if not _powers(term, index, Fraction(1), found) or len(found) != 1:
        return None
    name, step = next(iter(found.items()))
    return _shown(name, step < 0) if step else None


def _powers(node: Expression, index: str, sign: Fraction, found: dict[str, Fraction]) -> bool:
    """Add up by how much the exponents of symbols grow with the index; False where that cannot be said."""
    if isinstance(node, Apply) and node.head in ("times", "negate"):
        return all(_powers(part, index, sign, found) for part in node.arguments)
    if isinstance(node, Apply) and node.head == "divide":
        above, below = node.arguments
        return _powers(above, index, sign, found) and _powers(below, index, -sign, found)
    if isinstance(node, Apply) and node.head == "power":
        base, exponent = node.arguments
        if index not in free_symbols(exponent):
            return True
        steps = linear(exponent)
        names = list(free_symbols(base))
        if steps is None or len(names) > 1 or index in names:
            return False
        if not names:
            return True  # a power of a number changes no order
        power = exponents(base)
        if list(power) != names:
            return False
        step = sign * power[names[0]] * steps.get(index, Fraction(0))
        found[names[0]] = found.get(names[0], Fraction(0)) + step
    return True  # coefficients


def _is_left_out(node: Expression) -> bool:
    return isinstance(node, Dots) or (isinstance(node, Apply) and node.head == r"\bigO")


def _listed(left: Expression, right: Expression, stated: Mapping[str, Tendency]) -> Limiting | None:
    """An expansion of which some terms are given, with dots behind the last."""
    sums = [part for part in walk(right) if isinstance(part, Apply) and part.head == "plus"]
    ends = [part for part in sums if _is_left_out(part.arguments[-1]) and len(part.arguments) > 2]
    if len(ends) != 1 or sum(map(_is_left_out, walk(right))) != 1:
        return None
    parted = split_sum(right, _is_left_out)
    if parted is None or parted[0] is None:
        return None
    rest, factor = parted[0], parted[1][0][1]
    last = ends[0].arguments[-2]
    tendency = _stated(Apply("plus", (left, rest)), stated)
    cautions = ["what the dots leave out was taken to be smaller than the last term before them"]
    if tendency is None:
        left_out = ends[0].arguments[-1]
        point = order_point(left_out.arguments[0] if isinstance(left_out, Apply) else last)
        if point is None or stated:
            return None
        tendency = _shown(*point)
        cautions.append(_said(tendency))
    return _made(tendency, Apply("divide", (_without(left, rest), times(factor, last)), left.span), _ZERO, *cautions)
