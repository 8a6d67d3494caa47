"""Fungrim's symbolic form: a parser, and numbers for it by mpmath.

The text is nested calls, `Equal(Gamma(Add(z, 1)), Mul(z, Gamma(z)))`. Nothing of it is executed: a head that is not in
the table has no value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

__all__ = ["RELATIONS", "NoValueError", "Term", "parse_term", "value_of"]

RELATIONS = ("Equal", "Less", "LessEqual", "Greater", "GreaterEqual", "NotEqual")
_TOKEN = re.compile(r'\s*(?:(?P<number>\d+)|(?P<name>[A-Za-z_]\w*)|(?P<text>"[^"]*")|(?P<sign>[(),]))')
_DEEPEST = 100
_MOST_TERMS = 2000


class NoValueError(Exception):
    """A term has no number here: its head is unknown, or it is a set, a statement, a limit."""


@dataclass(frozen=True, slots=True)
class Term:
    """A name, number or text without arguments, or a head with its arguments."""

    head: str
    arguments: tuple[Term, ...] | None = None

    @property
    def is_call(self) -> bool:
        return self.arguments is not None

    @property
    def parts(self) -> tuple[Term, ...]:
        return self.arguments or ()


def parse_term(text: str) -> Term:
    """The term that a text spells. Raises ValueError where it is none."""
    tokens: list[str] = []
    at = 0
    text = text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"unexpected {text[at : at + 10]!r}")
        tokens.append(match[0].strip())
        at = match.end()
    term, end = _term(tokens, 0, 0)
    if end != len(tokens):
        raise ValueError("text behind the term")
    return term


def _term(tokens: list[str], at: int, depth: int) -> tuple[Term, int]:
    if depth > _DEEPEST or at >= len(tokens) or tokens[at] in "(),":
        raise ValueError("a term was expected")
    head, at = tokens[at], at + 1
    if at >= len(tokens) or tokens[at] != "(":
        return Term(head), at
    found: list[Term] = []
    at += 1
    while at < len(tokens) and tokens[at] != ")":
        part, at = _term(tokens, at, depth + 1)
        found.append(part)
        if at < len(tokens) and tokens[at] == ",":
            at += 1
    if at >= len(tokens):
        raise ValueError("a bracket is never closed")
    return Term(head, tuple(found)), at + 1


Environment = Mapping[str, Any]


def value_of(term: Term, env: Environment) -> Any:
    """The number of a term, with the values of its variables. Raises NoValueError where it has none."""
    if not term.is_call:
        return _atom(term.head, env)
    binder = _BINDERS.get(term.head)
    if binder is not None:
        return binder(term, env)
    function = _functions().get(term.head)
    if function is None:
        raise NoValueError(term.head)
    try:
        return function(*(value_of(part, env) for part in term.parts))
    except TypeError as error:
        raise NoValueError(f"{term.head}: {error}") from None


def _atom(name: str, env: Environment) -> Any:
    from mpmath import mp

    if name.isdigit():
        return mp.mpf(int(name))
    if name in env:
        return env[name]
    constant = _constants().get(name)
    if constant is None:
        raise NoValueError(name)
    return constant()


# -- binders ---------------------------------------------------------------------------------------------


def _range(term: Term, env: Environment) -> tuple[str, Any, Any]:
    loop = term.parts[1] if len(term.parts) == 2 else Term("")
    if loop.head != "For" or len(loop.parts) != 3:
        raise NoValueError(f"{term.head} over something else than a range")
    name, lower, upper = loop.parts
    return name.head, value_of(lower, env), value_of(upper, env)


def _series(term: Term, env: Environment) -> Any:
    from mpmath import mp

    name, lower, upper = _range(term, env)

    def body(k: Any) -> Any:
        return value_of(term.parts[0], {**env, name: mp.mpmathify(k)})

    if mp.isinf(upper) or mp.isinf(lower):
        return (mp.nsum if term.head == "Sum" else mp.nprod)(body, [lower, upper])
    if upper - lower > _MOST_TERMS:
        raise NoValueError("too many terms")
    total = mp.mpf(0 if term.head == "Sum" else 1)
    for k in range(int(lower), int(upper) + 1):
        total = total + body(k) if term.head == "Sum" else total * body(k)
    return total


def _integral(term: Term, env: Environment) -> Any:
    from mpmath import mp

    name, lower, upper = _range(term, env)
    return mp.quad(lambda x: value_of(term.parts[0], {**env, name: x}), [lower, upper])


def _derivative(term: Term, env: Environment) -> Any:
    from mpmath import mp

    loop = term.parts[1]
    if loop.head != "For" or len(loop.parts) not in (2, 3):
        raise NoValueError(term.head)
    name, point = loop.parts[0].head, value_of(loop.parts[1], env)
    order = int(mp.re(value_of(loop.parts[2], env))) if len(loop.parts) == 3 else 1
    return mp.diff(lambda x: value_of(term.parts[0], {**env, name: x}), point, order)


def _cases(term: Term, env: Environment) -> Any:
    for branch in term.parts:
        if branch.head != "Tuple" or len(branch.parts) != 2:
            raise NoValueError("Cases")
        value, condition = branch.parts
        if condition.head == "Otherwise" or _holds(condition, env):
            return value_of(value, env)
    raise NoValueError("no case holds")


def _holds(term: Term, env: Environment) -> bool:
    from mpmath import mp

    if term.head in ("And", "Or"):
        return (all if term.head == "And" else any)(_holds(part, env) for part in term.parts)
    if term.head in ("Even", "Odd"):
        return bool(int(mp.re(value_of(term.parts[0], env))) % 2 == (term.head == "Odd"))
    if term.head not in RELATIONS:
        raise NoValueError(term.head)
    values = [value_of(part, env) for part in term.parts]
    pairs = list(pairwise(values))
    if term.head in ("Equal", "NotEqual"):
        return all((a == b) == (term.head == "Equal") for a, b in pairs)
    if any(mp.im(value) != 0 for value in values):
        raise NoValueError("an order of complex numbers")
    test: dict[str, Callable[[Any, Any], bool]] = {
        "Less": lambda a, b: a < b,
        "LessEqual": lambda a, b: a <= b,
        "Greater": lambda a, b: a > b,
        "GreaterEqual": lambda a, b: a >= b,
    }
    return all(test[term.head](mp.re(a), mp.re(b)) for a, b in pairs)


def where(term: Term, env: Environment) -> tuple[Term, Environment]:
    """What stands before "where", and the environment with what stands behind it."""
    extended = dict(env)
    for definition in term.parts[1:]:
        if definition.head not in ("Equal", "Def") or len(definition.parts) != 2 or definition.parts[0].is_call:
            raise NoValueError("Where")
        extended[definition.parts[0].head] = value_of(definition.parts[1], extended)
    return term.parts[0], extended


def _where(term: Term, env: Environment) -> Any:
    return value_of(*where(term, env))


_BINDERS: dict[str, Callable[[Term, Environment], Any]] = {
    "Sum": _series, "Product": _series, "Integral": _integral, "ComplexDerivative": _derivative, "Cases": _cases,
    "RealDerivative": _derivative, "Derivative": _derivative, "MeromorphicDerivative": _derivative, "Where": _where,
}  # fmt: skip


@cache
def _constants() -> dict[str, Callable[[], Any]]:
    from mpmath import mp

    return {
        "Pi": lambda: mp.pi + 0, "ConstI": lambda: mp.mpc(0, 1), "ConstE": lambda: mp.e + 0,
        "ConstGamma": lambda: mp.euler + 0, "Infinity": lambda: mp.inf, "GoldenRatio": lambda: mp.phi + 0,
        "ConstCatalan": lambda: mp.catalan + 0, "ConstGlaisher": lambda: mp.glaisher + 0,
    }  # fmt: skip


def _functions() -> Mapping[str, Callable[..., Any]]:
    from texlift.bench.fungrim_functions import functions

    return functions()
