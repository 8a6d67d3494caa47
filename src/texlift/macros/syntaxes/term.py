"""Terms: what the text of a semantic side says, in whatever syntax it is written."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MOST_TERMS", "RELATIONS", "Term", "normal"]

MOST_TERMS = 5_000
"""Terms of one formula."""

RELATIONS = ("Equal", "Unequal", "Less", "LessEqual", "Greater", "GreaterEqual")
_COMMUTATIVE = frozenset({"Plus", "Times"})


@dataclass(frozen=True, slots=True)
class Term:
    """A name or a number without arguments, or a head with its arguments.

    Operators have heads too: Plus, Minus (of one term), Times, Divide, Power, Factorial, Subscript, List, relations.
    """

    head: str
    arguments: tuple[Term, ...] | None = None

    @property
    def is_number(self) -> bool:
        return self.arguments is None and self.head[:1].isdigit()

    @property
    def parts(self) -> tuple[Term, ...]:
        return self.arguments or ()


_MINUS_ONE = Term("Minus", (Term("1"),))
_HALF = Term("Power", (Term("2"), _MINUS_ONE))


def normal(term: Term) -> Term:
    """The same term for all spellings of one: `a/2`, `1/2*a`; `-x*y`, `(-x)*y`; `Exp[x]`, `E^x`; order of terms."""
    if term.arguments is None:
        return term
    parts = tuple([normal(part) for part in term.arguments])
    head = term.head
    if head == "Divide":
        head, parts = "Times", (parts[0], _power(parts[1], _MINUS_ONE))
    elif head == "Minus" and not (parts[0].is_number and parts[0].head == "1"):
        head, parts = "Times", (_MINUS_ONE, parts[0])
    elif head == "Exp" and len(parts) == 1:
        head, parts = "Power", (Term("E"), parts[0])
    elif head == "Sqrt" and len(parts) == 1:
        head, parts = "Power", (parts[0], _HALF)
    if head not in _COMMUTATIVE:
        return Term(head, parts)
    flat: list[Term] = []
    for part in parts:
        flat += part.parts if part.head == head and part.arguments is not None else (part,)
    if head == "Times":
        minus = sum([part == _MINUS_ONE for part in flat]) % 2
        flat = [part for part in flat if part not in (_MINUS_ONE, Term("1"))] + [_MINUS_ONE] * minus
        if not flat:
            return Term("1")
    return flat[0] if len(flat) == 1 else Term(head, tuple(sorted(flat, key=repr)))


def _power(base: Term, exponent: Term) -> Term:
    """A power; of a product, that of each factor."""
    if base.head == "Times" and base.arguments is not None:
        return Term("Times", tuple([_power(part, exponent) for part in base.arguments]))
    return base if base == Term("1") else Term("Power", (base, exponent))
