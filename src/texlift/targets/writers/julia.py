"""A Julia function with SpecialFunctions.jl; integrals are computed by QuadGK.jl.

Julia's functions take numbers; `f.(x)` applies one to each element of an array.
"""

from __future__ import annotations

import re
from typing import ClassVar

from texlift.meaning.reader.reading import Reading
from texlift.meaning.tree import (
    Apply,
    Cases,
    Constant,
    Derivative,
    Expression,
    Indexed,
    Integral,
    Interval,
    Limit,
    Matrix,
    Number,
    Relation,
    Sequence,
    Series,
    Substitution,
    Unknown,
    walk,
)
from texlift.targets.table import lookup
from texlift.targets.writers.infix import ATOM, InfixPrinter
from texlift.targets.writers.procedure import Procedure

__all__ = ["JuliaPrinter"]

_LINEAR = re.compile(r"\b(?:det|tr|norm|dot|cross|rank)\(")
_SMALL = 20  # the largest factorial of machine integers
_SPECIAL_FUNCTIONS = (  # what SpecialFunctions.jl exports, as far as the table uses it
    "gamma digamma trigamma polygamma beta gamma_inc beta_inc erf erfc erfinv erfcinv dawson expint expinti sinint "
    "cosint airyai airyaiprime airybi airybiprime besselj bessely besseli besselk hankelh1 hankelh2 sphericalbesselj "
    "sphericalbessely zeta eta ellipk ellipe loggamma"
)
_SPECIAL = frozenset(_SPECIAL_FUNCTIONS.split())
_COMPARED = {"<": "<", ">": ">", "<=": "<=", ">=": ">="}


