r"""Gradient, divergence, curl and Laplacian in Cartesian coordinates.

SymPy's own classes for them need a coordinate system that a formula does not name: of a plain letter their value would
be zero. So a letter below `\nabla` becomes a function of x, y, z, a vector field a column of three, and the operators
become derivatives, which is what `dsolve`, `pdsolve` and `doit` take.
"""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf
from itertools import chain

from texlift.errors import FormulaError
from texlift.meaning.reader.reading import Reading
from texlift.meaning.reader.vectors import is_vector
from texlift.meaning.tree import (
    Apply,
    Derivative,
    Expression,
    Matrix,
    Number,
    Relation,
    Sequence,
    Symbol,
    Unknown,
    rebuild,
    walk,
)

__all__ = ["in_coordinates"]

_NABLA = frozenset({"gradient", "divergence", "curl", "laplacian"})
_OTHERS = frozenset({"r", r"\theta", r"\phi", r"\varphi", r"\rho"})
_ONE, _TWO = Number("1"), Number("2")
_LINEAR = ("plus", "negate", "times", "divide")


def in_coordinates(
    statements: SequenceOf[Expression], reading: Reading
) -> tuple[tuple[Expression, ...], tuple[str, ...]]:
    """The statements with the operators written out, and what was decided for that."""
    nodes = [node for node in chain.from_iterable(map(walk, statements)) if isinstance(node, Apply)]
    operators = [node for node in nodes if node.head in _NABLA]
    if not operators:
        return tuple(statements), ()
    fields = _Fields(reading, statements, operators)
    caution = f"the operators with nabla are written out in Cartesian coordinates {', '.join(fields.coordinates)}"
    return tuple(fields.scalar(statement) for statement in statements), (caution,)


