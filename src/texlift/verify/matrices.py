"""Explicit matrices: their products, powers, inverses, transposes, traces and determinants, entry by entry."""

from __future__ import annotations

from itertools import permutations

from texlift.meaning.tree import Apply, Expression, Matrix, Number, Symbol, free_symbols, rebuild, substitute, walk

__all__ = ["entries_of", "without_determinants"]

_MOST = 4  # rows of a matrix that is inverted
_MOST_POWER = 6
_LARGEST = 4000  # nodes of an entry
Rows = tuple[tuple[Expression, ...], ...]

_ZERO = Number("0")
_TRANSPOSED = frozenset({"transpose", r"\transpose"})
_TRACES = frozenset({"trace", r"\trace", r"\Tr"})
_DETERMINANTS = frozenset({"det", r"\det", "determinant"})


class _NoMatrixError(Exception):
    pass


def entries_of(left: Expression, right: Expression) -> list[tuple[Expression, Expression]] | None:
    """The equations of the entries that an equation of matrices states; None where no side is a matrix."""
    if not any(isinstance(part, Matrix) and not part.determinant for side in (left, right) for part in walk(side)):
        return None
    for power, closed in ((left, right), (right, left)):
        if (found := _stepwise(power, closed)) is not None:
            return found
    try:
        one, other = _value(without_determinants(left)), _value(without_determinants(right))
    except _NoMatrixError:
        return None
    if isinstance(one, tuple) and not isinstance(other, tuple):
        other = _scalar(other, one)
    elif isinstance(other, tuple) and not isinstance(one, tuple):
        one = _scalar(one, other)
    if not (isinstance(one, tuple) and isinstance(other, tuple)) or _size(one) != _size(other):
        return None
    return [pair for first, second in zip(one, other, strict=True) for pair in zip(first, second, strict=True)]


def _stepwise(power: Expression, closed: Expression) -> list[tuple[Expression, Expression]] | None:
    """`A^n=B_n` for a letter n, by induction: A is B_1, and A B_n is B_{n+1}; None for other equations."""
    if not isinstance(power, Apply) or power.head != "power" or not isinstance(power.arguments[1], Symbol):
        return None
    letter = power.arguments[1].name
    if not isinstance(power.arguments[0], Matrix) or letter in free_symbols(power.arguments[0]):
        return None
    try:
        matrix, rows = _value(power.arguments[0]), _value(closed)
        if not isinstance(matrix, tuple) or not isinstance(rows, tuple) or _size(matrix) != _size(rows):
            return None
        product = _multiplied(matrix, rows)
    except _NoMatrixError:
        return None
    one = Number("1")
    following: dict[str, Expression] = {letter: Apply("plus", (Symbol(letter), one))}
    pairs: list[tuple[Expression, Expression]] = []
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            pairs.append((matrix[i][j], substitute(entry, {letter: one})))
            pairs.append((product[i][j], substitute(entry, following)))
    return pairs


def without_determinants(node: Expression) -> Expression:
    """Traces and determinants of explicit matrices written out."""
    node = rebuild(node, without_determinants)
    try:
        if isinstance(node, Matrix) and node.determinant:
            return _determinant(node.rows)
        if isinstance(node, Apply) and node.head in _TRACES | _DETERMINANTS:
            value = _value(node.arguments[0])
            if isinstance(value, tuple) and _size(value)[0] == _size(value)[1]:
                diagonal = tuple(value[k][k] for k in range(len(value)))
                return Apply("plus", diagonal) if node.head in _TRACES else _determinant(value)
    except _NoMatrixError:
        return node
    return node


def _scalar(number: Expression, like: Rows) -> Expression | Rows:
    """A zero beside a matrix is a matrix of zeros."""
    if isinstance(number, Number) and number.value == "0":
        return tuple(tuple(_ZERO for _ in row) for row in like)
    return number


def _size(rows: Rows) -> tuple[int, int]:
    return len(rows), len(rows[0])


