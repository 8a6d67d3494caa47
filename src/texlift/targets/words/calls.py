r"""What a semantic macro is called: a phrase with slots for its arguments.

The table `words.json` has phrases for common macros. For the others the phrase is made from the lexicon: what the macro
means, and the letters the DLMF uses for its arguments (`\nu` is an order, the `n` of a polynomial its degree).
"""

from __future__ import annotations

import re
from functools import cache

from texlift.macros.lexicon import Macro, lexicon
from texlift.targets.table import Table

__all__ = ["call_parts"]

_SLOT = re.compile(r"\{(\d+)\}")
_REMARK = re.compile(r"\s*\(.*?\)|,.*$|\s*\[.*?\]")
_DANGLING = re.compile(r"(?:,? (?:of|at|and|with \w+|with [a-z]+ parameters?|to base|of (?:order|degree)))+ ?$")


def call_parts(table: Table, head: str, first: str, count: int, given: int) -> tuple[str, ...]:
    """Text, slot, text, slot, ... of a macro with `count` arguments; slots above `given` are left out.

    `first` is the first argument if it is a number: a table may have a phrase of its own for it.
    """
    entry = table.entries.get(f"{head}{{{first}}}") or table.entries.get(head)
    if entry is not None and entry.slots <= count:
        return _cut(entry.parts, given)
    return _cut(tuple(_SLOT.split(_from_lexicon(head, count))), given)


def _cut(parts: tuple[str, ...], given: int) -> tuple[str, ...]:
    for index in range(1, len(parts), 2):
        if int(parts[index]) > given:
            return (*parts[: index - 1], _DANGLING.sub("", parts[index - 1]))
    return parts


@cache
def _from_lexicon(head: str, count: int) -> str:
    macro = lexicon().lookup(head.removesuffix("[]"))
    if macro is None:
        slots = " and ".join(f"{{{n + 1}}}" for n in range(count))
        return f"the function {head.strip(chr(92)).removesuffix('[]')}" + (f" of {slots}" if slots else "")
    name = _REMARK.sub("", macro.meaning).strip().replace("_", " ")
    name = re.sub(r"\b(numbers|polynomials|functions|zeros|roots)\b", lambda m: m[1][:-1], name)
    named = "" if re.match(r"[A-Z][\w-]*(?:'s|s')\b", name) else "the "
    variables = min(macro.variables, count)
    before = [f"{{{n + 1}}}" for n in range(count - variables)]
    behind = [f"{{{n + 1}}}" for n in range(count - variables, count)]
    text = f"{named}{name}"
    if before:
        text += f" {_parameter_words(macro, before, name)}"
    if behind:
        text += f" {'at' if before else 'of'} {_and(behind)}"
    return text


def _parameter_words(macro: Macro, slots: list[str], name: str) -> str:
    letter = macro.letters[0] if macro.letters else ""
    if len(slots) == 1:
        if "polynomial" in name and letter == "n":
            return f"of degree {slots[0]}"
        if letter in (r"\nu", r"\mu") or (letter == "n" and "Bessel" in name):
            return f"of order {slots[0]}"
        return f"with {'index' if not macro.variables else 'parameter'} {slots[0]}"
    return f"with parameters {_and(slots)}"


def _and(slots: list[str]) -> str:
    return slots[0] if len(slots) == 1 else f"{', '.join(slots[:-1])} and {slots[-1]}"
