r"""Which letters of a formula are vectors and matrices, and of what size.

A declaration says it, bold type or an arrow, or the place of a letter: only matrices have determinants and transposes.
Sizes that nobody gives are one letter that the formula does not use.

    >>> from texlift.meaning.reader.reading import read
    >>> shapes_of(read(r"\det(A-\lambda I)=0"))
    {'A': ('n', 'n'), 'I': ('n', 'n')}
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

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
    walk,
)

__all__ = ["Shape", "doubts_about", "identities", "shapes_of"]

Shape = tuple[str, str]
"""Rows and columns: numbers, or letters that stand for them."""

_SQUARE = frozenset({"det", "trace"})
_TRANSPOSED = frozenset({"transpose", "adjoint"})
_QUANTUM = frozenset({"ket", "bra", "braket", "commutator"})
_VECTORS = frozenset("xyzuvwb")  # letters that are vectors behind a matrix more often than numbers
_SIZES = ("n", "N", "d", "m", "M", "size")
_ARROWS = (r"\vec", r"\overrightarrow")


def shapes_of(reading: Reading) -> dict[str, Shape]:
    """The sizes of all letters that are vectors or matrices."""
    return _Shapes(reading).known


def identities(reading: Reading, shapes: dict[str, Shape]) -> set[str]:
    """`I`, where it stands in a sum or an equation with matrices: the identity matrix."""
    if "I" in reading.declared:
        return set()
    work = _Shapes(reading, dict(shapes))
    for node in _nodes(reading):
        parts: tuple[Expression, ...] = node.operands if isinstance(node, Relation) else ()
        if isinstance(node, Apply) and node.head == "plus":
            parts = node.arguments
        if any(work.shape(part) for part in parts) and any(_has_factor(part, "I") for part in parts):
            return {"I"}
    return set()


@dataclass
class _Shapes:
    reading: Reading
    known: dict[str, Shape] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.known:
            return
        nodes = list(_nodes(self.reading))
        size = self._size(nodes)
        for name, declaration in self.reading.declared.items():
            if declaration.role == "matrix":
                self.known[name] = declaration.shape[:2] if len(declaration.shape) == 2 else (size, size)
            elif declaration.role == "vector":
                self.known[name] = (declaration.shape[0] if declaration.shape else size, "1")
        if any(isinstance(node, Apply) and node.head in _QUANTUM for node in nodes):
            return  # there, letters that do not commute are operators
        moving = any(isinstance(node, Unknown) and is_vector(node.function) for node in nodes)
        for node in nodes if not moving else ():  # a vector that is a function is one equation for each component
            if isinstance(node, Symbol) and not node.role and is_vector(node):
                self.known.setdefault(node.name, (size, "1"))
        both = _noncommuting(nodes)
        for name in both:
            self.known.setdefault(name, (size, size))
        for _ in range(4):  # what one place says may decide another
            for node in nodes:
                if isinstance(node, Apply):
                    self._placed(node, size)
        self._widen(nodes, size, both)
        for node in nodes:
            if isinstance(node, Relation):
                self._equated(node)

    def _widen(self, nodes: list[Expression], size: str, square: set[str]) -> None:
        """A matrix of which only the transpose is taken need not be square."""
        found = [
            name for name, shape in self.known.items() if shape == (size, size) and name not in self.reading.declared
        ]
        if len(found) == 1 and found[0] not in square and not _is_square(found[0], nodes):
            used = {node.name for node in nodes if isinstance(node, Symbol)} | {size}
            self.known[found[0]] = (size, next(name for name in ("m", "p", "q", "width") if name not in used))

    def _size(self, nodes: list[Expression]) -> str:
        """The size of what has none: three for a cross product, that of the matrices written out, or a letter."""
        if any(isinstance(node, Apply) and node.head == "cross" for node in nodes):
            return "3"
        sizes = {len(node.rows) for node in nodes if isinstance(node, Matrix)} | set(_written_out(nodes))
        declared = {size for one in self.reading.declared.values() for size in one.shape}
        known = {str(size) for size in sizes} | declared
        if len(known) == 1:
            return known.pop()
        used = {node.name for node in nodes if isinstance(node, Symbol)} | declared
        return next(name for name in (*_SIZES, "size_") if name not in used)

    def _placed(self, node: Apply, size: str) -> None:
        """Letters below a determinant, a trace or a transpose, before a vector, between a row and a column."""
        if node.head in _SQUARE:
            for part in walk(node.arguments[0]):
                if isinstance(part, Symbol) and not part.role and _is_capital(part.name):
                    self.known[part.name] = (size, size)
        elif node.head in _TRANSPOSED and isinstance(node.arguments[0], Symbol) and not node.arguments[0].role:
            name = node.arguments[0].name
            self.known.setdefault(name, (size, size if _is_capital(name) and not name.startswith(_ARROWS) else "1"))
        elif node.head == "times":
            factors = node.arguments
            for left, right in pairwise(factors):
                bold = isinstance(left, Symbol) and not left.role and is_vector(left) and _is_capital(left.name)
                if bold and not left.name.startswith(_ARROWS) and self.shape(right):  # type: ignore[union-attr]
                    self.known[left.name] = (size, size)  # type: ignore[union-attr]
                for one, other in ((left, right), (right, left)):
                    if isinstance(one, Symbol) and _may_be_matrix(one) and self._is_matrix(other):
                        self.known.setdefault(one.name, (size, size))
            row, column = self.shape(factors[0]), self.shape(factors[-1])
            if row and column and row[0] == "1" and column[1] == "1":
                for part in factors[1:-1]:
                    if isinstance(part, Symbol) and not part.role and part.name.isalpha() and part.name.isupper():
                        self.known.setdefault(part.name, (row[1], column[0]))

    def _equated(self, node: Relation) -> None:
        """A letter alone that equals a vector or matrix is one."""
        shapes = [shape for part in node.operands if (shape := self.shape(part))]
        for part in node.operands if shapes else ():
            if isinstance(part, Symbol) and not part.role and part.name != "I":
                self.known.setdefault(part.name, shapes[0])

    def _is_matrix(self, node: Expression) -> bool:
        """Whether a factor is a letter, or the transpose or inverse of one, with rows and columns."""
        shape = self.shape(node)
        return shape is not None and "1" not in shape and not any(isinstance(part, Matrix) for part in walk(node))

    def doubts(self) -> Iterator[tuple[Symbol, str]]:
        """Letters beside matrices and vectors of which nobody says what they are; `vector` or `matrix` is likely."""
        for node in _nodes(self.reading):
            for left, right in pairwise(node.arguments) if isinstance(node, Apply) and node.head == "times" else ():
                if isinstance(right, Symbol) and self._is_open(right) and right.name in _VECTORS:
                    if self._is_matrix(left):
                        yield right, "vector"
                elif isinstance(left, Symbol) and self._is_open(left) and _may_be_matrix(left):
                    shape = self.shape(right)
                    if shape is not None and shape[1] == "1" != shape[0]:
                        yield left, "matrix"

    def _is_open(self, letter: Symbol) -> bool:
        return not letter.role and letter.name not in self.known

    def shape(self, node: Expression) -> Shape | None:
        """The size of an expression; None for a number."""
        if isinstance(node, Symbol):
            return self.known.get(node.name)
        if isinstance(node, Unknown):
            return self.known.get(node.function.name) if isinstance(node.function, Symbol) else None
        if isinstance(node, Matrix):
            return None if node.determinant else (str(len(node.rows)), str(len(node.rows[0])))
        if isinstance(node, Derivative):
            return self.shape(node.body)
        if not isinstance(node, Apply):
            return None
        shapes = [shape for part in node.arguments if (shape := self.shape(part))]
        if not shapes:
            return None
        if node.head in _TRANSPOSED:
            return shapes[0][1], shapes[0][0]
        if node.head == "times":
            whole = (shapes[0][0], shapes[-1][1])
            return None if len(shapes) > 1 and whole == ("1", "1") else whole
        return shapes[0] if node.head in ("plus", "negate", "divide", "power", "cross") else None


def _nodes(reading: Reading) -> Iterator[Expression]:
    for statement in reading.statements:
        yield from walk(statement)


def doubts_about(reading: Reading, shapes: dict[str, Shape]) -> list[tuple[Symbol, str]]:
    """Letters that may be vectors or matrices, with what each is likely to be."""
    return list(_Shapes(reading, dict(shapes)).doubts()) if shapes else []


def _is_square(name: str, nodes: list[Expression]) -> bool:
    """Whether a letter is squared, inverted, added to something, equated, or has a determinant."""
    for node in nodes:
        if isinstance(node, Apply) and node.head in _SQUARE:
            return True
        base = node.arguments[0] if isinstance(node, Apply) and node.head == "power" else None
        if isinstance(base, Symbol) and base.name == name:
            return True
        parts = node.arguments if isinstance(node, Apply) and node.head == "plus" else ()
        parts = node.operands if isinstance(node, Relation) else parts
        for part in parts:
            plain = part.arguments[0] if isinstance(part, Apply) and part.head in ("negate", *_TRANSPOSED) else part
            if isinstance(plain, Symbol) and plain.name in (name, "I"):
                return True
    return False


def _may_be_matrix(node: Symbol) -> bool:
    """A plain capital letter, Latin or Greek, of which nothing is declared."""
    name = node.name
    greek = name.startswith("\\") and name[1:].isalpha() and name[1].isupper()
    return not node.role and name != "I" and ((len(name) == 1 and name.isupper()) or greek)


def _written_out(nodes: list[Expression]) -> Iterator[int]:
    """The lengths of vectors that equal their components: `\\mathbf{b}=(b_1,b_2)`."""
    for node in nodes:
        if isinstance(node, Relation) and any(isinstance(part, Symbol) and is_vector(part) for part in node.operands):
            for part in node.operands:
                if isinstance(part, Sequence) and part.kind == "tuple":
                    yield len(part.items)


def _noncommuting(nodes: list[Expression]) -> set[str]:
    """Capital letters that are multiplied in both orders, or by their own inverse: nobody does that with numbers."""
    pairs: set[tuple[str, str]] = set()
    inverse: set[str] = set()
    for node in nodes:
        if not isinstance(node, Apply) or node.head != "times":
            continue
        for left, right in pairwise(node.arguments):
            one, other = _base(left), _base(right)
            if one and one == other and isinstance(left, Apply) is not isinstance(right, Apply):
                inverse.add(one)
            elif one and other:
                pairs.add((one, other))
    return inverse | {name for pair in pairs if pair[::-1] in pairs for name in pair}


def _base(node: Expression) -> str:
    """The capital letter that a factor is, or the inverse of it; empty for anything else."""
    if isinstance(node, Apply) and node.head == "power":
        exponent = node.arguments[1]
        minus_one = (
            isinstance(exponent, Apply)
            and exponent.head == "negate"
            and exponent.arguments[0] == Number("1", exponent.arguments[0].span)
        )
        return _base(node.arguments[0]) if minus_one and isinstance(node.arguments[0], Symbol) else ""
    plain = isinstance(node, Symbol) and not node.role and len(node.name) == 1 and node.name.isupper()
    return node.name if plain else ""  # type: ignore[union-attr]


def _has_factor(node: Expression, name: str) -> bool:
    """Whether a letter is a term: alone, negative, or a multiple of it."""
    if isinstance(node, Symbol):
        return node.name == name and not node.role
    if isinstance(node, Apply) and node.head in ("negate", "times"):
        return any(_has_factor(part, name) for part in node.arguments) and all(
            isinstance(part, Symbol | Number | Apply) for part in node.arguments
        )
    return False


def _is_capital(name: str) -> bool:
    """Whether a letter looks like a matrix: a capital, plain or bold."""
    return name.removesuffix("}").split("{")[-1][:1].isupper()
