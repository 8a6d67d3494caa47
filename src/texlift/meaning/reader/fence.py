"""What stands between fences: parentheses, sets, intervals, commutators, floors; bars are read elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Command, Delimited, Leaf, Script, Scripted
from texlift.meaning.reader import derivative, field, quantum, residue_symbol, vectors
from texlift.meaning.reader.bars import measure
from texlift.meaning.reader.cursor import CLOSE, OPEN
from texlift.meaning.reader.operand import ungrouped
from texlift.meaning.tree import (
    Apply,
    Cases,
    Expression,
    Function,
    Interval,
    Matrix,
    Number,
    Relation,
    Sequence,
    Substitution,
    Symbol,
    free_symbols,
)

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["argument", "delimited", "difference", "fence"]

_PARTNERS = {opener: closer for opener, closer in OPEN.items() if opener not in ("(", "[")}
_ROUNDED = {r"\lfloor": "floor", r"\lceil": "ceiling", r"\llcorner": "floor", r"\ulcorner": "ceiling"}
_FENCES = frozenset({*OPEN, *CLOSE, ".", "|", r"\|", "/"})
_ANGLES = {"<": r"\langle", ">": r"\rangle"}  # as TeX reads them behind \left and \right
_CLOSERS = frozenset(_PARTNERS.values())
_BRACKETED = re.compile(r"(?<![A-Za-z\\}])(?:\\left)?\[\s*(?:\w|\\[a-z]+)\s*(?:\\right)?\]")
_BRACED = re.compile(r"\\\{\s*(?:\w|\\[a-z]+)\s*(?:\\right)?\\\}")
_FRACTIONS = frozenset({r"\frac", r"\tfrac", r"\dfrac"})


def argument(row: Row) -> tuple[Expression, list[Script]]:
    """What stands in the brackets at the cursor, and the scripts behind them: in `f(x)^2` they belong to f(x)."""
    node = row.items[row.at]
    if not row.texts[row.at]:
        base = node.base if type(node) is Scripted else node
        assert type(base) is Delimited
        row.at += 1
        return delimited(row, base, []), node.scripts if type(node) is Scripted else []
    closing = row.closer(row.at)
    last = row.items[closing]
    if type(last) is not Scripted or last.base is None:
        return fence(row), []
    bare = row.part(row.at, closing + 1)
    bare.items[-1] = last.base
    row.at = closing + 1
    return fence(bare), last.scripts


def fence(row: Row) -> Expression:
    """`( ... )`, `[ ... ]`, `\\{ ... \\}` at the cursor, with scripts behind the closer."""
    opening = row.at
    if row.texts[opening] == "]":
        return _french(row)
    if type(row.items[opening]) is Scripted:
        raise row.error("a script on an opening bracket")
    if row.texts[opening] == r"\langle" and (state := quantum.bra(row)) is not None:
        return state
    if row.texts[opening] == "[":
        interval = _half_open(row)
        if interval is not None:
            return interval
    closing = row.closer(opening)
    opener, closer = row.texts[opening], row.texts[closing]
    inner = row.part(opening + 1, closing)
    node = row.items[closing]
    row.at = closing + 1
    span = (row.items[opening].start, node.end)
    value = _fenced(row, opener, closer, inner, span)
    return _with_scripts(row, value, opener, node.scripts) if type(node) is Scripted else value


def _with_scripts(row: Row, value: Expression, opener: str, scripts: list[Script]) -> Expression:
    """Scripts behind a closer; `[F(x)]_a^b` is a difference of values."""
    kinds = {script.kind for script in scripts}
    if opener == r"\{" and "_" in kinds:
        raise row.scope.error("a sequence in braces has no counterpart", (value.span[0], scripts[-1].end))
    if kinds == {"_", "^"} and opener in ("[", ".", "|"):
        return difference(row, value, scripts)
    return row.scripts(value, scripts)


def difference(row: Row, value: Expression, scripts: list[Script]) -> Expression:
    """`F(x)|_a^b`: the value at the upper end without that at the lower one."""
    span = (value.span[0], scripts[-1].end)
    ends = {s.kind: type(row)(row.scope, [s.argument], (s.start, s.end)).expression() for s in scripts if s.argument}
    variable: Expression | None = None
    for kind, end in ends.items():
        if isinstance(end, Relation) and end.operators == ("=",):
            variable, ends[kind] = end.operands
    if variable is None:
        free = list(free_symbols(value).values())
        if len(free) != 1:
            raise row.scope.error("values at two ends, but of which variable?", span, "write x=a below the bar")
        variable = free[0]
    upper, lower = (Substitution(value, variable, ends[kind], span) for kind in ("^", "_"))
    return Apply("plus", (upper, Apply("negate", (lower,), span)), span)


def _french(row: Row) -> Expression:
    """`]a,b[`: an interval without its ends."""
    opening = row.at
    for index in range(opening + 1, row.count):
        if row.texts[index] in ("[", "]") and type(row.items[index]) is Leaf:
            inner = row.part(opening + 1, index)
            row.scope.enter(inner.span)
            items = inner.expressions() if inner.count else ()
            row.scope.depth -= 1
            if len(items) == 2:
                row.at = index + 1
                span = (row.items[opening].start, row.items[index].end)
                return Interval(items[0], items[1], False, row.texts[index] == "]", span)
            break
    raise row.error("] without [")


def _half_open(row: Row) -> Expression | None:
    """`[a,b[`: an interval without its upper end."""
    opening = row.at
    end = next((i for i in range(opening + 1, row.count) if row.texts[i] in ("[", "]", "(", ")")), row.count)
    if end == row.count or row.texts[end] != "[" or type(row.items[end]) is not Leaf:
        return None
    inner = row.part(opening + 1, end)
    if sum(text in (",", ";") for text in inner.texts) != 1:
        return None
    row.scope.enter(inner.span)
    items = inner.expressions()
    row.scope.depth -= 1
    if len(items) != 2:  # a comma with nothing on one side
        return None
    row.at = end + 1
    return Interval(items[0], items[1], True, False, (row.items[opening].start, row.items[end].end))


def _fenced(row: Row, opener: str, closer: str, inner: Row, span: Span) -> Expression:
    """The meaning of `inner` between two fences."""
    row.scope.enter(span)
    if not inner.count:
        raise row.scope.error("nothing between the fences", span)
    if (opener, closer) in (("|", r"\rangle"), (r"\langle", "|")):
        row.scope.depth -= 1
        return Apply("ket" if opener == "|" else "bra", (inner.expression(),), span)
    if (_PARTNERS.get(opener, closer) != closer or closer in _CLOSERS - {_PARTNERS.get(opener)}) and closer != ".":
        raise row.scope.error(f"{opener} is closed by {closer}", span, f"close it with {_PARTNERS.get(opener, opener)}")
    opener = "(" if opener == "." else opener
    if opener in ("|", r"\|"):
        with row.scope.expecting("one"):
            inside = inner.expression()
        value: Expression = measure(row, opener, inside, span)
    elif opener in _ROUNDED:
        value = _rounded(row, opener, inner, span)
    elif opener == r"\langle":
        value = _angles(row, inner, span)
    elif opener == r"\{":
        value = _braces(row, inner, closer, span)
    else:
        value = _round_or_square(row, opener, closer, inner, span)
    row.scope.depth -= 1
    return value


def _rounded(row: Row, opener: str, inner: Row, span: Span) -> Expression:
    """Floor and ceiling; corners are drawn like them, and are quotation marks in logic."""
    with row.scope.expecting("one"):
        value = ungrouped(inner.expression())
    head = _ROUNDED[opener]
    if opener.endswith("corner"):
        if isinstance(value, Relation | Sequence) or row.scope.logical:
            raise row.scope.error("corners around a statement have no counterpart", span)
        row.scope.warn(f"corners were read as the {head}", span)
    return Apply(head, (value,), span)


def _angles(row: Row, inner: Row, span: Span) -> Expression:
    if any(text in ("|", r"\mid") for text in inner.texts):
        return quantum.bracket(row, inner, span)
    items = inner.expressions()
    if len(items) == 1:
        raise row.scope.error("a mean value in angle brackets has no counterpart", span)
    if len(items) == 2 and vectors.are_real_vectors(row.scope.source, items):
        row.scope.warn("angle brackets were read as the scalar product of two vectors", span)
        return Apply("dot", items, span)
    if len(items) == 2 and not all(isinstance(item, Number) for item in items):
        raise row.scope.error("an inner product, or a pair?", span, r"write \cdot for the product")
    return Sequence(items, "tuple", span)


def _braces(row: Row, inner: Row, closer: str, span: Span) -> Expression:
    """A set, a system `\\left\\{ ... \\right.`, or braces in place of parentheses (`row.ungrouped` takes them away)."""
    if closer == ".":
        value = inner.expression()
        if isinstance(value, Matrix):
            return _system_of(row, value, span)
        if isinstance(value, Cases) or (isinstance(value, Sequence) and value.kind == "system"):
            return value
        raise row.scope.error("a brace that is never closed", span)
    bar = inner.lone((r"\mid", "|", ":"))
    if bar is not None and 0 < bar < inner.count - 1:
        return _builder(inner, bar, span)
    items = inner.expressions()
    if r"\pm" in inner.texts or r"\mp" in inner.texts:  # {0, ±1} has both
        sign, row.scope.sign = row.scope.sign, -row.scope.sign
        again = inner.part(0, inner.count)
        items = tuple(dict.fromkeys((*items, *again.expressions())))
        row.scope.sign, row.scope.split = sign, False
    if len(items) == 1 and _parts_of_numbers(row) and not isinstance(items[0], Relation | Sequence):
        row.scope.warn("braces beside a floor were read as the fractional part", span)
        return Apply("fractional-part", items, span)
    return Sequence(items, "set", span)


_FLOORS = (r"\lfloor", r"\floor", "⌊")


def _parts_of_numbers(row: Row) -> bool:
    """Whether the formula parts numbers into integer and fraction: a floor stands in it, and no sign of sets."""
    source = row.scope.source
    floors = any(sign in source for sign in _FLOORS) or bool(_BRACKETED.search(source) and _BRACED.search(source))
    return floors and not row.scope.census.signs & {r"\in", r"\cup", r"\cap", r"\mid", r"\max", r"\min"}


def _builder(inner: Row, bar: int, span: Span) -> Expression:
    """`\\{x\\in A\\mid x>0\\}`: what is collected, and its conditions."""
    element = inner.part(0, bar).expression()
    conditions = _shared(inner.part(bar + 1, inner.count).expressions())
    condition = conditions[0] if len(conditions) == 1 else Apply("and", conditions, span)
    return Apply("setbuilder", (element, condition), span)


def _shared(conditions: tuple[Expression, ...]) -> tuple[Expression, ...]:
    """`p,q\\in Z` says of both letters that they are in Z."""
    found: list[Expression] = []
    waiting: list[Expression] = []
    for one in conditions:
        if isinstance(one, Symbol):
            waiting.append(one)
            continue
        if waiting and isinstance(one, Relation):
            found += [Relation(one.operators, (left, *one.operands[1:]), one.span) for left in waiting]
            waiting = []
        found.append(one)
    return (*found, *waiting)


def _system_of(row: Row, matrix: Matrix, span: Span) -> Expression:
    """`\\left\\{\\begin{array}...`: equations in one column."""
    if all(len(line) == 1 and isinstance(line[0], Relation) for line in matrix.rows):
        return Sequence(tuple(line[0] for line in matrix.rows), "system", span)
    raise row.scope.error("an array behind a brace that is neither a system nor cases", span)


def _round_or_square(row: Row, opener: str, closer: str, inner: Row, span: Span) -> Expression:
    if (opener, closer) == ("(", ")") and _is_residue_symbol(row, inner):
        fraction = inner.items[0]
        assert type(fraction) is Command
        parts = tuple(type(row)(row.scope, [part], span).expression() for part in fraction.arguments)
        row.scope.warn("a fraction in parentheses was read as the Legendre symbol", span)
        return Apply("legendre", parts, span)
    if (opener, closer) == ("(", ")") and _lone_fraction(inner) and _stands_alone(row):
        row.scope.warn("a fraction in parentheses was read as a fraction; it may be a Legendre symbol", span)
    items = inner.expressions()
    if len(items) > 2 and ";" in inner.texts and "," in inner.texts and opener == "[":
        raise row.scope.error("a continued fraction in brackets has no counterpart", span)
    letter = isinstance(items[0], Symbol)
    if (
        len(items) == 1
        and opener == "["
        and inner.count == 1
        and (letter or type(row.items[row.at - 1]) is not Scripted)
    ):
        if letter and _BRACED.search(row.scope.source) and _parts_of_numbers(row):
            row.scope.warn("square brackets were read as the integer part", span)
            return Apply("floor", items, span)
        row.scope.warn("square brackets were read as parentheses", span)
    if closer == "." or opener == ".":
        raise row.scope.error("a bracket that is never closed", span)
    if len(items) != 2 and OPEN.get(opener, closer) != closer:
        raise row.scope.error(f"{opener} is closed by {closer}", span, f"close it with {OPEN[opener]}")
    if len(items) == 1 and opener == "[" and (extension := field.degree(items[0])) is not None:
        return extension
    if len(items) == 1 and (opener, closer) in (("(", ")"), ("[", "]")):
        value = items[0]
        if not isinstance(value, Relation) or row.scope.logical:
            return value
        if opener == "[" and not _stands_alone(row):
            row.scope.warn("a statement in square brackets was read as 1 if it is true, else 0", span)
            return Apply("iverson-bracket", items, span)
        return Sequence(items, "tuple", span)
    if len(items) == 3 and (opener, closer) == ("[", "]") and all(vectors.is_vector(item) for item in items):
        return vectors.triple(items, span)
    if len(items) == 2:
        return _two(row, opener, closer, items, span)
    return Sequence(items, "tuple", span)


def _two(row: Row, opener: str, closer: str, items: tuple[Expression, ...], span: Span) -> Expression:
    """Two expressions in brackets: a pair, an interval, a commutator."""
    possible: tuple[str, ...] = ("interval", "pair")
    if (opener, closer) == ("(", ")"):
        found, because = "pair", "parentheses around two expressions"
    elif (opener, closer) == ("[", "]"):
        possible = ("interval", "commutator", "pair")
        if all(map(vectors.is_vector, items)) and all(isinstance(item, Symbol) for item in items):
            row.scope.warn("two vectors in square brackets were read as their vector product", span)
            return Apply("cross", items, span)
        operators = all(_is_operator(row, item) for item in items)
        found = "commutator" if operators else "interval"
        because = "square brackets around two operators" if operators else "square brackets around two expressions"
    else:
        possible, found, because = ("interval",), "interval", "brackets of two kinds"
    chosen = row.scope.decide("brackets", span, found, possible, because)
    if chosen == "commutator":
        return Apply("commutator", items, span)
    if chosen == "pair":
        return Sequence(items, "tuple", span)
    return Interval(items[0], items[1], opener == "[", closer == "]", span)


def _is_residue_symbol(row: Row, inner: Row) -> bool:
    """A lone fraction in parentheses in a formula that says what it is."""
    return (
        _lone_fraction(inner)
        and type(row.items[row.at - 1]) is not Scripted
        and residue_symbol.has_residue_symbols(row.scope.source)
    )


def _lone_fraction(inner: Row) -> bool:
    return inner.count == 1 and type(inner.items[0]) is Command and inner.items[0].name in _FRACTIONS


def _stands_alone(row: Row) -> bool:
    """Whether the bracket that was just passed is a whole side of an equation: there it needs no parentheses."""
    before = next((i for i in range(row.at - 1, -1, -1) if row.texts[i] == "("), row.at - 1)
    left = before == 0 or row.texts[before - 1] in ("=", r"\equiv")
    right = row.at >= row.count or row.texts[row.at] in ("=", r"\equiv", ",", ".", "") or left
    scripted = type(row.items[row.at - 1]) is Scripted
    return left and right and not scripted and row.count > 1


def _is_operator(row: Row, item: Expression) -> bool:
    """Capital letters and letters with a hat are operators of quantum theory or elements of an algebra."""
    if isinstance(item, Symbol):
        bare = item.name.partition("_")[0]
        return (len(bare) == 1 and bare.isupper()) or bare.startswith((r"\hat", r"\widehat"))
    return (
        isinstance(item, Apply)
        and item.head in ("times", "power", "plus")
        and any(_is_operator(row, part) for part in item.arguments)
    )


def delimited(row: Row, node: Delimited, scripts: list[Script]) -> Expression:
    """`\\left( ... \\right)` as a value."""
    inner = type(row)(row.scope, node.children, node.inner)
    left, right = (_ANGLES.get(known, known) for known in (row.known(node.left), row.known(node.right)))
    for sign in (left, right):
        if sign not in _FENCES:
            raise row.scope.error(f"{sign} is no bracket that texlift knows", (node.start, node.end))
    if left == "." and right in ("|", "]"):
        value = inner.expression()
        operated = value if isinstance(value, Function) and len(value.parameters) == 2 else None
        if operated is not None and len(scripts) == 1 and row.starts_factor():
            return derivative.applied_at(row, operated, scripts[0])
        return _with_scripts(row, value, "|", scripts) if scripts else value
    if left in ("/", ")", "]", ".") and right == ".":  # a fraction with a slash, or nothing to be seen
        value = inner.expression()
    elif left == "]" or (left == "[" and right == "["):
        items = inner.expressions()
        if len(items) != 2:
            raise row.scope.error("an interval needs two ends", (node.start, node.end))
        value = Interval(items[0], items[1], left == "[", right == "]", (node.start, node.end))
    else:
        value = _fenced(row, left, right, inner, (node.start, node.end))
        if scripts:
            return _with_scripts(row, value, left, scripts)
    return row.scripts(value, scripts) if scripts else value
