"""MathJSON, the format of @cortex-js/compute-engine.

Functions of the engine's library have their names there; other macros are functions named `dlmf_...`, which the
engine keeps as they are, and a warning says so. Dots are the library's `ContinuationPlaceholder`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from texlift.errors import FormulaError
from texlift.meaning.reader.reading import Reading
from texlift.meaning.tree import (
    Apply,
    Cases,
    Constant,
    Derivative,
    Dots,
    Expression,
    Function,
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
)
from texlift.targets.arrays import is_array, is_minus_one, parted_product
from texlift.targets.table import definition, fill, lookup
from texlift.targets.writers.writer import Writer

__all__ = ["MathjsonPrinter"]

_OPERATORS = {
    "plus": "Add", "times": "Multiply", "divide": "Divide", "power": "Power", "negate": "Negate", "sqrt": "Sqrt",
    "root": "Root", "factorial": "Factorial", "factorial2": "Factorial2", "abs": "Abs", "floor": "Floor",
    "ceiling": "Ceil", "min": "Min", "max": "Max", "and": "And", "or": "Or", "not": "Not", "implies": "Implies",
    "iff": "Equivalent", "xor": "Xor", "det": "Determinant", "norm": "Norm", "trace": "Trace", "rank": "MatrixRank",
    "transpose": "Transpose", "adjoint": "ConjugateTranspose", "dot": "Dot", "cross": "Cross", "union": "Union",
    "intersect": "Intersection", "setminus": "SetMinus", "symmetricdifference": "SymmetricDifference",
    "cartesian": "CartesianProduct", "even": "IsEven", "odd": "IsOdd", "modulo": "Mod", "lcm": "LCM", "sinc": "Sinc",
    "legendre": "LegendreSymbol", "variance": "Variance", "expectation": "Mean", "covariance": "Covariance",
    "applied": "Apply", "sup": "Supremum", "inf": "Infimum",
}  # fmt: skip
_CONSTANTS = {
    "pi": "Pi", "e": "ExponentialE", "i": "ImaginaryUnit", "gamma": "EulerGamma", "infinity": "PositiveInfinity",
    "reals": "RealNumbers", "integers": "Integers", "complexes": "ComplexNumbers", "rationals": "RationalNumbers",
    "naturals": "PositiveIntegers", "nonnegative": "NonNegativeIntegers", "emptyset": "EmptySet",
}  # fmt: skip
_RELATIONS = {
    "=": "Equal", "===": "IdenticallyEqual", "!=": "NotEqual", "<": "Less", ">": "Greater", "<=": "LessEqual",
    ">=": "GreaterEqual", "in": "Element", "notin": "NotElement", "contains": "Contains", "subset": "Subset",
    "subseteq": "SubsetEqual", "superset": "Superset", "superseteq": "SupersetEqual", "~": "Tilde", "~~": "Tilde",
    "approx": "Approx", "->": "To", "colon": "Colon", "divides": "Divides", "notdivides": "NotDivides",
}  # fmt: skip
_EXACT = 15  # digits that a JSON number keeps


def _list(head: str, parts: Iterable[str]) -> str:
    return f"[{json.dumps(head)}" + "".join(f", {part}" for part in parts) + "]"


class MathjsonPrinter(Writer):
    """Writes one line of JSON; several statements are joined by `And`."""

    target = "mathjson"

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.foreign = 0  # functions written that the engine does not have

    def formula(self, reading: Reading) -> str:
        pieces = self.all(reading.statements)
        return pieces[0] if len(pieces) == 1 else _list("And", pieces)

    def all(self, nodes: Iterable[Expression]) -> list[str]:
        return [self.write(node) for node in nodes]

    # -- leaves ----------------------------------------------------------------------------------------

    def write_number(self, node: Number) -> str:
        text = node.value if node.value[0] != "." else "0" + node.value
        if len(text.strip("0.").replace(".", "")) > _EXACT or (len(text) > 1 and text[0] == "0" and text[1] != "."):
            return json.dumps({"num": text})
        return text.rstrip(".")

    def write_symbol(self, node: Symbol) -> str:
        return json.dumps(self.symbol_name(node.name))

    def write_constant(self, node: Constant) -> str:
        known = _CONSTANTS.get(node.name)
        if known is None:
            raise self.error(f"{node.name} has no counterpart in {self.target}", node)
        return json.dumps(known)

    def write_indexed(self, node: Indexed) -> str:
        name = self.function_name(node.base)
        return _list("Subscript", [json.dumps(name), self.together((*node.indices, *node.upper))])

    def together(self, nodes: tuple[Expression, ...]) -> str:
        parts = self.all(nodes)
        return parts[0] if len(parts) == 1 else _list("Sequence", parts)

    def write_dots(self, node: Dots) -> str:
        self.notes["the author's dots are a placeholder in the code: what they stand for is left to the reader"] = None
        return '"ContinuationPlaceholder"'

    def named(self, head: str) -> str:
        """The name of a macro that the engine does not have."""
        name = head.strip("\\").removesuffix("[]")
        self.foreign += 1
        self.cautions[
            f"\\{name} is not in the library of compute-engine: it is written as the function dlmf_{name}"
        ] = None
        return f"dlmf_{name}"

    def write_function(self, node: Function) -> str:
        name = self.named(node.head)
        return _list(name, self.all(node.parameters)) if node.parameters else json.dumps(name)

    # -- applications ----------------------------------------------------------------------------------

    def of_arrays(self, node: Apply) -> str | None:
        """Products, inverses and powers of matrices; None for everything else."""
        parted = parted_product(node) if node.head == "times" else None
        if parted is not None:
            numbers, arrays = parted
            code = self.write(arrays[0])
            for part in arrays[1:]:
                code = _list("MatrixMultiply", [code, self.write(part)])
            return _list("Multiply", [*self.all(numbers), code]) if numbers else code
        if node.head == "power" and is_array(node.arguments[0]):
            if is_minus_one(node.arguments[1]):
                return _list("Inverse", [self.write(node.arguments[0])])
            raise self.error("a power of a matrix has no counterpart in MathJSON", node, "write the product out")
        exponent = node.arguments[-1] if node.head in ("power", r"\exp") else None
        if exponent is not None and is_array(exponent):
            raise self.error("the exponential of a matrix has no counterpart in MathJSON", node)
        return None

    def write_apply(self, node: Apply) -> str:
        head = node.head
        self.refuse_lists(node)
        if self.has_arrays and (code := self.of_arrays(node)) is not None:
            return code
        if head[0] == "\\":
            return self.macro(node)
        if head == "enumerate":
            general, first, last = self.all(node.arguments)
            index = json.dumps(self.symbol_name("k_"))
            steps = _list("Range", [first, last])
            return _list("Map", [steps, _list("Function", [general, index])])
        if head == "truncated":
            self.notes["a decimal number followed by dots is given as far as it was written"] = None
            return self.write(node.arguments[0])
        if head == "setbuilder":
            element, condition = self.all(node.arguments)
            return _list("Set", [element, _list("Condition", [condition])])
        if head == "subscript" and isinstance(node.arguments[0], Apply) and node.arguments[0].head == "norm":
            return _list("Norm", self.all((*node.arguments[0].arguments, node.arguments[1])))
        known = _OPERATORS.get(head)
        if known is None and (lookup(self.table, node) is not None or definition(node) is not None):
            return self.macro(node)
        if known is None:
            self.cautions[f"{head} is not in the library of compute-engine"] = None
            known = f"texlift_{head}"
        return _list(known, self.all(node.arguments))

    def macro(self, node: Apply) -> str:
        if node.head == r"\pgcd":
            return _list("GCD", self.all(node.arguments))
        entry = lookup(self.table, node)
        if entry is not None:
            self.remember(entry, node)
            return fill(entry, self.all(node.arguments))
        if definition(node) is not None:
            written = self.by_definition(node)
            if written is not None:
                return written
        return _list(self.named(node.head), self.all(node.arguments))

    def by_definition(self, node: Apply) -> str | None:
        """The definition of a macro, if the engine can evaluate it."""
        before, cautions, notes = self.foreign, dict(self.cautions), dict(self.notes)
        try:
            written = self.write(self.expanded(node))
        except FormulaError:
            written = ""
        self.depth -= 1
        if written and self.foreign == before:
            return written
        self.foreign, self.cautions, self.notes = before, cautions, notes
        return None

    def write_unknown(self, node: Unknown) -> str:
        name, leading = self.unknown(node)
        function = json.dumps(name)
        arguments = self.all((*leading, *node.arguments))
        if node.order is not None:
            return _list("Apply", [_list("Derivative", [function, self.write(node.order)]), *arguments])
        return _list(name, arguments)

    def write_derivative(self, node: Derivative) -> str:
        body = self.write(node.body)
        for variable, order in node.variables:
            if isinstance(order, Number) and order.value.isdigit() and int(order.value) < 20:
                for _ in range(int(order.value)):
                    body = _list("D", [body, self.variable(variable)])
            else:  # the derivative of a function is a function
                function = _list("Function", [body, self.variable(variable)])
                body = _list("Apply", [_list("Derivative", [function, self.write(order)]), self.variable(variable)])
        return body

    def variable(self, node: Expression) -> str:
        if isinstance(node, Symbol):
            return json.dumps(self.symbol_name(node.name))
        if isinstance(node, Indexed) and all(isinstance(part, Number | Symbol) for part in node.indices):
            label = ",".join(part.value if isinstance(part, Number) else part.name for part in node.indices)  # type: ignore[union-attr]
            return json.dumps(self.symbol_name(f"{node.base}_{{{label}}}"))
        return self.write(node)

    def write_substitution(self, node: Substitution) -> str:
        rule = _list("Rule", [self.variable(node.variable), self.write(node.point)])
        return _list("ReplaceAll", [self.write(node.body), rule])

    def write_series(self, node: Series) -> str:
        body = self.write(node.body)
        head = "Sum" if node.kind == "sum" else "Product"
        if node.condition is not None and node.lower is not None:
            neutral = "0" if node.kind == "sum" else "1"
            body = _list("Which", [self.write(node.condition), body, '"True"', neutral])
        if node.lower is None or node.upper is None:
            where = node.condition if node.condition is not None else node.index
            if isinstance(where, Relation) and where.operators == ("in",) and isinstance(where.operands[0], Symbol):
                return _list(head, [body, _list("Element", self.all(where.operands))])
            self.cautions["a sum whose terms are given by a condition is not evaluated by compute-engine"] = None
            return _list(head, [body, _list("Condition", [self.write(where)])])
        limits = _list("Limits", [self.variable(node.index), self.write(node.lower), self.write(node.upper)])
        return _list(head, [body, limits])

    def write_integral(self, node: Integral) -> str:
        variable = self.variable(node.variable)
        function = _list("Function", [self.write(node.body), variable])
        if node.domain is not None or node.kind in ("contour", "line"):
            if node.kind == "line":
                self.cautions["a line integral is not in the library of compute-engine"] = None
                name = "texlift_lineintegral"
            else:
                name = "CircularIntegrate" if node.kind == "contour" else "Integrate"
            domain = [_list("Element", [variable, self.write(node.domain)])] if node.domain is not None else []
            return _list(name, [function, *domain])
        if node.kind == "pv":
            self.cautions["compute-engine does not know principal values"] = None
        head = "Integrate" if node.kind == "int" else "texlift_pvintegral"
        if node.lower is None or node.upper is None:
            return _list(head, [function, variable])
        return _list(head, [function, _list("Limits", [variable, self.write(node.lower), self.write(node.upper)])])

    def write_limit(self, node: Limit) -> str:
        parts = [_list("Function", [self.write(node.body), self.variable(node.variable)]), self.write(node.point)]
        if node.direction:
            parts.append("1" if node.direction == "+" else "-1")
        return _list("Limit", parts)

    # -- statements and collections --------------------------------------------------------------------

    def write_relation(self, node: Relation) -> str:
        pieces = [self.link(operator, left, right) for operator, left, right in node.links]
        return pieces[0] if len(pieces) == 1 else _list("And", pieces)

    def link(self, operator: str, left: Expression, right: Expression) -> str:
        if operator in ("=", "!=") and isinstance(right, Sequence) and right.kind == "list":
            inside = _list("Element", [self.write(left), _list("Set", self.all(right.items))])
            return inside if operator == "=" else _list("Not", [inside])
        if operator in ("mod", "notmod") and isinstance(right, Apply) and right.head == "modulo":
            congruent = _list("Congruent", [self.write(left), *self.all(right.arguments)])
            return congruent if operator == "mod" else _list("Not", [congruent])
        known = _RELATIONS.get(operator)
        if known is None:
            self.cautions[f"the relation {operator} is not in the library of compute-engine"] = None
            word = {"<<": "muchless", ">>": "muchgreater"}.get(operator, operator)
            known = f"texlift_{word if word.isalpha() else 'relation'}"
        return _list(known, [self.write(left), self.write(right)])

    def write_cases(self, node: Cases) -> str:
        parts: list[str] = []
        for value, condition in node.branches:
            parts += ['"True"' if condition is None else self.write(condition), self.write(value)]
        return _list("Which", parts)

    def write_sequence(self, node: Sequence) -> str:
        return _list({"set": "Set", "tuple": "Tuple"}.get(node.kind, "List"), self.all(node.items))

    def write_interval(self, node: Interval) -> str:
        ends = [self.write(node.lower), self.write(node.upper)]
        closed = (node.closed_lower, node.closed_upper)
        return _list("Interval", [e if c else _list("Open", [e]) for e, c in zip(ends, closed, strict=True)])

    def write_matrix(self, node: Matrix) -> str:
        matrix = _list("Matrix", [_list("List", [_list("List", self.all(row)) for row in node.rows])])
        return _list("Determinant", [matrix]) if node.determinant else matrix
