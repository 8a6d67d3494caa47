"""Mathematica (the Wolfram Language)."""

from __future__ import annotations

from typing import ClassVar

from texlift.meaning.reader.progression import order_point, order_term
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
    Symbol,
    Unknown,
    free_symbols,
    walk,
)
from texlift.targets.arrays import is_declared_vector, is_minus_one, is_row, parted_product
from texlift.targets.operators import PLACE
from texlift.targets.orders import growth
from texlift.targets.path import is_path
from texlift.targets.writers.infix import InfixPrinter
from texlift.targets.writers.writer import Chain

__all__ = ["MathematicaPrinter"]

_GREEK = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "pi",
    "rho",
    "sigma",
    "tau",
    "upsilon",
    "phi",
    "chi",
    "psi",
    "omega",
    "Gamma",
    "Delta",
    "Theta",
    "Lambda",
    "Xi",
    "Pi",
    "Sigma",
    "Upsilon",
    "Phi",
    "Psi",
    "Omega",
]
# Operators of the language that stand for a relation and are not evaluated.
_INERT = {
    "~": "Tilde",
    "~~": "Tilde",
    "->": "RightArrow",
    "approx": "TildeTilde",
    "colon": "Colon",
    "propto": "Proportional",
    "subset": "SubsetEqual",
    "<<": "LessLess",
    ">>": "GreaterGreater",
}
_ORDERS = frozenset({r"\bigO", r"\littleo"})
_SETS = {"reals": "Reals", "integers": "Integers", "complexes": "Complexes", "naturals": "PositiveIntegers",
         "nonnegative": "NonNegativeIntegers", "rationals": "Rationals"}  # fmt: skip


