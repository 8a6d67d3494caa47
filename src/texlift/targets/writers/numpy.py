"""A complete Python function with NumPy and SciPy that takes arrays.

The formula becomes the value of one function of its letters. An equation with a plain letter on its left that does not
stand on its right defines that letter: the function returns the right-hand side. Another equation returns left minus
right, which is zero where it holds; inequalities and several relations return truth values.
"""

from __future__ import annotations

import ast
import re
from typing import ClassVar

from texlift.meaning.reader.reading import Reading
from texlift.meaning.tree import (
    Apply,
    Cases,
    Constant,
    Derivative,
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
    free_symbols,
    walk,
)
from texlift.targets.arrays import is_array, is_declared_vector, is_row
from texlift.targets.table import lookup
from texlift.targets.writers.procedure import Procedure
from texlift.targets.writers.pybuild import PythonBuilder, binary, call, lambda_
from texlift.targets.writers.pycode import template

__all__ = ["NumpyBuilder"]

_COMPARISONS = {"<": ast.Lt, ">": ast.Gt, "<=": ast.LtE, ">=": ast.GtE, "!=": ast.NotEq, "=": ast.Eq}
_INDICES = frozenset({"i", "j", "k", "l", r"\ell", "m", "n", "k_"})
_VECTORS = ("vector", "matrix")


def _np(name: str) -> ast.expr:
    return ast.Attribute(ast.Name("np"), name)


