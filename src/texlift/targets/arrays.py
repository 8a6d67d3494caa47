"""Vectors and matrices among the operands of a formula: by declaration, written out, or in bold type."""

from __future__ import annotations

from itertools import pairwise

from texlift.meaning.reader.vectors import is_vector
from texlift.meaning.tree import Apply, Constant, Expression, Matrix, Number, Sequence, Symbol

__all__ = ["is_array", "is_declared_vector", "is_minus_one", "is_row", "mixture", "parted_product"]

_ROLES = frozenset({"matrix", "vector"})
_OF_ARRAYS = frozenset({r"\trace", r"\exp", r"\transpose", r"\exptrace", r"\realpart", r"\imagpart", r"\conj"})


def is_array(node: Expression) -> bool:
    """Whether an operand is certainly a vector or a matrix."""
    if isinstance(node, Symbol):
        return node.role in _ROLES
    if isinstance(node, Matrix):
        return not node.determinant
    if not isinstance(node, Apply):
        return False
    if node.head in ("transpose", "adjoint"):
        return True
    if node.head in ("power", "divide", "negate", "cross"):
        return is_array(node.arguments[0])
    if node.head == "times":
        return any(map(is_array, node.arguments)) and not _is_number_again(node)
    return node.head == "plus" and any(map(is_array, node.arguments))


def _is_number_again(node: Apply) -> bool:
    """`x^T A y` of declared vectors: a number."""
    arrays = [part for part in node.arguments if is_array(part)]
    first, last = arrays[0], arrays[-1]
    return is_row(first) and is_declared_vector(last)


def is_declared_vector(node: Expression) -> bool:
    """Whether a letter was declared a vector."""
    return isinstance(node, Symbol) and node.role == "vector"


def parted_product(node: Apply) -> tuple[list[Expression], list[Expression]] | None:
    """Numbers and arrays among the factors, each in their order; None where fewer than two factors are arrays.

    A bold letter counts beside another array: whatever it is, the order of the factors matters.
    """
    arrays = [part for part in node.arguments if is_array(part) or _is_bold(part)]
    if len(arrays) < 2 or not any(map(is_array, arrays)):
        return None
    return [part for part in node.arguments if not any(part is array for array in arrays)], arrays


def is_row(node: Expression) -> bool:
    """Whether a factor is the transpose of a declared vector."""
    return isinstance(node, Apply) and node.head in ("transpose", "adjoint") and is_declared_vector(node.arguments[0])


def _is_bold(node: Expression) -> bool:
    if isinstance(node, Apply) and node.head == "power":
        node = node.arguments[0]
    return isinstance(node, Symbol) and is_vector(node)


def mixture(node: Apply) -> str:
    """What is wrong with arrays among the operands; empty where nothing is.

    Systems add a number to each element, divide and take sines element by element: the formula does not say that.
    """
    head = node.head
    if head in ("plus", "times") and (unfit := _unfit(node)):
        return unfit
    if head == "plus" and any(map(is_array, node.arguments)):
        return "a number is added to a matrix or vector" if any(map(_is_number, node.arguments)) else ""
    if head == "divide" and is_array(node.arguments[1]):
        return "a division by a matrix or vector"
    if head == "power":
        base, exponent = node.arguments
        if is_declared_vector(base):
            return "a power of a vector"
        euler = isinstance(base, Constant) and base.name == "e"
        return "a matrix in an exponent" if is_array(exponent) and not euler else ""
    if head in ("sqrt", "root", "factorial", "floor", "ceiling") and is_array(node.arguments[0]):
        return f"{head} of a matrix or vector"
    elementwise = head[0] == "\\" and len(node.arguments) == 1 and head not in _OF_ARRAYS
    if elementwise and is_array(node.arguments[0]) and not isinstance(node.arguments[0], Sequence):
        return f"{head} of a matrix or vector"
    return ""


def _size(node: Expression) -> tuple[int, int] | None:
    """Rows and columns of a matrix that is written out; None where they are not known."""
    if isinstance(node, Matrix) and not node.determinant:
        return len(node.rows), len(node.rows[0]) if node.rows else 0
    if not isinstance(node, Apply):
        return None
    if node.head in ("transpose", "adjoint", r"\transpose"):
        inner = _size(node.arguments[0])
        return None if inner is None else (inner[1], inner[0])
    if node.head == "negate":
        return _size(node.arguments[0])
    if node.head == "times":
        sizes = [size for part in node.arguments if (size := _size(part)) is not None]
        return (sizes[0][0], sizes[-1][1]) if sizes and not any(map(_may_be_array, node.arguments)) else None
    return next(iter(map(_size, node.arguments)), None) if node.head == "plus" else None


def _may_be_array(node: Expression) -> bool:
    """Whether a factor may be a matrix whose size is not known."""
    return _size(node) is None and not isinstance(node, Number | Constant)


def _unfit(node: Apply) -> str:
    """What is wrong with the sizes of matrices that are written out; empty where nothing is."""
    sizes = [_size(part) for part in node.arguments]
    if node.head == "plus":
        known = {size for size in sizes if size is not None}
        return "matrices of different sizes are added" if len(known) > 1 else ""
    for left, right in pairwise(sizes):
        if left is not None and right is not None and left[1] != right[0]:
            return "matrices are multiplied whose sizes do not fit"
    return ""


def _is_number(node: Expression) -> bool:
    if isinstance(node, Apply) and node.head == "negate":
        return _is_number(node.arguments[0])
    return (isinstance(node, Number) and node.value.strip("0.") != "") or isinstance(node, Constant)


def is_minus_one(node: Expression) -> bool:
    """Whether an exponent makes an inverse."""
    inner = node.arguments[0] if isinstance(node, Apply) and node.head == "negate" else None
    return isinstance(inner, Number) and inner.value == "1"
