"""Numbers as people write them: decimals, thousands, repeating decimals, percent, mixed numbers, powers of ten."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from texlift.errors import Span
from texlift.latex.nodes import Call, Command, Leaf, Node, Scripted
from texlift.meaning.tree import Apply, Expression, Number, Symbol

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["MOST_DIGITS", "VULGAR", "in_base", "mixed", "of_letters", "read", "starts", "text_at"]

MOST_DIGITS: Final = 1_000
"""Of a number: Python turns no more than 4,300 digits into an integer."""

VULGAR: Final = {"½": ("1", "2"), "⅓": ("1", "3"), "⅔": ("2", "3"), "¼": ("1", "4"), "¾": ("3", "4"), "⅕": ("1", "5"),
                 "⅙": ("1", "6"), "⅛": ("1", "8"), "⅜": ("3", "8"), "⅝": ("5", "8"), "⅞": ("7", "8")}  # fmt: skip
"""Fractions that are one character."""

_REPEATED = frozenset({r"\overline", r"\bar", r"\dot", r"\conj"})
_FRACTIONS = frozenset({r"\frac", r"\tfrac", r"\dfrac", r"\sfrac", r"\nicefrac"})
_SPACE = re.compile(r"(?:\s|~|\\[,;:> ]|\\(?:thinspace|medspace|thickspace|enspace)\b)+")
_WIDE = re.compile(r"quad|hspace|hskip")


def starts(row: Row) -> bool:
    """Whether a number stands at the cursor."""
    text = row.texts[row.at]
    return _is_digit(text) or (text == "." and row.at + 1 < row.count and _is_digit(row.texts[row.at + 1]))


def read(row: Row) -> Expression:
    """The number at the cursor. Scripts on its last digit stay for the caller."""
    first = row.at
    start = row.items[first].start
    groups, marks = _groups(row)
    text = _joined(row, groups, marks, start)
    if len(text) > MOST_DIGITS:
        span = (start, row.items[row.at - 1].end)
        raise row.scope.error(f"a number of more than {MOST_DIGITS:,} digits", span, code="too-long")
    if len(text) > 1 and text[0] == "0" and text.isdigit() and text_at(row, first - 1) == ",":
        raise row.scope.error("commas in a number that are no thousands separators", (start, row.items[row.at - 1].end))
    span = (start, row.items[row.at - 1].end)
    value: Expression = Number(text, span)
    if type(row.items[row.at - 1]) is Scripted:
        return value
    repeated = _repeating(row, text, start)
    if repeated is not None:
        return repeated
    exponent = _exponent(row, text)
    if exponent is not None:
        value = _times_ten(value, exponent, (start, row.items[row.at - 1].end))
    if row.at < row.count and row.texts[row.at] == r"\%":
        row.at += 1
        span = (start, row.items[row.at - 1].end)
        value = Apply("divide", (value, Number("100", span)), span)
    return value


def mixed(row: Row, value: Expression) -> Expression | None:
    """`3\\frac14` and `3¼` are 3 + 1/4: an integer directly before a proper fraction of two integers."""
    node = row.items[row.at] if row.at < row.count else None
    if not isinstance(value, Number) or not value.value.isdigit():
        return None
    parts: Sequence[str] = ()
    if type(node) is Leaf:
        parts = VULGAR.get(node.text, ())
    elif type(node) is Command and node.name in _FRACTIONS:
        parts = ["".join(row.digits(argument)) for argument in node.arguments]
    if node is None or len(parts) != 2 or not all(part.isdigit() and len(part) <= MOST_DIGITS for part in parts):
        return None
    if not 0 < int(parts[0]) < int(parts[1]):
        return None
    row.at += 1
    span = (value.span[0], node.end)
    row.scope.warn("an integer before a fraction of integers was read as a mixed number", span)
    fraction = Apply("divide", tuple(Number(part, (node.start, node.end)) for part in parts), (node.start, node.end))
    return Apply("plus", (value, fraction), span)


_BASES = frozenset({2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 60})
_MOST_OF_BASE = 400


def in_base(value: Expression, base: Expression, span: Span) -> Number | None:
    """`1011_2`: two digits or more that a usual base has, as a number; None for anything else."""
    if not isinstance(value, Number) or not isinstance(base, Number) or not (value.value + base.value).isdigit():
        return None
    radix = int(base.value) if len(base.value) < 3 else 0
    if radix not in _BASES or not 1 < len(value.value) < _MOST_OF_BASE:
        return None
    if any(int(digit) >= radix for digit in value.value):
        return None
    return Number(str(sum(int(digit) * radix**place for place, digit in enumerate(reversed(value.value)))), span)


# -- digits and what separates them ----------------------------------------------------------------------


def _is_digit(text: str) -> bool:
    return len(text) == 1 and text in "0123456789"


def _run(row: Row) -> str:
    """Digits from the cursor on, with a decimal point."""
    text = ""
    while row.at < row.count:
        piece = row.texts[row.at]
        point = piece == "." and row.at + 1 < row.count and _is_digit(row.texts[row.at + 1])
        if not (_is_digit(piece) or point):
            break
        node = row.items[row.at]
        if point and "." in text:
            raise row.scope.error("a number with two decimal points", (node.start, node.end))
        between = row.scope.source[row.items[row.at - 1].end : node.start] if text else ""
        if _WIDE.search(between):
            break
        parted = between.isspace() or _SPACE.fullmatch(between) is not None
        digits = _together(row, row.at) if parted else 0
        spaced = not between.isspace()  # 6\;06375, and a shorter last group in 3.141\,592\,65
        if parted and digits != 3 and not (spaced and (digits == 5 or (digits < 5 and "." in text))):
            raise row.scope.error("two numbers side by side", (node.start, node.end), "write a sign between them")
        text += piece
        row.at += 1
        if type(node) is Scripted:
            break
    return text


def _together(row: Row, index: int) -> int:
    """How many digits stand at an index without a gap."""
    end = index + 1
    while end < row.count and _is_digit(row.texts[end]) and row.items[end].start == row.items[end - 1].end:
        end += 1
    return end - index


def _groups(row: Row) -> tuple[list[str], list[str]]:
    """Runs of digits, and how each comma between two of them is written: "braced" or "plain"."""
    groups, marks = [_run(row)], []
    while row.at + 1 < row.count and row.texts[row.at] == "," and _is_digit(row.texts[row.at + 1]):
        if type(row.items[row.at - 1]) is Scripted:
            break
        comma, behind = row.items[row.at], row.items[row.at + 1]
        source = row.scope.source
        braced = source[max(0, comma.start - 3) : comma.start].rstrip().endswith("{") and source[
            comma.end : comma.end + 3
        ].lstrip().startswith("}")
        braced = braced or source[comma.end : behind.start].strip() == r"\!"  # 11,\!111 closes the gap of a list
        if not braced and (row.items[row.at - 1].end != comma.start or comma.end != behind.start):
            break
        ahead = row.at + 1
        while ahead < row.count and _is_digit(row.texts[ahead]):
            ahead += 1
        if not braced and row.scope.expects("several"):
            row.scope.warn("commas between numbers were read as those of a list", (comma.start, comma.end))
            break
        if not braced and not _decimal_comma(row, groups):
            alone = text_at(row, row.at - len(groups[0]) - 1) != "," and text_at(row, ahead) != ","
            if row.scope.depth == 0 and ahead - row.at - 1 == 2 and alone:
                raise row.scope.error(
                    "a decimal comma, or a list?", (comma.start, comma.end), "write 1{,}25 for a number"
                )
            if ahead - row.at - 1 != 3 or "." in groups[-1]:
                break
        row.at += 1
        groups.append(_run(row))
        marks.append("braced" if braced else "plain")
    return groups, marks


def text_at(row: Row, index: int) -> str:
    return row.texts[index] if 0 <= index < row.count else ""


def _decimal_comma(row: Row, groups: list[str]) -> bool:
    """`1,5` outside all brackets of a formula in which 0,75 shows that commas are decimal signs."""
    return row.scope.decimal_comma and row.scope.depth == 0 and len(groups) == 1 and "." not in groups[0]


def _joined(row: Row, groups: list[str], marks: list[str], start: int) -> str:
    if len(groups) == 1:
        return groups[0]
    span = (start, row.items[row.at - 1].end)
    if row.scope.decimal_comma and len(groups) == 2:
        row.scope.warn("a comma in a number was read as the decimal sign", span)
        return ".".join(groups)
    thousands = all(len(group.partition(".")[0]) == 3 for group in groups[1:]) and len(groups[0]) <= 3
    if thousands and groups[0] != "0":
        if "braced" not in marks and not _surely_thousands(row, groups):
            raise row.scope.error(
                "a number with commas, or a list?", span, r"write 1{,}200 for a number, 1,\,200 for a list"
            )
        row.scope.warn("commas between groups of three digits were read as thousands separators", span)
        return "".join(groups)
    if len(groups) == 2 and "." not in groups[0] + groups[1]:
        row.scope.warn("a comma in a number was read as the decimal sign", span)
        return ".".join(groups)
    raise row.scope.error("commas in a number that are no thousands separators", span)


def _surely_thousands(row: Row, groups: list[str]) -> bool:
    """Outside lists, or with a group that no list has: `1,000`; not 100,200,300."""
    alone = row.scope.expects("one") or (row.scope.depth == 0 and len(groups[0]) < 3)
    return alone or any(group[0] == "0" for group in groups[1:])


# -- behind the digits ---------------------------------------------------------------------------------


def _repeating(row: Row, text: str, start: int) -> Expression | None:
    """`0.1\\overline{6}`, `0.\\dot{1}4\\dot{2}`: a fraction."""
    point = row.at < row.count and row.texts[row.at] in (".", ",")
    first = row.at + point
    if ("." not in text and not point) or first >= row.count:
        return None
    period = _covered(row, row.items[first])
    if not period:
        return None
    row.at = first + 1
    if _accent(row.items[first]) == r"\dot":
        middle = ""
        ahead = row.at
        while ahead < row.count and _is_digit(row.texts[ahead]):
            middle += row.texts[ahead]
            ahead += 1
        if ahead < row.count and _accent(row.items[ahead]) == r"\dot" and _covered(row, row.items[ahead]):
            period += middle + _covered(row, row.items[ahead])
            row.at = ahead + 1
    span = (start, row.items[row.at - 1].end)
    whole, _, fixed = text.partition(".")
    if len(whole + fixed + period) > MOST_DIGITS:
        raise row.scope.error(f"a number of more than {MOST_DIGITS:,} digits", span, code="too-long")
    nines = "9" * len(period) + "0" * len(fixed)
    above = int(whole + fixed + period) - int(whole + fixed or "0")
    return Apply("divide", (Number(str(above), span), Number(nines, span)), span)


def _accent(node: Node) -> str:
    return node.name if isinstance(node, Command | Call) and node.name in _REPEATED else ""


def _covered(row: Row, node: Node) -> str:
    """The digits below a bar or a dot."""
    if not _accent(node):
        return ""
    arguments = node.arguments if isinstance(node, Command | Call) else []
    digits = "".join(row.digits(arguments[0])) if len(arguments) == 1 else ""
    return digits if digits.isdigit() else ""


def _exponent(row: Row, text: str) -> str | None:
    """`1.2E3`, `1.5e-7`: no product has a digit behind a letter."""
    if row.at + 1 >= row.count or row.texts[row.at] not in ("E", "e") or type(row.items[row.at]) is not Leaf:
        return None
    if row.items[row.at].start != row.items[row.at - 1].end:
        return None
    sign = row.texts[row.at + 1] if row.texts[row.at + 1] in "+-" else ""
    digits = row.digits_from(row.at + 1 + len(sign))
    if not digits or (sign and row.texts[row.at] == "e" and "." not in text):
        return None
    if row.items[row.at + 1].start != row.items[row.at].end:
        return None
    if len(digits) > MOST_DIGITS:
        span = (row.items[row.at].start, row.items[row.at + 1].end)
        raise row.scope.error(f"an exponent of more than {MOST_DIGITS:,} digits", span, code="too-long")
    row.at += 1 + len(sign) + len(digits)
    return sign.replace("+", "") + digits


def _times_ten(value: Expression, exponent: str, span: Span) -> Expression:
    power: Expression = Number(exponent.lstrip("-"), span)
    if exponent[0] == "-":
        power = Apply("negate", (power,), span)
    return Apply("times", (value, Apply("power", (Number("10", span), power), span)), span)


def of_letters(source: str, node: Expression, span: Span) -> Expression | None:
    r"""The number whose digits are the letters below a bar, `\overline{ab}`; None where the bar conjugates.

    The formula shows that they are digits: tens and hundreds of them are added up, or they stand in another order too.
    """
    letters = node.arguments if isinstance(node, Apply) and node.head == "times" else ()
    names = [part.name for part in letters if isinstance(part, Symbol) and len(part.name) == 1]
    if len(names) < 2 or len(names) < len(letters):
        return None
    barred = {tuple(word) for word in re.findall(r"\\(?:conj|overline)\{([a-z]+)\}", source)}
    turned = any(word != tuple(names) and sorted(word) == sorted(names) for word in barred)
    added = any(re.search(rf"10+\s*(?:\\cdot\s*)?{letter}(?![A-Za-z])", source) for letter in names)
    if not (turned or added):
        return None
    terms: list[Expression] = []
    for power, part in zip(range(len(names) - 1, -1, -1), letters, strict=True):
        terms.append(Apply("times", (Number(str(10**power), span), part), span) if power else part)
    return Apply("plus", tuple(terms), span)
