"""Statements: commas, logic, relations, congruences and set operations, from loose to tight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from texlift.latex.nodes import Call, Command, Leaf, Scripted
from texlift.meaning.reader import quantifier, sentence, template, vectors, words
from texlift.meaning.reader.census import is_letter
from texlift.meaning.reader.cursor import SEPARATORS, Cursor
from texlift.meaning.reader.notation import notation
from texlift.meaning.reader.progression import fill_list
from texlift.meaning.tree import (
    Apply,
    Constant,
    Dots,
    Expression,
    Interval,
    Number,
    Relation,
    Sequence,
    Symbol,
    Unknown,
)

if TYPE_CHECKING:
    from texlift.meaning.reader.scope import Scope

__all__ = ["LOGIC", "RELATIONS", "Statements", "as_interval", "is_set"]

RELATIONS = notation().relations
_SETS = notation().sets
_JUNCTIONS = (("iff", (r"\Leftrightarrow",)), ("implies", (r"\Rightarrow",)), ("implied", (r"\Leftarrow",)),
              ("or", (r"\lor", r"\vee")), ("and", (r"\land", r"\wedge")))  # fmt: skip
_OF_PROPOSITIONS = {
    "implies": (r"\to",),
    "iff": (r"\equiv", r"\equivmod", r"\leftrightarrow"),
}  # beside other signs of logic only
LOGIC = frozenset(sign for _, signs in _JUNCTIONS for sign in signs) | {r"\neg"}
_NEGATED = {"=": "!=", r"\in": "notin", r"\equiv": "!==", r"\equivmod": "notmod", r"\mid": "notdivides",
            "|": "notdivides", "<": ">=", ">": "<=", r"\leq": ">", r"\geq": "<"}  # fmt: skip
_OF_SETS = frozenset({"union", "intersect", "setminus"})
_MODULUS_SPACES = frozenset({r"\ ", r"\;", r"\,", r"\:", r"\quad", r"\qquad", "~", r"\;\;", r"\ \ "})
_DIVISIBILITY = (r"\pmod", r"\equivmod", r"\divides", r"\nmid", r"\bmod", r"\Eulertotientphi")
_DIGITS = frozenset("0123456789")
_ARITHMETIC = frozenset({"+", "-", "/", "<", ">", r"\leq", r"\geq", r"\in", "^"})


def as_interval(node: Expression, scope: Scope) -> Expression:
    """A pair among sets is an interval without its ends, unless the caller chose the pair."""
    if isinstance(node, Sequence) and node.kind == "tuple" and len(node.items) == 2:
        because = "parentheses around two expressions where a set stands"
        if scope.decide("brackets", node.span, "interval", ("interval", "pair"), because) == "interval":
            return Interval(node.items[0], node.items[1], False, False, node.span)
    return node


def is_set(node: Expression) -> bool:
    """Whether an expression is a set by its form."""
    return (
        isinstance(node, Interval)
        or (isinstance(node, Sequence) and node.kind == "set")
        or (isinstance(node, Apply) and (node.head in _OF_SETS or node.head == "setbuilder"))
        or (isinstance(node, Constant) and node.name in ("emptyset", "reals", "integers", "rationals"))
    )


class Statements(Cursor):
    """What a row states; the arithmetic inside is read by `sum`."""

    __slots__ = ()

    def sum(self) -> Expression:
        """A sum of terms."""
        raise NotImplementedError

    def factor(self) -> Expression:
        """One operand with its scripts."""
        raise NotImplementedError

    def expressions(self) -> tuple[Expression, ...]:
        """Comma-separated expressions up to the end of the row."""
        found = [self.relation()]
        while self.at < self.count and self.texts[self.at] in SEPARATORS:
            self.at += 1
            if self.at < self.count and self.texts[self.at] in SEPARATORS:
                raise self.error("two separators in a row")
            if self.at < self.count and quantifier.closes(self):  # type: ignore[arg-type]
                found[-1] = quantifier.behind(self, found[-1])  # type: ignore[arg-type]
            elif self.at < self.count:
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
        if self.count == 1 and self.at == 0:  # most arguments and scripts: nothing to relate, add or multiply
            only = self.items[0]
            kind = type(only)
            if kind is Leaf and self.texts[0] in _DIGITS:
                self.at = 1
                return Number(self.texts[0], (only.start, only.end))
            if kind is Call or (kind is Leaf and is_letter(self.texts[0])):
                value = self.factor()
                self.done()
                return value
        found = self.expressions()
        single = len(found) == 1 and not (isinstance(found[0], Apply) and found[0].head == "enumerate")
        return found[0] if single else Sequence(found, "list", self.span)

    def relation(self) -> Expression:
        """A statement: relations joined by logic, from loose (`iff`) to tight (`and`)."""
        value = self.statement() if self.scope.logical else self.negation()  # one frame less for each level
        return quantifier.behind(self, value) if quantifier.opens(self) else value  # type: ignore[arg-type]

    def statement(self) -> Expression:
        """A statement of a formula with logic, without the quantifiers behind it."""
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
            return sentence.operand(self) if self.scope.sentence else self.negation()  # type: ignore[arg-type]
        head, signs = _JUNCTIONS[level]
        parts = [self.junction(level + 1)]
        while self.at < self.count and (
            self.texts[self.at] in signs
            or (self.scope.propositional and self.texts[self.at] in _OF_PROPOSITIONS.get(head, ()))
            or (self.scope.sentence and self.texts[self.at] == r"\supset" and head == "implies")
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
        if quantifier.opens(self):  # type: ignore[arg-type]
            return quantifier.at_cursor(self)  # type: ignore[arg-type]
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
                    inside = type(self)(self.scope, node.arguments, (node.start, node.end))
                modulus = inside.expression()
                operands[-1] = Apply("modulo", (operands[-1], modulus), (node.start, node.end))
                continue
            joint = template.between(self, "relation") if self.scope.patterns.infix else None  # type: ignore[arg-type]
            if joint is not None:
                value = template.joined(*joint, operands[-1], self.sets())
                if not isinstance(value, Relation):
                    if operators:
                        raise self.scope.error(f"{joint[0].concept.name} in a chain of relations", value.span)
                    return value
                operators.append(value.operators[0])
                operands.append(value.operands[1])
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
            if isinstance(operands[1], Symbol) and operators[1] == "=":
                raise self.scope.error("a ratio, or a name before an equation?", first.span, r"write \frac{A}{B}")
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
            congruent = {"=": "mod", "===": "mod", "!=": "notmod", "!==": "notmod"}
            operators = [congruent.get(operator, operator) for operator in operators]
            operands[1:] = [
                o if isinstance(o, Apply) and o.head == "modulo" else Apply("modulo", (o, modulus), o.span)
                for o in operands[1:]
            ]
            operands[1:-1] = [o.arguments[0] if isinstance(o, Apply) else o for o in operands[1:-1]]
            if len(operands) > 2:
                return self.congruences(operators, operands, modulus)
        if set(operators) <= {"=", "!=", "divides", "notdivides"}:
            operands = [self.common_divisor(operand, operands) for operand in operands]
        if set(operators) <= {"=", "!="}:
            operands = [vectors.zero_beside(self.scope.source, operand, operands) for operand in operands]
        if set(operators) <= {"=", "!="} and any(is_set(operand) for operand in operands):
            operands = [as_interval(operand, self.scope) for operand in operands]
        for place, operator in enumerate(operators, 1):
            if operator in ("in", "notin") and not isinstance(operands[place - 1], Sequence):
                operands[place] = as_interval(operands[place], self.scope)
        return Relation(tuple(operators), tuple(operands), (first.span[0], operands[-1].span[1]))

    def common_divisor(self, node: Expression, operands: list[Expression]) -> Expression:
        """`(a,m)=1` beside divisibility or a congruence: the greatest common divisor."""
        if isinstance(node, Sequence) and node.kind == "tuple" and all(map(vectors.is_vector, node.items)):
            return self.product_of_vectors(node, operands)
        pair = isinstance(node, Sequence) and node.kind == "tuple" and len(node.items) == 2
        if not pair or any(isinstance(one, Sequence) for one in operands if one is not node):
            return node
        spoken = "common divisors" in self.scope.declared.subjects
        if (
            not (spoken or any(sign in self.scope.source for sign in _DIVISIBILITY))
            or self.scope.source[node.span[0]] not in "(\\"
        ):
            return node
        self.scope.warn("a pair in parentheses was read as the greatest common divisor", node.span)
        return Apply(r"\pgcd", node.items, node.span)  # type: ignore[union-attr]

    def product_of_vectors(self, node: Sequence, operands: list[Expression]) -> Expression:
        """`(\\vec a,\\vec b)=0`: vectors in parentheses that are equal to a number."""
        others = [one for one in operands if one is not node]
        if any(isinstance(one, Sequence) or vectors.is_vector(one) for one in others):
            return node
        if len(node.items) == 2:
            self.scope.warn("two vectors in parentheses were read as their scalar product", node.span)
            return Apply("dot", node.items, node.span)
        if len(node.items) == 3:
            self.scope.warn("three vectors in parentheses were read as their triple product", node.span)
            return vectors.triple(node.items, node.span)
        return node

    def parenthesised_modulus(self) -> Self | None:
        """`(\\mathrm{mod}\\ n)` at the cursor, which moves behind it: what stands in it behind the word."""
        if self.texts[self.at] not in ("(", "["):
            return None
        closing = self.closer(self.at)
        inside = self.part(self.at + 1, closing)
        if self.is_bare_modulus(inside, closing):
            self.scope.warn("what stands in brackets behind a congruence was read as its modulus", inside.span)
            self.at = closing + 1
            return inside
        if self.texts[self.at] != "(":
            return None
        first = inside.items[0] if inside.count else None
        word = inside.texts[0] if inside.count > 1 else ""
        if type(first) is Command and words.word_of(self.scope.source, first) == "mod":
            word = r"\mod"
        spelled = inside.texts[:3] == ["m", "o", "d"]
        if word not in (r"\bmod", r"\mod") and not spelled:
            return None
        length = 3 if spelled else 1
        self.at = closing + 1
        return inside.part(length, inside.count)

    def is_bare_modulus(self, inside: Self, closing: int) -> bool:
        """`a\\equiv b\\;(n)`, `a\\equiv b\\ [n]`: a letter or number behind a space at the end of a congruence."""
        if closing != self.count - 1 or not inside.count or type(self.items[closing]) is not Leaf or not self.at:
            return False
        congruent = any(text in (r"\equiv", r"\equivmod") for text in self.texts[: self.at])
        plain = all(text.isalnum() or text in ("^", r"\cdot") for text in inside.texts)
        space = self.scope.source[self.items[self.at - 1].end : self.items[self.at].start].strip("{}")
        return congruent and plain and r"\pmod" not in self.scope.source and space in _MODULUS_SPACES

    def is_modulus(self) -> bool:
        start = self.at
        warnings = dict(self.scope.warnings)
        found = self.parenthesised_modulus() is not None
        self.at = start
        self.scope.warnings = warnings
        return found

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
        if self.scope.propositional and text in (r"\to", r"\equiv", r"\equivmod", r"\leftrightarrow"):
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
            marks = [self.scope.source[script.start : script.end].strip("^_{} ") for script in node.scripts]
            if operator != "=" or any(mark not in ("!", "?") for mark in marks):
                raise self.error("a script on a relation")
        if operator is not None:
            self.at += 1
        return operator

    def sets(self) -> Expression:
        """Operations on sets; an intersection binds tighter than a union."""
        left = self.sum()
        parts: list[Expression] = [left]
        operators: list[str] = []
        while self.at < self.count:
            joint = template.between(self, "operation") if self.scope.patterns.infix else None  # type: ignore[arg-type]
            if joint is not None:
                parts[-1] = template.joined(*joint, parts[-1], self.sum())
                continue
            operator = self.set_operator()
            if operator is None:
                break
            operators.append(operator)
            parts.append(self.sum())
        if not operators:
            return parts[0]
        if len(set(operators) & _OF_SETS) > 1:
            self.scope.warn(
                "operations on sets without parentheses: intersections first, then from the left", self.span
            )
            for place in reversed([index for index, one in enumerate(operators) if one == "intersect"]):
                del operators[place]
                parts[place : place + 2] = [self.of_sets("intersect", parts[place], parts[place + 1])]
        value = parts[0]
        for operator, right in zip(operators, parts[1:], strict=True):
            value = self.of_sets(operator, value, right)
        return value

    def set_operator(self) -> str | None:
        """The operation on sets at the cursor, which moves behind it; None where there is none."""
        text = self.texts[self.at]
        if text not in _SETS:
            return None
        self.at += 1
        operator = _SETS[text]
        return "xor" if operator == "directsum" and self.scope.propositional else operator

    def of_sets(self, operator: str, left: Expression, right: Expression) -> Expression:
        if operator in _OF_SETS:
            left, right = as_interval(left, self.scope), as_interval(right, self.scope)
        before = left.arguments if operator == "xor" and isinstance(left, Apply) and left.head == "xor" else (left,)
        return Apply(operator, (*before, right), (left.span[0], right.span[1]))
