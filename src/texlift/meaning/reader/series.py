"""Sums and products: their index, bounds and conditions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Command, Environment, Group, Leaf, Node
from texlift.meaning.reader.operand import rest_of_product, script_of
from texlift.meaning.tree import Apply, Constant, Expression, Indexed, Number, Relation, Series, Symbol, walk

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["lines", "series"]

_ONE = Number("1")


_Range = tuple[Expression, Expression | None, Expression | None]


def series(row: Row, kind: str, node: Node) -> Expression:
    row.at += 1
    below, above = script_of(node, "_"), script_of(node, "^")
    conditions: tuple[Expression, ...] = ()
    if below is not None and below.argument is not None:
        conditions = _conditions(row, below.argument)
    upper = None
    if above is not None and above.argument is not None:
        upper = type(row)(row.scope, [above.argument], (above.start, above.end)).expression()
    row.scope.enter((node.start, node.end))
    body = rest_of_product(row, "a sum" if kind == "sum" else "a product")
    row.scope.depth -= 1
    ranges, filters = _ranges(row, conditions, upper, (node.start, node.end))
    kept = None
    if filters:
        kept = filters[0] if len(filters) == 1 else Apply("and", tuple(filters), filters[0].span)
    if upper is None:
        _refuse_endless(row, body, conditions, (node.start, body.span[1]))
    for index, low, high in reversed(ranges):
        body = Series(kind, body, index, low, high, kept, (node.start, body.span[1]))
        kept = None
    return body


def _refuse_endless(row: Row, body: Expression, conditions: tuple[Expression, ...], span: Span) -> None:
    r"""`\sum_{i<j}a_ia_j` runs over both letters, as nothing else says what j is; but not over how far."""
    only = conditions[0] if len(conditions) == 1 else None
    if (
        not isinstance(only, Relation)
        or len(only.operators) != 1
        or only.operators[0] not in ("<", ">", "<=", ">=", "!=")
    ):
        return
    if not all(isinstance(part, Symbol) for part in only.operands):
        return
    outside = row.scope.source[: span[0]] + row.scope.source[span[1] :]
    indices = [
        p.name for part in walk(body) if isinstance(part, Indexed) for p in part.indices if isinstance(p, Symbol)
    ]
    for name in (part.name for part in only.operands[1:] if isinstance(part, Symbol)):
        if name in indices and not re.search(rf"(?<![A-Za-z\\]){re.escape(name)}(?![A-Za-z])", outside):
            raise row.scope.error(f"a sum over {name} too, but how far?", span, r"write \sum_{1\le i<j\le n}")


def _conditions(row: Row, argument: Node) -> tuple[Expression, ...]:
    """The conditions below a sum, one for each line of a subarray or `\\substack`."""
    return tuple(one for line in lines(row, argument) for one in line.expressions())


def lines(row: Row, argument: Node) -> list[Row]:
    """What stands below a sign, line by line: those of a subarray, of `\\substack`, or the only one."""
    inner = type(row)(row.scope, [argument], (argument.start, argument.end))
    only = inner.items[0] if inner.count == 1 else None
    found: list[list[Node]] = []
    if type(only) is Environment:
        found = [cell.children for line in only.rows for cell in line]
    elif type(only) is Command and only.name == r"\substack" and len(only.arguments) == 1:
        group = only.arguments[0]
        found = [[]]
        for node in group.children if type(group) is Group else [group]:
            if type(node) is Leaf and node.text == "\\\\":
                found.append([])
            else:
                found[-1].append(node)
    else:
        return [inner] if inner.count else []
    return [type(row)(row.scope, nodes, (nodes[0].start, nodes[-1].end)) for nodes in found if nodes]


def _ranges(
    row: Row, conditions: tuple[Expression, ...], upper: Expression | None, span: Span
) -> tuple[list[_Range], list[Expression]]:
    """Bounds of each index, outermost first, and the conditions that are no bounds."""
    ranges: list[_Range] = []
    filters: list[Expression] = []
    waiting: list[Expression] = []
    known: set[str] = set()

    def add(index: Expression, low: Expression | None, high: Expression | None) -> None:
        if isinstance(index, Symbol):
            known.add(index.name)
        ranges.append((index, low, high))

    for item in conditions:
        if isinstance(item, Symbol | Indexed):
            waiting.append(item)
            continue
        if not isinstance(item, Relation):
            return [(item, None, upper)], []
        first = item.operands[0]
        names = [*waiting, first]
        waiting = []
        if isinstance(first, Symbol) and first.name in known:
            filters.append(item)
        elif len(item.operators) == 1 and all(isinstance(name, Symbol | Indexed) for name in names):
            bound = item.operands[1]
            operator = item.operators[0]
            for name in names:
                low, high = _one_range(operator, bound, upper)
                filtered = operator == "divides" or (operator == "in" and low is None)
                if filtered:
                    filters.append(item)
                if operator in ("divides", "<=", "<") and isinstance(name, Symbol) and name.name == "p":
                    row.scope.warn("p runs over primes", name.span)
                    filters.append(_is_prime(name))
                if not filtered and operator not in ("=", ">=", ">", "<=", "<", "in"):
                    return [(name, None, upper)], [item]
                add(name, low, high)
        elif len(item.operators) >= 2 and all(op in ("<", "<=") for op in item.operators):
            middles = item.operands[1:-1]
            if not all(isinstance(m, Symbol | Indexed) for m in middles):
                return [(item, None, upper)], []
            start: Expression = item.operands[0]
            last = item.operands[-1]
            end = last if item.operators[-1] == "<=" else Apply("plus", (last, Apply("negate", (_ONE,))), last.span)
            for operator, middle in zip(item.operators, middles, strict=False):
                start = start if operator == "<=" else Apply("plus", (start, _ONE), start.span)
                add(middle, start, end)
                start = middle
        elif len(item.operators) == 1 and item.operators[0] in (">=", ">") and _multiple(first) is not None:
            factor, index = _multiple(first)  # type: ignore[misc]
            add(index, Apply("ceiling", (Apply("divide", (item.operands[1], factor)),)), upper or Constant("infinity"))
        else:
            return [(item, None, upper)], []
    ranges.extend((name, None, upper) for name in waiting)
    if not ranges:
        row.scope.warn("a sum without a range", span)
        ranges.append((Symbol("?", span), None, upper))
    return ranges, filters


def _is_prime(index: Symbol) -> Expression:
    """π(p) > π(p-1)."""
    before = Apply("plus", (index, Apply("negate", (_ONE,))), index.span)
    return Relation((">",), (Apply(r"\nprimes", (index,), index.span), Apply(r"\nprimes", (before,), index.span)))


def _multiple(node: Expression) -> tuple[Expression, Expression] | None:
    if isinstance(node, Apply) and node.head == "times" and len(node.arguments) == 2:
        factor, index = node.arguments
        if isinstance(factor, Number) and isinstance(index, Symbol):
            return factor, index
    return None


def _one_range(
    operator: str, bound: Expression, upper: Expression | None
) -> tuple[Expression | None, Expression | None]:
    if operator == "=":
        return bound, upper
    if operator == ">=":
        return bound, upper or Constant("infinity")
    if operator == ">":
        return Apply("plus", (bound, _ONE), bound.span), upper or Constant("infinity")
    if operator in ("<=", "divides"):
        return _ONE, Apply("floor", (bound,), bound.span) if operator == "<=" else bound
    if operator == "<":
        return _ONE, Apply("plus", (Apply("ceiling", (bound,)), Apply("negate", (_ONE,))), bound.span)
    if operator == "in" and isinstance(bound, Constant) and bound.name == "integers":
        return Apply("negate", (Constant("infinity"),)), Constant("infinity")
    return None, None
