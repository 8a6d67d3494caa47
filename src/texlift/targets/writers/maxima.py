"""Maxima."""

from __future__ import annotations

from typing import ClassVar

from texlift.meaning.tree import (
    Apply,
    Cases,
    Derivative,
    Expression,
    Integral,
    Interval,
    Limit,
    Matrix,
    Number,
    Sequence,
    Series,
    Substitution,
    Symbol,
    Unknown,
)
from texlift.targets.listed import has_open_list, over_open_lists
from texlift.targets.path import principal_value
from texlift.targets.repeated import as_derivative
from texlift.targets.writers.infix import ATOM, InfixPrinter
from texlift.targets.writers.writer import SAY_WHERE, Chain

__all__ = ["MaximaPrinter"]


class MaximaPrinter(InfixPrinter):
    """Infinite sums and integrals are written in their noun form, which Maxima keeps when it knows no closed one."""

    target = "maxima"
    has_limits = True
    has_orders = False
    operators: ClassVar[dict[str, str]] = {
        "sqrt": "sqrt",
        "abs": "abs",
        "floor": "floor",
        "ceiling": "ceiling",
        "min": "min",
        "max": "max",
        "factorial": "factorial",
        "factorial2": "genfact2",
        "det": "determinant",
        "trace": "mat_trace",
        "transpose": "transpose",
        "rank": "rank",
        "lcm": "lcm",
        "legendre": "jacobi",
        "even": "evenp",
        "odd": "oddp",
    }
    constants: ClassVar[dict[str, str]] = {"pi": "%pi", "e": "%e", "i": "%i", "gamma": "%gamma", "infinity": "inf"}
    relations: ClassVar[dict[str, str]] = {"=": "=", "===": "=", "!=": "#", "<": "<", ">": ">", "<=": "<=", ">=": ">="}

    def operator_factorial2(self, node: Apply, level: int) -> str:
        return f"double_factorial({self.write(node.arguments[0])})"

    def write_unknown(self, node: Unknown, level: int) -> str:
        limit = self.one_sided(node)
        if limit is not None:
            return self.write(limit, level)
        name, leading = self.called(node)
        head = f"{name}[{', '.join(leading)}]" if leading else name
        arguments = [self.write(a) for a in node.arguments]
        if node.order is None:
            return self.call(head, *arguments)
        rest = "".join(f", {argument}" for argument in arguments[1:])  # a prime differentiates by the first argument
        return f"at('diff({head}(t_{rest}), t_, {self.write(node.order)}), t_ = {arguments[0]})"

    def write_series(self, node: Series, level: int) -> str:
        lower, upper = self.bounds(node)
        lower = "minf" if lower == "-inf" else lower
        body = self.write(node.body)
        if node.condition is not None:
            body = f"(if {self.write(node.condition)} then {body} else {'0' if node.kind == 'sum' else '1'})"
        name = "'sum" if node.kind == "sum" else "'product"
        return self.call(name, body, self.variable(node.index), lower, upper)

    def write_integral(self, node: Integral, level: int) -> str:
        straight = self.rerouted(node) or principal_value(node)
        if straight is not None:
            return self.write(straight, level)
        self.plain_integral(node)
        if node.kind == "pv":
            raise self.error("a principal value has no counterpart in Maxima", node)
        variable = self.variable(node.variable)
        if node.lower is None or node.upper is None:
            return self.call("'integrate", self.write(node.body), variable)
        ends = ["minf" if end == "-inf" else end for end in self.bounds(node)]
        if any("inf" in end and end not in ("inf", "minf") for end in ends):
            raise self.error("a path to infinity in the complex plane has no counterpart in Maxima", node)
        return self.call("'integrate", self.write(node.body), variable, *ends)

    def write_limit(self, node: Limit, level: int) -> str:
        point = self.write(node.point)
        arguments = [self.write(node.body), self.variable(node.variable), "minf" if point == "-inf" else point]
        if node.direction:
            arguments.append("plus" if node.direction == "+" else "minus")
        return self.call("'limit", *arguments)

    def write_derivative(self, node: Derivative, level: int) -> str:
        steps: list[str] = []
        for variable, order in node.variables:
            steps += [self.variable(variable), self.write(order)]
        return self.call("diff" if self._plain_orders(node) else "'diff", self.write(node.body), *steps)

    @staticmethod
    def _plain_orders(node: Derivative) -> bool:
        return all(isinstance(order, Number) for _, order in node.variables)

    def write_substitution(self, node: Substitution, level: int) -> str:
        if not isinstance(node.variable, Symbol):
            raise self.error("an indexed variable is bound here", node)
        return f"at({self.write(node.body)}, {self.variable(node.variable)} = {self.write(node.point)})"

    def special_relation(self, operator: str, left: Expression, right: Expression) -> str | None:
        if operator == "in" and isinstance(right, Interval):
            return self.inside(left, right)
        if operator == "notdivides":
            return f"mod({self.write(right)}, {self.write(left)}) # 0"
        if operator == "divides":
            return f"mod({self.write(right)}, {self.write(left)}) = 0"
        if operator == "mod":
            return self.remainder("mod", left, right)
        if operator in ("~", "~~", "->"):
            raise self.error(f"the relation {operator} has no counterpart in Maxima", left, SAY_WHERE)
        return None

    remainder_function = "mod"
    array_product = " . "
    array_exponential = "matrixexp"

    def array_power(self, base: Expression, exponent: Expression, level: int) -> str:
        return self.wrap(f"{self.write(base, ATOM)}^^{self.write(exponent, ATOM)}", 3, level)

    def whole_chain(self, chain: Chain) -> str:
        link = self.write_relation(chain.link, 0)
        return f'apply("and", makelist({link}, k_, {self.write(chain.first)}, {self.write(chain.last)}))'

    def operator_iterated(self, node: Apply, level: int) -> str:
        found = as_derivative(node)
        if found is None:
            raise self.lacking(node)
        return self.write(found, level)

    def operator_iff(self, node: Apply, level: int) -> str:
        left, right = (self.write(a) for a in node.arguments)
        return f"((({left}) and ({right})) or (not ({left}) and not ({right})))"

    def integer(self, node: Expression) -> str:
        return f"integerp({self.write(node)})"

    def operator_enumerate(self, node: Apply, level: int) -> str:
        raise self.error("a list of symbolic length has no counterpart in Maxima", node)

    def write_sequence(self, node: Sequence, level: int) -> str:
        if node.kind != "list" or not any(isinstance(i, Apply) and i.head == "enumerate" for i in node.items):
            return super().write_sequence(node, level)
        parts: list[str] = []
        for item in node.items:
            if isinstance(item, Apply) and item.head == "enumerate":
                general, first, last = (self.write(a) for a in item.arguments)
                parts.append(f"makelist({general}, k_, {first}, {last})")
            else:
                parts.append(f"[{self.write(item)}]")
        return parts[0] if len(parts) == 1 else self.call("append", *parts)

    def write_apply(self, node: Apply, level: int) -> str:
        if node.head in ("min", "max") and has_open_list(node):
            items = Sequence(node.arguments, "list", node.span)
            return self.call("lmin" if node.head == "min" else "lmax", self.write(items))
        if node.head in (r"\qmultiPochhammersym", r"\multinomial") and has_open_list(node):
            product = over_open_lists(node)
            if product is not None:
                return self.write(product, level)
        return super().write_apply(node, level)

    def write_cases(self, node: Cases, level: int) -> str:
        code = "und"
        for value, condition in reversed(node.branches):
            if condition is None:
                code = self.write(value)
            else:
                code = f"if {self.write(condition)} then {self.write(value)} else {code}"
        return f"({code})"

    def write_matrix(self, node: Matrix, level: int) -> str:
        rows = ", ".join("[" + ", ".join(self.write(cell) for cell in row) + "]" for row in node.rows)
        return f"determinant(matrix({rows}))" if node.determinant else f"matrix({rows})"
