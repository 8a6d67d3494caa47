"""Definitions beside a formula, put into it: `y''+y=0 where y=\\sin x`, `f(x)=x^2`, `a_n=2^n-1`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from texlift.errors import FormulaError
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import (
    Apply,
    Derivative,
    Expression,
    Indexed,
    Number,
    Relation,
    Series,
    Substitution,
    Symbol,
    Unknown,
    rebuild,
    substitute,
    walk,
)

__all__ = ["Given", "customary_sequence", "definitions_beside", "given_of", "givens_among", "with_givens"]


@dataclass(frozen=True, slots=True)
class Given:
    """`name(parameters) = value`; a sequence has an index for a parameter."""

    name: str
    parameters: tuple[str, ...]
    value: Expression
    indexed: bool = False


def given_of(statement: Expression) -> Given | None:
    """The definition that an equation is: of a function of letters, or of a sequence."""
    if not isinstance(statement, Relation) or statement.operators not in (("=",), ("===",), (":=",)):
        return None
    left, right = statement.operands
    if isinstance(left, Unknown) and left.order is None and isinstance(left.function, Symbol):
        name, places, indexed = left.function.name, left.arguments, False
    elif isinstance(left, Indexed) and not left.upper:
        name, places, indexed = left.base, left.indices, True
    else:
        return None
    letters = [place.name for place in places if isinstance(place, Symbol)]
    if len(letters) < len(places) or len(set(letters)) < len(letters) or _mentions(right, name):
        return None
    return Given(name, tuple(letters), right, indexed)


def _mentions(node: Expression, name: str) -> bool:
    return any(
        (isinstance(part, Unknown) and isinstance(part.function, Symbol) and part.function.name == name)
        or (isinstance(part, Indexed) and part.base == name)
        for part in walk(node)
    )


def definitions_beside(constraints: Iterable[str]) -> tuple[list[Given], tuple[str, ...]]:
    """The definitions of functions and sequences among constraints, and the other constraints."""
    givens: list[Given] = []
    rest: list[str] = []
    for text in constraints:
        try:
            found = [given_of(statement) for statement in read(text.strip("$ ")).statements]
        except FormulaError:
            found = []
        if found and all(given is not None for given in found):
            givens += [given for given in found if given is not None]
        else:
            rest.append(text)
    return givens, tuple(rest)


def givens_among(statements: Iterable[Expression]) -> tuple[list[Given], list[Expression]]:
    """The definitions among statements of which another one makes use, and the other statements."""
    listed = list(statements)
    givens: list[Given] = []
    rest: list[Expression] = []
    for place, statement in enumerate(listed):
        given = given_of(statement)
        others = [*listed[:place], *listed[place + 1 :]]
        if given is not None and any(_mentions(other, given.name) for other in others):
            givens.append(given)
        else:
            rest.append(statement)
    return (givens, rest) if rest else ([], listed)


def with_givens(node: Expression, givens: Iterable[Given]) -> Expression:
    """The expression with the definitions put in."""
    known = {(given.name, given.indexed): given for given in givens}
    return _put(node, known) if known else node


def _put(node: Expression, known: dict[tuple[str, bool], Given]) -> Expression:
    node = rebuild(node, lambda part: _put(part, known))
    if isinstance(node, Unknown) and isinstance(node.function, Symbol):
        given = known.get((node.function.name, False))
        if given is None or len(given.parameters) != len(node.arguments):
            return node
        if node.order is None:
            return substitute(given.value, dict(zip(given.parameters, node.arguments, strict=True)))
        variable = Symbol(given.parameters[0])
        body = Derivative(given.value, ((variable, node.order),), node.span)
        if node.arguments == (variable,):
            return body
        return Substitution(body, variable, node.arguments[0], node.span)
    if isinstance(node, Indexed) and not node.upper:
        given = known.get((node.base, True))
        if given is not None and len(given.parameters) == len(node.indices):
            return substitute(given.value, dict(zip(given.parameters, node.indices, strict=True)))
    return node


_N = Symbol("n")
_ROOT = Apply("sqrt", (Number("5"),))


def _golden(sign: str) -> Expression:
    root = _ROOT if sign == "+" else Apply("negate", (_ROOT,))
    return Apply("divide", (Apply("plus", (Number("1"), root)), Number("2")))


def _powers(joined: str) -> Expression:
    first, second = (Apply("power", (_golden(sign), _N)) for sign in "+-")
    return Apply("plus", (first, second if joined == "+" else Apply("negate", (second,))))


_CUSTOMARY = {
    "F": ("the Fibonacci numbers", Apply("divide", (_powers("-"), _ROOT))),
    "L": ("the Lucas numbers", _powers("+")),
    "H": (
        "the harmonic numbers",
        Series("sum", Apply("divide", (Number("1"), Symbol("k_"))), Symbol("k_"), Number("1"), _N),
    ),
    "C": (
        "the Catalan numbers",
        Apply(
            "divide",
            (
                Apply(r"\binom", (Apply("times", (Number("2"), _N)), _N)),
                Apply("plus", (_N, Number("1"))),
            ),
        ),
    ),
}


def customary_sequence(nodes: Iterable[Expression]) -> tuple[list[Given], str]:
    """What indexed capitals of a formula customarily are, and that in words; nothing where one has no such meaning."""
    names: dict[str, None] = {}
    for node in nodes:
        for part in walk(node):
            if isinstance(part, Indexed):
                if len(part.indices) != 1 or part.upper or part.base not in _CUSTOMARY:
                    return [], ""
                names[part.base] = None
    givens = [Given(name, ("n",), _CUSTOMARY[name][1], True) for name in names]
    return givens, ", ".join(f"{name}_n {_CUSTOMARY[name][0]}" for name in names)
