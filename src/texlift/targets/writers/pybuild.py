"""Expressions to Python syntax trees: what SymPy and mpmath code have in common."""

from __future__ import annotations

import ast
import builtins
import keyword
from functools import cache
from typing import ClassVar, get_args

from texlift.meaning.reader.derivative import derivative_slot
from texlift.meaning.reader.reading import semantic_signatures
from texlift.meaning.tree import (
    Apply,
    Constant,
    Derivative,
    Dots,
    Expression,
    Function,
    Indexed,
    Integral,
    Interval,
    Matrix,
    Number,
    Sequence,
    Series,
    Symbol,
)
from texlift.targets.arrays import is_array
from texlift.targets.table import Entry, load_table, lookup
from texlift.targets.writers.pycode import template, unparse
from texlift.targets.writers.writer import LISTED, Writer

__all__ = ["PythonBuilder", "call", "lambda_", "name"]

_BINARY: dict[str, ast.operator] = {
    "+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "/": ast.Div(), "**": ast.Pow(),
}  # fmt: skip
_PYTHON = frozenset(keyword.kwlist) | frozenset(dir(builtins))  # names no symbol may have
_METHODS = {kind: f"build_{kind.__name__.lower()}" for kind in get_args(Expression)}
_template = cache(template)


@cache
def _reserved(target: str) -> frozenset[str]:
    return load_table(target).reserved | _PYTHON


def name(text: str) -> ast.Name:
    return ast.Name(text)


def call(function: str | ast.expr, *arguments: ast.expr, **options: ast.expr) -> ast.Call:
    keywords = [ast.keyword(key, value) for key, value in options.items()]
    return ast.Call(ast.Name(function) if isinstance(function, str) else function, list(arguments), keywords)


def lambda_(variable: str, body: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [ast.arg(variable)], None, [], [], None, []), body)


def binary(sign: str, left: ast.expr, right: ast.expr) -> ast.BinOp:
    return ast.BinOp(left, _BINARY[sign], right)


def fill(node: ast.expr, values: dict[str, ast.expr]) -> ast.expr:
    """The template tree with the names _1, _2, ... replaced."""
    kind = type(node)
    if kind is ast.Name:
        return values.get(node.id, node)  # type: ignore[attr-defined]
    if kind is ast.Constant:
        return node
    if kind is ast.Call:
        return ast.Call(
            fill(node.func, values),  # type: ignore[attr-defined]
            [fill(a, values) for a in node.args],  # type: ignore[attr-defined]
            [ast.keyword(k.arg, fill(k.value, values)) for k in node.keywords],  # type: ignore[attr-defined]
        )
    if kind is ast.BinOp:
        return ast.BinOp(fill(node.left, values), node.op, fill(node.right, values))  # type: ignore[attr-defined]
    if kind is ast.Attribute:
        return ast.Attribute(fill(node.value, values), node.attr)  # type: ignore[attr-defined]
    if kind is ast.Subscript:
        return ast.Subscript(fill(node.value, values), node.slice)  # type: ignore[attr-defined]
    if kind is ast.UnaryOp:
        return ast.UnaryOp(node.op, fill(node.operand, values))  # type: ignore[attr-defined]
    if kind is ast.List or kind is ast.Tuple:
        return kind([fill(e, values) for e in node.elts])  # type: ignore[attr-defined]
    if kind is ast.Lambda:
        return ast.Lambda(node.args, fill(node.body, values))  # type: ignore[attr-defined]
    if kind is ast.IfExp:
        parts = (fill(p, values) for p in (node.test, node.body, node.orelse))  # type: ignore[attr-defined]
        return ast.IfExp(*parts)
    if kind is ast.Compare:
        right = [fill(c, values) for c in node.comparators]  # type: ignore[attr-defined]
        return ast.Compare(fill(node.left, values), node.ops, right)  # type: ignore[attr-defined]
    if kind is ast.BoolOp:
        return ast.BoolOp(node.op, [fill(v, values) for v in node.values])  # type: ignore[attr-defined]
    raise TypeError(f"{kind.__name__} in a table entry")


