"""A row of the concrete syntax tree read as mathematics: precedence, implicit multiplication, fences.

From loose to tight: commas, relations, set operations, sums, products and quotients, powers. A quotient by a
slash takes everything multiplied before it and the one factor behind it: `a/bc` is (a/b)c, with a warning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.errors import FormulaError, Span
from texlift.latex.nodes import Call, Command, Delimited, Group, Leaf, Node, Script, Scripted
from texlift.latex.nodes import Row as Nodes
from texlift.targets import atom, binder, number, vectors, words
from texlift.targets.expression import (
    Apply,
    Constant,
    Derivative,
    Dots,
    Expression,
    Interval,
    Number,
    Relation,
    Sequence,
    Symbol,
    Unknown,
    free_symbols,
    walk,
)
from texlift.targets.notation import notation
from texlift.targets.progression import fill_dots, fill_list

if TYPE_CHECKING:
    from texlift.targets.scope import Scope

__all__ = ["RELATIONS", "Row", "text_of"]

RELATIONS = notation().relations
_SIZED = frozenset(f"\\{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")) | {
    r"\middle"
}
_TIMES = frozenset({r"\cdot", r"\times", "*", r"\*"})
_SLASH = frozenset({"/", r"\div"})
_SIGNS = frozenset({"+", "-", r"\pm", r"\mp"})
_SETS = notation().sets
_OPEN = {"(": ")", "[": "]", r"\{": r"\}", r"\lfloor": r"\rfloor", r"\lceil": r"\rceil", r"\langle": r"\rangle"}
_CLOSE = frozenset({")", "]", r"\}", r"\rfloor", r"\rceil", r"\rangle"})
_SEPARATORS = frozenset({",", ";"})
_BARS = frozenset({"|", r"\|"})
_JUNCTIONS = (("iff", (r"\Leftrightarrow",)), ("implies", (r"\Rightarrow",)), ("implied", (r"\Leftarrow",)),
              ("or", (r"\lor", r"\vee")), ("and", (r"\land", r"\wedge")))  # fmt: skip
_OF_PROPOSITIONS = {"implies": (r"\to",), "iff": (r"\equiv", r"\leftrightarrow")}  # beside other signs of logic only
_LOGIC = frozenset(sign for _, signs in _JUNCTIONS for sign in signs) | {r"\neg"}
_NO_FACTOR = frozenset({*RELATIONS, *_SIGNS, *_CLOSE, *_SEPARATORS, *_SETS, *_BARS, *(_LOGIC - {r"\neg"}), "&", ".",
                        "!", r"\bmod", r"\mod", *_TIMES, *_SLASH})  # fmt: skip
_BEHIND = frozenset({"|", "!"})
_BETWEEN = frozenset({r"\pmod", r"\pod", r"\not", r"\stackrel", r"\overset"})
_NEGATED = {"=": "!=", r"\in": "notin", r"\equiv": "!==", r"\mid": "notdivides", "|": "notdivides", "<": ">=",
            ">": "<=", r"\leq": ">", r"\geq": "<"}  # fmt: skip
_ARITHMETIC = frozenset({"+", "-", "/", "<", ">", r"\leq", r"\geq", r"\in", "^"})
_SWITCHES = {r"\rm": r"\mathrm", r"\bf": r"\mathbf", r"\it": r"\mathit", r"\sf": r"\mathsf", r"\cal": r"\mathcal"}
_RAISED = {sign: digit for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_LOWERED = {sign: digit for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")}


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
    table = notation()
    for node in nodes:
        kind = type(node)
        if kind is Leaf:
            _take_leaf(node, into)  # type: ignore[arg-type]
        elif kind is Group:
            # `{a+b}c` looks like a+bc and is read so; a group only shields commas and scripts.
            switched = _switched(node.children, r"\mathrm", node)  # type: ignore[union-attr]
            if switched is not None:
                into.append(switched)
            else:
                _flatten(node.children, into)  # type: ignore[union-attr]
        elif kind is Command:
            name = node.name  # type: ignore[union-attr]
            if name in _SIZED:
                _take_leaf(Leaf(text_of(node.arguments[0]), node.start, node.end), into)  # type: ignore[union-attr]
            elif name in table.transparent:
                arguments = node.arguments  # type: ignore[union-attr]
                inner = arguments[0].children if len(arguments) == 1 and type(arguments[0]) is Group else arguments
                switched = _switched(inner, r"\operatorname", node)  # type: ignore[arg-type]
                if switched is not None:
                    into.append(switched)
                elif name in (r"\mathrel", r"\mathbin") and any(type(c) is Leaf and c.text.isalpha() for c in inner):
                    into.append(node)  # a letter as a relation or an operation: nobody knows which
                else:
                    _flatten(arguments, into)  # type: ignore[arg-type]
            elif name in (r"\textcolor", r"\colorbox"):
                _flatten(node.arguments[-1:], into)  # type: ignore[union-attr, arg-type]
            elif name not in table.ignored_commands:
                into.append(node)
        elif kind is Scripted:
            base = node.base  # type: ignore[union-attr]
            if type(base) is Command and base.name in _SIZED:
                base = Leaf(text_of(base.arguments[0]), base.start, base.end)
            if type(base) is Leaf and base.text in table.synonyms:
                base = Leaf(table.synonyms[base.text], base.start, base.end)
            same = base is node.base  # type: ignore[union-attr]
            into.append(node if same else Scripted(base, node.scripts, node.start, node.end))  # type: ignore[union-attr]
        else:
            into.append(node)


def _switched(children: Nodes, upright: str, node: Node) -> Command | None:
    """`{\\rm arctg}`, `{\\bf x}` as the commands that say the same: a switch and nothing but letters behind it."""
    if len(children) < 2 or type(children[0]) is not Leaf or children[0].text not in _SWITCHES:
        return None
    letters = children[1:]
    if not all(type(child) is Leaf and len(child.text) == 1 and child.text.isalpha() for child in letters):
        return None
    name = upright if children[0].text == r"\rm" else _SWITCHES[children[0].text]
    return Command(name, [], [Group(letters, letters[0].start, letters[-1].end)], node.start, node.end)


def _take_leaf(leaf: Leaf, into: list[Node]) -> None:
    """Add a leaf by the name its sign is known by; spaces are left out, `x²` has a script."""
    table = notation()
    text = leaf.text
    if text in table.ignored:
        return
    digit, kind = (_RAISED.get(text), "^") if text in _RAISED else (_LOWERED.get(text), "_")
    if digit is not None and into:
        script = Script(kind, Leaf(str(digit), leaf.start, leaf.end), leaf.start, leaf.end)
        last = into.pop()
        base, scripts = (last.base, [*last.scripts, script]) if type(last) is Scripted else (last, [script])
        into.append(Scripted(base, scripts, last.start, leaf.end))
        return
    text = table.synonyms.get(text, text)
    if text == r"\degree" and into and type(into[-1]) is not Scripted:
        sign = Script("^", Leaf(r"\circ", leaf.start, leaf.end), leaf.start, leaf.end)
        last = into.pop()
        into.append(Scripted(last, [sign], last.start, leaf.end))
        return
    if text == r"\cdot" and len(into) > 1 and text_of(into[-1]) == text_of(into[-2]) == text:  # dots typed one by one
        del into[-1]
        text, leaf = r"\dots", Leaf(text, into.pop().start, leaf.end)
    into.append(leaf if text == leaf.text else Leaf(text, leaf.start, leaf.end))


def as_interval(node: Expression) -> Expression:
    """A pair among sets is an interval without its ends."""
    if isinstance(node, Sequence) and node.kind == "tuple" and len(node.items) == 2:
        return Interval(node.items[0], node.items[1], False, False, node.span)
    return node


def ungrouped(node: Expression) -> Expression:
    """Braces around one term of an arithmetic expression are parentheses: `\\{a+b\\}^2`."""
    single = isinstance(node, Sequence) and node.kind == "set" and len(node.items) == 1
    return node.items[0] if single and not isinstance(node.items[0], Relation) else node  # type: ignore[union-attr]


class Row:
    """A cursor over the nodes of one row."""

    __slots__ = ("at", "bars", "count", "items", "scope", "span", "texts")

    def __init__(self, scope: Scope, nodes: Nodes, span: Span) -> None:
        self.scope = scope
        items: list[Node] = []
        _flatten(nodes, items)
        self.items = items
        self.texts = [node.text if type(node) is Leaf else self.known(text_of(node)) for node in items]
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
            if self.at < self.count and self.texts[self.at] in _SEPARATORS:
                raise self.error("two separators in a row")
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
        """A statement: relations joined by logic, from loose (`iff`) to tight (`and`)."""
        if not self.scope.logical:
            return self.comparison()
        equal = self.lone(("=",)) if self.scope.propositional and self.at == 0 else None
        if equal is not None and not any(text in _ARITHMETIC or text.isdigit() for text in self.texts):
            left, right = self.part(0, equal), self.part(equal + 1, self.count)  # propositions that say the same
            sides = tuple(side.junction(0) for side in (left, right))
            if left.at == left.count and right.at == right.count:
                self.at = self.count
                return Apply("iff", sides, self.span)
        return self.junction(0)

    def junction(self, level: int) -> Expression:
        if level == len(_JUNCTIONS):
            return self.negation()
        head, signs = _JUNCTIONS[level]
        parts = [self.junction(level + 1)]
        while self.at < self.count and (
            self.texts[self.at] in signs
            or (self.scope.propositional and self.texts[self.at] in _OF_PROPOSITIONS.get(head, ()))
        ):
            self.at += 1
            parts.append(self.junction(level + 1))
        if len(parts) == 1:
            return parts[0]
        span = (parts[0].span[0], parts[-1].span[1])
        if head in ("and", "or"):
            stated = [isinstance(part, Relation) for part in parts]
            if any(stated) and not all(stated) and any(type(part) is Symbol for part in parts):
                raise self.scope.error("a relation and a letter joined by a sign of logic", span, "add parentheses")
            return Apply(head, tuple(parts), span)
        if len(parts) > 2 and head != "iff":
            raise self.scope.error("a chain of implications", span, "put parentheses around each")
        if head == "implied":
            return Apply("implies", (parts[1], parts[0]), span)
        return Apply(head, tuple(parts), span)

    def negation(self) -> Expression:
        if self.at < self.count and self.texts[self.at] == r"\neg":
            start = self.here()[0]
            self.at += 1
            value = self.negation()
            return Apply("not", (value,), (start, value.span[1]))
        return self.comparison()

    def comparison(self) -> Expression:
        first = self.sets()
        if self.at >= self.count:
            return first
        operators: list[str] = []
        operands = [first]
        modulus: Expression | None = None
        while self.at < self.count:
            node = self.items[self.at]
            inside = self.parenthesised_modulus()
            if inside is not None or (type(node) is Command and node.name in (r"\pmod", r"\pod")):
                if inside is None:
                    assert type(node) is Command
                    self.at += 1
                    inside = Row(self.scope, node.arguments, (node.start, node.end))
                modulus = inside.expression()
                operands[-1] = Apply("modulo", (operands[-1], modulus), (node.start, node.end))
                continue
            operator = self.relation_sign()
            if operator is None:
                break
            operators.append(operator)
            operands.append(self.sets())
        if not operators:
            if modulus is not None:
                raise self.scope.error("a modulus outside a congruence", operands[0].span)
            return operands[0]
        if operators[0] == "colon" and "=" in operators and len(operands) > 2 and isinstance(first, Symbol):
            self.scope.warn("a name before a colon was read as a label", first.span)
            operators, operands = operators[1:], operands[1:]
            first = operands[0]
        if operators == ["colon"] and isinstance(operands[1], Sequence) and operands[1].kind == "system":
            self.scope.warn("a name before a colon was read as a label", first.span)
            return operands[1]
        if operators == ["colon", "mapsto"] and isinstance(first, Symbol) and isinstance(operands[1], Symbol):
            mapped = Unknown(first, (operands[1],), None, (first.span[0], operands[1].span[1]))
            return Relation(("=",), (mapped, operands[2]), (first.span[0], operands[2].span[1]))
        if modulus is not None:  # a = b (mod m) is a congruence too, and the modulus holds for the whole chain
            operators = ["mod" if operator in ("=", "===", "mod") else operator for operator in operators]
            operands[1:] = [
                o if isinstance(o, Apply) and o.head == "modulo" else Apply("modulo", (o, modulus), o.span)
                for o in operands[1:]
            ]
            operands[1:-1] = [o.arguments[0] if isinstance(o, Apply) else o for o in operands[1:-1]]
            if len(operands) > 2:
                return self.congruences(operators, operands, modulus)
        return Relation(tuple(operators), tuple(operands), (first.span[0], operands[-1].span[1]))

    def parenthesised_modulus(self) -> Row | None:
        """`(\\mathrm{mod}\\ n)` at the cursor, which moves behind it: what stands in it behind the word."""
        if self.texts[self.at] != "(":
            return None
        closing = self.closer(self.at)
        inside = self.part(self.at + 1, closing)
        first = inside.items[0] if inside.count else None
        word = inside.texts[0] if inside.count > 1 else ""
        if type(first) is Command and words.word_of(self, first) == "mod":
            word = r"\mod"
        spelled = inside.texts[:3] == ["m", "o", "d"]
        if word not in (r"\bmod", r"\mod") and not spelled:
            return None
        length = 3 if spelled else 1
        self.at = closing + 1
        return inside.part(length, inside.count)

    def congruences(self, operators: list[str], operands: list[Expression], modulus: Expression) -> Expression:
        """`a\\equiv b\\equiv c\\pmod m`: each link with the modulus."""
        values = [*operands[:-1], operands[-1].arguments[0]]  # type: ignore[union-attr]
        links = tuple(
            Relation((operator,), (left, Apply("modulo", (right, modulus), right.span)), (left.span[0], right.span[1]))
            for operator, left, right in zip(operators, values, values[1:], strict=False)
        )
        return Apply("and", links, (operands[0].span[0], operands[-1].span[1]))

    def relation_sign(self) -> str | None:
        """The relation at the cursor, which moves behind it; None where there is none."""
        text = self.texts[self.at]
        node = self.items[self.at]
        following = self.texts[self.at + 1] if self.at + 1 < self.count else ""
        if text == ":" and following == "=":
            self.at += 2
            return "="
        if text == "|" and not self.bars and type(node) is Leaf:
            self.at += 1
            return "divides"
        operator = RELATIONS.get(text)
        if self.scope.propositional and text in (r"\to", r"\equiv", r"\leftrightarrow"):
            return None
        if operator is None and type(node) is Command:
            if node.name == r"\not":
                operator = _NEGATED.get(self.sign_in(node.arguments[0]))
            elif node.name in (r"\stackrel", r"\overset") and self.sign_in(node.arguments[1]) in ("=", r"\equiv"):
                above = "".join(
                    c for c in self.scope.source[node.arguments[0].start : node.arguments[0].end] if c.isalpha()
                )
                if above.removeprefix("mathrm").removeprefix("text") not in ("def", "", "Def", "triangle"):
                    raise self.error("a relation with something written above it")
                operator = "="
        elif operator is not None and type(node) is Scripted:
            raise self.error("a script on a relation")
        if operator is not None:
            self.at += 1
        return operator

    def sign_in(self, node: Node) -> str:
        inner = Row(self.scope, [node], (node.start, node.end))
        return inner.texts[0] if inner.count == 1 else ""

    def sets(self) -> Expression:
        left = self.sum()
        while self.at < self.count and self.texts[self.at] in _SETS:
            operator = _SETS[self.texts[self.at]]
            if operator == "directsum" and self.scope.propositional:
                operator = "xor"
            self.at += 1
            right = self.sum()
            if operator in ("union", "intersect", "setminus"):
                left, right = as_interval(left), as_interval(right)
            before = left.arguments if operator == "xor" and isinstance(left, Apply) and left.head == "xor" else (left,)
            left = Apply(operator, (*before, right), (left.span[0], right.span[1]))
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
        """A sum; a remainder is taken of the whole of it: `x^2+1\\bmod n`."""
        value = self.terms()
        while self.at < self.count and self.texts[self.at] in (r"\bmod", r"\mod"):
            self.at += 1
            if isinstance(value, Apply) and value.head == "plus" and self.texts[self.at - 2] != ")":
                self.scope.warn("the remainder was taken of the whole sum", value.span)
            right = self.product()
            value = Apply("modulo", (value, right), (value.span[0], right.span[1]))
        return value

    def terms(self) -> Expression:
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
        terms = [ungrouped(term)]
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
            term = ungrouped(self.product())
            terms.append(Apply("negate", (term,), (begin, term.span[1])) if sign < 0 else term)
        if any(type(t) is Dots for t in terms):
            filled = list(fill_dots("sum", tuple(terms)))
            if filled != terms:
                self.scope.warn("dots were filled in with what the other terms show", (start, terms[-1].span[1]))
            terms = filled
            if len(terms) == 1:
                return terms[0]
        return Apply("plus", tuple(terms), (start, terms[-1].span[1]))

    def starts_factor(self) -> bool:
        if self.at >= self.count:
            return False
        text = self.texts[self.at]
        node = self.items[self.at]
        if text in _NO_FACTOR:
            return text in _BARS and not self.bars and (type(node) is Leaf and self.closing_bar(self.at) is not None)
        return type(node) is not Command or node.name not in _BETWEEN

    def closing_bar(self, opening: int) -> int | None:
        """Index of the bar that closes the one at `opening`; None where it is a relation or stands alone."""
        depth = 0
        for index in range(opening + 1, self.count):
            text = self.texts[index]
            depth += (text in _OPEN) - (text in _CLOSE)
            if depth < 0:
                return None
            if depth == 0 and text == self.texts[opening]:
                return index if index > opening + 1 else None
            if depth == 0 and text in _SEPARATORS:
                return None
        return None

    def lone(self, signs: tuple[str, ...]) -> int | None:
        """Index of the first of these signs that does not open a pair of bars."""
        index, depth = 0, 0
        while index < self.count:
            text = self.texts[index]
            depth += (text in _OPEN) - (text in _CLOSE)
            closing = self.closing_bar(index) if text == "|" and depth == 0 else None
            if closing is not None:
                index = closing
            elif text in signs and depth == 0:
                return index
            index += 1
        return None

    def product(self) -> Expression:
        while self.at < self.count and self.texts[self.at] == r"\*":
            self.at += 1
        first = self.at
        factors = [self.signed_factor()]
        while self.at < self.count:
            text = self.texts[self.at]
            if text in _TIMES:
                self.at += 1
                if (text == r"\*" or text == "*") and not self.starts_factor() and self.at >= self.count:
                    break
                along = self.at < self.count and self.texts[self.at] == r"\nabla" and text == r"\cdot"
                if along and not vectors.is_vector(factors[-1]):
                    raise self.error("a derivative along a direction has no counterpart")
                vector = text in (r"\times", r"\cdot") and vectors.is_factor(factors[-1])
                right = [self.signed_factor()]
                while vector and self.starts_factor() and not vectors.is_vector(right[-1]):
                    right.append(self.factor())
                factors.append(right[0] if len(right) == 1 else self.times(right))
                if text in (r"\times", r"\cdot"):
                    factors = vectors.multiplied(text, factors)
                if text == r"\times" and all(isinstance(f, Symbol) and f.name in ("u", "v", "w") for f in factors[-2:]):
                    self.scope.warn("a cross between two letters was read as a product", self.span)
                if text == r"\times" and all(isinstance(f, Sequence) and f.kind == "set" for f in factors[-2:]):
                    second, left = factors.pop(), factors.pop()
                    factors.append(Apply("cartesian", (left, second), (left.span[0], second.span[1])))
            elif text == r"\wedge" and vectors.is_vector(factors[-1]):
                self.at += 1
                factors.append(self.factor())
                factors = vectors.multiplied(text, factors)
            elif text in _SLASH or (text == ":" and self.is_ratio(factors[-1])):
                factors = [self.quotient(factors)]
            elif text == "(" and self.at + 1 < self.count and self.texts[self.at + 1] in RELATIONS:
                # a remark: `k(>0)`
                self.scope.warn("a remark in parentheses was left out", self.here())
                self.at = self.closer(self.at) + 1
            elif text == "(" and self.is_modulus():
                break
            elif self.starts_factor():
                self.refuse_operators(factors[-1])
                if number.starts(self) and isinstance(factors[-1], Number) and self.texts[self.at - 1] != ")":
                    raise self.error("two numbers side by side", "write a sign between them")
                factors.append(self.factor())
            else:
                break
        self.check_word(first)
        return factors[0] if len(factors) == 1 else self.times(factors)

    def signed_factor(self) -> Expression:
        """A factor behind a sign of multiplication, which may have a sign of its own: `x\\cdot-1`."""
        begin = self.here()[0]
        sign = self.sign()
        factor = self.factor()
        return Apply("negate", (factor,), (begin, factor.span[1])) if sign < 0 else factor

    def quotient(self, factors: list[Expression]) -> Expression:
        """`a/b` at the slash; `a/bc` with letters has both b and c below, `1/2 x` has not."""
        self.at += 1
        left = factors[0] if len(factors) == 1 else self.times(factors)
        start = self.at
        right = self.signed_factor()
        plain = right if not (isinstance(right, Apply) and right.head == "negate") else right.arguments[0]
        fenced = self.scope.source[self.items[self.at - 1].end - 1] in ")]}"
        if self.starts_factor() and self.texts[self.at] != "(" and not (fenced and self.texts[start] == "("):
            numbers = isinstance(plain, Number) and isinstance(left, Number)
            if numbers:
                self.scope.warn("a/bc was read as (a/b)c", self.here())
            else:
                below = [right]
                while self.starts_factor() and self.texts[self.at] not in ("(", "["):
                    below.append(self.factor())
                self.scope.warn("a/bc was read as a/(bc)", (left.span[0], below[-1].span[1]))
                right = self.times(below)
        return Apply("divide", (left, right), (left.span[0], right.span[1]))

    def is_modulus(self) -> bool:
        start = self.at
        found = self.parenthesised_modulus() is not None
        self.at = start
        return found

    def refuse_operators(self, left: Expression) -> None:
        """`(f*g)(t)` is no product of f, g and t, and `(D^2+1)y` may be a derivative."""
        last = self.items[self.at - 1]
        if self.texts[self.at - 1] != ")" and type(last) is not Delimited:
            return
        names = set(free_symbols(left))
        if self.texts[self.at] == "(" and names and names <= {"f", "g", "h"}:
            raise self.error("a combination of functions applied to an argument")
        if "D" in names and self.texts[self.at] in ("y", "u", "f"):
            raise self.error("D may be a derivative here", "write the derivatives out")

    def is_ratio(self, left: Expression) -> bool:
        """A colon between two numbers divides."""
        self.at += 1
        numbers = isinstance(left, Number) and self.at < self.count and number.starts(self)
        proportion = self.texts.count(":") == 2 and "=" in self.texts and isinstance(left, Number | Symbol)
        plain = not any(text in RELATIONS and text != ":" for text in self.texts) and not isinstance(left, Symbol)
        ratio = numbers or proportion or (plain and self.at < self.count and not self.scope.depth)
        self.at -= 1
        if ratio:
            self.scope.warn("a colon between numbers was read as a division", self.here())
        return ratio

    def check_word(self, first: int) -> None:
        """A function's name typed as plain letters is not a product of letters."""
        run = ""
        for index in range(first, self.at + 1):
            text = self.texts[index] if index < self.at and type(self.items[index]) is Leaf else ""
            if len(text) == 1 and text.isascii() and text.isalpha():
                run += text
                continue
            if run and index < self.at and type(self.items[index]) is Scripted and self.texts[index] == run[-1]:
                self.scope.warn(f"{run}{run[-1]} was read as a product of letters", self.span)  # SS_{tot}
            word = next((w for w in notation().spelled if run.startswith(w)), "")
            if word and run not in notation().functions:
                place = (self.items[index - len(run)].start, self.items[index - 1].end)
                raise self.scope.error(f"{run} typed as single letters", place, f"write \\{run}")
            side = index - len(run) == 0 and run[:1].isupper() and len(run) > 1 and number.text_at(self, index) == "="
            if (not word and len(run) > 3) or (len(run) > 2 and len(set(run)) < len(run)) or side:
                place = (self.items[index - len(run)].start, self.items[index - 1].end)
                self.scope.warn(f"{run} was read as a product of letters", place)
            run = ""

    @staticmethod
    def times(factors: list[Expression]) -> Expression:
        factors = [ungrouped(factor) for factor in factors]
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
        value = ungrouped(value)
        for script in scripts:
            span = (value.span[0], script.end)
            if script.kind == "^" and script.argument is not None:
                operation = self.operation(script.argument)
                if operation:
                    value = self.degrees(value, span) if operation == "degrees" else Apply(operation, (value,), span)
                    continue
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
                    if isinstance(value, Number) and isinstance(point, Number) and len(value.value) > 2:
                        raise self.scope.error("digits in another base, or a Pochhammer symbol?", span)
                    value = Apply(r"\Pochhammersym", (value, point), span)  # (a)_n, DLMF 5.2(iii)
                elif isinstance(point, Relation):
                    value = binder.at_point(self, value, point, span)
                else:
                    value = Apply("subscript", (value, point), span)
            else:
                value = self.primed(value, span)
        return value

    def primed(self, value: Expression, span: Span) -> Expression:
        """`(x^2)'`: the derivative by the only variable."""
        free: list[Expression] = list(free_symbols(value).values())
        taken = [part.variables[0][0] for part in walk(value) if isinstance(part, Derivative)]
        if not taken and len(free) != 1:
            return Apply("prime", (value,), span)
        return Derivative(value, (((taken or free)[0], Number("1", span)),), span)

    def operation(self, argument: Node) -> str:
        """A superscript on a bracket or number that is an operation and no power."""
        inner = Row(self.scope, [argument], (argument.start, argument.end))
        text = inner.texts[0] if inner.count == 1 else ""
        if inner.count == 1 and type(inner.items[0]) is Command and len(inner.items[0].arguments) == 1:
            text = r"\top" if self.digits(inner.items[0].arguments[0]) == ["T"] else ""
        if text == r"\top" or (text == "T" and not self.scope.census.of("T").alone):
            return "transpose"
        if text in (r"\circ", r"\degree"):
            return "degrees"
        return "adjoint" if text == r"\dagger" else ""

    @staticmethod
    def degrees(value: Expression, span: Span) -> Expression:
        """An angle in degrees as a number."""
        return Apply("divide", (Apply("times", (value, Constant("pi", span)), span), Number("180", span)), span)

    @staticmethod
    def known(delimiter: str) -> str:
        """A delimiter by the name its sign is known by."""
        return notation().synonyms.get(delimiter, delimiter)

    def digits(self, node: Node) -> list[str]:
        """The signs of an argument, one string each."""
        inner = Row(self.scope, [node], (node.start, node.end))
        return [text if type(item) is Leaf else "?" for text, item in zip(inner.texts, inner.items, strict=True)]

    def digits_from(self, index: int) -> str:
        """The digits that stand at `index` and behind it."""
        end = index
        while end < self.count and len(self.texts[end]) == 1 and self.texts[end] in "0123456789":
            end += 1
        return "".join(self.texts[index:end])