class JuliaPrinter(Procedure, InfixPrinter):
    """Numbers are floating point numbers where integers could overflow."""

    target = "julia"
    operators: ClassVar[dict[str, str]] = {
        "sqrt": "sqrt", "abs": "abs", "floor": "floor", "ceiling": "ceil", "min": "min", "max": "max", "det": "det",
        "norm": "norm", "trace": "tr", "transpose": "transpose", "adjoint": "adjoint", "rank": "rank", "dot": "dot",
        "cross": "cross", "lcm": "lcm", "even": "iseven", "odd": "isodd", "union": "union", "intersect": "intersect",
        "setminus": "setdiff",
    }  # fmt: skip
    constants: ClassVar[dict[str, str]] = {
        "pi": "pi", "e": "exp(1)", "i": "im", "gamma": "Base.MathConstants.eulergamma", "infinity": "Inf",
    }  # fmt: skip
    relations: ClassVar[dict[str, str]] = {}
    remainder_function = "mod"

    def formula(self, reading: Reading) -> str:
        made = self.procedure(reading)
        packages = ["SpecialFunctions"] if self.uses_special(made.value) else []
        packages += ["QuadGK"] if "quadgk(" in made.value else []
        packages += ["LinearAlgebra"] if _LINEAR.search(made.value) else []
        lines = [f"using {', '.join(packages)}", ""] if packages else []
        text = made.source.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
        lines += ['"""', f"    {made.name}({', '.join(made.arguments)})", "", text, "", made.returns, '"""']
        return "\n".join([*lines, f"{made.name}({', '.join(made.arguments)}) = {made.value}", ""])

    def uses_special(self, code: str) -> bool:
        names = set(re.findall(r"[A-Za-z_][A-Za-z_0-9]*(?=\()", code))
        return bool(names & _SPECIAL)

    def write_number(self, node: Number, level: int) -> str:
        text = super().write_number(node, level)
        return text if not text.isdigit() or len(text) < 19 else f"{text}.0"

    def operator_power(self, node: Apply, level: int) -> str:
        base, exponent = node.arguments
        if isinstance(base, Constant) and base.name == "e":
            return self.call("exp", self.write(exponent))
        plain = isinstance(exponent, Number) and exponent.value.isdigit()
        left = self.write(base, ATOM)
        if not plain:  # integers to a negative power are an error in Julia
            if isinstance(base, Number) and base.value.isdigit():
                left = f"{base.value}.0"
            elif isinstance(base, Apply) and base.head == "negate" and isinstance(base.arguments[0], Number):
                left = f"(-{float(base.arguments[0].value)})"
            else:
                left = f"float({self.write(base)})" if self.may_be_whole(base) else left
        return self.wrap(f"{left}^{self.write(exponent, ATOM)}", 3, level)

    @staticmethod
    def may_be_whole(node: Expression) -> bool:
        """Whether a base could be an integer when the function is called with integers."""
        return not any(isinstance(part, Constant) for part in walk(node))

    def operator_root(self, node: Apply, level: int) -> str:
        body, order = node.arguments
        return self.wrap(f"float({self.write(body)})^(1/{self.write(order, 3)})", 3, level)

    def operator_factorial(self, node: Apply, level: int) -> str:
        only = node.arguments[0]
        if isinstance(only, Number) and only.value.isdigit() and int(only.value) <= _SMALL:
            return f"factorial({only.value})"
        return f"gamma({self.write(only, 1)} + 1)"

    def operator_factorial2(self, node: Apply, level: int) -> str:
        return f"prod({self.write(node.arguments[0], 1)}:-2:1; init=1.0)"

    def operator_sinc(self, node: Apply, level: int) -> str:
        self.notes["Julia's sinc(x) is sin(pi x)/(pi x)"] = None
        return f"sinc(({self.write(node.arguments[0])})/pi)"

    def operator_not(self, node: Apply, level: int) -> str:
        return f"!({self.write(node.arguments[0])})"

    def operator_enumerate(self, node: Apply, level: int) -> str:
        raise self.error("a list of symbolic length has no counterpart in Julia", node)

    def write_apply(self, node: Apply, level: int) -> str:
        if node.head == r"\pgcd":
            return self.call("gcd", *(self.write(a) for a in node.arguments))
        return super().write_apply(node, level)

    # -- names -----------------------------------------------------------------------------------------

    def write_indexed(self, node: Indexed, level: int) -> str:
        name = self.function_name(node.base)
        self.notes[f"{name} is a function of its indices"] = None
        return self.call(name, *(self.write(part) for part in (*node.indices, *node.upper)))

    def write_unknown(self, node: Unknown, level: int) -> str:
        if node.order is not None:
            raise self.error("the derivative of an unknown function has no counterpart in Julia", node)
        name, leading = self.called(node)
        return self.call(name, *leading, *(self.write(a) for a in node.arguments))

    # -- relations and cases ---------------------------------------------------------------------------

    def one_relation(self, operator: str, left: Expression, right: Expression, node: Relation) -> str:
        if isinstance(right, Sequence) and right.kind == "list" and operator == "=":
            return self.disjunction([self.one_relation("=", left, item, node) for item in right.items])
        if operator in ("=", "==="):
            return self.call("isapprox", self.write(left), self.write(right))
        if operator == "!=":
            return "!" + self.call("isapprox", self.write(left), self.write(right))
        if operator in _COMPARED:
            return f"{self.write(left, 1)} {_COMPARED[operator]} {self.write(right, 1)}"
        if operator == "in" and isinstance(right, Interval):
            return self.inside(left, right)
        if operator in ("in", "notin") and isinstance(right, Sequence | Apply):
            code = f"{self.write(left, 1)} in {self.write(right)}"
            return code if operator == "in" else f"!({code})"
        if operator in ("divides", "notdivides"):
            sign = "==" if operator == "divides" else "!="
            return f"mod({self.write(right)}, {self.write(left)}) {sign} 0"
        if operator in ("mod", "notmod") and isinstance(right, Apply) and right.head == "modulo":
            value, modulus = (self.write(a) for a in right.arguments)
            return f"mod({self.write(left, 1)} - ({value}), {modulus}) {'==' if operator == 'mod' else '!='} 0"
        raise self.error(f"the relation {operator} has no counterpart in Julia", node)

    def conjunction(self, pieces: list[str]) -> str:
        return pieces[0] if len(pieces) == 1 else " && ".join(pieces)

    def disjunction(self, pieces: list[str]) -> str:
        return pieces[0] if len(pieces) == 1 else "(" + " || ".join(pieces) + ")"

    def write_cases(self, node: Cases, level: int) -> str:
        code = "NaN"
        for value, condition in reversed(node.branches):
            code = (
                self.write(value) if condition is None else f"({self.write(condition)}) ? {self.write(value)} : {code}"
            )
        return f"({code})"

    def write_sequence(self, node: Sequence, level: int) -> str:
        items = ", ".join(self.write(item) for item in node.items)
        return f"Set([{items}])" if node.kind == "set" else f"[{items}]"

    def write_matrix(self, node: Matrix, level: int) -> str:
        rows = "; ".join(" ".join(self.write(cell, ATOM) for cell in row) for row in node.rows)
        return f"det([{rows}])" if node.determinant else f"[{rows}]"

    # -- binders ---------------------------------------------------------------------------------------

    def write_series(self, node: Series, level: int) -> str:
        if any(isinstance(part, Constant) and part.name == "infinity" for end in (node.lower, node.upper) if end
               for part in walk(end)):  # fmt: skip
            raise self.error("an infinite sum has no counterpart in Julia", node)
        lower, upper = self.bounds(node)
        test = f" if {self.write(node.condition)}" if node.condition is not None else ""
        name, neutral = ("sum", "0.0") if node.kind == "sum" else ("prod", "1.0")
        steps = f"{self.variable(node.index)} in ({lower}):({upper})"
        return f"{name}(({self.write(node.body)} for {steps}{test}); init={neutral})"

    def write_integral(self, node: Integral, level: int) -> str:
        self.plain_integral(node)
        if node.kind == "pv":
            raise self.error("a principal value has no counterpart in Julia", node)
        if node.lower is None or node.upper is None:
            raise self.error("an indefinite integral has no counterpart in Julia", node, "give its bounds")
        lower, upper = self.bounds(node)
        self.notes["the integral is computed by quadgk of QuadGK.jl"] = None
        return f"quadgk({self.variable(node.variable)} -> {self.write(node.body)}, {lower}, {upper})[1]"

    def write_limit(self, node: Limit, level: int) -> str:
        raise self.error("a limit has no counterpart in Julia", node)

    def write_derivative(self, node: Derivative, level: int) -> str:
        body = node.body
        if isinstance(body, Apply) and len(node.variables) == 1 and len(body.arguments) == 1:
            variable, order = node.variables[0]
            entry = lookup(self.table, body)
            first = isinstance(order, Number) and order.value == "1"
            if entry is not None and entry.derivative and first and body.arguments[0] == variable:
                return entry.derivative.replace("{1}", self.write(body.arguments[0]))
        raise self.error("a derivative has no counterpart in Julia", node)

    def write_substitution(self, node: Substitution, level: int) -> str:
        return f"(({self.variable(node.variable)} -> {self.write(node.body)})({self.write(node.point)}))"
