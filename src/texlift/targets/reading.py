"""Semantic LaTeX to expressions.

    read(r"\\BesselJ{\\nu}@{z}=0").statements -> (Relation(("=",), (Apply("\\\\BesselJ", ...), Number("0"))),)

`\\pm` gives two statements: the upper signs together, then the lower ones. `\\iunit`, `\\expe`, `\\cpi` and
`\\EulerConstant` are the constants; so are `\\pi`, `i` unless it is an index in the formula, and `e` where it has
an exponent somewhere in the formula. `\\gamma` is a variable.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from texlift.errors import FormulaError
from texlift.latex.nodes import Command, Environment, Node, Text
from texlift.latex.parser import parse
from texlift.latex.signatures import Signatures, generic_signatures
from texlift.macros.lexicon import lexicon
from texlift.targets.expression import (
    Derivative,
    Expression,
    Indexed,
    Number,
    Relation,
    Sequence,
    Symbol,
    Unknown,
    rebuild,
    walk,
)
from texlift.targets.row import RELATIONS, Row
from texlift.targets.scope import Scope

__all__ = ["Reading", "read", "semantic_signatures"]

_UNSETTLED = re.compile(r"_|deriv|pdiff|\^\{\(")  # indices or derivatives


@dataclass(frozen=True, slots=True)
class Reading:
    """What a formula states: one expression for each statement, and what was decided on the way."""

    source: str
    statements: tuple[Expression, ...]
    warnings: tuple[str, ...]
    split: bool = False  # whether the second half of the statements has the lower signs of \\pm


@cache
def semantic_signatures() -> Signatures:
    """Signatures of plain LaTeX and of all macros in the lexicon."""
    return generic_signatures().with_calls(lexicon().call_signatures())


def read(source: str) -> Reading:
    """Read semantic LaTeX. Raises FormulaError for what has no computable meaning, naming the place."""
    signatures = semantic_signatures()
    nodes = parse(source, signatures)
    statements: list[Expression] = []
    warnings: dict[str, None] = {}
    signs = [1]
    split = False
    while signs:
        scope = Scope.of(source, signatures.calls, signs.pop())
        try:
            found = _statements(Row(scope, nodes, (0, len(source))))
        except RecursionError:
            raise FormulaError(
                "nested too deeply", source, (0, len(source)), "simplify the formula", "too-deep"
            ) from None
        statements.extend(_settle(found) if _UNSETTLED.search(source) else found)
        warnings.update(dict.fromkeys(scope.warnings))
        if scope.split and scope.sign > 0:
            signs.append(-1)
            split = True
    return Reading(source, tuple(statements), tuple(warnings), split)


def _statements(row: Row) -> list[Expression]:
    while row.count and row.texts[row.count - 1] in (",", ".", ";"):
        row = row.part(0, row.count - 1)
    if row.count == 1 and type(row.items[0]) is Environment:
        environment = row.items[0]
        if environment.name in ("aligned", "align", "align*", "split", "gathered", "gather", "multline", "eqnarray"):
            return [
                statement
                for line in environment.rows
                if (cells := [child for cell in line for child in cell.children])
                for statement in _statements(Row(row.scope, cells, (line[0].start, line[-1].end)))
            ]
    words = [index for index, node in enumerate(row.items) if _is_text(node)]
    if words and words[0] > 0 and all(_body(row, row.items[index]) in ("or", "and", "", ",") for index in words):
        cuts = [-1, *words, row.count]
        return [s for a, b in pairwise(cuts) if b > a + 1 for s in _statements(row.part(a + 1, b))]
    if words and words[0] > 0:
        row.scope.warn("words behind the formula were left out", (row.items[words[0]].start, row.items[-1].end))
        return _statements(row.part(0, words[0]))
    if words:
        place = row.items[words[0]]
        raise row.scope.error("words instead of a formula", (place.start, place.end), "give only the mathematics")
    if row.count and row.texts[0] in RELATIONS and row.count > 1:
        row.scope.warn("the left-hand side is missing", (row.items[0].start, row.items[0].end))
        row = row.part(1, row.count)
    items = list(row.expressions()) if row.count else []
    if not items:
        raise row.scope.error("an empty formula", (0, len(row.scope.source)))
    return _distribute(items)


def _is_text(node: Node) -> bool:
    if not isinstance(node, Command) or not node.arguments or not isinstance(node.arguments[0], Text):
        return False
    return "const" not in node.arguments[0].body


def _body(row: Row, node: Node) -> str:
    return row.scope.source[node.start : node.end].partition("{")[2].rstrip("}").strip()


def _distribute(items: list[Expression]) -> list[Expression]:
    """`a,b>0` states a>0 and b>0; `n=0,1,2` states that n is one of them."""
    if len(items) == 1 or not any(isinstance(item, Relation) for item in items):
        return items if len(items) == 1 else [Sequence(tuple(items), "list", (items[0].span[0], items[-1].span[1]))]
    result: list[Relation] = []
    leading: list[Expression] = []
    for item in items:
        if isinstance(item, Relation):
            result.append(item)
        elif not result:
            leading.append(item)
        else:
            last = result.pop()
            tail = last.operands[-1]
            values = tail.items if isinstance(tail, Sequence) and tail.kind == "list" else (tail,)
            together = Sequence((*values, item), "list", (tail.span[0], item.span[1]))
            result.append(Relation(last.operators, (*last.operands[:-1], together), (last.span[0], item.span[1])))
    first = result[0]
    return [*(Relation(first.operators, (left, *first.operands[1:]), left.span) for left in leading), *result]


def _settle(statements: list[Expression]) -> list[Expression]:
    """Decisions that need the whole formula: constant indices, and symbols that are differentiated."""
    indexed: set[str] = set()
    any_indexed = False
    dependent: dict[str, tuple[Expression, ...]] = {}
    for statement in statements:
        for node in walk(statement):
            if isinstance(node, Indexed):
                any_indexed = True
                parts = (*node.indices, *node.upper)
                if any(
                    (isinstance(p, Symbol) and not _label(p.name)) or not isinstance(p, Number | Symbol) for p in parts
                ):
                    indexed.add(node.base)
            elif isinstance(node, Derivative):
                body = node.body
                variables = tuple(v for v, _ in node.variables)
                if isinstance(body, Symbol) and body.name not in {v.name for v in variables if isinstance(v, Symbol)}:
                    known = dependent.get(body.name, ())
                    dependent[body.name] = known + tuple(
                        v for v in variables if all(_same(v, k) is False for k in known)
                    )
    if not any_indexed and not dependent:
        return statements

    def change(node: Expression) -> Expression:
        if isinstance(node, Symbol) and node.name in dependent:
            return Unknown(node, dependent[node.name], None, node.span)
        if isinstance(node, Unknown):
            function = node.function
            if isinstance(function, Indexed) and function.base not in indexed:
                function = _flat(function)
            return Unknown(function, tuple(change(a) for a in node.arguments), node.order, node.span)
        node = rebuild(node, change)
        return _flat(node) if isinstance(node, Indexed) and node.base not in indexed else node

    return [change(statement) for statement in statements]


def _label(name: str) -> bool:
    """Whether an index is a word (`max`, `II`) and not a variable."""
    return len(name) > 1 and name.isalpha()


def _same(left: Expression, right: Expression) -> bool:
    return isinstance(left, Symbol) and isinstance(right, Symbol) and left.name == right.name


def _flat(node: Indexed) -> Symbol:
    """An index that never varies is part of the name: `z_{0}`."""
    label = ",".join(part.value if isinstance(part, Number) else part.name for part in node.indices)  # type: ignore[union-attr]
    above = ",".join(part.value if isinstance(part, Number) else part.name for part in node.upper)  # type: ignore[union-attr]
    return Symbol(f"{node.base}_{{{label}}}" + (f"^{{({above})}}" if above else ""), node.span)
