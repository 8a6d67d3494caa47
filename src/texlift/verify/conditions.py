"""Constraints beside a formula: tests of points, definitions of variables, domains."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from texlift.errors import FormulaError
from texlift.meaning.reader.reading import read
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
    free_symbols,
)

__all__ = ["COMPLEX", "INTEGERS", "Conditions", "conditions_of", "unsettled"]

INTEGERS = frozenset({"n", "m", "k", "j", "l", r"\ell", "N", "M", "n'", "m'"})
"""Letters that are integers unless something else is said."""

COMPLEX = frozenset({"z", "w", r"\zeta"})
"""Letters that are complex unless something else is said."""

_LETTER = r"(?:\\[A-Za-z]+|[A-Za-z])(?:_\{?\w+\}?)?"
_DESCRIBED = re.compile(
    rf"(?P<names>{_LETTER}(?:\s*(?:,|\\text\{{\s*and\s*\}})\s*{_LETTER})*)\s*(?:\\[,;: ]\s*)*"
    r"\\(?:text|mathrm|textrm|mbox|operatorname)\{(?P<words>[A-Za-z\s-]+)\}"
)
_FILLING = frozenset({"is", "are", "an", "a", "the", "any", "number", "numbers"})
_DESCRIPTIONS = {
    "odd": "odd", "even": "even", "prime": "prime", "primes": "prime", "integer": "integer", "integers": "integer",
    "real": "real", "reals": "real", "complex": "complex", "positive": ">", "negative": "<", "nonnegative": ">=",
    "nonpositive": "<=", "nonzero": "!=",
}  # fmt: skip
_SIGN_OF_RELATION = re.compile(r"[<>=]|\\(?:in|notin|ge|le|geq|leq|ne|neq|geqslant|leqslant)\b")
_WORDS = re.compile(r"\$\s*or\s*\$|\$\s*if\s*\$|\$\s*unless\s*\$")


@dataclass(slots=True)
class Conditions:
    """Constraints as tests, as fixed definitions of variables, and as domains of integers."""

    tests: list[Expression] = field(default_factory=list)
    defined: dict[str, Expression] = field(default_factory=dict)
    least: dict[str, int] = field(default_factory=dict)  # integers from here on
    choices: dict[str, tuple[Expression, ...]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)  # "integer", "real", "complex"
    ignored: list[str] = field(default_factory=list)
    helpers: set[str] = field(default_factory=set)  # letters with which equations were solved


def conditions_of(texts: list[str], premises: Iterable[Expression] = ()) -> Conditions:
    """Read constraints, and conditions that were read already; what is not understood is kept in `ignored`."""
    conditions = Conditions()
    for premise in premises:
        _take(conditions, premise, "a condition in the formula")
    for text in texts:
        if _take_words(conditions, text):
            continue
        if _WORDS.search(text):
            conditions.ignored.append(text)  # one of several conditions
            continue
        for piece in _pieces(text):
            if not piece.strip(" ,."):
                continue
            try:
                for statement in read(piece).statements:
                    _take(conditions, statement, piece)
            except FormulaError:
                conditions.ignored.append(piece)
    return conditions


def _pieces(text: str) -> list[str]:
    """The conditions of a text: `m,n\\in\\Integers, m,n\\ge1` are two, `n=0,1,2` is one."""
    found: list[str] = []
    for piece in re.split(r";|\\quad|\\land\b|\\wedge\b", text.replace("$,$", ",").replace("$", "")):
        parts = re.split(r",(?![^{}()\[\]]*[})\]])", piece)
        groups: list[str] = []
        waiting: list[str] = []
        for part in parts:
            waiting.append(part)
            if _SIGN_OF_RELATION.search(part):
                groups.append(",".join(waiting))
                waiting = []
        found += [piece] if waiting else groups
    return found


def _take_words(conditions: Conditions, text: str) -> bool:
    """`n\\text{ odd}`, `a, b\\text{ are positive integers}`, `p\\text{ prime}`."""
    match = _DESCRIBED.fullmatch(text.strip(" $.,"))
    if match is None:
        return False
    words = set(re.findall(r"[a-z]+", match["words"].replace("-", "").lower())) - _FILLING
    names = [name.strip() for name in re.split(r",|\\text\{\s*and\s*\}", match["names"]) if name.strip()]
    if not words or not words <= set(_DESCRIPTIONS):
        return False
    for name in names:
        for word in words:
            _describe(conditions, name, _DESCRIPTIONS[word])
    return True


def _take_description(conditions: Conditions, node: Expression) -> bool:
    """`n odd` as the premise of an implication, which is read as a product of n and a word."""
    if not (isinstance(node, Apply) and node.head == "times" and len(node.arguments) == 2):
        return False
    letter, word = node.arguments
    if not (isinstance(letter, Symbol) and isinstance(word, Symbol) and word.name.startswith(r"\mathrm{")):
        return False
    meaning = _DESCRIPTIONS.get(word.name[8:-1].strip().lower())
    if meaning is None:
        return False
    _describe(conditions, letter.name, meaning)
    return True


def _describe(conditions: Conditions, name: str, meaning: str) -> None:
    if meaning in ("integer", "real", "complex", "prime"):
        if conditions.kinds.get(name) != "prime":
            conditions.kinds[name] = meaning
        return
    if meaning in ("odd", "even"):
        conditions.kinds.setdefault(name, "integer")
        half = Apply("divide", (Apply("plus", (Symbol(name), Number(str(int(meaning == "odd"))))), Number("2")))
        conditions.tests.append(Apply("integral", (half,)))
        return
    conditions.tests.append(Relation((meaning,), (Symbol(name), Number("0"))))


def unsettled(known: Mapping[str, str], texts: Iterable[str]) -> dict[str, str]:
    """What is known of the symbols that no constraint defines; the definition says more than `change of variable`."""
    defined = conditions_of(list(texts)).defined if known else {}
    return {name: meaning for name, meaning in known.items() if name not in defined}


def _take(conditions: Conditions, statement: Expression, text: str) -> None:
    if not isinstance(statement, Relation):
        if not _take_description(conditions, statement):
            conditions.ignored.append(text)
        return
    for operator, left, right in statement.links:
        if operator == "=" and isinstance(left, Symbol):
            _take_equation(conditions, left.name, right, text)
        elif operator == "in" and isinstance(left, Symbol) and isinstance(right, Constant):
            kind = {"integers": "integer", "reals": "real", "complexes": "complex", "naturals": "integer",
                    "nonnegative": "integer"}.get(right.name)  # fmt: skip
            if kind is None:
                conditions.ignored.append(text)
            else:
                conditions.kinds[left.name] = kind
                if right.name in ("naturals", "nonnegative"):
                    conditions.least[left.name] = 1 if right.name == "naturals" else 0
        elif operator == "in" and isinstance(right, Interval):
            conditions.tests.append(_inside(left, right))
        elif operator == "in" and isinstance(right, Apply) and right.head == "setminus":
            _take_difference(conditions, left, right, text)
        elif operator in ("<", ">", "<=", ">=", "!=", "="):
            if isinstance(right, Sequence):
                if operator == "!=":
                    values = [v for v in right.items if not isinstance(v, Dots)]
                    conditions.tests.extend(Relation(("!=",), (left, value)) for value in values)
                    if len(values) < len(right.items):  # the poles go on in the same way
                        conditions.tests.append(Apply("noninteger", (left, *values)))
                elif operator == "=" and any(isinstance(v, Dots) for v in right.items):
                    conditions.tests.append(Apply("integral", (left,)))
                else:
                    conditions.ignored.append(text)
            elif operator == "=" and (solved := _solved(left, right) or _solved(right, left)):
                conditions.defined.setdefault(*solved)
            elif operator == "=" and (rooted := _rooted(left, right) or _rooted(right, left)):
                name, value, helper = rooted
                conditions.defined.setdefault(name, value)
                conditions.helpers.add(helper)
                if helper == _SIGN:
                    conditions.choices[helper] = (Number("1"), Apply("negate", (Number("1"),)))
            else:
                conditions.tests.append(Relation((operator,), (left, right)))
        elif operator == "->":
            conditions.ignored.append(text)
        elif operator == "notin" and isinstance(right, Constant) and right.name == "integers":
            conditions.tests.append(Apply("noninteger", (left,)))
        else:
            conditions.ignored.append(text)


def _take_difference(conditions: Conditions, left: Expression, right: Apply, text: str) -> None:
    """`x\\in\\Reals\\setminus\\{0\\}`."""
    whole, without = right.arguments
    if isinstance(whole, Constant):
        _take(conditions, Relation(("in",), (left, whole)), text)
    if isinstance(without, Interval):
        conditions.tests.append(Relation(("!=",), (left, Number("0"))))
        conditions.tests.append(Apply("not", (_inside(left, without),)))
    elif isinstance(without, Sequence) and not any(isinstance(item, Dots) for item in without.items):
        conditions.tests.extend(Relation(("!=",), (left, item)) for item in without.items)
    elif isinstance(without, Constant) and without.name == "integers":
        conditions.tests.append(Apply("noninteger", (left,)))
    else:
        conditions.tests.append(Relation(("!=",), (left, Number("0"))))


def _inside(value: Expression, interval: Interval) -> Expression:
    low = "<=" if interval.closed_lower else "<"
    high = "<=" if interval.closed_upper else "<"
    return Relation((low, high), (interval.lower, value, interval.upper))


def _take_equation(conditions: Conditions, name: str, right: Expression, text: str) -> None:
    if isinstance(right, Sequence):
        numbers = [v for v in right.items if not isinstance(v, Dots)]
        if len(numbers) < len(right.items):
            first = numbers[0] if numbers else None
            conditions.kinds[name] = "integer"
            if isinstance(first, Number):
                conditions.least[name] = int(float(first.value))
            elif first is not None and not (isinstance(first, Apply) and first.head == "negate"):
                conditions.tests.append(Relation((">=",), (Symbol(name), first)))
            last = right.items[-1]
            if not isinstance(last, Dots):
                conditions.tests.append(Relation(("<=",), (Symbol(name), last)))
        elif all(_is_plain(number) for number in numbers):
            conditions.choices[name] = tuple(numbers)
        else:
            conditions.ignored.append(text)
    elif name in free_symbols(right):
        conditions.ignored.append(text)
    else:
        conditions.defined[name] = right


def _solved(left: Expression, right: Expression) -> tuple[str, Expression] | None:
    """`ef=abcq` as e = abcq/f, `a+b=c-n` as a = c-n-b: random points would never fulfil an equation."""
    if isinstance(left, Apply) and left.head == "plus":
        return _solved_sum(left, right)
    factors = left.arguments if isinstance(left, Apply) and left.head == "times" else (left,)
    for place, factor in enumerate(factors):
        others = (*factors[:place], *factors[place + 1 :])
        if not isinstance(factor, Symbol) or any(factor.name in free_symbols(part) for part in (*others, right)):
            continue
        below = others[0] if len(others) == 1 else Apply("times", others, left.span)
        return factor.name, Apply("divide", (right, below), left.span) if others else right
    return None


def _solved_sum(left: Apply, right: Expression) -> tuple[str, Expression] | None:
    """A sum solved for one of its terms, a letter that is no customary integer."""
    for place, term in enumerate(left.arguments):
        others = (*left.arguments[:place], *left.arguments[place + 1 :])
        minus = isinstance(term, Apply) and term.head == "negate"
        letter = term.arguments[0] if isinstance(term, Apply) and minus else term
        if not isinstance(letter, Symbol) or letter.name in INTEGERS:
            continue
        if any(letter.name in free_symbols(part) for part in (*others, right)):
            continue
        rest = Apply("plus", (right, *(Apply("negate", (part,), part.span) for part in others)), left.span)
        return letter.name, Apply("negate", (rest,), left.span) if minus else rest
    return None


_SIGN, _ANGLE = "s_{+}", "t_{1}"  # letters that no formula uses


def _rooted(left: Expression, right: Expression) -> tuple[str, Expression, str] | None:
    """`x^2+y^2=1` as x = s sqrt(1-y²) with a sign s; `|z|=1` as z = e^{it} with a real t."""
    bars = left.arguments[0] if isinstance(left, Apply) and left.head in ("abs", r"\abs") else None
    if isinstance(bars, Symbol) and bars.name in COMPLEX and not free_symbols(right):
        turn = Apply("power", (Constant("e"), Apply("times", (Constant("i"), Symbol(_ANGLE)))))
        return bars.name, Apply("times", (right, turn)), _ANGLE
    terms = left.arguments if isinstance(left, Apply) and left.head == "plus" else (left,)
    for place, term in enumerate(terms):
        if not (isinstance(term, Apply) and term.head == "power" and isinstance(term.arguments[0], Symbol)):
            continue
        name, exponent = term.arguments[0].name, term.arguments[1]
        others = (*terms[:place], *terms[place + 1 :])
        if not (isinstance(exponent, Number) and exponent.value == "2"):
            continue
        if any(name in free_symbols(part) for part in (*others, right)):
            continue
        rest = Apply("plus", (right, *(Apply("negate", (part,)) for part in others))) if others else right
        return name, Apply("times", (Symbol(_SIGN), Apply("sqrt", (rest,)))), _SIGN
    return None


def _is_plain(node: Expression) -> bool:
    """Whether a value is written with digits alone."""
    if isinstance(node, Apply):
        return node.head in ("negate", "divide") and all(_is_plain(part) for part in node.arguments)
    return isinstance(node, Number)
