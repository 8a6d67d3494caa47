"""Conditions that stand in the formula itself: `x^2>x for x>1`, `x>1 => x^2>x`, `x^2>x, x>1`."""

from __future__ import annotations

from collections.abc import Sequence as Listing

from texlift.meaning.reader.reading import Reading
from texlift.meaning.tree import Apply, Constant, Dots, Expression, Interval, Relation, Sequence, Symbol, walk
from texlift.verify.givens import given_of

__all__ = ["parted"]

_SAID = "a condition was read as a statement of its own"


def parted(reading: Reading) -> tuple[list[Expression], list[Expression]]:
    """The conditions of a formula, and what it claims under them."""
    statements: list[Expression] = []
    premises: list[Expression] = []
    for statement in reading.statements:
        if isinstance(statement, Apply) and statement.head == "implies":
            said = _conjuncts(statement.arguments[0])
            premises += [one for one in said if given_of(one) is None]
            statements += [one for one in said if given_of(one) is not None]  # y=\\sin x => y''+y=0
            statements += _conjuncts(statement.arguments[1])
        else:
            statements.append(statement)
    if len(reading.statements) < 2 or reading.split:
        return premises, statements
    if _SAID in reading.warnings:
        return [*premises, *statements[1:]], statements[:1]
    claims = [statement for statement in statements if not _restricts(statement)]
    if claims and statements[0] is claims[0]:
        return [*premises, *(s for s in statements if _restricts(s))], claims
    return premises, statements


def _conjuncts(node: Expression) -> Listing[Expression]:
    return node.arguments if isinstance(node, Apply) and node.head == "and" else (node,)


def _restricts(statement: Expression) -> bool:
    """Whether a statement only says from where a letter is: `x>1`, `0<x<1`, `n=0,1,2,\\dots`, `n\\in\\Integers`."""
    if not isinstance(statement, Relation):
        return False
    letters = [operand for operand in statement.operands if isinstance(operand, Symbol)]
    others = [operand for operand in statement.operands if not isinstance(operand, Symbol)]
    if len(letters) != 1:
        return False
    if statement.operators == ("=",):
        return isinstance(others[0], Sequence) and any(isinstance(item, Dots) for item in others[0].items)
    return all(
        isinstance(other, Interval | Constant | Sequence) or not any(isinstance(part, Symbol) for part in walk(other))
        for other in others
    )
