r"""Power sets: a script P before a set. `\mathcal{P}(A\mid B)` is a probability, `\mathcal{P}(\{1,2\})` a set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Call, Command, Delimited, Script, Scripted
from texlift.meaning.tree import Apply, Expression

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["read"]

_SIGNS = frozenset({r"\mathcal{P}", r"\mathscr{P}", r"\mathfrak{P}", r"\operatorname{Pow}", r"\mathbf{P}"})
_SETS = frozenset({r"\cup", r"\cap", r"\setminus", r"\emptyset", r"\in", r"\notin", r"\subset", r"\subseteq",
                   r"\supseteq", r"\times"})  # fmt: skip
_CHANCES = frozenset({r"\mid", "|", "<", ">", "=", r"\leq", r"\geq", r"\neq", ",", "+", "-"})
_NUMBERS = frozenset({r"\Reals", r"\natNumbers", r"\Integers", r"\Rationals", r"\Complexes", r"\emptyset"})


def read(row: Row, name: str, scripts: list[Script], span: Span) -> Expression | None:
    """The power set of what stands in parentheses at the cursor; None where the letter is something else."""
    if name not in _SIGNS or scripts or row.at >= row.count:
        return None
    inside = _inside(row)
    if inside is None or not inside.count:
        return None
    first = inside.items[0]
    written = inside.texts[0] == r"\{" or inside.texts[0] in _NUMBERS or (
        type(first) is Delimited and first.left in (r"\{", r"\lbrace")
    )  # fmt: skip
    nested = type(first) is Command and f"{first.name}{{P}}" in _SIGNS
    if not written and not nested:
        if name == r"\mathbf{P}" or not _CHANCES.isdisjoint(inside.texts):
            return None
        letters = all((text.isalpha() and text.isupper()) or text in _SETS for text in inside.texts)
        if not letters or not _of_sets(row):
            return None
        row.scope.warn(f"{name} before a letter was read as the power set", span)
    from texlift.meaning.reader import fence

    value, after = fence.argument(row)
    result: Expression = Apply("power-set", (value,), (span[0], value.span[1]))
    return row.scripts(result, after) if after else result


def _of_sets(row: Row) -> bool:
    """Whether nothing in the formula computes with numbers, or a sign of sets stands outside the parentheses."""
    if any(type(item) is Call and item.name == r"\card" for item in row.items) or r"\card" in row.scope.source:
        return True
    return row.scope.census.signs.isdisjoint({"+", "-", r"\mid", "/", r"\frac", "<", ">", r"\leq", r"\geq"})


def _inside(row: Row) -> Row | None:
    node = row.items[row.at]
    base = node.base if type(node) is Scripted else node
    if row.texts[row.at] == "(":
        return row.part(row.at + 1, row.closer(row.at))
    if type(base) is Delimited and base.left == "(":
        return type(row)(row.scope, base.children, base.inner)
    return None
