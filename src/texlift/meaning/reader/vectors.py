"""Vectors: what is dressed as one, and the products that only vectors have."""

from __future__ import annotations

import re

from texlift.errors import Span
from texlift.meaning.tree import (
    Apply,
    Derivative,
    Expression,
    Indexed,
    Matrix,
    Number,
    Sequence,
    Substitution,
    Symbol,
    Unknown,
    walk,
)

__all__ = [
    "are_real_vectors",
    "column",
    "is_factor",
    "is_matrix",
    "is_vector",
    "multiplied",
    "squared",
    "triple",
    "zero_beside",
]

_DRESS = re.compile(r"\\(?:vec|mathbf|boldsymbol|bm|pmb|overrightarrow|mathbold|symbf)\b")
_ARROWS = (r"\vec", r"\overrightarrow")
_LINEAR = frozenset({"plus", "negate", "times", "cross", "curl"})


def is_matrix(node: Expression) -> bool:
    """Whether a value is a matrix with its entries, or a sum, product or multiple of such."""
    if isinstance(node, Apply) and node.head in ("plus", "times", "negate", "transpose", "adjoint", "power"):
        return any(is_matrix(part) for part in node.arguments[: 1 if node.head == "power" else None])
    return isinstance(node, Matrix) and not node.determinant


def is_vector(node: Expression) -> bool:
    """Whether an expression is a vector by its dress: an arrow or bold type somewhere in a sum or multiple."""
    if isinstance(node, Symbol):
        return node.role == "vector" or (not node.role and bool(_DRESS.match(node.name)))
    if isinstance(node, Indexed):
        return bool(_DRESS.match(node.base))
    if isinstance(node, Sequence):
        return node.kind == "tuple" and 1 < len(node.items) < 4
    if isinstance(node, Matrix):
        return len(node.rows) > 1 and all(len(row) == 1 for row in node.rows)
    if isinstance(node, Unknown):
        return is_vector(node.function)
    if isinstance(node, Derivative | Substitution):
        return is_vector(node.body)
    if isinstance(node, Apply) and node.head in ("gradient", "laplacian"):
        return is_vector(node.arguments[0]) == (node.head == "laplacian")
    if isinstance(node, Apply) and node.head in _LINEAR:
        return node.head in ("cross", "curl") or any(is_vector(part) for part in node.arguments)
    return False


def is_factor(node: Expression) -> bool:
    """Whether a product with a vector may follow: a vector, or the scalar product before a cross product."""
    return is_vector(node) or (isinstance(node, Apply) and node.head == "dot")


def squared(node: Expression, power: Expression, span: Span) -> Expression:
    """A power of something: of a letter with an arrow the square is the scalar product with itself."""
    arrow = any(isinstance(part, Symbol) and part.name.startswith(_ARROWS) for part in walk(node)) and is_vector(node)
    if arrow and isinstance(power, Number) and power.value == "2":
        return Apply("dot", (node, node), span)
    return Apply("power", (node, power), span)


def column(node: Expression) -> Expression:
    """A tuple as a column of a matrix."""
    return Matrix(tuple((item,) for item in node.items), False, node.span) if isinstance(node, Sequence) else node


def triple(items: tuple[Expression, ...], span: Span) -> Expression:
    """`[a,b,c]` of three vectors: the volume they span."""
    return Apply("dot", (items[0], Apply("cross", items[1:], span)), span)


def multiplied(sign: str, factors: list[Expression]) -> list[Expression]:
    """The factors with the last two joined where both are vectors: `\\cdot` a number, `\\times` a vector."""
    *before, left, right = factors
    if sign == r"\times" and all(isinstance(f, Symbol) and f.name.startswith(r"\hat") for f in (left, right)):
        return [*before, Apply("cross", (left, right), (left.span[0], right.span[1]))]  # unit vectors
    if sign == r"\times" and isinstance(left, Apply) and left.head == "dot" and is_vector(right):  # a . b x c
        first, second = left.arguments
        cross = Apply("cross", (second, right), (second.span[0], right.span[1]))
        return [*before, Apply("dot", (first, cross), (first.span[0], right.span[1]))]
    if not (is_vector(left) and is_vector(right)):
        return factors
    left, right = column(left), column(right)
    head = "dot" if sign == r"\cdot" else "cross"
    return [*before, Apply(head, (left, right), (left.span[0], right.span[1]))]


_SPACES = re.compile(r"\\(?:bar|overline|conj)\{|\^\{?(?:\*|\\ast|\\dagger)|\\int|\\psi|\\mathcal|\\hat")


def are_real_vectors(source: str, items: tuple[Expression, ...]) -> bool:
    """Whether two things in angle brackets are vectors of numbers: nothing in the formula speaks of another space."""
    if _SPACES.search(source):
        return False
    if all(map(is_vector, items)):
        return not any(isinstance(item, Sequence) for item in items)
    names = [one.name if isinstance(one, Symbol) else one.base if isinstance(one, Indexed) else "" for one in items]
    return all(name.partition("_")[0] in ("u", "v", "w", "x", "y", "a", "b") for name in names)


def zero_beside(source: str, node: Expression, others: list[Expression]) -> Expression:
    """The zero vector beside columns of numbers as a column of zeros; other expressions unchanged."""
    if not isinstance(node, Number) or node.value != "0" or source[node.span[0]] != "\\":
        return node
    heights = {_height(other) for other in others if other is not node} - {0}
    if len(heights) != 1:
        return node
    return Matrix(tuple((node,) for _ in range(heights.pop())), False, node.span)


def _height(node: Expression) -> int:
    """How many entries the columns have that an expression is made of; 0 where none are written out."""
    if isinstance(node, Matrix):
        return len(node.rows) if all(len(line) == 1 for line in node.rows) else 0
    if isinstance(node, Apply) and node.head in ("plus", "times", "negate"):
        return max(map(_height, node.arguments), default=0)
    return 0