class _Fields:
    """Which letters are fields, and the rewriting of expressions with them."""

    def __init__(self, reading: Reading, statements: SequenceOf[Expression], operators: list[Apply]) -> None:
        self.source = reading.source
        inside = [node for operator in operators for node in walk(operator)]
        everything = list(chain.from_iterable(map(walk, statements)))
        variables = {
            variable.name
            for node in everything
            if isinstance(node, Derivative)
            for variable, _ in node.variables
            if isinstance(variable, Symbol)
        }
        if variables & _OTHERS:
            raise self.error("nabla beside coordinates that are not Cartesian", operators[0])
        letters = {node.name for node in inside if isinstance(node, Symbol)}
        flat = {"x", "y"} <= letters and "z" not in letters
        self.coordinates = ("x", "y") if flat else ("x", "y", "z")
        constant = {name for name, one in reading.declared.items() if one.role in ("constant", "parameter", "index")}
        self.fields = letters - {"x", "y", "z", "t"} - constant
        self.vectors = {node.name for node in everything if isinstance(node, Symbol) and is_vector(node)}
        for operator in operators:
            part = operator.arguments[0]
            if operator.head in ("divergence", "curl") and isinstance(part, Symbol):
                self.vectors.add(part.name)
        self.timed = {
            node.function.name
            for node in everything
            if isinstance(node, Unknown) and isinstance(node.function, Symbol) and _names(node.arguments) == ["t"]
        }
        if "t" in variables:
            self.timed |= self.fields

    def error(self, message: str, node: Expression) -> FormulaError:
        return FormulaError(message, self.source, node.span, "", "unsupported")

    # -- what is a vector --------------------------------------------------------------------------------

    def is_vector(self, node: Expression) -> bool:
        if isinstance(node, Symbol):
            return node.name in self.vectors
        if isinstance(node, Unknown):
            return isinstance(node.function, Symbol) and node.function.name in self.vectors
        if isinstance(node, Derivative):
            return self.is_vector(node.body)
        if isinstance(node, Apply):
            if node.head in ("gradient", "curl", "cross"):
                return True
            if node.head in (*_LINEAR, "laplacian"):
                return any(self.is_vector(part) for part in node.arguments)
            return False
        return is_vector(node)

    # -- rewriting ---------------------------------------------------------------------------------------

    def scalar(self, node: Expression) -> Expression:
        """An expression that is no vector, or a statement, with the operators in it written out."""
        if isinstance(node, Relation) and any(self.is_vector(side) for side in node.operands):
            sides = tuple(self._column(side) if self.is_vector(side) else self.scalar(side) for side in node.operands)
            return Relation(node.operators, sides, node.span)
        if self.is_vector(node):
            return self._column(node)
        if isinstance(node, Symbol):
            return self._field(node, node.name) if node.name in self.fields else node
        if isinstance(node, Unknown):
            if isinstance(node.function, Symbol) and node.function.name in self.fields:
                self._check_arguments(node)
                return self._field(node, node.function.name)
            return rebuild(node, lambda part: self.scalar(part) if part is not node.function else part)
        if isinstance(node, Apply) and node.head == "divergence":
            return self._sum([self._by(part, i) for i, part in enumerate(self.parts(node.arguments[0]))], node)
        if isinstance(node, Apply) and node.head == "laplacian":
            return self._laplacian(self.scalar(node.arguments[0]), node)
        if isinstance(node, Apply) and node.head == "dot":
            pairs = zip(*(self.parts(part) for part in node.arguments), strict=True)
            return self._sum([Apply("times", pair, node.span) for pair in pairs], node)
        if isinstance(node, Derivative):
            return Derivative(self.scalar(node.body), node.variables, node.span)
        return rebuild(node, self.scalar)

    def parts(self, node: Expression) -> list[Expression]:
        """The components of a vector."""
        if isinstance(node, Symbol) or (isinstance(node, Unknown) and isinstance(node.function, Symbol)):
            if isinstance(node, Unknown):
                self._check_arguments(node)
            name = node.name if isinstance(node, Symbol) else node.function.name  # type: ignore[union-attr]
            if name in self.fields or name in self.timed:
                return [self._field(node, f"{name}_{{{axis}}}", name) for axis in self.coordinates]
            return [Symbol(f"{name}_{{{axis}}}", node.span) for axis in self.coordinates]
        if isinstance(node, Sequence) and len(node.items) == len(self.coordinates):
            return [self.scalar(item) for item in node.items]
        if isinstance(node, Matrix) and len(node.rows) == len(self.coordinates) and len(node.rows[0]) == 1:
            return [self.scalar(row[0]) for row in node.rows]
        if isinstance(node, Derivative):
            return [Derivative(part, node.variables, node.span) for part in self.parts(node.body)]
        if isinstance(node, Apply):
            return self._parts_of(node)
        raise self.error("the components of this vector are not known", node)

    def _parts_of(self, node: Apply) -> list[Expression]:
        if node.head == "gradient":
            inner = self.scalar(node.arguments[0])
            return [self._by(inner, index) for index in range(len(self.coordinates))]
        if node.head == "curl" and len(self.coordinates) == 3:
            a, b, c = self.parts(node.arguments[0])
            turned = ((c, 1, b, 2), (a, 2, c, 0), (b, 0, a, 1))
            return [_minus(self._by(first, i), self._by(second, j)) for first, i, second, j in turned]
        if node.head == "laplacian":
            return [self._laplacian(part, node) for part in self.parts(node.arguments[0])]
        if node.head == "cross" and len(self.coordinates) == 3:
            (a, b, c), (d, e, f) = (self.parts(part) for part in node.arguments)
            pairs = ((b, f, c, e), (c, d, a, f), (a, e, b, d))
            return [_minus(Apply("times", (p, q)), Apply("times", (r, s))) for p, q, r, s in pairs]
        if node.head in _LINEAR:
            vectors = [self.is_vector(part) for part in node.arguments]
            if node.head in ("plus", "negate") and all(vectors):
                columns = zip(*(self.parts(part) for part in node.arguments), strict=True)
                return [Apply(node.head, column, node.span) for column in columns]
            if node.head in ("times", "divide") and vectors.count(True) == 1:
                place = vectors.index(True)
                others = [self.scalar(part) for part in node.arguments if part is not node.arguments[place]]
                return [
                    Apply(node.head, (*others[:place], part, *others[place:]), node.span)
                    for part in self.parts(node.arguments[place])
                ]
        raise self.error("the components of this vector are not known", node)

    def _column(self, node: Expression) -> Matrix:
        return Matrix(tuple((part,) for part in self.parts(node)), False, node.span)

    def _field(self, node: Expression, name: str, letter: str = "") -> Unknown:
        names = (*self.coordinates, *(["t"] if (letter or name) in self.timed else []))
        return Unknown(Symbol(name, node.span), tuple(Symbol(one, node.span) for one in names), None, node.span)

    def _check_arguments(self, node: Unknown) -> None:
        named = _names(node.arguments)
        if node.order is not None or named not in (["t"], [*self.coordinates], [*self.coordinates, "t"]):
            raise self.error("a field of other variables than the Cartesian coordinates and t", node)

    def _by(self, node: Expression, axis: int) -> Derivative:
        return Derivative(node, ((Symbol(self.coordinates[axis], node.span), _ONE),), node.span)

    def _laplacian(self, inner: Expression, node: Expression) -> Expression:
        steps = [((Symbol(axis, node.span), _TWO),) for axis in self.coordinates]
        return self._sum([Derivative(inner, step, node.span) for step in steps], node)

    def _sum(self, terms: SequenceOf[Expression], node: Expression) -> Expression:
        return Apply("plus", tuple(terms), node.span)


def _minus(left: Expression, right: Expression) -> Expression:
    return Apply("plus", (left, Apply("negate", (right,), right.span)), left.span)


def _names(arguments: SequenceOf[Expression]) -> list[str]:
    return [part.name if isinstance(part, Symbol) else "" for part in arguments]
