"""SymPy: code for `from sympy import *`; `texlift.targets.objects` builds SymPy objects from the same trees."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from texlift.errors import Span
from texlift.meaning.reader.progression import fill_list, order_point
from texlift.meaning.reader.reading import Reading
from texlift.meaning.reader.statement import is_set
from texlift.meaning.reader.vectors import is_vector
from texlift.meaning.tree import (
    Apply,
    Cases,
    Constant,
    Derivative,
    Dots,
    Expression,
    Indexed,
    Integral,
    Interval,
    Limit,
    Number,
    Relation,
    Sequence,
    Series,
    Substitution,
    Symbol,
    Unknown,
    free_symbols,
    substitute,
    walk,
)
from texlift.targets.alternatives import as_one
from texlift.targets.listed import OPEN, has_open_list, over_open_lists
from texlift.targets.path import principal_value
from texlift.targets.repeated import as_derivative
from texlift.targets.writers.pybuild import binary, call
from texlift.targets.writers.sympy_ordinary import OrdinaryBuilder
from texlift.targets.writers.writer import SAY_WHERE

__all__ = ["SympyBuilder"]

_RELATIONS = {"=": "Eq", "===": "Eq", "!=": "Ne", "<": "Lt", ">": "Gt", "<=": "Le", ">=": "Ge"}
_ARITHMETIC = ("plus", "times", "negate", "divide")
_SETS = {"reals": "S.Reals", "integers": "S.Integers", "complexes": "S.Complexes", "naturals": "S.Naturals",
         "nonnegative": "S.Naturals0", "rationals": "S.Rationals", "emptyset": "S.EmptySet"}  # fmt: skip


class SympyBuilder(OrdinaryBuilder):
    """Everything stays exact; sums, integrals, limits, derivatives and what is stated stay unevaluated.

    `Eq(a, b)` would test the equation, which may take SymPy minutes or lose it: a letter is not equal to a matrix.
    """

    target = "sympy"
    matrix = "Matrix"
    operators: ClassVar[dict[str, str]] = {
        "sqrt": "sqrt",
        "root": "root",
        "abs": "Abs",
        "factorial": "factorial",
        "factorial2": "factorial2",
        "floor": "floor",
        "ceiling": "ceiling",
        "min": "Min",
        "max": "Max",
        "and": "And",
        "or": "Or",
        "not": "Not",
        "implies": "Implies",
        "iff": "Equivalent",
        "xor": "Xor",
        "diagonal-matrix": "diag",
        "nand": "Nand",
        "nor": "Nor",
        "sinc": "sinc",
        "legendre": "legendre_symbol",
    }
    constants: ClassVar[dict[str, str]] = {
        "pi": "pi",
        "e": "E",
        "i": "I",
        "gamma": "EulerGamma",
        "infinity": "oo",
        "reals": "Reals",
        "integers": "Integers",
        "complexes": "Complexes",
        "naturals": "Naturals",
        "nonnegative": "Naturals0",
        "rationals": "Rationals",
        "emptyset": "EmptySet",
        "true": "true",
        "false": "false",
    }

    has_limits = True

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.stating = True  # outside conditions
        self.addends: set[Span] = set()  # terms of sums with O-terms: the other terms show where the variable tends to
        self.orders = "bigO" in source or "littleo" in source or "dots" in source or "{O}" in source
        self.units: Mapping[Span, str] = {}  # where units of measurement stand

    def formula(self, reading: Reading) -> str:
        merged = as_one(reading)
        return super().formula(reading if merged is None else replace(reading, statements=merged))

    def build_number(self, node: Number) -> ast.expr:
        if node.value.isdigit():
            return ast.Constant(int(node.value))
        return call("Float", ast.Constant(node.value))

    def build_symbol(self, node: Symbol) -> ast.expr:
        return ast.Name(f"unit {self.units[node.span]}") if node.span in self.units else super().build_symbol(node)

    def operator_divide(self, node: Apply) -> ast.expr:
        above, below = node.arguments
        if isinstance(above, Number) and isinstance(below, Number) and (above.value + below.value).isdigit():
            return call("Rational", ast.Constant(int(above.value)), ast.Constant(int(below.value)))
        left, right = self.build(above), self.build(below)
        if (isinstance(above, Number) and above.value.isdigit()) or (_is_python(left) and _is_python(right)):
            left = call("Integer", left)  # Python would divide to a decimal number
        return binary("/", left, right)

    def operator_power(self, node: Apply) -> ast.expr:
        base, exponent = node.arguments
        if isinstance(base, Constant) and base.name == "e":
            return call("exp", self.build(exponent))
        left, right = self.build(base), self.build(exponent)
        if (isinstance(base, Number) and base.value.isdigit()) or (_is_python(left) and _is_python(right)):
            left = call("Integer", left)
        return binary("**", left, right)

    def operator_modulo(self, node: Apply) -> ast.expr:
        return call("Mod", *(self.build(a) for a in node.arguments))

    def operator_and(self, node: Apply) -> ast.expr:
        return call("And", *(self.build(a) for a in node.arguments))

    def operator_or(self, node: Apply) -> ast.expr:
        return call("Or", *(self.build(a) for a in node.arguments))

    def parity(self, node: Apply, remainder: int) -> ast.expr:
        return call("Eq", call("Mod", self.build(node.arguments[0]), ast.Constant(2)), ast.Constant(remainder))

    def build_apply(self, node: Apply) -> ast.expr:
        if node.head == r"\pgcd":
            return self.of_integers("gcd", node)
        if node.head in OPEN and has_open_list(node):
            series = over_open_lists(node)
            if series is not None:
                self.cautions[f"{node.head} of a list of symbolic length is written out by its definition"] = None
                return self.build(series)
        return super().build_apply(node)

    def operator_iterated(self, node: Apply) -> ast.expr:
        found = as_derivative(node)
        if found is None:
            raise self.lacking(node)
        return self.build(found)

    def operator_plus(self, node: Apply) -> ast.expr:
        if self.orders and _has_order(node):
            self.addends.update(part.span for part in node.arguments)
            return call("Add", *(self.build(a) for a in node.arguments), evaluate=ast.Constant(False))
        return super().operator_plus(node)

    def operator_times(self, node: Apply) -> ast.expr:
        if any(isinstance(part, Apply) and part.head == "ket" for part in node.arguments):
            for part in node.arguments:
                if isinstance(part, Symbol) and part.name.startswith((r"\hat", r"\widehat")):
                    self.operators_in(part)
        if self.orders and _has_order(node):
            return call("Mul", *(self.build(a) for a in node.arguments), evaluate=ast.Constant(False))
        return super().operator_times(node)

    def build_order(self, node: Apply) -> ast.expr:
        stated = [self.tendencies[name] for name in free_symbols(node) if name in self.tendencies]
        if len(stated) == 1:
            variable = ast.Name(self.symbol_name(stated[0].name))
            return call("Order", self.build(node.arguments[0]), ast.Tuple([variable, self.build(stated[0].point)]))
        found = order_point(node.arguments[0])
        if found is None:
            raise self.error("an O-term that does not say where its variable tends to", node, SAY_WHERE)
        point = ast.Name("oo") if found[1] else ast.Constant(0)
        if node.span not in self.addends:
            where = "infinity" if found[1] else "0"
            self.cautions[f"{found[0]} was taken to tend to {where} in an O-term"] = None
        return call("Order", self.build(node.arguments[0]), ast.Tuple([ast.Name(self.symbol_name(found[0])), point]))

    def build_interval(self, node: Interval) -> ast.expr:
        flags = [ast.Constant(not node.closed_lower), ast.Constant(not node.closed_upper)]
        return call("Interval", self.build(node.lower), self.build(node.upper), *flags)

    def build_sequence(self, node: Sequence) -> ast.expr:
        if node.kind == "set":
            return self.finite_set(node)
        return super().build_sequence(node)

    def build_indexed(self, node: Indexed) -> ast.expr:
        label = self.function_name(node.base)
        return call("Indexed", ast.Constant(label), *(self.build(part) for part in (*node.indices, *node.upper)))

    def build_unknown(self, node: Unknown) -> ast.expr:
        limit = self.one_sided(node)
        if limit is not None:
            return self.build(limit)
        label, leading = self.unknown(node)
        extra = [self.build(part) for part in leading]
        function = call("Function", ast.Constant(label))
        arguments = [self.build(a) for a in node.arguments]
        if node.order is None:
            return call(function, *extra, *arguments)
        first = node.arguments[0]
        if isinstance(first, Symbol) and all(first.name not in free_symbols(a) for a in node.arguments[1:]):
            once = isinstance(node.order, Number) and node.order.value == "1"
            step = arguments[0] if once else ast.Tuple([arguments[0], self.build(node.order)])
            return call("Derivative", call(function, *extra, *arguments), step)
        dummy = call("Symbol", ast.Constant("t_"))  # a prime differentiates by the first argument
        derivative = call(
            "Derivative", call(function, *extra, dummy, *arguments[1:]), ast.Tuple([dummy, self.build(node.order)])
        )
        return call("Subs", derivative, dummy, arguments[0])

    def build_series(self, node: Series) -> ast.expr:
        domain = _domain(node)
        if isinstance(domain, Sequence) and isinstance(node.index, Symbol):  # over a set that is written out
            terms = tuple(substitute(node.body, {node.index.name: item}) for item in domain.items)
            return self.build(Apply("plus" if node.kind == "sum" else "times", terms, node.span))
        if isinstance(domain, Symbol):
            raise self.error(f"a {node.kind} over a set that is only a letter", node, "SymPy has no symbols for sets")
        if isinstance(domain, Constant):
            if domain.name == "naturals":
                self.cautions["the natural numbers were read as 1, 2, 3, ..."] = None
            start = Number("1" if domain.name == "naturals" else "0", domain.span)
            node = replace(node, lower=start, upper=Constant("infinity", domain.span), condition=None)
        lower, upper = self.bounds(node)
        variable = ast.Name(self.variable(node.index))
        body = self.build(node.body)
        if node.condition is not None:
            neutral = ast.Constant(0 if node.kind == "sum" else 1)
            kept = ast.Tuple([body, self.condition(node.condition)])
            body = call("Piecewise", kept, ast.Tuple([neutral, ast.Constant(True)]))
        return call("Sum" if node.kind == "sum" else "Product", body, ast.Tuple([variable, lower, upper]))

    def build_integral(self, node: Integral) -> ast.expr:
        straight = self.rerouted(node) if node.domain is not None else principal_value(node)
        if straight is not None:
            return self.build(straight)
        if node.kind != "int" or node.domain is not None:
            raise self.error("an integral over a path or a principal value has no counterpart in SymPy", node)
        variable = ast.Name(self.variable(node.variable))
        if node.lower is None or node.upper is None:
            return call("Integral", self.build(node.body), variable)
        return call("Integral", self.build(node.body), ast.Tuple([variable, *self.bounds(node)]))

    def build_limit(self, node: Limit) -> ast.expr:
        arguments = [self.build(node.body), ast.Name(self.variable(node.variable)), self.build(node.point)]
        infinite = any(isinstance(part, Constant) and part.name == "infinity" for part in walk(node.point))
        if node.direction or not infinite:
            arguments.append(ast.Constant(node.direction or "+-"))
        return call("Limit", *arguments)

    def build_derivative(self, node: Derivative) -> ast.expr:
        body = self.build(node.body)
        steps: list[ast.expr] = []
        for variable, order in node.variables:
            label = ast.Name(self.variable(variable))
            once = isinstance(order, Number) and order.value == "1"
            steps.append(label if once else ast.Tuple([label, self.build(order)]))
        return call("Derivative", body, *steps)

    def build_substitution(self, node: Substitution) -> ast.expr:
        return call("Subs", self.build(node.body), ast.Name(self.variable(node.variable)), self.build(node.point))

    def build_relation(self, node: Relation) -> ast.expr:
        tests: list[ast.expr] = []
        node = self.unlabelled(node)
        for operator, left, right in node.links:
            tests.append(self.one_relation(operator, left, right, node))
        return tests[0] if len(tests) == 1 else call("And", *tests)

    def condition(self, node: Expression) -> ast.expr:
        """A condition of a case or a sum, which SymPy may decide at once."""
        stating, self.stating = self.stating, False
        result = self.build(node)
        self.stating = stating
        return result

    def one_relation(self, operator: str, left: Expression, right: Expression, node: Relation) -> ast.expr:
        if isinstance(right, Sequence) and right.kind == "list" and operator in ("=", "!="):
            if isinstance(right.items[-1], Dots) and operator == "=" and isinstance(right.items[0], Number):
                start = {"0": "Naturals0", "1": "Naturals"}.get(right.items[0].value)
                if start is not None:
                    return call("Contains", self.build(left), ast.Name(start))
                least = call("Ge", self.build(left), self.build(right.items[0]))
                return call("And", call("Contains", self.build(left), ast.Name("Integers")), least)
            items = fill_list(right.items) if any(isinstance(item, Dots) for item in right.items) else right.items
            inside = call("Contains", self.build(left), self.finite_set(Sequence(items, "set", right.span)))
            return inside if operator == "=" else call("Not", inside)
        if operator in _RELATIONS:
            self.refuse_mixture(operator, left, right, node)
            options = {"evaluate": ast.Constant(False)} if self.stating else {}
            return call(_RELATIONS[operator], self.build(left), self.build(right), **options)
        if operator in ("in", "notin", "contains"):
            if operator == "contains":
                left, right = right, left
            if isinstance(right, Sequence) and right.kind == "tuple" and len(right.items) == 2:
                right = Interval(right.items[0], right.items[1], False, False, right.span)
            if isinstance(right, Apply) and right.head in ("times", "plus", "divide", "power"):
                base = right.arguments[0]
                plain = len(right.arguments) == 2 and isinstance(right.arguments[1], Number | Symbol)
                if not (right.head == "power" and isinstance(base, Constant) and plain):
                    raise self.error("a set that is built from others in an unknown way", right)
            self.note_sets(right)
            inside = call("Contains", self.build(left), self.build(right))
            return call("Not", inside) if operator == "notin" else inside
        if operator in ("divides", "notdivides"):
            relation = "Eq" if operator == "divides" else "Ne"
            return call(relation, call("Mod", self.build(right), self.build(left)), ast.Constant(0))
        if operator in ("mod", "notmod") and isinstance(right, Apply) and right.head == "modulo":
            value, modulus = right.arguments
            rest = call("Mod", binary("-", self.build(left), self.build(value)), self.build(modulus))
            return call("Eq" if operator == "mod" else "Ne", rest, ast.Constant(0))
        if operator in ("~", "~~", "->"):
            raise self.error(f"the relation {operator} has no counterpart in SymPy", node, SAY_WHERE)
        raise self.error(f"the relation {operator} has no counterpart in SymPy", node)

    def refuse_mixture(self, operator: str, left: Expression, right: Expression, node: Relation) -> None:
        """A pair is not equal to a number: `(a,b)=1` means something else."""
        if operator not in ("=", "!=") and any(isinstance(side, Sequence) for side in (left, right)):
            raise self.error("a list or a set in an inequality", node)
        intervals = [isinstance(side, Interval) for side in (left, right)]
        beside = right if intervals[0] else left
        if intervals[0] != intervals[1] and isinstance(beside, Number | Constant | Apply) and not is_set(beside):
            raise self.error("an interval on one side of a relation, a number on the other", node)
        braces = [isinstance(side, Sequence) and side.kind == "set" for side in (left, right)]
        number = right if braces[0] else left
        if braces[0] != braces[1] and isinstance(number, Number | Constant) and not is_set(number):
            raise self.error("a set on one side of a relation, a number on the other", node)
        kinds = [isinstance(side, Sequence) and side.kind != "set" for side in (left, right)]
        other = right if kinds[0] else left
        if kinds[0] != kinds[1] and isinstance(other, Number | Constant | Apply) and not is_vector(other):
            raise self.error("a list on one side of a relation, a number on the other", node)

    def build_cases(self, node: Cases) -> ast.expr:
        branches: list[ast.expr] = []
        for value, condition in node.branches:
            test = ast.Constant(True) if condition is None else self.condition(condition)
            branches.append(ast.Tuple([self.build(value), test]))
        return call("Piecewise", *branches)


def _is_python(node: ast.expr) -> bool:
    """Whether code is arithmetic of Python's own integers."""
    if isinstance(node, ast.BinOp):
        return _is_python(node.left) and _is_python(node.right)
    if isinstance(node, ast.UnaryOp):
        return _is_python(node.operand)
    return isinstance(node, ast.Constant) and type(node.value) is int


def _domain(node: Series) -> Expression | None:
    """The set that the index runs over, where there are no bounds: a letter, numbers, or natural numbers."""
    condition = node.condition
    if node.lower is None and isinstance(condition, Relation) and condition.operators == ("in",):
        domain = condition.operands[1]
        if isinstance(domain, Sequence) and not any(isinstance(item, Dots) for item in domain.items):
            return domain
        if isinstance(domain, Symbol) or (isinstance(domain, Constant) and domain.name in ("naturals", "nonnegative")):
            return domain
    return None


def _has_order(node: Apply) -> bool:
    """Whether an order stands among the terms or factors: SymPy would compute limits to absorb the others."""
    return any(
        isinstance(part, Apply) and (part.head == r"\bigO" or (part.head in _ARITHMETIC and _has_order(part)))
        for part in node.arguments
    )
