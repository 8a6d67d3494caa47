"""What a formula with `\\pm` says, where both signs together are one statement."""

from __future__ import annotations

from texlift.meaning.reader.reading import Reading
from texlift.meaning.shape import same
from texlift.meaning.tree import Apply, Expression, Relation

__all__ = ["as_one"]

_LOGIC = ("and", "or", "not", "implies", "iff")


def as_one(reading: Reading) -> tuple[Expression, ...] | None:
    """The statements of both signs of `\\pm` in one: what both say once, and one equation or the other."""
    half = len(reading.statements) // 2
    if not reading.split or 2 * half != len(reading.statements):
        return None
    upper, lower = reading.statements[:half], reading.statements[half:]
    found = tuple(_either(one, other, half > 1) for one, other in zip(upper, lower, strict=True))
    if all(part is not None for part in found) and sum(not same(*pair) for pair in zip(upper, lower, strict=True)) == 1:
        return tuple(part for part in found if part is not None)
    return None


def _either(upper: Expression, lower: Expression, beside: bool) -> Expression | None:
    """One statement for both signs; None where both hold, as they do in an identity.

    `x=\\pm3` cannot hold with both signs: the left-hand side has none. `x\\neq\\pm3` holds with both.
    """
    if same(upper, lower):
        return upper
    if isinstance(upper, Apply) and isinstance(lower, Apply) and upper.head == lower.head and upper.head in _LOGIC:
        parts = [_either(*pair, True) for pair in zip(upper.arguments, lower.arguments, strict=False)]
        whole = len(upper.arguments) == len(lower.arguments) and all(part is not None for part in parts)
        return Apply(upper.head, tuple(part for part in parts if part is not None), upper.span) if whole else None
    if not (isinstance(upper, Relation) and isinstance(lower, Relation) and same(upper.operands[0], lower.operands[0])):
        return None
    if {"=", "mod"} & {*upper.operators}:
        return Apply("or", (upper, lower), upper.span)
    return Apply("and", (upper, lower), upper.span) if beside and "!=" in upper.operators else None
