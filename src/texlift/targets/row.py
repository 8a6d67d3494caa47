"""A row of the concrete syntax tree read as mathematics: precedence, implicit multiplication, fences.

From loose to tight: commas, relations, set operations, sums, products and quotients, powers. A quotient by a
slash takes everything multiplied before it and the one factor behind it: `a/bc` is (a/b)c, with a warning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.errors import FormulaError, Span
from texlift.latex.nodes import Call, Command, Group, Leaf, Node, Script, Scripted
from texlift.latex.nodes import Row as Nodes
from texlift.targets import atom, binder
from texlift.targets.expression import Apply, Dots, Expression, Number, Relation, Sequence
from texlift.targets.progression import fill_dots, fill_list

if TYPE_CHECKING:
    from texlift.targets.scope import Scope

__all__ = ["RELATIONS", "Row", "text_of"]

RELATIONS = {
    "=": "=", "<": "<", ">": ">", r"\leq": "<=", r"\le": "<=", r"\geq": ">=", r"\ge": ">=", r"\geqq": ">=",
    r"\leqq": "<=", r"\neq": "!=", r"\ne": "!=", r"\equiv": "===", r"\defeq": "=", r"\in": "in", r"\notin": "notin",
    r"\to": "->", r"\rightarrow": "->", r"\asympeq": "~", r"\sim": "~", r"\asympexp": "~~", r"\approx": "approx",
    r"\divides": "divides", r"\equivmod": "mod", r"\subset": "subset", r"\subseteq": "subset", r"\mid": "divides",
    r"\Rightarrow": "implies", r"\Longleftrightarrow": "iff", r"\Leftrightarrow": "iff", r"\ll": "<<", r"\gg": ">>",
    r"\mapsto": "mapsto", r"\Longrightarrow": "implies", ":": "colon", r"\longrightarrow": "->", r"\propto": "propto",
}  # fmt: skip
_SPACES = frozenset({
    r"\,", r"\;", r"\!", r"\>", r"\:", r"\ ", "~", r"\thinspace", r"\enskip", r"\enspace", r"\negthinspace",
    r"\limits", r"\nolimits", r"\displaystyle", r"\textstyle", r"\scriptstyle", r"\scriptsize", r"\tiny", r"\rm",
    r"\small", r"\quad", r"\qquad", r"\nonumber", "\\\\", r"\sf", r"\relax", r"\allowbreak", r"\null", r"\/",
})  # fmt: skip
_SIZED = frozenset(f"\\{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")) | {
    r"\middle"
}
_IGNORED_COMMANDS = frozenset({r"\mspace", r"\hspace", r"\phantom", r"\hphantom", r"\vphantom", r"\label", r"\tag",
                               r"\mskip", r"\mkern", r"\kern", r"\hskip", r"\cfracstyle", r"\raisebox"})  # fmt: skip
_TRANSPARENT = frozenset(
    {r"\mathop", r"\mathrel", r"\mathbin", r"\mathord", r"\smash", r"\boxed", r"\ensuremath", r"\mathinner"}
)
_TIMES = frozenset({r"\cdot", r"\times", "*", r"\*"})
_SLASH = frozenset({"/", r"\div"})
_SIGNS = frozenset({"+", "-", r"\pm", r"\mp"})
_SETS = {
    r"\cup": "union", r"\cap": "intersect", r"\setminus": "setminus", r"\circ": "compose", r"\ast": "convolution",
    r"\setmod": "setmod", r"\ominus": "symmetricdifference", r"\oplus": "directsum",
}  # fmt: skip
_OPEN = {"(": ")", "[": "]", r"\{": r"\}", r"\lfloor": r"\rfloor", r"\lceil": r"\rceil", r"\langle": r"\rangle"}
_CLOSE = frozenset({")", "]", r"\}", r"\rfloor", r"\rceil", r"\rangle"})
_SEPARATORS = frozenset({",", ";"})
_BARS = frozenset({"|", r"\|", r"\Vert", r"\vert"})
_NO_FACTOR = frozenset({*RELATIONS, *_SIGNS, *_CLOSE, *_SEPARATORS, *_SETS, *_BARS, "&", ".", "!"})
_BEHIND = frozenset({"|", "!"})
_BETWEEN = frozenset({r"\pmod", r"\pod", r"\not"})
DOTS = frozenset({r"\dots", r"\ldots", r"\cdots", r"\dotsb", r"\dotsc", r"\dotsi", r"\dotsm", r"\vdots", r"\ddots"})


def text_of(node: Node) -> str:
    """The sign a node shows: of a leaf, a scripted leaf or a macro without arguments."""
    kind = type(node)
    if kind is Leaf:
        return node.text  # type: ignore[union-attr]
    if kind is Scripted:
        base = node.base  # type: ignore[union-attr]
        return base.text if type(base) is Leaf else ""
    if kind is Call and not node.segments and not node.parameters:  # type: ignore[union-attr]
        return node.name  # type: ignore[union-attr]
    return ""


def _flatten(nodes: Nodes, into: list[Node]) -> None:
    for node in nodes:
        kind = type(node)
        if kind is Leaf:
            if node.text not in _SPACES:  # type: ignore[union-attr]
                into.append(node)
        elif kind is Group:
            # `{a+b}c` looks like a+bc and is read so; a group only shields commas and scripts.
            _flatten(node.children, into)  # type: ignore[union-attr]
        elif kind is Command:
            name = node.name  # type: ignore[union-attr]
            if name in _SIZED:
                argument = node.arguments[0]  # type: ignore[union-attr]
                into.append(Leaf(text_of(argument), node.start, node.end))
            elif name in _TRANSPARENT:
                _flatten(node.arguments, into)  # type: ignore[union-attr, arg-type]
            elif name not in _IGNORED_COMMANDS:
                into.append(node)
        elif kind is Scripted and type(node.base) is Command and node.base.name in _SIZED:  # type: ignore[union-attr]
            leaf = Leaf(text_of(node.base.arguments[0]), node.base.start, node.base.end)  # type: ignore[union-attr]
            into.append(Scripted(leaf, node.scripts, node.start, node.end))  # type: ignore[union-attr]
        else:
            into.append(node)


class Row:
    """A cursor over the nodes of one row."""

    __slots__ = ("at", "bars", "count", "items", "scope", "span", "texts")

    def __init__(self, scope: Scope, nodes: Nodes, span: Span) -> None:
        self.scope = scope
        items: list[Node] = []
        _flatten(nodes, items)
        self.items = items
        self.texts = [node.text if type(node) is Leaf else text_of(node) for node in items]
        self.count = len(items)
        self.at = 0
        self.bars = 0
        self.span = span

    # -- places ----------------------------------------------------------------------------------------

    def part(self, start: int, end: int) -> Row:
        """A row over items[start:end]."""
        row = Row.__new__(Row)
        row.scope = self.scope
        row.items = self.items[start:end]
        row.texts = self.texts[start:end]
        row.count = end - start
        row.at = 0
        row.bars = 0
        row.span = (row.items[0].start, row.items[-1].end) if row.items else self.span
        return row

    def here(self) -> Span:
        if self.at < self.count:
            return (self.items[self.at].start, self.items[self.at].end)
        return (self.items[-1].end, self.items[-1].end) if self.items else self.span

    def error(self, message: str, hint: str = "") -> FormulaError:
        return self.scope.error(message, self.here(), hint)

    def done(self) -> None:
        if self.at < self.count:
            raise self.error(f"unexpected {self.texts[self.at] or 'part'}")

    def closer(self, opening: int) -> int:
        """Index of the fence that closes the one at `opening`."""
        depth = 0
        for index in range(opening, self.count):
            text = self.texts[index]
            if text in _OPEN:
                depth += 1
            elif text in _CLOSE:
                depth -= 1
                if depth == 0:
                    return index
        raise self.scope.error(
            f"{self.texts[opening]} is never closed", (self.items[opening].start, self.items[opening].end), "close it"
        )

    # -- commas and relations --------------------------------------------------------------------------

    def expressions(self) -> tuple[Expression, ...]:
        """Comma-separated expressions up to the end of the row."""
        found = [self.relation()]
        while self.at < self.count and self.texts[self.at] in _SEPARATORS:
            self.at += 1
            if self.at < self.count:
                found.append(self.relation())
        self.done()
        # In `n=0,1,\dots,N` the dots belong to the relation, not to a list of its own.
        if len(found) > 2 and any(type(i) is Dots for i in found) and not any(type(i) is Relation for i in found):
            return fill_list(tuple(found))
        return tuple(found)

    def expression(self) -> Expression:
        """The whole row as one expression; several become a list."""
        if not self.count:
            raise self.scope.error("an expression is missing", self.span)
        found = self.expressions()
        single = len(found) == 1 and not (isinstance(found[0], Apply) and found[0].head == "enumerate")
        return found[0] if single else Sequence(found, "list", self.span)

    def relation(self) -> Expression:
        first = self.sets()
        if self.at >= self.count:
            return first
        operators: list[str] = []
        operands = [first]
        while self.at < self.count:
            text = self.texts[self.at]
            operator = RELATIONS.get(text)
            node = self.items[self.at]
            if operator is None and type(node) is Command and node.name == r"\not":
                operator = {"=": "!=", r"\in": "notin", r"\equiv": "!=="}.get(text_of(node.arguments[0]))
            if operator is None:
                if type(node) is Command and node.name in (r"\pmod", r"\pod"):
                    self.at += 1
                    modulus = Row(self.scope, node.arguments, (node.start, node.end)).expression()
                    operands[-1] = Apply("modulo", (operands[-1], modulus), (node.start, node.end))
                    continue
                break
            self.at += 1
            operators.append(operator)
            operands.append(self.sets())
        if not operators:
            return operands[0]
        return Relation(tuple(operators), tuple(operands), (first.span[0], operands[-1].span[1]))

    def sets(self) -> Expression:
        left = self.sum()
        while self.at < self.count and self.texts[self.at] in _SETS:
            operator = _SETS[self.texts[self.at]]
            self.at += 1
            right = self.sum()
            left = Apply(operator, (left, right), (left.span[0], right.span[1]))
        return left

    # -- arithmetic ------------------------------------------------------------------------------------

    def sign(self) -> int:
        """Read signs at the cursor: their product."""
        sign = 1
        while self.at < self.count and self.texts[self.at] in _SIGNS:
            if type(self.items[self.at]) is Scripted:
                raise self.error("a script on a sign")
            sign *= self.sign_of(self.texts[self.at])
            self.at += 1
        return sign

    def sign_of(self, text: str) -> int:
        if text == "+":
            return 1
        if text == "-":
            return -1
        self.scope.split = True
        return self.scope.sign if text == r"\pm" else -self.scope.sign

    def sum(self) -> Expression:
        start = self.here()[0]
        if self.at < self.count and self.texts[self.at] in _SIGNS:
            sign = self.sign()
            term = self.product()
            if sign < 0:
                term = Apply("negate", (term,), (start, term.span[1]))
        else:
            term = self.product()
        if self.at >= self.count or self.texts[self.at] not in _SIGNS:
            return term
        terms = [term]
        while self.at < self.count and self.texts[self.at] in _SIGNS:
            begin = self.here()[0]
            sign = self.sign()
            if self.at >= self.count:
                if not self.scope.fractions:
                    if len(terms) == 1 and self.scope.source[self.items[-1].end : self.items[-1].end + 1] == ")":
                        return Apply("above" if sign > 0 else "below", (terms[0],), (start, self.items[-1].end))
                    raise self.error("a sign without a term behind it", "remove it or add the term")
                terms.append(Dots(self.here()))  # a continued fraction goes on behind the last sign
                break
            term = self.product()
            terms.append(Apply("negate", (term,), (begin, term.span[1])) if sign < 0 else term)
        if any(type(t) is Dots for t in terms):
            terms = list(fill_dots("sum", tuple(terms)))
            if len(terms) == 1:
                return terms[0]
        return Apply("plus", tuple(terms), (start, terms[-1].span[1]))

    def starts_factor(self) -> bool:
        if self.at >= self.count:
            return False
        text = self.texts[self.at]
        if text in _NO_FACTOR:
            return text in _BARS and not self.bars
        node = self.items[self.at]
        return type(node) is not Command or node.name not in _BETWEEN

    def product(self) -> Expression:
        while self.at < self.count and self.texts[self.at] == r"\*":
            self.at += 1
        factors = [self.factor()]
        divided = False
        while self.at < self.count:
            text = self.texts[self.at]
            if text in _TIMES:
                self.at += 1
                if (text != r"\*" and text != "*") or self.starts_factor():
                    if self.at < self.count and self.texts[self.at] in _SIGNS:
                        sign = self.sign()
                        factor = self.factor()
                        factors.append(Apply("negate", (factor,), factor.span) if sign < 0 else factor)
                    else:
                        factors.append(self.factor())
                divided = False
            elif text in _SLASH:
                self.at += 1
                left = factors[0] if len(factors) == 1 else self.times(factors)
                sign = self.sign()
                right = self.factor()
                if sign < 0:
                    right = Apply("negate", (right,), right.span)
                factors = [Apply("divide", (left, right), (left.span[0], right.span[1]))]
                divided = True
            elif text == "(" and self.at + 1 < self.count and self.texts[self.at + 1] in RELATIONS:
                self.at = self.closer(self.at) + 1  # a remark: `k(>0)`
            elif self.starts_factor():
                if divided and self.scope.source[factors[-1].span[1] - 1] != ")":
                    self.scope.warn("a/bc was read as (a/b)c", self.here())
                divided = False
                factors.append(self.factor())
            else:
                break
        return factors[0] if len(factors) == 1 else self.times(factors)

    @staticmethod
    def times(factors: list[Expression]) -> Expression:
        if any(type(f) is Dots for f in factors):
            if len(factors) == 2 and isinstance(factors[0], Number) and "." in factors[0].value:
                return Apply("truncated", (factors[0],), (factors[0].span[0], factors[1].span[1]))
            factors = list(fill_dots("product", tuple(factors)))
            if len(factors) == 1:
                return factors[0]
        return Apply("times", tuple(factors), (factors[0].span[0], factors[-1].span[1]))

    # -- factors ---------------------------------------------------------------------------------------

    def factor(self) -> Expression:
        """One operand with its scripts and factorials."""
        if self.at >= self.count:
            raise self.error("an operand is missing", "something must stand here")
        value = binder.read(self) or atom.read(self)
        if self.at >= self.count or self.texts[self.at] not in _BEHIND:
            return value
        if self.texts[self.at] == "|":
            bar = self.items[self.at]
            if isinstance(bar, Scripted) and not self.bars and bar.scripts[0].kind == "_":  # f|_{x=0}
                self.at += 1
                value = self.scripts(value, bar.scripts)
        marks = 0
        while self.at < self.count and self.texts[self.at] == "!":
            node = self.items[self.at]
            self.at += 1
            marks += 1
            if marks > 2:
                raise self.error("more than two factorial signs")
            if marks == 2 or self.at >= self.count or self.texts[self.at] != "!":
                head = "factorial" if marks == 1 else "factorial2"
                value = Apply(head, (value,), (value.span[0], node.end))
            if type(node) is Scripted:
                if marks == 1 and not (isinstance(value, Apply) and value.head == "factorial"):
                    value = Apply("factorial", (value,), (value.span[0], node.end))
                value = self.scripts(value, node.scripts)
        return value

    def scripts(self, value: Expression, scripts: list[Script]) -> Expression:
        """Scripts on a value that is not a symbol: powers; a subscript has no meaning there."""
        for script in scripts:
            span = (value.span[0], script.end)
            if script.kind == "^" and script.argument is not None:
                primes, rest = atom.superscript(self, script.argument)
                if primes:
                    value = Apply("prime", (value,), span)
                if rest is not None:
                    if not isinstance(rest, Number) and any(
                        value.span[0] <= place[0] and place[1] <= value.span[1] for place in self.scope.operators
                    ):
                        raise self.scope.error("a power of a differential operator has no counterpart", span)
                    value = Apply("power", (value, rest), span)
            elif script.kind == "_" and script.argument is not None:
                point = Row(self.scope, [script.argument], (script.start, script.end)).expression()
                if self.scope.source[script.start - 1] == ")" and not isinstance(point, Relation):
                    value = Apply(r"\Pochhammersym", (value, point), span)  # (a)_n, DLMF 5.2(iii)
                elif isinstance(point, Relation):
                    value = binder.at_point(self, value, point, span)
                else:
                    value = Apply("subscript", (value, point), span)
            else:
                value = Apply("prime", (value,), span)
        return value

    def number(self) -> Number | Dots:
        """Digits at the cursor (the last one may carry scripts, which stay)."""
        start = self.at
        text = ""
        while self.at < self.count:
            piece = self.texts[self.at]
            if not ((piece.isdigit() and len(piece) == 1) or (piece == "." and self.next_is_digit())):
                break
            text += piece
            self.at += 1
            if type(self.items[self.at - 1]) is Scripted:
                break
        return Number(text, (self.items[start].start, self.items[self.at - 1].end))

    def next_is_digit(self) -> bool:
        return self.at + 1 < self.count and self.texts[self.at + 1].isdigit()
