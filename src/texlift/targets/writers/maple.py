"""Maple."""

from __future__ import annotations

from typing import ClassVar

from texlift.meaning.tree import (
    Apply,
    Cases,
    Constant,
    Derivative,
    Expression,
    Integral,
    Interval,
    Limit,
    Matrix,
    Series,
    Substitution,
    Unknown,
)
from texlift.targets.operators import PLACE
from texlift.targets.writers.infix import ATOM, InfixPrinter
from texlift.targets.writers.writer import SAY_WHERE, Chain

__all__ = ["MaplePrinter"]

_SETS = {
    "reals": "real",
    "integers": "integer",
    "complexes": "complex",
    "naturals": "posint",
    "nonnegative": "nonnegint",
    "rationals": "rational",
}


class MaplePrinter(InfixPrinter):
    """Sums, integrals and limits are written in the inert or active form that Maple evaluates."""

    target = "maple"
    has_limits = True
    meijer_function = "MeijerG"
    operators: ClassVar[dict[str, str]] = {
        "sqrt": "sqrt",
        "abs": "abs",
        "floor": "floor",
        "ceiling": "ceil",
        "min": "min",
        "max": "max",
        "factorial": "factorial",
        "factorial2": "doublefactorial",
        "det": "LinearAlgebra:-Determinant",
        "norm": "LinearAlgebra:-Norm",
        "trace": "LinearAlgebra:-Trace",
        "transpose": "LinearAlgebra:-Transpose",
        "adjoint": "LinearAlgebra:-HermitianTranspose",
        "rank": "LinearAlgebra:-Rank",
        "dot": "LinearAlgebra:-DotProduct",
        "cross": "LinearAlgebra:-CrossProduct",
        "lcm": "ilcm",
    }
    constants: ClassVar[dict[str, str]] = {
        "pi": "Pi",
        "e": "exp(1)",
        "i": "I",
        "gamma": "gamma",
        "infinity": "infinity",
    }
    relations: ClassVar[dict[str, str]] = {"=": "=", "===": "=", "!=": "<>", "<": "<", ">": ">", "<=": "<=", ">=": ">="}

    def approached(self, statements: tuple[Expression, ...]) -> tuple[Expression, ...]:
        found = super().approached(statements)
        if r"\bigO" in self.source or "dots" in self.source:
            for said in self.tendencies.values():  # O has no argument for it
                self.cautions[f"the O-term holds as {said.name} tends to {self.write(said.point)}"] = None
        return found

    def operator_even(self, node: Apply, level: int) -> str:
        return f"type({self.write(node.arguments[0])}, even)"

    def operator_odd(self, node: Apply, level: int) -> str:
        return f"type({self.write(node.arguments[0])}, odd)"

    def write_unknown(self, node: Unknown, level: int) -> str:
        limit = self.one_sided(node)
        if limit is not None:
            return self.write(limit, level)
        name, leading = self.called(node)
        arguments = [*leading, *(self.write(a) for a in node.arguments)]
        if node.order is None:
            return self.call(name, *arguments)
        if leading or len(arguments) > 1:  # a prime differentiates by the first argument
            return f"(D[{len(leading) + 1}$({self.write(node.order)})]({name}))({', '.join(arguments)})"
        return f"(D@@({self.write(node.order)}))({name})({arguments[0]})"

    def write_series(self, node: Series, level: int) -> str:
        lower, upper = self.bounds(node)
        body = self.write(node.body)
        if node.condition is not None:
            body = f"piecewise({self.write(node.condition)}, {body}, {'0' if node.kind == 'sum' else '1'})"
        name = "sum" if node.kind == "sum" else "product"
        return self.call(name, body, f"{self.variable(node.index)} = {lower} .. {upper}")

    def write_integral(self, node: Integral, level: int) -> str:
        straight = self.rerouted(node) if node.domain is not None else None
        if straight is not None:
            return self.write(straight, level)
        self.plain_integral(node)
        variable = self.variable(node.variable)
        if node.lower is None or node.upper is None:
            return self.call("int", self.write(node.body), variable)
        arguments = [self.write(node.body), f"{variable} = {self.write(node.lower)} .. {self.write(node.upper)}"]
        if node.kind == "pv":
            arguments.append("'CauchyPrincipalValue'")
        return self.call("int", *arguments)

    def write_limit(self, node: Limit, level: int) -> str:
        arguments = [self.write(node.body), f"{self.variable(node.variable)} = {self.write(node.point)}"]
        if node.direction:
            arguments.append("right" if node.direction == "+" else "left")
        return self.call("limit", *arguments)

    def write_derivative(self, node: Derivative, level: int) -> str:
        steps = [f"{name}$({order})" if order else name for name, order in self.steps(node)]
        if len(steps) == 1 and "$" in steps[0]:
            steps = [f"[{steps[0]}]"]  # the list lets the order be a symbol
        return self.call("diff", self.write(node.body), *steps)

    def write_substitution(self, node: Substitution, level: int) -> str:
        return f"eval({self.write(node.body)}, {self.variable(node.variable)} = {self.write(node.point)})"

    def special_relation(self, operator: str, left: Expression, right: Expression) -> str | None:
        if operator in ("in", "notin") and isinstance(right, Constant) and right.name in _SETS:
            code = f"({self.write(left)})::{_SETS[right.name]}"
            return code if operator == "in" else f"not ({code})"
        if operator == "in" and isinstance(right, Interval):
            return self.inside(left, right)
        if operator == "notdivides":
            return f"irem({self.write(right)}, {self.write(left)}) <> 0"
        if operator == "divides":
            return f"irem({self.write(right)}, {self.write(left)}) = 0"
        if operator == "mod":
            return self.remainder("modp", left, right)
        if operator in ("~", "~~", "->"):
            raise self.error(f"the relation {operator} has no counterpart in Maple", left, SAY_WHERE)
        return None

    remainder_function = "modp"
    array_product = " . "
    array_exponential = "LinearAlgebra:-MatrixExponential"

    def array_power(self, base: Expression, exponent: Expression, level: int) -> str:
        return self.wrap(f"{self.write(base, ATOM)}^{self.write(exponent, ATOM)}", 3, level)

    def whole_chain(self, chain: Chain) -> str:
        link = self.write_relation(chain.link, 0)
        return f"`and`(seq({link}, k_ = {self.write(chain.first)} .. {self.write(chain.last)}))"

    def operator_iterated(self, node: Apply, level: int) -> str:
        once, times, operand = (self.write(part) for part in node.arguments)
        return f"(({self.symbol_name(PLACE.name)} -> {once})@@({times}))({operand})"

    def operator_iff(self, node: Apply, level: int) -> str:
        left, right = (self.write(a) for a in node.arguments)
        return f"(not (({left}) xor ({right})))"

    def operator_implies(self, node: Apply, level: int) -> str:
        left, right = (self.write(a) for a in node.arguments)
        return f"(({left}) implies ({right}))"

    def integer(self, node: Expression) -> str:
        return f"({self.write(node)})::integer"

    def operator_enumerate(self, node: Apply, level: int) -> str:
        general, first, last = (self.write(a) for a in node.arguments)
        return f"seq({general}, k_ = {first} .. {last})"

    def write_cases(self, node: Cases, level: int) -> str:
        parts: list[str] = []
        for value, condition in node.branches:
            if condition is not None:
                parts.append(self.write(condition))
            parts.append(self.write(value))
        return self.call("piecewise", *parts)

    def write_matrix(self, node: Matrix, level: int) -> str:
        rows = ", ".join("[" + ", ".join(self.write(cell) for cell in row) + "]" for row in node.rows)
        return f"LinearAlgebra:-Determinant(Matrix([{rows}]))" if node.determinant else f"Matrix([{rows}])"
