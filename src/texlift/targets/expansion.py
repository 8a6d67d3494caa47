"""Macros that a target lacks, replaced by their definitions."""

from __future__ import annotations

from functools import cache

from texlift.errors import TexliftError
from texlift.meaning.reader.reading import read
from texlift.meaning.reader.transform import expand_listed
from texlift.meaning.tree import (
    Apply,
    Constant,
    Expression,
    Indexed,
    Integral,
    Limit,
    Number,
    Series,
    Substitution,
    Symbol,
    Unknown,
    rebuild,
    substitute,
    walk,
)
from texlift.targets.table import definition

__all__ = ["expand"]


@cache
def _body(text: str) -> Expression:
    """A definition read once; its bound variables get names that no formula uses."""
    reading = read(text, definition=True)
    if len(reading.statements) != 1:
        raise TexliftError(f"definition {text!r} is not one expression")
    bound: set[str] = set()
    for node in walk(reading.statements[0]):
        if isinstance(node, Series) and isinstance(node.index, Symbol):
            bound.add(node.index.name)
        elif isinstance(node, Integral | Limit | Substitution) and isinstance(node.variable, Symbol):
            bound.add(node.variable.name)
    return _rename(reading.statements[0], {name: f"{name.rstrip('_')}_" for name in bound})


def _rename(node: Expression, names: dict[str, str]) -> Expression:
    if isinstance(node, Symbol):
        return Symbol(names.get(node.name, node.name), node.span)
    return rebuild(node, lambda part: _rename(part, names))


def _dirichlet(node: Apply) -> Expression | None:
    """The series of a character that is a letter, DLMF 25.15.1."""
    s, character = node.arguments
    if not isinstance(character, Symbol):
        return None
    n = Symbol("n_")
    term = Apply("divide", (Unknown(character, (n,), None, character.span), Apply("power", (n, s))), node.span)
    return Series("sum", term, n, Number("1"), Constant("infinity"), None, node.span)


def expand(node: Apply) -> Expression | None:
    """The definition of a macro with the arguments of `node`, or None where there is none."""
    found = definition(node)
    if found is None:
        return _dirichlet(node) if node.head == r"\DirichletL" else expand_listed(node)
    values: dict[str, Expression] = {f"#{i}": argument for i, argument in enumerate(node.arguments, 1)}
    if found.lattice:
        lattice = node.arguments[found.lattice - 1]
        if not isinstance(lattice, Symbol | Indexed):
            return None
        name, label = (lattice.name, ()) if isinstance(lattice, Symbol) else (lattice.base, lattice.indices)
        for slot, half in ((1, "1"), (2, "3")):
            period = Indexed(name, (*label, Number(half)), (), lattice.span)
            values[f"#{len(node.arguments) + slot}"] = period
    return substitute(_body(found.text), values)
