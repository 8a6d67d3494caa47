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
from texlift.meaning.tree import Apply, Derivative, Expression, Matrix, Number, Relation, Symbol, Unknown, walk

__all__ = ["Shape", "identities", "shapes_of"]

Shape = tuple[str, str]
"""Rows and columns: numbers, or letters that stand for them."""

_SQUARE = frozenset({"det", "trace"})
_TRANSPOSED = frozenset({"transpose", "adjoint"})
_QUANTUM = frozenset({"ket", "bra", "braket", "commutator"})
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
        for node in nodes:
            if isinstance(node, Symbol) and not node.role and is_vector(node):
                self.known.setdefault(node.name, (size, "1"))
        for name in _noncommuting(nodes):
            self.known.setdefault(name, (size, size))
        for _ in range(2):  # what one place says may decide another
            for node in nodes:
                if isinstance(node, Apply):
                    self._placed(node, size)
        for node in nodes:
            if isinstance(node, Relation):
                self._equated(node)

    def _size(self, nodes: list[Expression]) -> str:
        """The size of what has none: three for a cross product, that of the matrices written out, or a letter."""
        if any(isinstance(node, Apply) and node.head == "cross" for node in nodes):
            return "3"
        sizes = {len(node.rows) for node in nodes if isinstance(node, Matrix)}
        declared = {size for one in self.reading.declared.values() for size in one.shape}
        if len(sizes | declared) == 1:
            return str((sizes | declared).pop())
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