class NumpyBuilder(Procedure, PythonBuilder):
    """Numbers are floating point numbers; functions work on arrays element by element."""

    target = "numpy"
    operators: ClassVar[dict[str, str]] = {}
    constants: ClassVar[dict[str, str]] = {
        "pi": "np.pi", "e": "np.e", "i": "1j", "gamma": "np.euler_gamma", "infinity": "np.inf",
    }  # fmt: skip
    functions_of: ClassVar[dict[str, str]] = {
        "sqrt": "np.sqrt", "abs": "np.abs", "floor": "np.floor", "ceiling": "np.ceil", "factorial": "special.factorial",
        "factorial2": "special.factorial2", "trace": "np.trace", "transpose": "np.transpose", "det": "np.linalg.det",
        "rank": "np.linalg.matrix_rank", "norm": "np.linalg.norm", "cross": "np.cross", "lcm": "np.lcm",
        "not": "np.logical_not",
    }  # fmt: skip

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.arrays = False  # whether a letter is declared a vector or matrix

    # -- the whole function ----------------------------------------------------------------------------

    def formula(self, reading: Reading) -> str:
        made = self.procedure(reading)
        imports = ["import numpy as np"]
        if "integrate." in made.value:
            imports.append("from scipy import integrate")
        if re.search(r"(?<!np\.)linalg\.", made.value):
            imports.append("from scipy import linalg")
        if "special." in made.value:
            imports.append("from scipy import special")
        doc = made.source.replace('"""', "'''").rstrip("\\ ")
        lines = [*imports, "", "", f"def {made.name}({', '.join(made.arguments)}):", f'    r"""{doc}', ""]
        return "\n".join([*lines, f"    {made.returns}", '    """', f"    return {made.value}", ""])

    # -- leaves ----------------------------------------------------------------------------------------

    def build_number(self, node: Number) -> ast.expr:
        value = node.value
        if value.isdigit():
            return ast.Constant(int(value)) if len(value) < 16 else ast.Constant(float(value))
        return ast.Constant(float(value))

    def build_symbol(self, node: Symbol) -> ast.expr:
        self.arrays |= node.role in _VECTORS
        return super().build_symbol(node)

    def build_indexed(self, node: Indexed) -> ast.expr:
        label = self.function_name(node.base)
        self.notes[f"{label} is a function of its indices"] = None
        return call(label, *(self.build(part) for part in (*node.indices, *node.upper)))

    def build_unknown(self, node: Unknown) -> ast.expr:
        if node.order is not None:
            raise self.error("the derivative of an unknown function has no counterpart in numpy", node)
        label, leading = self.unknown(node)
        return call(label, *(self.build(part) for part in (*leading, *node.arguments)))

    def build_sequence(self, node: Sequence) -> ast.expr:
        if node.kind == "set":
            raise self.error("a set is no value in numpy", node)
        return call(_np("array"), ast.List([self.build(item) for item in node.items]))

    def build_matrix(self, node: Matrix) -> ast.expr:
        self.constant_cells(node)
        rows: list[ast.expr] = [ast.List([self.build(cell) for cell in row]) for row in node.rows]
        matrix = call(_np("array"), ast.List(rows))
        return call(template("np.linalg.det"), matrix) if node.determinant else matrix

    def constant_cells(self, node: Matrix) -> None:
        if any(free_symbols(cell) for row in node.rows for cell in row):
            self.notes["the cells of the matrix must be numbers, not arrays"] = None

    def build_function(self, node: Function) -> ast.expr:
        raise self.error(f"{node.head} stands without its variable", node, f"write {node.head}@{{...}}")

    def build_interval(self, node: Interval) -> ast.expr:
        raise self.error("an interval is no value in numpy", node)

    # -- operators -------------------------------------------------------------------------------------

    def build_apply(self, node: Apply) -> ast.expr:
        known = self.functions_of.get(node.head)
        if known is not None and not hasattr(self, f"operator_{node.head}"):
            return call(template(known), *(self.build(a) for a in node.arguments))
        if node.head[0] == "\\" and lookup(self.table, node) is None and node.head == r"\pgcd":
            return self.reduced("np.gcd", node)
        return super().build_apply(node)

    def operator_sqrt(self, node: Apply) -> ast.expr:
        return call(template("np.emath.sqrt"), self.build(node.arguments[0]))

    def operator_root(self, node: Apply) -> ast.expr:
        body, order = (self.build(a) for a in node.arguments)
        return call(template("np.emath.power"), body, binary("/", ast.Constant(1), order))

    def operator_power(self, node: Apply) -> ast.expr:
        base, exponent = node.arguments
        if isinstance(base, Constant) and base.name == "e":
            if self.has_arrays and is_array(exponent):
                return call(template("linalg.expm"), self.build(exponent))
            return call(_np("exp"), self.build(exponent))
        if _is_matrix(base):
            if (
                isinstance(exponent, Apply)
                and exponent.head == "negate"
                and exponent.arguments[0] == Number("1", exponent.arguments[0].span)
            ):
                return call(template("np.linalg.inv"), self.build(base))
            return call(template("np.linalg.matrix_power"), self.build(base), self.build(exponent))
        negative = isinstance(exponent, Apply) and exponent.head == "negate"
        size = exponent.arguments[0] if isinstance(exponent, Apply) and negative else exponent
        if isinstance(size, Number) and size.value.isdigit():
            power = binary("**", self.build(base), self.build(size))
            return binary("/", ast.Constant(1), power) if negative else power
        if _is_whole(exponent):  # a negative base stays a real number
            left = self.build(base)
            if isinstance(base, Apply) and base.head == "negate" and isinstance(base.arguments[0], Number):
                left = ast.UnaryOp(ast.USub(), ast.Constant(float(base.arguments[0].value)))
            return binary("**", left, self.build(exponent))
        if isinstance(base, Number | Constant) and not (isinstance(base, Constant) and base.name == "i"):
            left = ast.Constant(float(base.value)) if isinstance(base, Number) else self.build(base)
            return binary("**", left, self.build(exponent))  # a power of a positive number, without integer overflow
        return call(template("np.emath.power"), self.build(base), self.build(exponent))

    def operator_times(self, node: Apply) -> ast.expr:
        matrices = [part for part in node.arguments if _is_matrix(part)]
        if len(matrices) < 2:
            return super().operator_times(node)
        scalars = [part for part in node.arguments if part not in matrices]
        if any(map(is_row, matrices[1:])):  # an array of one dimension has no transpose
            if len(matrices) != 2 or not is_declared_vector(matrices[0]):
                raise self.error("a row behind a matrix has no counterpart in numpy", node)
            product: ast.expr = call(_np("outer"), *(self.build(part) for part in matrices))
            matrices = matrices[:1]
        else:
            product = self.build(matrices[0])
        for part in matrices[1:]:
            product = call(_np("matmul"), product, self.build(part))
        for part in scalars:
            product = binary("*", self.build(part), product)
        return product

    def operator_dot(self, node: Apply) -> ast.expr:
        return call(_np("dot"), *(self.build(a) for a in node.arguments))

    def operator_adjoint(self, node: Apply) -> ast.expr:
        return call(_np("conj"), call(_np("transpose"), self.build(node.arguments[0])))

    def operator_min(self, node: Apply) -> ast.expr:
        return self.reduced("np.minimum", node)

    def operator_max(self, node: Apply) -> ast.expr:
        return self.reduced("np.maximum", node)

    def operator_lcm(self, node: Apply) -> ast.expr:
        return self.reduced("np.lcm", node)

    def reduced(self, function: str, node: Apply) -> ast.expr:
        """A function of two arguments over several."""
        first, *rest = (self.build(a) for a in node.arguments)
        for part in rest:
            first = call(template(function), first, part)
        return first

    def operator_det(self, node: Apply) -> ast.expr:
        return call(template("np.linalg.det"), self.build(node.arguments[0]))

    def operator_sinc(self, node: Apply) -> ast.expr:
        self.notes["numpy's sinc(x) is sin(pi x)/(pi x)"] = None
        return call(_np("sinc"), binary("/", self.build(node.arguments[0]), _np("pi")))

    def operator_modulo(self, node: Apply) -> ast.expr:
        return call(_np("mod"), *(self.build(a) for a in node.arguments))

    def operator_and(self, node: Apply) -> ast.expr:
        return self.joint("np.logical_and", [self.condition(a) for a in node.arguments])

    def operator_or(self, node: Apply) -> ast.expr:
        return self.joint("np.logical_or", [self.condition(a) for a in node.arguments])

    def joint(self, function: str, tests: list[ast.expr]) -> ast.expr:
        first, *rest = tests
        for test in rest:
            first = call(template(function), first, test)
        return first

    def parity(self, node: Apply, remainder: int) -> ast.expr:
        value = call(_np("mod"), self.build(node.arguments[0]), ast.Constant(2))
        return ast.Compare(value, [ast.Eq()], [ast.Constant(remainder)])

    def operator_norm(self, node: Apply) -> ast.expr:
        if not _is_matrix(node.arguments[0], vectors=True):
            raise self.error("the norm of an unknown space", node, "declare a vector: --declare 'x: vector'")
        return call(template("np.linalg.norm"), self.build(node.arguments[0]))

    # -- relations and cases ---------------------------------------------------------------------------

    def condition(self, node: Expression) -> ast.expr:
        return self.build(node)

    def build_relation(self, node: Relation) -> ast.expr:
        tests = [self.one_relation(operator, left, right, node) for operator, left, right in node.links]
        return self.joint("np.logical_and", tests)

    def one_relation(self, operator: str, left: Expression, right: Expression, node: Relation) -> ast.expr:
        if isinstance(right, Sequence) and right.kind == "list" and operator == "=":
            equal = [self.one_relation("=", left, item, node) for item in right.items]
            return self.joint("np.logical_or", equal)
        if operator in ("=", "==="):
            return call(_np("isclose"), self.build(left), self.build(right))
        if operator == "!=":
            return call(template("np.logical_not"), call(_np("isclose"), self.build(left), self.build(right)))
        if operator in _COMPARISONS:
            return ast.Compare(self.build(left), [_COMPARISONS[operator]()], [self.build(right)])
        if operator == "in" and isinstance(right, Interval):
            ends: list[ast.expr] = [
                ast.Compare(
                    self.build(right.lower), [ast.LtE() if right.closed_lower else ast.Lt()], [self.build(left)]
                ),
                ast.Compare(
                    self.build(left), [ast.LtE() if right.closed_upper else ast.Lt()], [self.build(right.upper)]
                ),
            ]
            return self.joint("np.logical_and", ends)
        if operator in ("divides", "notdivides"):
            rest = call(_np("mod"), self.build(right), self.build(left))
            return ast.Compare(rest, [ast.Eq() if operator == "divides" else ast.NotEq()], [ast.Constant(0)])
        if operator in ("mod", "notmod") and isinstance(right, Apply) and right.head == "modulo":
            value, modulus = right.arguments
            rest = call(_np("mod"), binary("-", self.build(left), self.build(value)), self.build(modulus))
            return ast.Compare(rest, [ast.Eq() if operator == "mod" else ast.NotEq()], [ast.Constant(0)])
        raise self.error(f"the relation {operator} has no counterpart in numpy", node)

    def build_cases(self, node: Cases) -> ast.expr:
        conditions = [self.condition(condition) for _, condition in node.branches if condition is not None]
        values = [self.build(value) for value, condition in node.branches if condition is not None]
        other = next((self.build(value) for value, condition in node.branches if condition is None), _np("nan"))
        result = other
        for condition, value in reversed(list(zip(conditions, values, strict=True))):
            result = call(_np("where"), condition, value, result)
        return result

    # -- binders ---------------------------------------------------------------------------------------

    def build_series(self, node: Series) -> ast.expr:
        lower, upper = self.bounds(node)
        if not (isinstance(lower, ast.Constant) and isinstance(upper, ast.Constant)):
            self.notes["the bounds of a sum or product must be single integers, not arrays"] = None
        if any(isinstance(part, Constant) and part.name == "infinity" for part in walk(node.lower or node)):
            raise self.error("an infinite sum has no counterpart in numpy", node, "mpmath has nsum")
        if isinstance(node.upper, Constant) and node.upper.name == "infinity":
            raise self.error("an infinite sum has no counterpart in numpy", node, "mpmath has nsum")
        variable = self.variable(node.index)
        body = self.build(node.body)
        neutral = 0 if node.kind == "sum" else 1
        if node.condition is not None:
            body = ast.IfExp(self.condition(node.condition), body, ast.Constant(neutral))
        numbers = call("range", _whole(lower), _whole(binary("+", upper, ast.Constant(1))))
        if node.kind == "sum":
            return call("sum", call("map", lambda_(variable, body), numbers))
        return call(
            template("np.prod"), call("list", call("map", lambda_(variable, body), numbers)), axis=ast.Constant(0)
        )

    def build_integral(self, node: Integral) -> ast.expr:
        if node.kind != "int" or node.domain is not None:
            raise self.error("an integral over a path or a principal value has no counterpart in numpy", node)
        if node.lower is None or node.upper is None:
            raise self.error("an indefinite integral has no counterpart in numpy", node, "give its bounds")
        complex_parts = [p for p in walk(node) if isinstance(p, Constant) and p.name == "i"]
        if complex_parts:
            raise self.error("an integral of complex numbers has no counterpart in numpy", complex_parts[0])
        variable = self.variable(node.variable)
        inner = call(template("integrate.quad"), lambda_(variable, self.build(node.body)), *self.bounds(node))
        first = ast.Subscript(inner, ast.Constant(0))
        letters = self.needed(node)
        self.notes["the integral is computed by scipy.integrate.quad, for real integrands"] = None
        if not letters:
            return first
        return call(call(_np("vectorize"), _lambda(letters, first)), *(ast.Name(letter) for letter in letters))

    def needed(self, node: Integral) -> list[str]:
        """The letters that an integral depends on: quad takes one number at a time, so it is mapped over them."""
        free = free_symbols(node)
        return sorted({self.symbols[name] for name in free if name in self.symbols and name not in self.functions})

    def build_limit(self, node: Limit) -> ast.expr:
        raise self.error("a limit has no counterpart in numpy", node, "SymPy and mpmath have limits")

    def build_derivative(self, node: Derivative) -> ast.expr:
        known = self.known_derivative(node)
        if known is None:
            raise self.error("a derivative has no counterpart in numpy", node, "SymPy and mpmath have derivatives")
        entry, body, order = known
        if "{n}" not in entry.derivative and not (isinstance(order, Number) and order.value == "1"):
            raise self.error("only the first derivative has a counterpart in numpy", node)
        return self.fill_derivative(entry, body, order)

    def build_substitution(self, node: Substitution) -> ast.expr:
        return call(lambda_(self.variable(node.variable), self.build(node.body)), self.build(node.point))