class PythonBuilder(Writer):
    """Builds the tree for one formula; the subclasses say how a target writes each construct."""

    operators: ClassVar[dict[str, str]] = {}
    constants: ClassVar[dict[str, str]] = {}
    matrix = ""  # the function that makes a matrix from its rows

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.reserved = _reserved(self.target)
        self.defined: dict[tuple[object, ...], tuple[ast.expr, Apply]] = {}  # trees of macros that were expanded

    def write(self, node: Expression) -> str:
        return unparse(self.build(node))

    def build(self, node: Expression) -> ast.expr:
        """The tree of a node."""
        return getattr(self, _METHODS[type(node)])(node)  # type: ignore[no-any-return]

    # -- leaves ----------------------------------------------------------------------------------------

    def build_number(self, node: Number) -> ast.expr:
        raise NotImplementedError

    def build_symbol(self, node: Symbol) -> ast.expr:
        return ast.Name(self.symbol_name(node.name))

    def build_constant(self, node: Constant) -> ast.expr:
        known = self.constants.get(node.name)
        if known is None:
            raise self.error(f"{node.name} is no number", node)
        return _template(known)

    def build_function(self, node: Function) -> ast.expr:
        raise self.error(f"{node.head} stands without its variable", node, f"write {node.head}@{{...}}")

    def build_dots(self, node: Dots) -> ast.expr:
        raise self.error("dots leave the reader to guess", node, "write a sum or product with its bounds")

    def build_interval(self, node: Interval) -> ast.expr:
        raise self.error("an interval is no value", node)

    def build_sequence(self, node: Sequence) -> ast.expr:
        items: list[ast.expr] = [self.build(item) for item in node.items]
        return ast.List(items) if node.kind == "list" else ast.Tuple(items)

    # -- operators -------------------------------------------------------------------------------------

    def build_apply(self, node: Apply) -> ast.expr:
        head = node.head
        self.refuse_lists(node)
        if head[0] != "\\":
            method = getattr(self, "operator_" + head, None)
            if method is not None:
                return method(node)  # type: ignore[no-any-return]
            if head == "lcm":
                node = self.folded(node)
        elif head == r"\exp" and self.has_arrays and is_array(node.arguments[0]):
            return self.build(Apply("power", (Constant("e"), node.arguments[0]), node.span))
        elif head == r"\bigO":
            return self.build_order(node)
        elif head == r"\MeijerG":
            return self.build_meijer(node)
        else:
            node = self.folded(node)
        known = self.operators.get(head)
        if known is not None:
            return call(known, *(self.build(a) for a in node.arguments))
        entry = lookup(self.table, node)
        if entry is not None:
            return self.fill_entry(entry, node)
        # A definition repeats its arguments: sn by theta functions holds the nome of one k eight times.
        key = (head, *map(id, node.arguments))
        built = self.defined.get(key)
        if built is None:
            built = self.defined[key] = (self.build(self.expanded(node)), node)  # the node keeps the ids taken
            self.depth -= 1
        return built[0]

    def build_meijer(self, node: Apply) -> ast.expr:
        """Meijer's G-function of two pairs of lists, which SymPy and mpmath call alike."""
        lists = self.parted(node)
        if self.target == "numpy" or lists is None:
            raise self.lacking(node)
        above, right, below, left = (self.build(part) for part in lists)
        return call("meijerg", ast.List([above, right]), ast.List([below, left]), self.build(node.arguments[4]))

    def build_order(self, node: Apply) -> ast.expr:
        raise self.lacking(node)

    def fill_entry(self, entry: Entry, node: Apply) -> ast.expr:
        self.remember(entry, node)
        values: dict[str, ast.expr] = {f"_{i}": self.build(a) for i, a in enumerate(node.arguments, 1)}
        for slot in LISTED.get(node.head, ()):
            if not isinstance(node.arguments[slot], Sequence):
                values[f"_{slot + 1}"] = ast.List([values[f"_{slot + 1}"]])
        return fill(_template(entry.code), values)

    def operator_plus(self, node: Apply) -> ast.expr:
        first, *rest = node.arguments
        value = self.build(first)
        for term in rest:
            if isinstance(term, Apply) and term.head == "negate":
                value = binary("-", value, self.build(term.arguments[0]))
            else:
                value = binary("+", value, self.build(term))
        return value

    def operator_negate(self, node: Apply) -> ast.expr:
        return ast.UnaryOp(ast.USub(), self.build(node.arguments[0]))

    def operator_times(self, node: Apply) -> ast.expr:
        operated = self.operated(node)
        if operated is not None:
            return self.build(operated)
        first, *rest = node.arguments
        value = self.build(first)
        for factor in rest:
            value = binary("*", value, self.build(factor))
        return value

    def operator_divide(self, node: Apply) -> ast.expr:
        return binary("/", self.build(node.arguments[0]), self.build(node.arguments[1]))

    def operator_modulo(self, node: Apply) -> ast.expr:
        raise self.error("a modulus outside a congruence", node)

    def operator_enumerate(self, node: Apply) -> ast.expr:
        raise self.error(f"a list of symbolic length has no counterpart in {self.target}", node)

    def operator_truncated(self, node: Apply) -> ast.expr:
        self.notes["a decimal number followed by dots is given as far as it was written"] = None
        return self.build(node.arguments[0])

    def operator_and(self, node: Apply) -> ast.expr:
        return ast.BoolOp(ast.And(), [self.build(a) for a in node.arguments])

    def operator_or(self, node: Apply) -> ast.expr:
        return ast.BoolOp(ast.Or(), [self.build(a) for a in node.arguments])

    def parity(self, node: Apply, remainder: int) -> ast.expr:
        value = ast.BinOp(self.build(node.arguments[0]), ast.Mod(), ast.Constant(2))
        return ast.Compare(value, [ast.Eq()], [ast.Constant(remainder)])

    def operator_even(self, node: Apply) -> ast.expr:
        return self.parity(node, 0)

    def operator_odd(self, node: Apply) -> ast.expr:
        return self.parity(node, 1)

    def operator_det(self, node: Apply) -> ast.expr:
        if not isinstance(node.arguments[0], Matrix):
            raise self.error("a determinant given by its general element has no counterpart", node)
        return call("det", self.build(node.arguments[0]))

    def build_matrix(self, node: Matrix) -> ast.expr:
        rows: list[ast.expr] = [ast.List([self.build(cell) for cell in row]) for row in node.rows]
        matrix = call(self.matrix, ast.List(rows))
        return call("det", matrix) if node.determinant else matrix

    # -- what all binders need -------------------------------------------------------------------------

    def variable(self, node: Expression) -> str:
        if isinstance(node, Symbol):
            return self.symbol_name(node.name)
        if isinstance(node, Indexed) and all(isinstance(part, Number) for part in node.indices):
            label = ",".join(part.value for part in node.indices if isinstance(part, Number))
            return self.symbol_name(f"{node.base}_{{{label}}}")
        raise self.error("an indexed variable is bound here", node)

    def bounds(self, node: Series | Integral) -> tuple[ast.expr, ast.expr]:
        if node.lower is None or node.upper is None:
            raise self.error("the bounds are not given", node)
        return self.build(node.lower), self.build(node.upper)

    def known_derivative(self, node: Derivative) -> tuple[Entry, Apply, Expression] | None:
        """Entry, application and order where the table knows the derivative by the variable itself."""
        body = node.body
        if len(node.variables) != 1 or not isinstance(body, Apply) or body.head[0] != "\\":
            return None
        variable, order = node.variables[0]
        entry = lookup(self.table, body)
        if entry is None or not entry.derivative:
            return None
        signature = semantic_signatures().calls.get(body.head.removesuffix("[]"))
        parameters = (signature.parameters if signature else 0) + body.head.endswith("[]")
        slot = derivative_slot(body.head, parameters, len(body.arguments))
        return (
            (entry, body, order) if body.arguments[slot] == variable or _same(body.arguments[slot], variable) else None
        )

    def fill_derivative(self, entry: Entry, body: Apply, order: Expression) -> ast.expr:
        values = {f"_{i}": self.build(a) for i, a in enumerate(body.arguments, 1)}
        values["_n"] = self.build(order)
        return fill(_template(entry.derivative), values)


def _same(left: Expression, right: Expression) -> bool:
    return isinstance(left, Symbol) and isinstance(right, Symbol) and left.name == right.name
