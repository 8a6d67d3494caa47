r"""Units of measurement as SymPy knows them: `5\,\mathrm{m}/\mathrm{s}`.

A name is a unit where it stands upright behind a number, or where it is declared to be one. An italic m is a letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from texlift.meaning.reader.reading import Reading
from texlift.meaning.tree import Apply, Expression, Number, Symbol, walk

__all__ = ["units_of"]

_UPRIGHT = (r"\mathrm", r"\text", r"\rm", r"\textrm", r"\operatorname", r"\mathup")
_UNITS = {
    "m": "meter", "g": "gram", "s": "second", "A": "ampere", "K": "kelvin", "mol": "mole", "cd": "candela",
    "N": "newton", "J": "joule", "W": "watt", "V": "volt", "Hz": "hertz", "Pa": "pascal", "C": "coulomb",
    "F": "farad", "T": "tesla", "Wb": "weber", "eV": "electronvolt", "L": "liter", "l": "liter", "h": "hour",
    "bar": "bar", "atm": "atm", "rad": "radian", "Ohm": "ohm", "ft": "foot", "kg": "kilogram", "km": "kilometer",
    "cm": "centimeter", "mm": "millimeter", "nm": "nanometer", "ms": "millisecond", "ns": "nanosecond",
    "mL": "milliliter", "mg": "milligram",
}  # fmt: skip
_PREFIXES = {"k": "kilo", "M": "mega", "G": "giga", "m": "milli", "c": "centi", "n": "nano", "p": "pico", "h": "hecto"}


def units_of(statements: Iterable[Expression], reading: Reading) -> dict[tuple[int, int], tuple[str, Any]]:
    """The places of units in a formula, with the name of each and its SymPy object."""
    found: dict[tuple[int, int], tuple[str, Any]] = {}
    for statement in statements:
        for symbol in _measured(statement, reading):
            name = symbol.name.removeprefix(r"\mathrm{").removesuffix("}")
            unit = _unit(name)
            if unit is not None:
                found[symbol.span] = (name, unit)
    return found


def _measured(statement: Expression, reading: Reading) -> Iterator[Symbol]:
    for node in walk(statement):
        if isinstance(node, Symbol) and node.role == "unit":
            yield node
        elif isinstance(node, Apply) and node.head == "times" and any(map(_is_number, node.arguments)):
            yield from (one for part in node.arguments for one in _upright(part, reading))
        elif isinstance(node, Apply) and node.head == "divide":
            above, below = node.arguments
            product = isinstance(above, Apply) and above.head == "times" and any(map(_is_number, above.arguments))
            if product and any(_unit(_bare(one)) for part in above.arguments for one in _upright(part, reading)):  # type: ignore[union-attr]
                parts = below.arguments if isinstance(below, Apply) and below.head == "times" else (below,)
                yield from (one for part in parts for one in _upright(part, reading))


def _is_number(node: Expression) -> bool:
    if isinstance(node, Apply):
        return node.head in ("divide", "power", "negate", "times", "truncated") and all(map(_is_number, node.arguments))
    return isinstance(node, Number)


def _upright(node: Expression, reading: Reading) -> Iterator[Symbol]:
    """A letter or word in upright type, or a power or quotient of such."""
    if isinstance(node, Apply) and node.head in ("power", "divide"):
        yield from (one for part in node.arguments for one in _upright(part, reading))
    elif isinstance(node, Symbol) and reading.source.startswith(_UPRIGHT, node.span[0]) and not node.role:
        yield node


def _bare(symbol: Symbol) -> str:
    return symbol.name.removeprefix(r"\mathrm{").removesuffix("}")


@cache
def _unit(name: str) -> Any:
    """The SymPy unit of that name; None where there is none."""
    from sympy.physics import units

    if name in _UNITS:
        return getattr(units, _UNITS[name])
    prefix, rest = name[:1], name[1:]
    if prefix in _PREFIXES and rest in _UNITS and rest not in ("kg", "h", "bar", "atm", "ft"):
        return getattr(units, _PREFIXES[prefix]).scale_factor * getattr(units, _UNITS[rest])
    return None
