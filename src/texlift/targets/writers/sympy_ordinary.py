"""SymPy for ordinary mathematics: matrices, vectors, measures of random variables, transforms.

Letters that stand for something else than a number are noted: SymPy wants a MatrixSymbol or a RandomSymbol there.
"""

from __future__ import annotations

import ast

from texlift.meaning.reader.probability import names_measured
from texlift.meaning.reader.vectors import is_vector
from texlift.meaning.tree import Apply, Expression, Matrix, Number, Symbol, walk
from texlift.targets.writers.pybuild import binary, call
from texlift.targets.writers.sympy_sets import SetBuilder

__all__ = ["OrdinaryBuilder"]


_OF_MATRICES = (r"\transpose", r"\top", r"\mathsf", "^T", "^{T}", "^{-1}", r"\det", r"\trace", "tr", "pmatrix", "rank")


class OrdinaryBuilder(SetBuilder):
    """Operators that the DLMF hardly uses."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.matrices: set[str] = set()
        self.noncommutative: set[str] = set()
        self.random: set[str] = set()

    def imported(self, module: str, name: str, node: Apply) -> ast.expr:
        """A class that `from sympy import *` does not give."""
        self.notes[f"{name} is in {module}"] = None
        return call(name, *(self.build(a) for a in node.arguments))

    def operator_transpose(self, node: Apply) -> ast.expr:
        return self.of_matrix("Transpose", node)

    def operator_adjoint(self, node: Apply) -> ast.expr:
        argument = node.arguments[0]
        if isinstance(argument, Symbol) and argument.name.startswith((r"\hat", r"\widehat")):
            self.operators_in(argument)
            return self.imported("sympy.physics.quantum", "Dagger", node)
        return self.of_matrix("Adjoint", node)

    def operator_tensorproduct(self, node: Apply) -> ast.expr:
        """Of matrices, which a transpose, an inverse, a trace or a determinant in the formula shows them to be."""
        if not any(sign in self.source for sign in _OF_MATRICES) or any(
            isinstance(part, Apply) and part.head in ("ket", "bra") for part in walk(node)
        ):
            raise self.lacking(node)
        for part in node.arguments:
            for letter in walk(part):
                if isinstance(letter, Symbol) and _is_capital(letter.name):
                    self.matrices.add(self.symbol_name(letter.name))
        return call("KroneckerProduct", *(self.build(part) for part in node.arguments))

    def operator_trace(self, node: Apply) -> ast.expr:
        return self.of_matrix("Trace", node)

    def of_matrix(self, name: str, node: Apply) -> ast.expr:
        """An operation on matrices; a letter below it is a matrix symbol."""
        if len(node.arguments) != 1:
            raise self.error(f"{node.head} of several arguments", node)
        for part in walk(node.arguments[0]):
            if isinstance(part, Symbol) and (part is node.arguments[0] or _is_capital(part.name)):
                self.matrices.add(self.symbol_name(part.name))
                self.notes[f"{self.symbol_name(part.name)} stands for a MatrixSymbol"] = None
        return call(name, self.build(node.arguments[0]))

    def operator_det(self, node: Apply) -> ast.expr:
        argument = node.arguments[0]
        return super().operator_det(node) if isinstance(argument, Matrix) else self.of_matrix("Determinant", node)

    def operator_dot(self, node: Apply) -> ast.expr:
        left, right = node.arguments
        if isinstance(left, Matrix) and isinstance(right, Matrix):
            return call(ast.Attribute(self.build(left), "dot"), self.build(right))
        return self.imported("sympy.vector", "Dot", node)

    def operator_cross(self, node: Apply) -> ast.expr:
        left, right = node.arguments
        if isinstance(left, Matrix) and isinstance(right, Matrix):
            return call(ast.Attribute(self.build(left), "cross"), self.build(right))
        return self.imported("sympy.vector", "Cross", node)

    def operator_norm(self, node: Apply) -> ast.expr:
        """The Euclidean length of a vector."""
        argument = node.arguments[0]
        if isinstance(argument, Matrix):
            return call(ast.Attribute(self.build(argument), "norm"))
        letters = [part.name for part in walk(argument) if isinstance(part, Symbol)]
        if not is_vector(argument):
            if not letters or any(name.partition("_")[0] not in _VECTORS for name in letters):
                raise self.error("the norm of an unknown space", node)
            self.cautions["a norm was read as the Euclidean one"] = None
        self.notes["Dot is in sympy.vector"] = None
        return call("sqrt", call("Dot", self.build(argument), self.build(argument)))

    def operator_gradient(self, node: Apply) -> ast.expr:
        return self.imported("sympy.vector", "Gradient", node)

    def operator_divergence(self, node: Apply) -> ast.expr:
        return self.imported("sympy.vector", "Divergence", node)

    def operator_curl(self, node: Apply) -> ast.expr:
        return self.imported("sympy.vector", "Curl", node)

    def operator_laplacian(self, node: Apply) -> ast.expr:
        return self.imported("sympy.vector", "Laplacian", node)

    def operator_commutator(self, node: Apply) -> ast.expr:
        for part in node.arguments:
            self.operators_in(part)
        return self.imported("sympy.physics.quantum", "Commutator", node)

    def operator_anticommutator(self, node: Apply) -> ast.expr:
        for part in node.arguments:
            self.operators_in(part)
        return self.imported("sympy.physics.quantum", "AntiCommutator", node)

    def operator_ket(self, node: Apply) -> ast.expr:
        return self.imported("sympy.physics.quantum", "Ket", node)

    def operator_bra(self, node: Apply) -> ast.expr:
        return self.imported("sympy.physics.quantum", "Bra", node)

    def operator_braket(self, node: Apply) -> ast.expr:
        """An inner product, or the element of an operator between two states."""
        first, *middle, last = node.arguments
        value = self.operator_bra(Apply("bra", (first,), node.span))
        for part in middle:
            self.operators_in(part)
            value = binary("*", value, self.build(part))
        return binary("*", value, self.operator_ket(Apply("ket", (last,), node.span)))

    def operators_in(self, node: Expression) -> None:
        """Letters of quantum mechanics that do not commute."""
        for letter in walk(node):
            if isinstance(letter, Symbol):
                self.noncommutative.add(self.symbol_name(letter.name))
                self.notes[f"{self.symbol_name(letter.name)} stands for an Operator"] = None

    def operator_expectation(self, node: Apply) -> ast.expr:
        return self.measure("Expectation", node)

    def operator_variance(self, node: Apply) -> ast.expr:
        return self.measure("Variance", node)

    def operator_covariance(self, node: Apply) -> ast.expr:
        return self.measure("Covariance", node)

    def operator_probability(self, node: Apply) -> ast.expr:
        return self.measure("Probability", node)

    def measure(self, name: str, node: Apply) -> ast.expr:
        """A measure of random variables, which are RandomSymbols."""
        for letter in names_measured(node):
            self.random.add(self.symbol_name(letter))
            self.notes[f"{self.symbol_name(letter)} stands for a RandomSymbol of sympy.stats"] = None
        return self.imported("sympy.stats", name, node)

    def operator_laplace(self, node: Apply) -> ast.expr:
        return call("LaplaceTransform", *(self.build(a) for a in node.arguments))

    def operator_inverselaplace(self, node: Apply) -> ast.expr:
        return call("InverseLaplaceTransform", *(self.build(a) for a in node.arguments), ast.Constant(None))

    def operator_lcm(self, node: Apply) -> ast.expr:
        return self.of_integers("lcm", node)

    def of_integers(self, name: str, node: Apply) -> ast.expr:
        """SymPy takes letters for polynomials here: of letters the function stays unevaluated."""
        arguments = [self.build(a) for a in node.arguments]
        if not all(isinstance(part, Number) for a in node.arguments for part in walk(a) if not isinstance(part, Apply)):
            self.cautions[f"{name} of letters is left as it is: SymPy's own takes them for polynomials"] = None
            return call(call("Function", ast.Constant(name)), *arguments)
        if any("." in part.value for a in node.arguments for part in walk(a) if isinstance(part, Number)):
            arguments = [call("nsimplify", a, rational=ast.Constant(True)) for a in arguments]  # decimals have none
        value = arguments[0]
        for argument in arguments[1:]:
            value = call(name, value, argument)
        return value


_VECTORS = frozenset([*"abcuvwxyzr"])


def _is_capital(name: str) -> bool:
    """Whether a letter looks like a matrix: a capital, or bold."""
    return name[:1].isupper() or name.startswith((r"\mathbf", r"\boldsymbol", r"\bm", r"\mathsf"))
