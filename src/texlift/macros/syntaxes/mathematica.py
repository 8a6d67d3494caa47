"""Mathematica's input form: `BesselJ[n, z]^2/(2*Pi)`, `Sum[x^k, {k, 0, Infinity}]`."""

from __future__ import annotations

import re
from collections.abc import Callable

from texlift.errors import FormulaError
from texlift.macros.syntaxes.term import MOST_TERMS, Term

__all__ = ["parse_mathematica", "print_mathematica"]

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z$][A-Za-z0-9$]*|\\\[[A-Za-z]+\])"
    r"|(?P<sign>==|!=|<=|>=|&&|\|\||[-+*/^!<>()\[\]{},]))"
)
_RELATION = {"==": "Equal", "!=": "Unequal", "<": "Less", "<=": "LessEqual", ">": "Greater", ">=": "GreaterEqual"}
_SIGN = {head: sign for sign, head in _RELATION.items()}
_DEEPEST = 80


def parse_mathematica(text: str) -> Term:
    """The term that a text in input form spells; FormulaError, with the place, for anything else."""
    return _Parser(text).whole()


class _Parser:
    """Precedence: relations, sums, products, minus, powers, factorials, calls."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, int]] = []
        at = 0
        while text[at:].strip():
            found = _TOKEN.match(text, at)
            if found is None:
                start = at + len(text[at:]) - len(text[at:].lstrip())
                raise FormulaError(f"unexpected {text[start]!r}", text, (start, start + 1), "", "syntax")
            self.tokens.append((found[0].strip(), found.end() - len(found[0].strip())))
            at = found.end()
        if len(self.tokens) > MOST_TERMS:
            raise FormulaError(f"more than {MOST_TERMS} signs", text, (0, len(text)), "", "too-long")
        self.at = 0
        self.depth = 0

    def whole(self) -> Term:
        term = self.relation()
        if self.at < len(self.tokens):
            raise self.error(f"unexpected {self.peek()!r}")
        return term

    def error(self, message: str) -> FormulaError:
        start = self.tokens[self.at][1] if self.at < len(self.tokens) else len(self.text)
        return FormulaError(message, self.text, (start, min(start + 1, len(self.text))), "", "syntax")

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def take(self, sign: str) -> None:
        if self.peek() != sign:
            raise self.error(f"{sign} expected")
        self.at += 1

    def relation(self) -> Term:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(f"nested more than {_DEEPEST} levels deep")
        terms = [self.sum()]
        heads: list[str] = []
        while self.peek() in _RELATION:
            heads.append(_RELATION[self.peek()])
            self.at += 1
            terms.append(self.sum())
        self.depth -= 1
        if not heads:
            return terms[0]
        if len(set(heads)) == 1:
            return Term(heads[0], tuple(terms))
        return Term("And", tuple([Term(h, (a, b)) for h, a, b in zip(heads, terms, terms[1:], strict=False)]))

    def sum(self) -> Term:
        terms = [self.product()]
        while self.peek() in ("+", "-"):
            minus = self.peek() == "-"
            self.at += 1
            term = self.product()
            terms.append(Term("Minus", (term,)) if minus else term)
        return terms[0] if len(terms) == 1 else Term("Plus", tuple(terms))

    def product(self) -> Term:
        if self.peek() == "-":
            return self.negative(self.product)
        term = self.power()
        while self.peek() in ("*", "/"):
            sign = self.peek()
            self.at += 1
            other = self.unary()
            if sign == "/":
                term = Term("Divide", (term, other))
            elif term.head == "Times" and term.arguments is not None:
                term = Term("Times", (*term.arguments, other))
            else:
                term = Term("Times", (term, other))
        return term

    def unary(self) -> Term:
        return self.negative(self.power) if self.peek() == "-" else self.power()

    def negative(self, rest: Callable[[], Term]) -> Term:
        minus = False
        while self.peek() == "-":
            self.at += 1
            minus = not minus
        term = rest()
        return Term("Minus", (term,)) if minus else term

    def power(self) -> Term:
        base = self.postfix()
        if self.peek() != "^":
            return base
        self.at += 1
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(f"nested more than {_DEEPEST} levels deep")
        exponent = self.unary()
        self.depth -= 1
        return Term("Power", (base, exponent))

    def postfix(self) -> Term:
        term = self.atom()
        while self.peek() in ("!", "["):
            if self.peek() == "!":
                self.at += 1
                term = Term("Factorial", (term,))
            elif term.arguments is not None:
                raise self.error("a function of functions is not supported")
            else:
                self.at += 1
                term = Term(term.head, self.listed("]"))
        return term

    def listed(self, end: str) -> tuple[Term, ...]:
        terms: list[Term] = []
        while self.peek() != end:
            if terms:
                self.take(",")
            terms.append(self.relation())
        self.at += 1
        return tuple(terms)

    def atom(self) -> Term:
        token = self.peek()
        if token == "(":
            self.at += 1
            term = self.relation()
            self.take(")")
            return term
        if token == "{":
            self.at += 1
            return Term("List", self.listed("}"))
        if not token or not (token[0].isalnum() or token[0] in "$\\"):
            raise self.error("an expression is expected" if not token else f"unexpected {token!r}")
        self.at += 1
        return Term(token)


_LOWEST, _SUM, _PRODUCT, _POWER, _ATOM = range(5)


def print_mathematica(term: Term) -> str:
    """A term in input form."""
    return _printed(term)[0]


def _printed(term: Term) -> tuple[str, int]:
    """The text of a term, and how tightly it binds."""
    head, parts = term.head, term.parts
    if term.arguments is None:
        return head, _ATOM
    if head in _SIGN and len(parts) > 1:
        return f" {_SIGN[head]} ".join([_within(part, _SUM) for part in parts]), _LOWEST
    if head == "Plus" and parts:
        text = _within(parts[0], _SUM)
        for part in parts[1:]:
            minus = part.head == "Minus" and part.arguments is not None
            text += f" - {_within(part.parts[0], _PRODUCT)}" if minus else f" + {_within(part, _PRODUCT)}"
        return text, _SUM
    if head == "Minus" and len(parts) == 1:
        return f"-{_within(parts[0], _PRODUCT)}", _SUM
    if head == "Times" and parts:
        return "*".join([_within(p, _POWER if n else _PRODUCT) for n, p in enumerate(parts)]), _PRODUCT
    if head == "Divide" and len(parts) == 2:
        return f"{_within(parts[0], _PRODUCT)}/{_within(parts[1], _POWER)}", _PRODUCT
    if head == "Power" and len(parts) == 2:
        return f"{_within(parts[0], _ATOM)}^{_within(parts[1], _POWER)}", _POWER
    if head == "Factorial" and len(parts) == 1:
        return f"{_within(parts[0], _ATOM)}!", _ATOM
    inside = ", ".join([_printed(part)[0] for part in parts])
    return (f"{{{inside}}}" if head == "List" else f"{head}[{inside}]"), _ATOM


def _within(term: Term, level: int) -> str:
    text, binds = _printed(term)
    return text if binds >= level else f"({text})"
