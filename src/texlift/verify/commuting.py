"""Does a claim about capitals hold only because factors may be exchanged? Then it may be about matrices."""

from __future__ import annotations

from texlift.meaning.tree import Apply, Expression, Number, Symbol
from texlift.verify.statement import Claim

__all__ = ["relies_on_commuting"]

_MOST_TERMS = 200
_MOST_POWER = 6

_Words = dict[tuple[str, ...], int]  # products of letters, in their order, with coefficients


class _OtherError(Exception):
    """No sum of products of letters."""


def relies_on_commuting(claim: Claim) -> bool:
    """Whether an equation of sums of products of two or more capitals fails if factors keep their order."""
    names = claim.variables
    if len(names) < 2 or not all(len(name) == 1 and name.isupper() for name in names):
        return False
    try:
        return any(
            comparison.operator == "=" and _words(comparison.left) != _words(comparison.right)
            for comparison in claim.comparisons
        )
    except _OtherError:
        return False


def _words(node: Expression) -> _Words:
    if isinstance(node, Number) and node.value.isdigit():
        return {(): int(node.value)} if int(node.value) else {}
    if isinstance(node, Symbol):
        return {(node.name,): 1}
    if not isinstance(node, Apply):
        raise _OtherError
    if node.head == "plus":
        total: _Words = {}
        for part in node.arguments:
            for word, times in _words(part).items():
                total[word] = total.get(word, 0) + times
        return {word: times for word, times in total.items() if times}
    if node.head == "negate":
        return {word: -times for word, times in _words(node.arguments[0]).items()}
    if node.head == "times":
        return _product([_words(part) for part in node.arguments])
    if node.head == "power":
        base, exponent = node.arguments
        if isinstance(exponent, Number) and exponent.value.isdigit() and int(exponent.value) <= _MOST_POWER:
            return _product([_words(base)] * int(exponent.value))
    raise _OtherError


def _product(parts: list[_Words]) -> _Words:
    total: _Words = {(): 1}
    for part in parts:
        longer: _Words = {}
        for one, times in total.items():
            for other, more in part.items():
                longer[one + other] = longer.get(one + other, 0) + times * more
        if len(longer) > _MOST_TERMS:
            raise _OtherError
        total = {word: times for word, times in longer.items() if times}
    return total
