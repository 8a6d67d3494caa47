"""Indices that are repeated in a product: Einstein's convention sums over them, which nothing in the formula says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from texlift.meaning.tree import Apply, Expression, Indexed, Series, Symbol, children

__all__ = ["repeated"]

_TENSORS = frozenset({r"\Kroneckerdelta", r"\LeviCivitasym", "levi-civita-symbol"})
_LETTERS = frozenset([*"ijklmn", r"\mu", r"\nu", r"\alpha", r"\beta", r"\rho", r"\sigma"])


def repeated(statements: list[Expression]) -> tuple[str, bool] | None:
    """An index that is repeated in a product without a sum, and whether a tensor symbol carries it; None for none."""
    for statement in statements:
        found = _search(statement, frozenset())
        if found is not None:
            return found
    return None


def _search(node: Expression, bound: frozenset[str]) -> tuple[str, bool] | None:
    if isinstance(node, Series) and isinstance(node.index, Symbol):
        bound |= {node.index.name}
    if isinstance(node, Apply) and node.head == "times":
        pairs = [pair for factor in node.arguments for pair in _indices(factor)]
        counts = Counter(name for name, _ in pairs)
        for name, count in counts.items():
            tensor = any(special for one, special in pairs if one == name)
            if count == 2 and name in _LETTERS and name not in bound and (tensor or _is_matrix_product(node, name)):
                return name, tensor
    for part in children(node):
        found = _search(part, bound)
        if found is not None:
            return found
    return None


def _indices(factor: Expression) -> Iterator[tuple[str, bool]]:
    """The index letters of a factor, and whether it is a tensor symbol."""
    if isinstance(factor, Indexed):
        yield from ((part.name, False) for part in (*factor.indices, *factor.upper) if isinstance(part, Symbol))
    elif isinstance(factor, Apply) and factor.head in _TENSORS:
        yield from ((part.name, True) for part in factor.arguments if isinstance(part, Symbol))


def _is_matrix_product(node: Apply, name: str) -> bool:
    """Whether one of the factors with the index has another index too, as in A_{ij}x_j."""
    several = [f for f in node.arguments if isinstance(f, Indexed) and len((*f.indices, *f.upper)) > 1]
    return any(isinstance(p, Symbol) and p.name == name for f in several for p in (*f.indices, *f.upper))