def _is_whole(node: Expression) -> bool:
    """Whether an exponent is an integer by its letters and numbers."""
    if isinstance(node, Number):
        return node.value.isdigit()
    if isinstance(node, Symbol):
        return node.role == "index" or node.name in _INDICES
    return isinstance(node, Apply) and node.head in ("plus", "times", "negate") and all(map(_is_whole, node.arguments))


def _whole(node: ast.expr) -> ast.expr:
    return node if isinstance(node, ast.Constant) else call("int", node)


def _lambda(names: list[str], body: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, []), body)


def _is_matrix(node: Expression, vectors: bool = False) -> bool:
    """Whether a factor is a matrix, or a vector, by its declaration, its dress or its shape."""
    if isinstance(node, Symbol):
        dress = bool(re.match(r"\\(?:mathbf|boldsymbol|vec|bm)\b", node.name))
        return node.role in _VECTORS if not vectors else node.role in _VECTORS or dress
    if isinstance(node, Matrix):
        return not node.determinant
    if isinstance(node, Apply) and node.head in ("transpose", "adjoint"):
        return True
    if isinstance(node, Apply) and node.head == "power":
        return _is_matrix(node.arguments[0])
    if isinstance(node, Apply) and node.head in ("plus", "negate", "times") and node.arguments:
        return any(_is_matrix(part, vectors) for part in node.arguments)
    return vectors and isinstance(node, Sequence) and node.kind == "tuple"
