"""Finite sums and products with a letter as their bound: by induction, by Gosper's method, by Wilf and Zeilberger's.

What a method finds is checked: certificates are rational functions, and that they telescope is shown by normal forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy

from texlift.verify.proof.gosper import antidifference
from texlift.verify.proof.identities import KNOWN, shown_zero
from texlift.verify.proof.problem import Problem, least_of
from texlift.verify.proof.ratios import rational_ratio
from texlift.verify.proof.signs import Signs
from texlift.verify.proof.terms import Terms

__all__ = ["proved"]

_MOST_STARTS = 3  # first values that are looked at
_MOST_TERMS = 12
_MORE = 3


@dataclass(frozen=True, slots=True)
class _Sum:
    """`total` runs over `index` from `low` to `letter + more`; the claim says that it is `value`."""

    total: Any
    body: Any
    index: Any
    low: int
    letter: Any
    more: int
    value: Any
    least: int
    signs: Signs

    @property
    def high(self) -> Any:
        return self.letter + self.more

    @property
    def is_product(self) -> bool:
        return isinstance(self.total, sympy.Product)

    def at(self, term: Any, number: Any) -> Any:
        """A term with another number for the letter."""
        return term.xreplace({self.letter: sympy.sympify(number, strict=True)})

    def shown(self, term: Any) -> bool:
        return bool(shown_zero(term, self.signs))


def proved(problem: Problem) -> str:
    """The proof of a sum, in words."""
    if problem.operator not in ("=", "==="):
        return ""
    return _proved(problem, KNOWN) or _proved(problem, frozenset())


def _proved(problem: Problem, known: frozenset[str]) -> str:
    terms = Terms(problem.domains, known)
    difference = terms.build(problem.left) - terms.build(problem.right)
    totals = [total for total in difference.atoms(sympy.Sum, sympy.Product) if not total.function.has(sympy.Sum)]
    if len(totals) != 1 or difference.has(sympy.Integral, sympy.Derivative):
        return ""
    found = _posed(difference, totals[0], problem, terms)
    if found is None:
        return ""
    letter = found.letter
    if not _starts(found):
        return ""
    if not found.is_product and _telescopes(found):
        return "the terms of the sum telescope (Gosper)"
    if letter not in found.body.free_symbols:
        return f"by induction over {letter}" if _continues(found) else ""
    return f"by induction over {letter} (Wilf and Zeilberger)" if not found.is_product and _certified(found) else ""


def _posed(difference: Any, total: Any, problem: Problem, terms: Terms) -> _Sum | None:
    """The claim as a statement about the value of its sum."""
    place = sympy.Dummy("S")
    linear = difference.xreplace({total: place})
    factor = sympy.diff(linear, place)
    if place in factor.free_symbols or any(part.is_Add for part in sympy.Mul.make_args(factor)):
        return None
    value = -linear.xreplace({place: sympy.Integer(0)}) / factor
    index, low, high = total.limits[0]
    letters = [symbol for symbol in high.free_symbols if symbol.is_integer]
    if not low.is_Integer or len(letters) != 1 or len(high.free_symbols) != 1:
        return None
    letter = letters[0]
    more = high - letter
    name = next((name for name, symbol in terms.letters.items() if symbol == letter), "")
    domain = problem.domains.get(name)
    if not more.is_Integer or domain is None or domain.kind != "integer":
        return None
    least = least_of(domain)
    least = int(low - more - 1) if least is None else least
    signs = Signs.of(problem.domains, terms.letters)
    return _Sum(total, total.function, index, int(low), letter, int(more), value, least, signs)


def _starts(found: _Sum) -> bool:
    """Whether the claim holds for the first numbers, and a few behind the first sum that is not empty.

    A step that is shown for a letter may divide by zero for a small number.
    """
    first = found.low - found.more  # where the sum has one term
    if first - found.least > _MOST_STARTS:
        return False
    return all(_holds_at(found, number) for number in range(found.least, max(first, found.least) + 1 + _MORE))


def _holds_at(found: _Sum, number: int) -> bool:
    """Whether the claim holds for one number, term by term."""
    count = number + found.more
    if count - found.low > _MOST_TERMS:
        return False
    parts = [
        found.at(found.body, number).xreplace({found.index: sympy.Integer(k)}) for k in range(found.low, count + 1)
    ]
    explicit = sympy.Mul(*parts) if found.is_product else sympy.Add(*parts)
    value = found.at(found.value, number)
    return not value.has(sympy.nan, sympy.zoo) and found.shown(explicit - value)


def _continues(found: _Sum) -> bool:
    """Whether the value changes from one number to the next by the next term."""
    after = found.at(found.value, found.letter + 1)
    term = found.body.xreplace({found.index: found.high + 1})
    return found.shown(after - found.value * term if found.is_product else after - found.value - term)


def _telescopes(found: _Sum) -> bool:
    """Whether the terms are differences of something, and the value is that of its ends."""
    ratio = rational_ratio(found.body.xreplace({found.index: found.index + 1}) / found.body)
    certificate = ratio is not None and antidifference(ratio, found.index)
    if not certificate:
        return False
    if not found.shown(certificate.xreplace({found.index: found.index + 1}) * ratio - certificate - 1):
        return False
    if not _is_regular(certificate, found):
        return False
    ends = [(certificate * found.body).xreplace({found.index: end}) for end in (found.high, sympy.Integer(found.low))]
    last = found.body.xreplace({found.index: found.high})
    return not any(end.has(sympy.nan, sympy.zoo) for end in ends) and found.shown(
        ends[0] - ends[1] + last - found.value
    )


def _certified(found: _Sum) -> bool:
    """Whether the sum over the value stays 1 from one number to the next."""
    scaled = found.body / found.value
    k, n = found.index, found.letter
    step = rational_ratio(found.at(scaled, n + 1) / scaled)
    ratio = rational_ratio(scaled.xreplace({k: k + 1}) / scaled)
    if step is None or ratio is None:
        return False
    change = sympy.cancel(step - 1)
    if change == 0:
        return False
    both = sympy.cancel(ratio * change.xreplace({k: k + 1}) / change)
    part = antidifference(both, k)
    if part is None:
        return False
    certificate = sympy.cancel(part * change)
    if sympy.cancel(certificate.xreplace({k: k + 1}) * ratio - certificate - change) != 0:
        return False
    if not _is_regular(certificate, found):
        return False
    high = found.high
    following = found.at(scaled, n + 1)
    ends = (
        (certificate * scaled).xreplace({k: high}) - (certificate * scaled).xreplace({k: sympy.Integer(found.low)})
        + following.xreplace({k: high}) + following.xreplace({k: high + 1}) - scaled.xreplace({k: high})
    )  # fmt: skip
    return not ends.has(sympy.nan, sympy.zoo) and found.shown(ends)


def _is_regular(certificate: Any, found: _Sum) -> bool:
    """Whether a rational function has no pole where it is used: low <= index < letter + more."""
    _, below = sympy.fraction(sympy.cancel(certificate))
    i, j = sympy.Symbol("i"), sympy.Symbol("j")  # index = low + i, letter + more = low + i + 1 + j
    for factor, _ in sympy.factor_list(below)[1]:
        if found.index not in factor.free_symbols:
            if not _excepted(factor, found):
                return False
            continue
        moved = sympy.Poly(
            factor.xreplace({found.letter: found.low + i + 1 + j - found.more, found.index: found.low + i}).expand(),
            i,
            j,
        )
        values = [moved.coeff_monomial(1), moved.coeff_monomial(i), moved.coeff_monomial(j)]
        if moved.total_degree() != 1:
            return False
        if any(value.free_symbols for value in values):  # another letter: generic, so no integer
            continue
        constant, *slopes = values
        if constant == 0 or any(slope * constant < 0 for slope in slopes):
            return False
    return True


def _excepted(factor: Any, found: _Sum) -> bool:
    """Whether the claim holds at the numbers at which a factor without the index vanishes, and behind them."""
    if factor.free_symbols != {found.letter}:
        return True  # another letter: generic
    roots = sympy.Poly(factor, found.letter).ground_roots()
    numbers = {int(root) + more for root in roots if root.is_Integer for more in (0, 1)}
    return all(number < found.least or _holds_at(found, number) for number in numbers)
