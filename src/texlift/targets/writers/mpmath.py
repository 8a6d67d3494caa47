"""mpmath: code for `from mpmath import *`, and callables built from the same tree."""

from __future__ import annotations

import ast
from typing import ClassVar

from texlift.meaning.tree import (
    Apply,
    Cases,
    Constant,
    Derivative,
    Dots,
    Expression,
    Indexed,
    Integral,
    Limit,
    Number,
    Relation,
    Sequence,
    Series,
    Substitution,
    Symbol,
    Unknown,
)
from texlift.targets.arrays import is_array, is_declared_vector
from texlift.targets.path import over_real_line
from texlift.targets.writers.pybuild import PythonBuilder, binary, call, lambda_

__all__ = ["MpmathBuilder"]

_COMPARISONS: dict[str, type[ast.cmpop]] = {"<": ast.Lt, ">": ast.Gt, "<=": ast.LtE, ">=": ast.GtE, "!=": ast.NotEq}


class MpmathBuilder(PythonBuilder):
    """Numbers stay exact until they meet an mpf: 1/2 is written mpf(1)/2."""

    target = "mpmath"
    matrix = "matrix"
    operators: ClassVar[dict[str, str]] = {
        "sqrt": "sqrt",
        "root": "root",
        "abs": "fabs",
        "factorial": "factorial",
        "factorial2": "fac2",
        "floor": "floor",
        "ceiling": "ceil",
    }
    constants: ClassVar[dict[str, str]] = {"pi": "pi", "e": "e", "i": "j", "gamma": "euler", "infinity": "inf"}

    def build_number(self, node: Number) -> ast.expr:
        if node.value.isdigit():
            return ast.Constant(int(node.value))
        return call("mpf", ast.Constant(node.value))

    def operator_divide(self, node: Apply) -> ast.expr:
        above, below = node.arguments
        left = self.build(above)
        if isinstance(above, Number) and above.value.isdigit():
            left = call("mpf", left)
        return binary("/", left, self.build(below))

    def operator_times(self, node: Apply) -> ast.expr:
        names = [part.name for part in node.arguments if isinstance(part, Constant)]
        if len(node.arguments) == 2 and names == ["i", "infinity"]:
            return call("mpc", ast.Constant(0), ast.Name("inf"))  # j*inf would be nan + inf j
        return super().operator_times(node)

    def operator_power(self, node: Apply) -> ast.expr:
        base, exponent = node.arguments
        if isinstance(base, Constant) and base.name == "e":
            return call("expm" if self.has_arrays and is_array(exponent) else "exp", self.build(exponent))
        left = self.build(base)
        plain = isinstance(exponent, Number) and exponent.value.isdigit()
        if isinstance(base, Number) and not plain:
            left = call("mpf", left)
        return binary("**", left, self.build(exponent))

    def operator_enumerate(self, node: Apply) -> ast.expr:
        general, first, last = (self.build(a) for a in node.arguments)
        numbers = call("range", first, binary("+", last, ast.Constant(1)))
        return ast.Starred(call("map", lambda_(self.symbol_name("k_"), general), numbers))

    def operator_min(self, node: Apply) -> ast.expr:
        return call("min", *(self.build(a) for a in node.arguments))

    def operator_max(self, node: Apply) -> ast.expr:
        return call("max", *(self.build(a) for a in node.arguments))

    def operator_modulo(self, node: Apply) -> ast.expr:
        return ast.BinOp(self.build(node.arguments[0]), ast.Mod(), self.build(node.arguments[1]))

    def operator_sinc(self, node: Apply) -> ast.expr:
        return call("sinc", self.build(node.arguments[0]))

    def operator_not(self, node: Apply) -> ast.expr:
        return ast.UnaryOp(ast.Not(), self.build(node.arguments[0]))

    def operator_det(self, node: Apply) -> ast.expr:
        if self.has_arrays and is_array(node.arguments[0]):
            return call("det", self.build(node.arguments[0]))
        return super().operator_det(node)

    def operator_transpose(self, node: Apply) -> ast.expr:
        if not (self.has_arrays and is_array(node.arguments[0])):
            raise self.lacking(node)
        return call(ast.Attribute(self.build(node.arguments[0]), "transpose"))

    def operator_norm(self, node: Apply) -> ast.expr:
        if is_declared_vector(node.arguments[0]):
            return call("norm", self.build(node.arguments[0]))
        raise self.error("the norm of an unknown space", node)

    def build_indexed(self, node: Indexed) -> ast.expr:
        label = self.function_name(node.base)
        return call(label, *(self.build(part) for part in (*node.indices, *node.upper)))

    def build_unknown(self, node: Unknown) -> ast.expr:
        limit = self.one_sided(node)
        if limit is not None:
            return self.build(limit)
        label, leading = self.unknown(node)
        extra = [self.build(part) for part in leading]
        if node.order is not None:
            rest = [self.build(a) for a in node.arguments[1:]]  # a prime differentiates by the first argument
            body = call(label, *extra, ast.Name("t_"), *rest)
            return call("diff", lambda_("t_", body), self.build(node.arguments[0]), self.build(node.order))
        return call(label, *extra, *(self.build(a) for a in node.arguments))

    def build_series(self, node: Series) -> ast.expr:
        lower, upper = self.bounds(node)
        variable = self.variable(node.index)
        body = self.build(node.body)
        if node.condition is not None:
            neutral = ast.Constant(0 if node.kind == "sum" else 1)
            body = ast.IfExp(self.condition(node.condition), body, neutral)
        return call("nsum" if node.kind == "sum" else "nprod", lambda_(variable, body), ast.List([lower, upper]))

    def condition(self, node: Expression) -> ast.expr:
        """A condition with exact comparisons: indices are integers."""
        if isinstance(node, Apply) and node.head in ("and", "or"):
            junction = ast.And() if node.head == "and" else ast.Or()
            return ast.BoolOp(junction, [self.condition(a) for a in node.arguments])
        if isinstance(node, Relation):
            tests: list[ast.expr] = []
            for operator, left, right in node.links:
                if operator == "divides":
                    rest = ast.BinOp(self.build(right), ast.Mod(), self.build(left))
                    tests.append(ast.Compare(rest, [ast.Eq()], [ast.Constant(0)]))
                elif operator == "=" or operator in _COMPARISONS:
                    comparison = ast.Eq() if operator == "=" else _COMPARISONS[operator]()
                    tests.append(ast.Compare(self.build(left), [comparison], [self.build(right)]))
                else:
                    raise self.error(f"the relation {operator} has no counterpart in {self.target}", node)
            return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
        return self.build(node)

    def build_integral(self, node: Integral) -> ast.expr:
        straight = over_real_line(node)
        if straight is not None:
            return self.build(straight)
        if node.kind != "int" or node.domain is not None:
            raise self.error("an integral over a path or a principal value has no counterpart in mpmath", node)
        lower, upper = self.bounds(node)
        return call("quad", lambda_(self.variable(node.variable), self.build(node.body)), ast.List([lower, upper]))

    def build_limit(self, node: Limit) -> ast.expr:
        point = node.point
        arguments = [lambda_(self.variable(node.variable), self.build(node.body)), self.build(point)]
        if not node.direction and not (isinstance(point, Constant) and point.name == "infinity"):
            self.notes["the limit is computed from above only"] = None
        if node.direction == "-":
            arguments.append(ast.UnaryOp(ast.USub(), ast.Constant(1)))
        return call("limit", *arguments)

    def build_derivative(self, node: Derivative) -> ast.expr:
        known = self.known_derivative(node)
        if known is not None:
            return self.fill_derivative(*known)
        body = self.build(node.body)
        for variable, order in reversed(node.variables):
            label = self.variable(variable)
            arguments = [lambda_(label, body), ast.Name(label)]
            if not (isinstance(order, Number) and order.value == "1"):
                arguments.append(self.build(order))
            body = call("diff", *arguments)
        return body

    def build_substitution(self, node: Substitution) -> ast.expr:
        body = node.body
        label = self.variable(node.variable)
        point = self.build(node.point)
        if isinstance(body, Derivative) and len(body.variables) == 1 and self.known_derivative(body) is None:
            variable, order = body.variables[0]
            if (
                isinstance(variable, Symbol)
                and isinstance(node.variable, Symbol)
                and variable.name == node.variable.name
            ):
                arguments = [lambda_(label, self.build(body.body)), point]
                if not (isinstance(order, Number) and order.value == "1"):
                    arguments.append(self.build(order))
                return call("diff", *arguments)
        return call(lambda_(label, self.build(body)), point)

    def build_relation(self, node: Relation) -> ast.expr:
        tests: list[ast.expr] = []
        node = self.unlabelled(node)
        for operator, left, right in node.links:
            if operator == "=" and isinstance(right, Sequence) and right.kind == "list":
                tests.append(self.membership(left, right))
            elif operator in ("=", "==="):
                tests.append(call("almosteq", self.build(left), self.build(right)))
            elif operator in _COMPARISONS:
                tests.append(ast.Compare(self.build(left), [_COMPARISONS[operator]()], [self.build(right)]))
            elif operator == "mod" and isinstance(right, Apply) and right.head == "modulo":
                value, modulus = right.arguments
                rest = ast.BinOp(binary("-", self.build(left), self.build(value)), ast.Mod(), self.build(modulus))
                tests.append(ast.Compare(rest, [ast.Eq()], [ast.Constant(0)]))
            elif (
                operator == "in"
                and isinstance(right, Constant)
                and right.name in ("integers", "nonnegative", "naturals")
            ):
                tests.append(call("isint", self.build(left)))
            else:
                raise self.error(f"the relation {operator} has no counterpart in {self.target}", node)
        return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)

    def membership(self, left: Expression, right: Sequence) -> ast.expr:
        """`n=1,2,3`, and `n=0,1,2,\\dots` for all integers from 0 on."""
        if isinstance(right.items[-1], Dots) and isinstance(right.items[0], Number):
            least = ast.Compare(self.build(left), [ast.GtE()], [self.build(right.items[0])])
            return ast.BoolOp(ast.And(), [call("isint", self.build(left)), least])
        equal: list[ast.expr] = [call("almosteq", self.build(left), self.build(item)) for item in right.items]
        return ast.BoolOp(ast.Or(), equal)

    def build_cases(self, node: Cases) -> ast.expr:
        result: ast.expr = ast.Name("nan")
        for value, condition in reversed(node.branches):
            if condition is None:
                result = self.build(value)
            else:
                result = ast.IfExp(self.condition(condition), self.build(value), result)
        return result
