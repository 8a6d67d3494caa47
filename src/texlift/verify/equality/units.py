"""Units: `cm`, `m/s^2`, `kilometres per hour`, `dollars` as exact factors and base units.

A unit becomes letters of the expression, one for each base unit, so that `5 cm` and `50 mm` are compared as any two
products are. A word that is no known unit (`apples`) is a base unit of its own.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from texlift.meaning.tree import Apply, Constant, Expression, Number, Symbol

__all__ = ["BASE", "Unit", "expression_of", "unit_of"]

BASE = "unit:"
"""How the letters of base units start."""

_PART = re.compile(r"\s*(?:(?P<sign>[/*·⋅]|per\b)|(?P<word>°?[A-Za-zµΩ°]+\.?)\s*(?:\^?\s*(?P<power>-?\d+|[²³]))?)\s*")
_MOST = 80  # characters
_POWERS = {"²": 2, "³": 3}


@dataclass(frozen=True, slots=True)
class Unit:
    """`factor` times powers of base units; `of_pi` for degrees."""

    factor: Fraction
    powers: tuple[tuple[str, int], ...]
    of_pi: bool = False
    known: bool = True

    def times(self, other: Unit, exponent: int) -> Unit:
        powers = dict(self.powers)
        for name, power in other.powers:
            powers[name] = powers.get(name, 0) + power * exponent
        left = tuple(sorted((name, power) for name, power in powers.items() if power))
        return Unit(self.factor * other.factor**exponent, left, self.of_pi or other.of_pi, self.known and other.known)


@cache
def _table() -> dict[str, Any]:
    text = files("texlift.verify.equality").joinpath("units.json").read_text("utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


def unit_of(text: str) -> Unit | None:
    """The unit that words and signs name; None where they do not look like one. Unknown single words are nouns."""
    text = text.strip().strip(".")
    if not text or len(text) > _MOST:
        return None
    found = Unit(Fraction(1), ())
    at, exponent, dimension = 0, 1, 1
    words = 0
    while at < len(text):
        match = _PART.match(text, at)
        if match is None or match.end() == at:
            return None
        at = match.end()
        if match["sign"]:
            if match["sign"] in ("/", "per"):
                exponent = -1
            continue
        word = match["word"]
        if word.lower() in _table()["areas"]:
            dimension = _table()["areas"][word.lower()]
            continue
        power = match["power"]
        times = 1 if not power else _POWERS[power] if power in _POWERS else int(power)
        if abs(times) > 20:
            return None
        unit = _word(word.rstrip("."))
        if unit is None:
            return None
        if not unit.known and words:
            return None
        found = found.times(unit, exponent * times * dimension)
        dimension = 1
        words += 1
    return found if words else None


def _word(word: str) -> Unit | None:
    for name in dict.fromkeys((word, word.lower(), _singular(word), _singular(word.lower()))):
        unit = _named(name)
        if unit is not None:
            return unit
    return Unit(Fraction(1), ((_singular(word.lower()), 1),), known=False) if len(word) > 2 else None


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 2 else word


@cache
def _named(name: str) -> Unit | None:
    table = _table()
    if name in table["plain"]:
        return _unit(*table["plain"][name])
    if name in table["prefixed"]:
        return _unit(*table["prefixed"][name])
    if name in table["names"]:
        return _named(table["names"][name])
    for long, short in table["long_prefixes"].items():
        if name.startswith(long) and name[len(long) :] in table["names"]:
            return _prefixed(short, table["names"][name[len(long) :]])
    if name[:1] in table["prefixes"] and name[1:] in table["prefixed"]:
        return _prefixed(name[0], name[1:])
    return None


def _prefixed(prefix: str, name: str) -> Unit | None:
    table = _table()
    if name not in table["prefixed"]:
        return None
    unit = _unit(*table["prefixed"][name])
    return Unit(unit.factor * Fraction(table["prefixes"][prefix]), unit.powers)


def _unit(factor: str, bases: str) -> Unit:
    if not factor:
        return Unit(Fraction(1), ((bases, 1),))
    if factor == "pi/180":
        return Unit(Fraction(1, 180), (), of_pi=True)
    powers = []
    for part in bases.split():
        name, _, power = part.partition("^")
        powers.append((name, int(power or 1)))
    return Unit(Fraction(factor), tuple(sorted(powers)))


def expression_of(unit: Unit) -> Expression:
    """The unit as a product of its factor and letters."""
    parts: list[Expression] = [_number(unit.factor)]
    if unit.of_pi:
        parts.append(Constant("pi"))
    for name, power in unit.powers:
        letter = Symbol(f"{BASE}{name}")
        exponent: Expression = Number(str(abs(power)))
        raised = letter if abs(power) == 1 else Apply("power", (letter, exponent))
        parts.append(raised if power > 0 else Apply("divide", (Number("1"), raised)))
    return Apply("times", tuple(parts)) if len(parts) > 1 else parts[0]


def _number(value: Fraction) -> Expression:
    above = Number(str(value.numerator))
    return above if value.denominator == 1 else Apply("divide", (above, Number(str(value.denominator))))
