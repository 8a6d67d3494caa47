"""Products: factors side by side or with a sign between them, quotients, and what only looks like a product."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.latex.nodes import Delimited, Leaf, Scripted
from texlift.meaning.reader import derivative, fence, number, template, vectors
from texlift.meaning.reader.notation import notation, spelled_in
from texlift.meaning.reader.statement import RELATIONS, is_set
from texlift.meaning.tree import (
    Apply,
    Derivative,
    Expression,
    Number,
    Sequence,
    Substitution,
    Symbol,
    Unknown,
    free_symbols,
)

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["SLASH", "TIMES", "read_product"]

TIMES = frozenset({r"\cdot", r"\times", "*", r"\*"})
SLASH = frozenset({"/", r"\div"})


def read_product(row: Row) -> Expression:
    """The product at the cursor, as a method of rows."""
    while row.at < row.count and row.texts[row.at] == r"\*":
        row.at += 1
    first = row.at
    factors = [_signed_factor(row)]
    while row.at < row.count:
        text = row.texts[row.at]
        if row.scope.patterns.infix and template.opens_infix(row):
            joint = template.between(row, "product")
            if joint is None:
                break
            factors[-1] = template.joined(*joint, factors[-1], _signed_factor(row))
        elif text in TIMES:
            row.at += 1
            if (text == r"\*" or text == "*") and not row.starts_factor() and row.at >= row.count:
                break
            along = row.at < row.count and row.texts[row.at] == r"\nabla" and text == r"\cdot"
            if along and not vectors.is_vector(factors[-1]):
                raise row.error("a derivative along a direction has no counterpart")
            vector = text in (r"\times", r"\cdot") and vectors.is_factor(factors[-1])
            right = [_signed_factor(row)]
            while vector and row.starts_factor() and not vectors.is_vector(right[-1]):
                right.append(row.factor())
            factors.append(right[0] if len(right) == 1 else row.times(right))
            if text == "*" and all(isinstance(f, Symbol) and f.name in ("f", "g", "h") for f in factors[-2:]):
                row.scope.warn("a star between functions was read as a product; it may be a convolution", row.span)
            if text in (r"\times", r"\cdot"):
                factors = vectors.multiplied(text, factors)
            if text == r"\times" and all(isinstance(f, Symbol) and f.name in ("u", "v", "w") for f in factors[-2:]):
                row.scope.warn("a cross between two letters was read as a product", row.span)
            if text == r"\times" and len(factors) > 1 and all(map(is_set, factors[-2:])):
                second, left = factors.pop(), factors.pop()
                factors.append(Apply("cartesian", (left, second), (left.span[0], second.span[1])))
        elif text == r"\cartprod":
            row.at += 1
            left, second = factors.pop(), row.factor()
            factors.append(Apply("cartesian", (left, second), (left.span[0], second.span[1])))
        elif text == r"\wedge" and vectors.is_vector(factors[-1]):
            row.at += 1
            factors.append(row.factor())
            factors = vectors.multiplied(text, factors)
        elif text in SLASH or (text == ":" and _is_ratio(row, factors[-1])):
            factors = [_quotient(row, factors)]
        elif text == "(" and row.at + 1 < row.count and row.texts[row.at + 1] in RELATIONS:
            # a remark: `k(>0)`
            row.scope.warn("a remark in parentheses was left out", row.here())
            row.at = row.closer(row.at) + 1
        elif text == "(" and row.is_remark():
            row.scope.warn("a remark in parentheses was left out", row.here())
            row.at = row.closer(row.at) + 1
        elif text in ("(", "[") and row.is_modulus():
            break
        elif row.starts_factor():
            if (value := _of_operator(row, factors[-1])) is not None:
                factors[-1] = value
                continue
            _refuse_operators(row, factors[-1])
            _refuse_split_power(row)
            if number.starts(row) and isinstance(factors[-1], Number) and row.texts[row.at - 1] != ")":
                raise row.error("two numbers side by side", "write a sign between them")
            factors.append(row.factor())
            if all(isinstance(f, Symbol) and f.name.startswith(r"\vec") for f in factors[-2:]):
                row.scope.warn("two vectors side by side were read as their scalar product", row.span)
                factors = vectors.multiplied(r"\cdot", factors)
        else:
            break
    _check_word(row, first)
    return factors[0] if len(factors) == 1 else row.times(factors)


def _signed_factor(row: Row) -> Expression:
    """A factor behind a sign of multiplication, which may have a sign of its own: `x\\cdot-1`."""
    begin = row.here()[0]
    sign = row.sign()
    factor = row.factor()
    return Apply("negate", (factor,), (begin, factor.span[1])) if sign < 0 else factor


def _quotient(row: Row, factors: list[Expression]) -> Expression:
    """`a/b` at the slash; `a/bc` with letters has both b and c below, `1/2 x` has not."""
    row.at += 1
    left = factors[0] if len(factors) == 1 else row.times(factors)
    start = row.at
    right = _signed_factor(row)
    plain = right if not (isinstance(right, Apply) and right.head == "negate") else right.arguments[0]
    fenced = row.scope.source[row.items[row.at - 1].end - 1] in ")]}"
    if row.starts_factor() and row.texts[row.at] != "(" and not (fenced and row.texts[start] == "("):
        numbers = isinstance(plain, Number) and isinstance(left, Number)
        if numbers:
            row.scope.warn("a/bc was read as (a/b)c", row.here())
        else:
            below = [right]
            while row.starts_factor() and row.texts[row.at] not in ("(", "["):
                below.append(row.factor())
            row.scope.warn("a/bc was read as a/(bc)", (left.span[0], below[-1].span[1]))
            right = row.times(below)
    return Apply("divide", (left, right), (left.span[0], right.span[1]))


def _of_operator(row: Row, left: Expression) -> Expression | None:
    """`(f\\circ g)(x)`, `(f*g)(t)`: a composition or convolution in parentheses applied to an argument."""
    last, here = row.items[row.at - 1], row.items[row.at]
    if row.texts[row.at - 1] != ")" and type(last) is not Delimited:
        return None
    if row.texts[row.at] != "(" and type(here) is not Delimited:
        return None
    starred = re.search(r"(?<!\\)\*", row.scope.source[left.span[0] : left.span[1]]) is not None
    if isinstance(left, Apply) and left.head == "times" and starred and set(free_symbols(left)) <= {"f", "g", "h"}:
        left = Apply("convolution", left.arguments, left.span)
    primed = left.arguments[0] if isinstance(left, Apply) and left.head == "prime" else None
    if isinstance(primed, Apply) and primed.head == "compose":
        return _derived(row, primed)
    if not isinstance(left, Apply) or left.head not in ("compose", "convolution"):
        return None
    value, scripts = fence.argument(row)
    if scripts:
        raise row.error("scripts behind a composition of functions")
    items = value.items if isinstance(value, Sequence) else (value,)
    span = (left.span[0], value.span[1])
    if left.head == "convolution" or not all(isinstance(part, Symbol) for part in left.arguments):
        return Apply("applied", (left, *items), span)
    for function in reversed(left.arguments):
        assert isinstance(function, Symbol)
        items = (Unknown(function, items, None, span),)
    return items[0]


def _derived(row: Row, composed: Apply) -> Expression:
    """`(f\\circ g)'(x)`: the derivative of the composition, with a variable in the parentheses at the cursor."""
    value, scripts = fence.argument(row)
    span = (composed.span[0], value.span[1])
    if scripts or not all(isinstance(part, Symbol) for part in composed.arguments):
        raise row.scope.error("the derivative of a composition", span)
    fresh = value if isinstance(value, Symbol) else Symbol(derivative.FRESH, value.span)
    inner: Expression = fresh
    for function in reversed(composed.arguments):
        assert isinstance(function, Symbol)
        inner = Unknown(function, (inner,), None, span)
    slope = Derivative(inner, ((fresh, Number("1", span)),), span)
    return slope if fresh is value else Substitution(slope, fresh, value, span)


def _refuse_operators(row: Row, left: Expression) -> None:
    """`(f*g)(t)` is no product of f, g and t, and `(D^2+1)y` may be a derivative."""
    last = row.items[row.at - 1]
    if row.texts[row.at - 1] != ")" and type(last) is not Delimited:
        return
    names = set(free_symbols(left))
    if row.texts[row.at] == "(" and names and names <= {"f", "g", "h"}:
        raise row.error("a combination of functions applied to an argument")
    if "D" in names and row.texts[row.at] in ("y", "u", "f"):
        raise row.error("D may be a derivative here", "write the derivatives out")


def _refuse_split_power(row: Row) -> None:
    """`x^10` is x^1 times 0 to TeX, and hardly to anybody else."""
    before, here = row.items[row.at - 1], row.items[row.at]
    if type(before) is not Scripted or type(here) is not Leaf or not here.text.isdigit():
        return
    last = row.scope.source[before.end - 1]
    if before.end == here.start and last.isdigit() and row.scope.source[before.end - 2] in "^_":
        raise row.scope.error(
            "a power or an index of two digits without braces", (before.start, here.end), "write x^{10}"
        )


def _is_ratio(row: Row, left: Expression) -> bool:
    """A colon between two numbers divides."""
    row.at += 1
    numbers = isinstance(left, Number) and row.at < row.count and number.starts(row)
    proportion = row.texts.count(":") == 2 and "=" in row.texts and isinstance(left, Number | Symbol)
    plain = not any(text in RELATIONS and text != ":" for text in row.texts) and not isinstance(left, Symbol)
    behind = row.digits_from(row.at)
    if numbers and len(behind) == 2 and behind[0] == "0":
        row.at -= 1
        raise row.error("a time of day, or a ratio?", r"write a fraction: \frac{12}{5}")
    ratio = numbers or proportion or (plain and row.at < row.count and not row.scope.depth)
    row.at -= 1
    if ratio:
        row.scope.warn("a colon between numbers was read as a division", row.here())
    return ratio


def _check_word(row: Row, first: int) -> None:
    """A function's name typed as plain letters is not a product of letters."""
    if row.at - first < 2:
        return
    run = ""
    for index in range(first, row.at + 1):
        text = row.texts[index] if index < row.at and type(row.items[index]) is Leaf else ""
        if len(text) == 1 and text.isascii() and text.isalpha():
            run += text
            continue
        if not run:
            continue
        last = row.texts[index] if run and index < row.at and type(row.items[index]) is Scripted else ""
        if last and (last == run[-1] or (len(run) == 1 and run.isupper() and last.isupper())):
            row.scope.warn(f"{run}{last} was read as a product of letters", row.span)  # SS_{tot}, AB^2
        word = spelled_in(run) if len(run) > 1 else ""
        if word and run not in notation().functions:
            place = (row.items[index - len(run)].start, row.items[index - 1].end)
            raise row.scope.error(f"{run} typed as single letters", place, f"write \\{run}")
        side = index - len(run) == 0 and run[:1].isupper() and len(run) > 1 and number.text_at(row, index) == "="
        mixed = run[:1].islower() and run[1:].isupper()  # pH, mL, kW
        whole = index == len(run) and not row.scope.depth and (index >= row.count or row.texts[index] == "=")
        side = side or (mixed and whole)
        if (not word and len(run) > 3) or (len(run) > 2 and len(set(run)) < len(run)) or side:
            place = (row.items[index - len(run)].start, row.items[index - 1].end)
            row.scope.warn(f"{run} was read as a product of letters", place)
        run = ""
