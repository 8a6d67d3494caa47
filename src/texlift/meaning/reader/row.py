"""A row of the concrete syntax tree read as arithmetic: sums, factors, scripts; products are read elsewhere."""

from __future__ import annotations

from texlift.errors import Span
from texlift.latex.nodes import Command, Leaf, Node, Script, Scripted
from texlift.meaning.reader import atom, binder, derivative, fence, field, number, partial, quantum, template, vectors
from texlift.meaning.reader.census import letters_of
from texlift.meaning.reader.cursor import CLOSE, SEPARATORS
from texlift.meaning.reader.notation import notation
from texlift.meaning.reader.operand import ungrouped
from texlift.meaning.reader.product import SLASH, TIMES, read_product
from texlift.meaning.reader.progression import fill_dots
from texlift.meaning.reader.quantifier import QUANTIFIERS
from texlift.meaning.reader.statement import LOGIC, RELATIONS, Statements
from texlift.meaning.tree import (
    Apply,
    Constant,
    Derivative,
    Dots,
    Expression,
    Matrix,
    Number,
    Relation,
    Sequence,
    Series,
    Symbol,
    Unknown,
    free_symbols,
    substitute,
    walk,
)

__all__ = ["Row"]

_SIGNS = frozenset({"+", "-", r"\pm", r"\mp"})
_BARS = frozenset({"|", r"\|"})
_NO_FACTOR = frozenset({
    *RELATIONS, *_SIGNS, *CLOSE, *SEPARATORS, *notation().sets, *_BARS, *(LOGIC - {r"\neg"}), *TIMES, *SLASH,
    *QUANTIFIERS, "&", ".", "!", r"\bmod", r"\mod",
})  # fmt: skip
_BEHIND = frozenset({"|", "!"})
_BETWEEN = frozenset({r"\pmod", r"\pod", r"\not", r"\stackrel", r"\overset"})


