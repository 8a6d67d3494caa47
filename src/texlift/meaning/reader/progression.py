"""Dots that can be filled in: `a_{1},\\dots,a_{p}`, `\\nu(\\nu-1)\\cdots(\\nu-m+1)`, `z_{1}+\\dots+z_{n}`.

The terms on both sides of the dots must be the same expression except for one index, or be steps of an
arithmetic progression; then the general term and its bounds are known. Everything else stays dots.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from texlift.meaning.reader.general_term import INDEX, endless, finite
from texlift.meaning.reader.linear import add, expression, linear, rational, scale
from texlift.meaning.tree import (
    Apply,
    Constant,
    Dots,
    Expression,
    Number,
    Series,
    Symbol,
    children,
    free_symbols,
    rebuild,
    substitute,
    walk,
)

__all__ = ["INDEX", "exponents", "fill_dots", "fill_list", "order_point", "order_term", "term_range"]


def term_range(before: tuple[Expression, ...], after: Expression) -> tuple[Expression, Expression, Expression] | None:
    """General term in INDEX, first and last index; `before` are the terms up to the dots."""
    if not before:
        return None
    return _by_index(before, after) or _by_step(before, after) or _by_letter(before, after) or finite(before, after)


def fill_dots(kind: str, terms: tuple[Expression, ...]) -> tuple[Expression, ...]:
    """Terms of a sum or factors of a product with `x_1, x_2, Dots, x_n` replaced by one series, where possible."""
    if kind == "sum" and isinstance(terms[-1], Dots) and len(terms) > 2:
        rest = _remainder(terms[:-1])
        if rest is not None:
            return (*terms[:-1], Apply(r"\bigO", (rest,), terms[-1].span))
        found_endless = endless(terms[:-1])
        if found_endless is not None:
            start, general = found_endless
            span = (terms[start].span[0], terms[-1].span[1])
            return (*terms[:start], Series(kind, general, INDEX, Number("0"), Constant("infinity"), None, span))
    for place, term in enumerate(terms):
        if not isinstance(term, Dots) or place == 0 or place == len(terms) - 1:
            continue
        for start in range(max(0, place - 3), place):
            found = term_range(terms[start:place], terms[place + 1])
            if found is not None:
                break
        else:
            continue
        general, first, last = found
        series = Series(kind, general, INDEX, first, last, None, (terms[start].span[0], terms[place + 1].span[1]))
        return fill_dots(kind, (*terms[:start], series, *terms[place + 2 :]))
    return terms


def fill_list(items: tuple[Expression, ...]) -> tuple[Expression, ...]:
    """Items of a list with `x_1, x_2, Dots, x_n` replaced by one enumeration, where possible."""
    for place, item in enumerate(items):
        if not isinstance(item, Dots) or place == 0 or place == len(items) - 1:
            continue
        for start in range(max(0, place - 3), place):
            found = term_range(items[start:place], items[place + 1])
            if found is not None:
                span = (items[start].span[0], items[place + 1].span[1])
                return fill_list((*items[:start], Apply("enumerate", found, span), *items[place + 2 :]))
    return items


# -- a power series that goes on -------------------------------------------------------------------------


def _remainder(terms: tuple[Expression, ...]) -> Expression | None:
    """The order of what dots behind a power series leave out: the powers of one symbol go up or down all the way."""
    powers = [exponents(term) for term in terms]
    for name in {name for part in powers for name in part}:
        line = [part.get(name, Fraction(0)) for part in powers]
        steps = [b - a for a, b in pairwise(line)]
        if all(step > 0 for step in steps) or all(step < 0 for step in steps):
            step = min(steps, key=abs)
            return Apply("power", (Symbol(name), rational(line[-1] + step)), terms[-1].span)
    return None


def exponents(node: Expression) -> dict[str, Fraction]:
    """Rational exponents of the symbols that are factors of a term."""
    if isinstance(node, Symbol):
        return {node.name: Fraction(1)}
    if not isinstance(node, Apply):
        return {}
    if node.head in ("negate", "times", "divide"):
        total: dict[str, Fraction] = {}
        for place, part in enumerate(node.arguments):
            sign = -1 if node.head == "divide" and place == 1 else 1
            for name, value in exponents(part).items():
                total[name] = total.get(name, Fraction(0)) + sign * value
        return total
    if node.head == "power":
        exponent = linear(node.arguments[1])
        if exponent is not None and set(exponent) <= {""}:
            return {name: value * exponent.get("", Fraction(0)) for name, value in exponents(node.arguments[0]).items()}
    if node.head == "sqrt":
        return {name: value / 2 for name, value in exponents(node.arguments[0]).items()}
    return {}


def order_term(node: Expression) -> tuple[str, Expression, bool] | None:
    """A power of one symbol such as z^{-2}, n^{-m} or 1/n: symbol, size of the exponent, whether it is negative."""
    if isinstance(node, Symbol):
        return node.name, Number("1"), False
    if not isinstance(node, Apply):
        return None
    if node.head == "power" and isinstance(node.arguments[0], Symbol):
        exponent = node.arguments[1]
        if isinstance(exponent, Apply) and exponent.head == "negate":
            return node.arguments[0].name, exponent.arguments[0], True
        value = linear(exponent)
        if value is not None and set(value) <= {""} and value.get("", Fraction(0)) < 0:
            return node.arguments[0].name, rational(-value[""]), True
        return node.arguments[0].name, exponent, False
    if node.head == "divide" and isinstance(node.arguments[0], Number):
        below = order_term(node.arguments[1])
        return (below[0], below[1], not below[2]) if below is not None else None
    powers = exponents(node)
    if node.head != "sqrt" or len(powers) != 1 or _other_factors(node):
        return None
    name, power = next(iter(powers.items()))
    return name, rational(abs(power)), power < 0


def order_point(node: Expression) -> tuple[str, bool] | None:
    """The one symbol of a product of its powers and logarithms such as z^2 ln z, and whether it tends to infinity."""
    found = order_term(node)
    if found is not None:
        return found[0], found[2]
    names: set[str] = set()
    total = Fraction(0)
    for factor, sign in _factors(node, 1):
        core = factor
        while isinstance(core, Apply) and core.head == "power":
            core = core.arguments[0]
        if isinstance(core, Apply) and core.head == r"\ln":
            names.update(free_symbols(core))
            continue
        powers = exponents(factor)
        if not isinstance(core, Number) and (len(powers) != 1 or _other_factors(factor)):
            return None
        names.update(powers)
        total += sign * sum(powers.values(), Fraction(0))
    return (names.pop(), total < 0) if len(names) == 1 and total else None


def _factors(node: Expression, sign: int) -> list[tuple[Expression, int]]:
    """The factors of a term, with -1 for those below the line."""
    if isinstance(node, Apply) and node.head == "times":
        return [pair for part in node.arguments for pair in _factors(part, sign)]
    if isinstance(node, Apply) and node.head == "divide":
        return [*_factors(node.arguments[0], sign), *_factors(node.arguments[1], -sign)]
    return [(node, sign)]


def _other_factors(node: Expression) -> bool:
    if isinstance(node, Symbol | Number):
        return False
    return not (isinstance(node, Apply) and node.head in ("divide", "power", "sqrt", "negate")) or any(
        _other_factors(part) for part in node.arguments
    )


# -- the same expression except for one index ---------------------------------------------------------------


def _by_index(before: tuple[Expression, ...], after: Expression) -> tuple[Expression, Expression, Expression] | None:
    pairs: list[tuple[Expression, Expression]] = []
    if not _differences(before[0], after, pairs) or not pairs:
        return None
    low, high = pairs[0]
    if any(not _equal(a, low) or not _equal(b, high) for a, b in pairs[1:]):
        return None
    start = linear(low)
    if start is None or set(start) - {""}:
        return None
    for number, term in enumerate(before[1:], 1):
        steps: list[tuple[Expression, Expression]] = []
        if not _differences(before[0], term, steps):
            return None
        for _, value in steps:
            here = linear(value)
            if here is None or set(here) - {""} or here.get("", Fraction(0)) != start.get("", Fraction(0)) + number:
                return None
    general = _replace(before[0], after)
    return (general, low, high) if general is not None else None


def _differences(a: Expression, b: Expression, pairs: list[tuple[Expression, Expression]]) -> bool:
    """Collect the places where two trees differ; False where they differ in shape above an index."""
    if _equal(a, b):
        return True
    if isinstance(a, Number):
        pairs.append((a, b))
        return True
    left, right = children(a), children(b)
    if type(a) is not type(b) or len(left) != len(right) or not left:
        return False
    for name in ("head", "base", "name", "kind"):
        if getattr(a, name, None) != getattr(b, name, None):
            return False
    return all(_differences(x, y, pairs) for x, y in zip(left, right, strict=True))


def _replace(a: Expression, b: Expression) -> Expression | None:
    """`a` with INDEX where it differs from `b`."""
    if _equal(a, b):
        return a
    if isinstance(a, Number):
        return INDEX
    others = iter(children(b))
    return rebuild(a, lambda part: _replace(part, next(others)) or part)


def _equal(a: Expression, b: Expression) -> bool:
    """Equality without spans."""
    if type(a) is not type(b):
        return False
    for name in ("value", "name", "head", "base", "kind", "operators"):
        if getattr(a, name, None) != getattr(b, name, None):
            return False
    left, right = children(a), children(b)
    return len(left) == len(right) and all(_equal(x, y) for x, y in zip(left, right, strict=True))


# -- the last or first term with its letter replaced by numbers -----------------------------------------------


def _by_letter(before: tuple[Expression, ...], after: Expression) -> tuple[Expression, Expression, Expression] | None:
    """`a_0+a_1z+\\dots+a_nz^n` and `a_nz^n+a_{n-1}z^{n-1}+\\dots+a_0`: two terms show that the general one is right."""
    plain = [_simple(term) for term in before]
    for name in free_symbols(after):
        general = substitute(after, {name: INDEX})
        if len(before) < 2 and sum(part is INDEX for part in walk(general)) < 2:  # q_1x+\\dots+q_nx^n shows it twice
            continue
        for start in (0, 1, 2):
            if all(_is_term(general, Number(str(start + i)), term) for i, term in enumerate(plain)):
                return general, Number(str(start)), Symbol(name)
    for name in free_symbols(before[0]) if len(before) > 1 else ():
        general = substitute(before[0], {name: INDEX})
        lower = [Apply("plus", (Symbol(name), Apply("negate", (Number(str(i)),)))) for i in range(1, len(before))]
        if all(_is_term(general, value, term) for value, term in zip(lower, plain[1:], strict=True)):
            for end in ("0", "1"):
                if _is_term(general, Number(end), _simple(after)):
                    return general, Number(end), Symbol(name)
    return None


def _is_term(general: Expression, value: Expression, term: Expression) -> bool:
    """Whether a simplified term is the general one at an index."""
    return _equal(_simple(substitute(general, {INDEX.name: value})), term)


def _simple(node: Expression) -> Expression:
    """An expression without powers 0 and 1, factors 1, and products and sums of numbers."""
    node = rebuild(node, _simple)
    if not isinstance(node, Apply):
        return node
    head, parts = node.head, node.arguments
    if head == "power" and isinstance(parts[1], Number) and parts[1].value in ("0", "1"):
        return parts[0] if parts[1].value == "1" else Number("1")
    value = linear(node) if head in ("plus", "times", "negate") else None
    if value is not None:
        return expression(value)
    if head == "times":
        rest = tuple(part for part in parts if not (isinstance(part, Number) and part.value == "1"))
        return (rest[0] if len(rest) == 1 else Apply(head, rest)) if rest else Number("1")
    return node


# -- arithmetic progressions -----------------------------------------------------------------------------


def _by_step(before: tuple[Expression, ...], after: Expression) -> tuple[Expression, Expression, Expression] | None:
    values = [linear(term) for term in (*before, after)]
    if len(before) < 2 or any(value is None for value in values):
        return None
    known = [value for value in values if value is not None]
    step = add(known[1], scale(known[0], Fraction(-1)))
    if set(step) != {""}:
        return None
    for earlier, later in pairwise(known[:-1]):
        if add(later, scale(earlier, Fraction(-1))) != step:
            return None
    count = scale(add(known[-1], scale(known[0], Fraction(-1))), 1 / step[""])
    general = Apply("plus", (before[0], Apply("times", (rational(step[""]), INDEX), before[0].span)), before[0].span)
    return general, Number("0"), expression(count)