def _value(node: Expression) -> Expression | Rows:
    """The rows of a matrix, or the number that the node is."""
    if isinstance(node, Matrix) and not node.determinant:
        if len({len(row) for row in node.rows}) != 1:
            raise _NoMatrixError
        return node.rows
    if not any(isinstance(part, Matrix) for part in walk(node)):
        return node
    if not isinstance(node, Apply):
        raise _NoMatrixError
    parts = [_value(part) for part in node.arguments]
    if node.head == "negate":
        return _scaled(Apply("negate", (Number("1"),)), _rows(parts[0]))
    if node.head == "plus":
        total = _rows(parts[0])
        for part in parts[1:]:
            total = _added(total, _rows(part))
        return total
    if node.head in ("times", "dot") and (node.head == "times" or all(isinstance(p, tuple) for p in parts)):
        return _product(parts)
    if node.head == "divide" and not isinstance(parts[1], tuple):
        return _scaled(Apply("divide", (Number("1"), parts[1])), _rows(parts[0]))
    if node.head in _TRANSPOSED:
        return tuple(zip(*_rows(parts[0]), strict=True))
    if node.head in ("inverse", r"\inverse"):
        return _inverse(_rows(parts[0]))
    if node.head == "power":
        return _power(_rows(parts[0]), node.arguments[1])
    raise _NoMatrixError


def _rows(value: Expression | Rows) -> Rows:
    if not isinstance(value, tuple):
        raise _NoMatrixError
    return value


def _added(one: Rows, other: Rows) -> Rows:
    if _size(one) != _size(other):
        raise _NoMatrixError
    return tuple(
        tuple(Apply("plus", pair) for pair in zip(first, second, strict=True))
        for first, second in zip(one, other, strict=True)
    )


def _scaled(factor: Expression, rows: Rows) -> Rows:
    return tuple(tuple(Apply("times", (factor, entry)) for entry in row) for row in rows)


def _product(parts: list[Expression | Rows]) -> Expression | Rows:
    numbers = [part for part in parts if not isinstance(part, tuple)]
    matrices = [part for part in parts if isinstance(part, tuple)]
    total = matrices[0]
    for other in matrices[1:]:
        total = _multiplied(total, other)
    for number in numbers:
        total = _scaled(number, total)
    return total


def _multiplied(one: Rows, other: Rows) -> Rows:
    if _size(one)[1] != _size(other)[0]:
        raise _NoMatrixError
    columns = tuple(zip(*other, strict=True))
    found = tuple(
        tuple(
            Apply("plus", tuple(Apply("times", pair) for pair in zip(row, column, strict=True))) for column in columns
        )
        for row in one
    )
    if sum(1 for row in found for entry in row for _ in walk(entry)) > _LARGEST:
        raise _NoMatrixError
    return found


def _power(rows: Rows, exponent: Expression) -> Rows:
    if _size(rows)[0] != _size(rows)[1]:
        raise _NoMatrixError
    inner = exponent.arguments[0] if isinstance(exponent, Apply) and exponent.head == "negate" else None
    if isinstance(inner, Number) and inner.value == "1":
        return _inverse(rows)
    if getattr(exponent, "name", "") in ("T", r"\mathrm{T}", r"\top", r"\intercal", r"\mathsf{T}"):
        return tuple(zip(*rows, strict=True))
    if not isinstance(exponent, Number) or not exponent.value.isdigit() or not 1 <= int(exponent.value) <= _MOST_POWER:
        raise _NoMatrixError
    total = rows
    for _ in range(int(exponent.value) - 1):
        total = _multiplied(total, rows)
    return total


def _determinant(rows: Rows) -> Expression:
    """The sum over permutations."""
    size = len(rows)
    if size > _MOST or any(len(row) != size for row in rows):
        raise _NoMatrixError
    terms: list[Expression] = []
    for places in permutations(range(size)):
        turned = sum(a > b for k, a in enumerate(places) for b in places[k + 1 :]) % 2
        factors = tuple(rows[k][place] for k, place in enumerate(places))
        term = Apply("times", factors) if size > 1 else factors[0]
        terms.append(Apply("negate", (term,)) if turned else term)
    return Apply("plus", tuple(terms)) if len(terms) > 1 else terms[0]


def _inverse(rows: Rows) -> Rows:
    """The adjugate over the determinant."""
    size = len(rows)
    if size > 3:
        raise _NoMatrixError
    whole = _determinant(rows)
    found: list[tuple[Expression, ...]] = []
    for i in range(size):
        row: list[Expression] = []
        for j in range(size):
            minor = tuple(
                tuple(entry for b, entry in enumerate(line) if b != i) for a, line in enumerate(rows) if a != j
            )
            part = _determinant(minor) if size > 1 else Number("1")
            row.append(Apply("divide", (Apply("negate", (part,)) if (i + j) % 2 else part, whole)))
        found.append(tuple(row))
    return tuple(found)