class MathematicaPrinter(InfixPrinter):
    """Arguments stand in square brackets, lists in braces; Greek letters are written \\[Alpha]."""

    target = "mathematica"
    has_limits = True
    separator = ""
    brackets = ("[", "]")
    several = ("{", "}")
    operators: ClassVar[dict[str, str]] = {
        "sqrt": "Sqrt",
        "abs": "Abs",
        "floor": "Floor",
        "ceiling": "Ceiling",
        "min": "Min",
        "max": "Max",
        "factorial": "Factorial",
        "factorial2": "Factorial2",
        "det": "Det",
        "norm": "Norm",
        "union": "Union",
        "intersect": "Intersection",
        "setminus": "Complement",
        "implies": "Implies",
        "iff": "Equivalent",
        "trace": "Tr",
        "transpose": "Transpose",
        "adjoint": "ConjugateTranspose",
        "rank": "MatrixRank",
        "dot": "Dot",
        "cross": "Cross",
        "lcm": "LCM",
        "sinc": "Sinc",
        "legendre": "JacobiSymbol",
        "even": "EvenQ",
        "odd": "OddQ",
    }
    constants: ClassVar[dict[str, str]] = {
        "pi": "Pi",
        "e": "E",
        "i": "I",
        "gamma": "EulerGamma",
        "infinity": "Infinity",
    } | _SETS
    relations: ClassVar[dict[str, str]] = {
        "=": "==",
        "===": "==",
        "!=": "!=",
        "<": "<",
        ">": ">",
        "<=": "<=",
        ">=": ">=",
    }
    exponential = "Exp"
    meijer_function = "MeijerG"

    def symbol_name(self, text: str) -> str:
        if text[0] == "\\" and text[1:] in _GREEK and text != r"\pi":
            word = f"Capital{text[1:]}" if text[1].isupper() else text[1:].title()
            self.symbols[text] = f"\\[{word}]"
            return self.symbols[text]
        return super().symbol_name(text)

    def write_interval(self, node: Interval, level: int) -> str:
        return f"Interval[{{{self.write(node.lower)}, {self.write(node.upper)}}}]"

    def write_sequence(self, node: Sequence, level: int) -> str:
        return "{" + ", ".join(self.write(item) for item in node.items) + "}"

    def write_indexed(self, node: Indexed, level: int) -> str:
        name = self.function_name(node.base)
        parts = ", ".join(self.write(part) for part in (*node.indices, *node.upper))
        return f"Subscript[{name}, {parts}]"

    def write_unknown(self, node: Unknown, level: int) -> str:
        limit = self.one_sided(node)
        if limit is not None:
            return self.write(limit, level)
        name, leading = self.called(node)
        if leading:
            name = f"Subscript[{name}, {', '.join(leading)}]"
        arguments = [self.write(a) for a in node.arguments]
        if node.order is not None:
            zeros = ", 0" * (len(arguments) - 1)  # a prime differentiates by the first argument
            name = f"Derivative[{self.write(node.order)}{zeros}][{name}]"
        return self.call(name, *arguments)

    def write_series(self, node: Series, level: int) -> str:
        where = node.condition
        if node.lower is None and isinstance(where, Relation) and where.operators == ("in",):
            domain = f"{{{self.variable(node.index)}, {self.write(where.operands[1])}}}"  # over the elements of a list
            return self.call("Sum" if node.kind == "sum" else "Product", self.write(node.body), domain)
        lower, upper = self.bounds(node)
        body = self.write(node.body)
        if node.condition is not None:
            neutral = "0" if node.kind == "sum" else "1"
            body = f"If[{self.write(node.condition)}, {body}, {neutral}]"
        return self.call(
            "Sum" if node.kind == "sum" else "Product", body, f"{{{self.variable(node.index)}, {lower}, {upper}}}"
        )

    def write_integral(self, node: Integral, level: int) -> str:
        variable = self.variable(node.variable)
        loop = isinstance(node.domain, Symbol) and node.domain.name.startswith("(")
        if node.kind != "line" and isinstance(node.domain, Symbol | Indexed) and not loop:
            self.notes["the domain of the integral is a region or path given by its name"] = None
            name = "Integrate" if node.kind == "int" and not is_path(node.domain) else "ContourIntegrate"
            return self.call(name, self.write(node.body), f"Element[{variable}, {self.write(node.domain)}]")
        circle = self.circled(node)
        if circle is not None:
            return self.write(circle, level)
        self.plain_integral(node)
        if node.lower is None or node.upper is None:
            return self.call("Integrate", self.write(node.body), variable)
        arguments = [self.write(node.body), f"{{{variable}, {self.write(node.lower)}, {self.write(node.upper)}}}"]
        if node.kind == "pv":
            arguments.append("PrincipalValue -> True")
        return self.call("Integrate", *arguments)

    def write_limit(self, node: Limit, level: int) -> str:
        arguments = [self.write(node.body), f"{self.variable(node.variable)} -> {self.write(node.point)}"]
        if node.direction:
            arguments.append('Direction -> "FromAbove"' if node.direction == "+" else 'Direction -> "FromBelow"')
        return self.call("Limit", *arguments)

    def write_derivative(self, node: Derivative, level: int) -> str:
        steps = [f"{{{name}, {order}}}" if order else name for name, order in self.steps(node)]
        return self.call("D", self.write(node.body), *steps)

    def write_substitution(self, node: Substitution, level: int) -> str:
        return f"({self.write(node.body)} /. {self.variable(node.variable)} -> {self.write(node.point)})"

    def one_relation(self, operator: str, left: Expression, right: Expression, node: Relation) -> str:
        found = growth(operator, left, right) if "O" in self.source or "littleo" in self.source else None
        if found is not None:
            bounds = [part.arguments[0] for part in walk(right) if isinstance(part, Apply) and part.head in _ORDERS]
            points = {self.order_point(bound) for bound in bounds}
            if (found.little or not all(map(order_term, bounds))) and len(points) == 1 and None not in points:
                variable, at_infinity = next(point for point in points if point is not None)
                name = "AsymptoticLess" if found.little else "AsymptoticLessEqual"
                self.notes[f"{name} needs Mathematica 11.3"] = None
                point = f"{self.symbol_name(variable)} -> {'Infinity' if at_infinity else '0'}"
                return self.call(name, self.write(found.remainder), self.write(found.bound), point)
        return super().one_relation(operator, left, right, node)

    def order_point(self, bound: Expression) -> tuple[str, bool] | None:
        """The variable of an order, and whether it tends to infinity: as is said, or as its powers show."""
        said = [self.tendencies[name] for name in free_symbols(bound) if name in self.tendencies]
        plain = len(said) == 1 and (said[0].at_infinity or said[0].point == Number("0", said[0].point.span))
        return (said[0].name, said[0].at_infinity) if plain else order_point(bound)

    def special_relation(self, operator: str, left: Expression, right: Expression) -> str | None:
        if operator in ("in", "notin") and isinstance(right, Constant) and right.name in _SETS:
            code = f"Element[{self.write(left)}, {_SETS[right.name]}]"
            return code if operator == "in" else f"NotElement[{self.write(left)}, {_SETS[right.name]}]"
        if operator == "in" and isinstance(right, Interval):
            return self.inside(left, right)
        if operator == "divides":
            return f"Divisible[{self.write(right)}, {self.write(left)}]"
        if operator == "mod":
            return self.remainder("Mod", left, right)
        if operator in _INERT:
            return self.call(_INERT[operator], self.write(left), self.write(right))
        if operator == "notdivides":
            return f"!Divisible[{self.write(right)}, {self.write(left)}]"
        return None

    remainder_function = "Mod"
    array_product = " . "
    array_exponential = "MatrixExp"

    def array_times(self, node: Apply, level: int) -> str | None:
        """A vector is a plain list: its transpose is itself before a matrix, and an outer product behind a vector."""
        parted = parted_product(node)
        if parted is None or not any(map(is_row, parted[1])):
            return super().array_times(node, level)
        numbers, arrays = parted
        if any(map(is_row, arrays[1:])):
            if len(arrays) != 2 or not is_declared_vector(arrays[0]):
                raise self.error("a row behind a matrix has no counterpart in Mathematica", node)
            outer = self.call("Outer", "Times", *(self.plain_row(part) for part in arrays))
            return self.wrap("*".join([*(self.write(part, 2) for part in numbers), outer]), 2, level)
        code = " . ".join([self.plain_row(arrays[0]), *(self.write(part, 3) for part in arrays[1:])])
        return self.wrap("*".join([*(self.write(part, 2) for part in numbers), f"({code})"]), 2, level)

    def plain_row(self, node: Expression) -> str:
        if isinstance(node, Apply) and is_row(node):
            letter = self.write(node.arguments[0])
            return letter if node.head == "transpose" else self.call("Conjugate", letter)
        return self.write(node, 3)

    def array_power(self, base: Expression, exponent: Expression, level: int) -> str:
        if is_minus_one(exponent):
            return self.call("Inverse", self.write(base))
        return self.call("MatrixPower", self.write(base), self.write(exponent))

    def whole_chain(self, chain: Chain) -> str:
        link = self.write_relation(chain.link, 0)
        return (
            f"And @@ Table[{link}, {{{self.symbol_name('k_')}, {self.write(chain.first)}, {self.write(chain.last)}}}]"
        )

    def operator_iterated(self, node: Apply, level: int) -> str:
        once, times, operand = (self.write(part) for part in node.arguments)
        return f"Nest[Function[{self.symbol_name(PLACE.name)}, {once}], {operand}, {times}]"

    def operator_not(self, node: Apply, level: int) -> str:
        return self.call("Not", self.write(node.arguments[0]))

    def write_apply(self, node: Apply, level: int) -> str:
        if node.head == r"\bigO":
            return self.order(node)
        if node.head == "subscript" and isinstance(node.arguments[0], Apply) and node.arguments[0].head == "norm":
            return self.call("Norm", self.write(node.arguments[0].arguments[0]), self.write(node.arguments[1]))
        return super().write_apply(node, level)

    def order(self, node: Apply) -> str:
        """`O[z]^2` as z tends to 0, `O[z, Infinity]^2` for the order of z^-2."""
        found = order_term(node.arguments[0])
        if found is None:
            raise self.error("the order of something else than a power of a variable has no counterpart", node)
        name, exponent, at_infinity = found
        said = self.tendencies.get(name)
        if said is not None and said.at_infinity != at_infinity:
            exponent, at_infinity = Apply("negate", (exponent,), exponent.span), said.at_infinity
        if said is not None and not said.at_infinity and said.point != Number("0", said.point.span):
            raise self.error("the order of a power at a point where the variable is not 0", node)
        power = "" if isinstance(exponent, Number) and exponent.value == "1" else f"^({self.write(exponent)})"
        return f"O[{self.symbol_name(name)}{', Infinity' if at_infinity else ''}]{power}"

    def integer(self, node: Expression) -> str:
        return f"Element[{self.write(node)}, Integers]"

    def operator_enumerate(self, node: Apply, level: int) -> str:
        general, first, last = (self.write(a) for a in node.arguments)
        return f"Sequence @@ Table[{general}, {{{self.symbol_name('k_')}, {first}, {last}}}]"

    def conjunction(self, pieces: list[str]) -> str:
        return pieces[0] if len(pieces) == 1 else " && ".join(pieces)

    def disjunction(self, pieces: list[str]) -> str:
        return pieces[0] if len(pieces) == 1 else "(" + " || ".join(pieces) + ")"

    def write_cases(self, node: Cases, level: int) -> str:
        branches = [
            f"{{{self.write(value)}, {'True' if condition is None else self.write(condition)}}}"
            for value, condition in node.branches
        ]
        return f"Piecewise[{{{', '.join(branches)}}}]"

    def write_matrix(self, node: Matrix, level: int) -> str:
        rows = ", ".join("{" + ", ".join(self.write(cell) for cell in row) + "}" for row in node.rows)
        return f"Det[{{{rows}}}]" if node.determinant else f"{{{rows}}}"
