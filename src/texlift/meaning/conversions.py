r"""Conventions of arguments: the same function by the modulus, the parameter or the modular angle; by nome or lattice.

`conversions.toml` has transformations between types of arguments and says which macros differ only in these.

    K(k), by the modulus, is K(m) with m = k^2, by the parameter
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from texlift.meaning.reader.reading import read
from texlift.meaning.shape import same
from texlift.meaning.tree import Apply, Expression, Number, Sequence, Symbol, substitute

__all__ = ["converted", "convertible"]


@dataclass(frozen=True, slots=True)
class _Step:
    """How a macro becomes another: transformations of arguments (by place), or a value with slots."""

    to: str
    arguments: tuple[tuple[int, str, str], ...] = ()
    value: Expression | None = None
    parts: tuple[Any, ...] = ()


def convertible(head: str) -> tuple[str, ...]:
    """The macros, or heads of nodes, that a function can be written with instead."""
    return tuple(step.to for step in _steps().get(head, ()))


def converted(node: Apply, to: str) -> Expression | None:
    """A node written with another macro; None where that cannot be done."""
    for step in _steps().get(node.head, ()):
        if step.to == to:
            return _valued(node, step) if step.value is not None else _transformed(node, step)
    return None


def _transformed(node: Apply, step: _Step) -> Expression:
    arguments = list(node.arguments)
    for place, before, after in step.arguments:
        arguments[place] = _transform(arguments[place], before, after)
    return Apply(step.to, tuple(arguments), node.span)


def _transform(argument: Expression, before: str, after: str) -> Expression:
    """An argument of one type as one of another; what was transformed before is taken back."""
    back = _transformations()[after, before]
    whole = _unslotted(back, argument)
    if whole is not None:
        return whole
    return substitute(_transformations()[before, after], {"#1": argument})


def _unslotted(pattern: Expression, node: Expression) -> Expression | None:
    """What stands in the only slot of a pattern, where the node is the pattern with it; None otherwise."""
    found: list[Expression] = []

    def descend(wanted: Expression, given: Expression) -> bool:
        if isinstance(wanted, Symbol) and wanted.name == "#1":
            found.append(given)
            return True
        if isinstance(wanted, Apply) and isinstance(given, Apply) and wanted.head == given.head:
            return len(wanted.arguments) == len(given.arguments) and all(
                descend(left, right) for left, right in zip(wanted.arguments, given.arguments, strict=True)
            )
        return same(wanted, given)

    return found[0] if descend(pattern, node) and len(found) == 1 else None


def _valued(node: Apply, step: _Step) -> Expression | None:
    assert step.value is not None
    values: dict[str, Expression] = {f"#{place + 1}": part for place, part in enumerate(node.arguments)}
    if step.parts:
        found = _taken(step.parts, node.arguments)
        if found is None:
            return None
        values = found
    return substitute(step.value, values)


def _taken(parts: tuple[Any, ...], arguments: tuple[Expression, ...]) -> dict[str, Expression] | None:
    """What stands in the slots of parts; a number must be that number, a list a list of as many."""
    values: dict[str, Expression] = {}
    if len(parts) != len(arguments):
        return None
    for part, argument in zip(parts, arguments, strict=True):
        if isinstance(part, list):
            if not isinstance(argument, Sequence):
                return None
            inner = _taken(tuple(part), argument.items)
            if inner is None:
                return None
            values |= inner
        elif part.startswith("#"):
            if isinstance(argument, Sequence):
                return None
            values[part] = argument
        elif not (isinstance(argument, Number) and argument.value == part):
            return None
    return values


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files("texlift.macros").joinpath("vocabulary", "conversions.toml").read_text("utf-8"))


@cache
def _transformations() -> Mapping[tuple[str, str], Expression]:
    found = {}
    for types, text in _table()["transformations"].items():
        before, _, after = types.partition(" -> ")
        found[before, after] = _slotted(text)
    return found


def _slotted(text: str) -> Expression:
    """The meaning of LaTeX with slots `#1`."""
    (value,) = read(text, definition=True).statements
    return value


@cache
def _steps() -> Mapping[str, tuple[_Step, ...]]:
    found: dict[str, list[_Step]] = {}
    for entry in _table()["conversion"]:
        heads = [_head(macro) for macro in entry["macros"]]
        for first, head in enumerate(heads):
            for second, other in enumerate(heads):
                if first != second:
                    changes = [(int(n) - 1, types[first], types[second]) for n, types in entry["arguments"].items()]
                    found.setdefault(head, []).append(_Step(other, tuple(changes)))
    for entry in _table()["value"]:
        step = _Step(_head(entry["to"]), (), _slotted(entry["value"]), tuple(entry.get("parts", ())))
        found.setdefault(_head(entry["macro"]), []).append(step)
    return {head: tuple(steps) for head, steps in found.items()}


def _head(macro: str) -> str:
    """What the meaning tree calls a macro: itself, or the head of a concept of the vocabulary."""
    from texlift.macros.concepts import vocabulary
    from texlift.meaning.shape import shape

    own = vocabulary().macros
    return shape(vocabulary().commands[macro].shape).name if macro in own else macro