class Row(Statements):
    """A row with its arithmetic."""

    __slots__ = ()

    product = read_product  # a call in between would take more of the stack, and read less deep nesting

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
            if (
                isinstance(right, Apply)
                and right.head in ("times", "divide")
                and self.scope.source[right.span[1] - 1] != ")"
            ):
                self.scope.warn("the whole product behind mod was read as the modulus", right.span)
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
        if self.at < self.count and self.texts[self.at] == "|":
            term = self.between_ends([term])
        if self.at >= self.count or self.texts[self.at] not in _SIGNS:
            return term
        terms = [ungrouped(term, self.scope)]
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
            term = ungrouped(self.product(), self.scope)
            signed = sign < 0 and type(term) is not Dots  # the sign before dots belongs to the pattern they stand for
            terms.append(Apply("negate", (term,), (begin, term.span[1])) if signed else term)
            if self.at < self.count and self.texts[self.at] == "|":
                terms = [self.between_ends(terms)]
        if len(terms) == 1:
            return terms[0]
        if any(type(t) is Dots for t in terms):
            filled = list(fill_dots("sum", tuple(terms)))
            if filled != terms:
                self.scope.warn("dots were filled in with what the other terms show", (start, terms[-1].span[1]))
            terms = filled
            if len(terms) == 1:
                return terms[0]
        counted = [t.index.name for t in terms[:-1] if isinstance(t, Series) and isinstance(t.index, Symbol)]
        for name in counted:
            if any(name in free_symbols(t) for t in terms):
                self.scope.warn(f"{name} stands outside its sum too", (start, terms[-1].span[1]))
        return Apply("plus", tuple(terms), (start, terms[-1].span[1]))

    def between_ends(self, terms: list[Expression]) -> Expression:
        """`x^3-x|_0^1`: the terms before a bar with both ends, as the difference of their values there."""
        bar = self.items[self.at]
        if not isinstance(bar, Scripted) or {script.kind for script in bar.scripts} != {"_", "^"} or self.bars:
            return terms[0] if len(terms) == 1 else Apply("plus", tuple(terms), (terms[0].span[0], terms[-1].span[1]))
        span = (terms[0].span[0], bar.end)
        if len(terms) > 1 and not all(map(free_symbols, terms)):
            raise self.scope.error("a bar with two ends, but of which terms?", span, r"write \left. ... \right|")
        self.at += 1
        value = terms[0] if len(terms) == 1 else Apply("plus", tuple(terms), span)
        return fence.difference(self, value, bar.scripts)

    def starts_factor(self) -> bool:
        if self.at >= self.count:
            return False
        text = self.texts[self.at]
        node = self.items[self.at]
        if text in _NO_FACTOR:
            opens = type(node) is Leaf and (self.closing_bar(self.at) is not None or quantum.opens_ket(self))
            return text in _BARS and not self.bars and opens
        return type(node) is not Command or node.name not in _BETWEEN

    def is_remark(self) -> bool:
        """Whether nothing but words stands in the parentheses at the cursor, which end the row."""
        closing = self.closer(self.at)
        inside = self.items[self.at + 1 : closing]
        prose = [item for item in inside if type(item) is Command and item.name in (r"\text", r"\mbox", r"\textrm")]
        worded = bool(prose) and " " in self.scope.source[prose[0].start : prose[0].end]
        return closing == self.count - 1 and len(prose) == len(inside) == 1 and worded

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

    def factor(self) -> Expression:
        """One operand with its scripts and factorials."""
        if self.at >= self.count:
            raise self.error("an operand is missing", "something must stand here")
        value = self.concept() or binder.read(self) or atom.read(self)
        if type(value) is Constant:
            value = field.adjoined(self, value)
        if self.scope.patterns.suffix:
            value = template.behind(self, value)
        if self.at >= self.count or self.texts[self.at] not in _BEHIND:
            return value
        if self.texts[self.at] == "|":
            bar = self.items[self.at]
            single = isinstance(bar, Scripted) and [script.kind for script in bar.scripts] == ["_"]
            if isinstance(bar, Scripted) and single and not self.bars:  # f|_{x=0}
                self.at += 1
                value = self.scripts(value, bar.scripts)
        marks = 0
        if self.at < self.count and self.texts[self.at] == "!" and not isinstance(value, Number):
            self.check_inequality()
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

    def concept(self) -> Expression | None:
        """What the vocabulary's notations make of the operand at the cursor; None for anything else."""
        if (value := template.at_cursor(self)) is not None:
            return value
        found = template.raised(self)
        if found is None:
            return None
        node, script = found
        others = [one for one in node.scripts if one is not script]
        at = self.at
        bare = Scripted(node.base, others, node.start, node.end) if others else node.base
        assert bare is not None
        self.items[at] = bare
        try:
            value = self.concept() or binder.read(self) or atom.read(self)
        finally:
            self.items[at] = node
        return template.on_script(self, value, script, (node.start, max(node.end, value.span[1])))

    def check_inequality(self) -> None:
        """`x!=3` is a factorial in mathematics and an inequality in programs."""
        end = self.items[self.at].end
        if self.scope.source[end : end + 1] == "=" and self.scope.source.count("!") == 1:
            self.scope.warn(r"!= was read as a factorial and an equals sign; write \neq for an inequality", self.here())

    def scripts(self, value: Expression, scripts: list[Script]) -> Expression:
        """Scripts on a value that is not a symbol: powers; a subscript has no meaning there."""
        value = ungrouped(value)
        for script in scripts:
            span = (value.span[0], script.end)
            if (concept := template.on_script(self, value, script, span)) is not None:
                value = concept
            elif script.kind == "^" and script.argument is not None:
                operation = self.operation(script.argument, value)
                if operation == "transpose" and isinstance(value, Sequence) and value.kind == "tuple":
                    value = Matrix(tuple((item,) for item in value.items), False, span)  # (1,2,3)^T is a column
                    continue
                if operation and not (operation == "transpose" and isinstance(value, Number | Constant)):
                    value = self.degrees(value, span) if operation == "degrees" else Apply(operation, (value,), span)
                    continue
                primes, rest = atom.superscript(self, script.argument)
                if primes:
                    value = Apply("prime", (value,), span)
                if rest is not None:
                    if not isinstance(rest, Number) and any(
                        value.span[0] <= place[0] and place[1] <= value.span[1] for place in self.scope.operators
                    ):
                        operator = derivative.sandwich(value) if self.starts_factor() else None
                        if operator is None:
                            raise self.scope.error("a power of a differential operator has no counterpart", span)
                        value = operator
                    value = vectors.squared(value, rest, span)
            elif script.kind == "_" and script.argument is not None and isinstance(value, Derivative):
                value = self.derivative_at(value, script)
            elif script.kind == "_" and script.argument is not None:
                point = Row(self.scope, [script.argument], (script.start, script.end)).expression()
                several = len(letters_of(script.argument) or ()) > 1 or isinstance(point, Sequence)
                if self.scope.source[script.start - 1] == ")" and several:
                    raise self.scope.error("an element of a matrix in parentheses has no counterpart", span)
                if self.scope.source[script.start - 1] == ")" and not isinstance(point, Relation):
                    if (digits := number.in_base(value, point, span)) is not None:
                        self.scope.warn("digits with a base below were read as a number in that base", span)
                        value = digits
                        continue
                    if isinstance(value, Number) and isinstance(point, Number) and len(value.value) > 2:
                        raise self.scope.error("digits in another base, or a Pochhammer symbol?", span)
                    value = Apply(r"\Pochhammersym", (value, point), span)  # (a)_n, DLMF 5.2(iii)
                elif isinstance(point, Relation):
                    value = binder.at_point(self, value, point, span)
                elif isinstance(value, Apply) and value.head == "norm":
                    euclidean = isinstance(point, Number) and point.value == "2"
                    kind = (*value.arguments, point)
                    value = Apply("norm", kind[:1], span) if euclidean else Apply("norm-of-kind", kind, span)
                elif (digits := number.in_base(value, point, span)) is not None:
                    self.scope.warn("digits with a base below were read as a number in that base", span)
                    value = digits
                else:
                    value = Apply("subscript", (value, point), span)
            else:
                value = self.primed(value, span)
        return value

    def derivative_at(self, value: Derivative, script: Script) -> Expression:
        """A derivative with a subscript: other variables kept fixed, a point, or values of variables."""
        span = (value.span[0], script.end)
        assert script.argument is not None
        inner = Row(self.scope, [script.argument], (script.start, script.end))
        items = inner.expressions()
        point = items[0] if len(items) == 1 else Sequence(items, "list", span)
        if self.scope.source[script.start - 1] == ")" and (kept := partial.kept_fixed(value, point)):
            return partial.keeping(value, kept, span)
        if isinstance(point, Sequence) and point.kind == "tuple" and isinstance(value.body, Symbol):
            return partial.at_values(self, value, point.items, span)
        found: Expression = value
        for item in items:
            found = binder.at_point(self, found, item, span)
        named = [item.operands[0] for item in items if isinstance(item, Relation)]
        own = {variable.name for variable, _ in value.variables if isinstance(variable, Symbol)}
        extra = tuple(one for one in named if isinstance(one, Symbol) and one.name not in own)
        if extra and isinstance(value.body, Symbol):
            whole = partial.keeping(value, extra, value.span)
            for item in items:
                whole = binder.at_point(self, whole, item, span)
            return whole
        return found

    def primed(self, value: Expression, span: Span) -> Expression:
        """`(x^2)'`: the derivative by the only variable; of a matrix of numbers the transpose."""
        if vectors.is_matrix(value) and not free_symbols(value):
            self.scope.warn("a prime on a matrix was read as the transpose", span)
            return Apply("transpose", (value,), span)
        free: list[Expression] = list(free_symbols(value).values())
        taken = [part.variables[0][0] for part in walk(value) if isinstance(part, Derivative)]
        functions = [one for one in free if isinstance(one, Symbol) and one.name in "fghuvwy"]
        primed = all(self.scope.census.of(one.name).primes for one in functions)
        if isinstance(value, Apply) and value.head == "compose":
            return Apply("prime", (value,), span)  # (f\circ g)'(x)
        if not taken and len(free) > 1 and len(functions) == len(free) and primed:  # (fg)'=f'g+fg'
            self.scope.warn("a product of functions was differentiated by x", span)
            variable = Symbol("x", span)
            applied = self.part(self.at + 1, self.closer(self.at)) if self.here_opens() else None
            if applied is not None and applied.count == 1 and len(applied.texts[0]) == 1 and applied.texts[0].isalpha():
                variable = Symbol(applied.texts[0], span)  # (fg)'(x)
                self.at = self.closer(self.at) + 1
            values: dict[str, Expression] = {one.name: Unknown(one, (variable,), None, one.span) for one in functions}
            return Derivative(substitute(value, values), ((variable, Number("1", span)),), span)
        if not taken and len(free) != 1:
            return Apply("prime", (value,), span)
        return Derivative(value, (((taken or free)[0], Number("1", span)),), span)

    def here_opens(self) -> bool:
        """Whether a parenthesis stands at the cursor."""
        return self.at < self.count and self.texts[self.at] == "("

    def operation(self, argument: Node, value: Expression) -> str:
        """A superscript on a bracket, matrix or number that is an operation and no power."""
        inner = Row(self.scope, [argument], (argument.start, argument.end))
        text = inner.texts[0] if inner.count == 1 else ""
        if inner.count == 1 and type(inner.items[0]) is Command and len(inner.items[0].arguments) == 1:
            text = r"\top" if self.digits(inner.items[0].arguments[0]) == ["T"] else ""
        if text == r"\top" or (text == "T" and not self.scope.census.of("T").alone):
            return "transpose"
        if text in (r"\circ", r"\degree"):
            return "degrees"
        if text == r"\dagger" or (text in ("*", r"\ast", "H") and vectors.is_matrix(value)):
            return "adjoint"
        return "transpose" if text in (r"\prime", "'") and vectors.is_matrix(value) else ""

    @staticmethod
    def degrees(value: Expression, span: Span) -> Expression:
        """An angle in degrees as a number."""
        return Apply("divide", (Apply("times", (value, Constant("pi", span)), span), Number("180", span)), span)
