"""Forged answers: a correct answer changed in one place, so that it prints something else.

Each kind of forgery is a function from a semantic formula to changed texts. They only know the syntax of semantic
LaTeX, not how texlift expands or certifies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from itertools import pairwise

from texlift.latex.nodes import Call, Group, Leaf, Node, Script
from texlift.macros.lexicon import lexicon
from texlift.macros.semantic import parse_semantic

__all__ = ["FORGERIES", "calls"]

_FRESH = r"\mathfrak{Z}"  # no demo formula has it
_DIGIT = re.compile(r"(?<![\\A-Za-z])\d")


def _nodes(text: str) -> Iterator[Node | Script]:
    """All nodes and scripts of a semantic formula."""
    found: list[object] = [parse_semantic(text)]
    for item in found:  # grows while it is gone through
        if isinstance(item, list | tuple):
            found += item
        elif isinstance(item, Node | Script):
            yield item
            found += [getattr(item, field.name) for field in fields(item)]


def calls(semantic: str) -> list[Call]:
    """All macro calls of a semantic formula, in order of their start."""
    return sorted((node for node in _nodes(semantic) if isinstance(node, Call)), key=lambda call: call.start)


def _put(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _inside(node: Node) -> tuple[int, int]:
    return node.start + 1, node.end - 1


def _ats(call: Call) -> int:
    return sum(number for number, _ in call.segments)


def _shown(call: Call) -> list[Node]:
    """The arguments that the macro prints, by the lexicon: `K` does not show the k of `\\compellintKk@@{k}`."""
    macro = lexicon().lookup(call.name)
    if macro is None:
        return []
    for written, shown in macro.templates:
        marks = re.findall(r"[\[{]#([1-9a-z])[\]}]", written)
        same_ats = written.count("@") == _ats(call)
        if same_ats and len(marks) == len(call.arguments):
            return [node for node, mark in zip(call.arguments, marks, strict=True) if f"#{mark}" in shown]
    return []


def another_macro(text: str) -> Iterator[str]:
    """A macro with the same arguments and other letters."""
    for call in calls(text):
        macro = lexicon().lookup(call.name)
        if macro is None or not macro.templates:
            continue
        arity = (len(call.options), len(call.parameters), len(call.variables))
        for other in lexicon():
            theirs = (other.options, other.parameters, other.variables)
            if (
                theirs == arity
                and other.templates
                and _letters(other.templates[0][1]).isdisjoint(_letters(macro.templates[0][1]))
            ):
                yield _put(text, call.start, call.start + len(call.name), other.name)
                break


def _letters(template: str) -> set[str]:
    return set(re.findall(r"\\[A-Za-z]+|[A-Za-z]", re.sub(r"#.|\\left|\\right|\\operatorname|\\math\w+", "", template)))


def another_argument(text: str) -> Iterator[str]:
    for call in calls(text):
        for node in _shown(call):
            yield _put(text, *_inside(node), _FRESH)


def longer_argument(text: str) -> Iterator[str]:
    for call in calls(text):
        for node in _shown(call):
            yield _put(text, node.end - 1, node.end - 1, "+" + _FRESH)


def swapped_arguments(text: str) -> Iterator[str]:
    for call in calls(text):
        shown = _shown(call)
        for first, second in pairwise(shown):
            one, other = text[slice(*_inside(first))], text[slice(*_inside(second))]
            if re.sub(r"\s", "", one) != re.sub(r"\s", "", other):
                yield _put(_put(text, *_inside(second), one), *_inside(first), other)


def emptied_argument(text: str) -> Iterator[str]:
    for call in calls(text):
        for node in _shown(call):
            if node.end - node.start > 2:
                yield _put(text, *_inside(node), "")


def dropped_argument(text: str) -> Iterator[str]:
    for call in calls(text):
        for node in _shown(call):
            if node.end - node.start > 2:
                yield _put(text, node.start, node.end, "")


def invented_argument(text: str) -> Iterator[str]:
    for call in calls(text):
        yield _put(text, call.end, call.end, f"{{{_FRESH}}}")


def changed_number(text: str) -> Iterator[str]:
    for digit in _DIGIT.finditer(text):
        yield _put(text, *digit.span(), str((int(digit[0]) + 1) % 10))


def changed_sign(text: str) -> Iterator[str]:
    signs = {"+": "-", "-": "+", "=": r"\neq ", "<": ">", ">": "<"}
    for at, character in enumerate(text):
        if character in signs:
            yield _put(text, at, at + 1, signs[character])


def dropped_sign(text: str) -> Iterator[str]:
    for at, character in enumerate(text):
        if character in "+-=<>":
            yield _put(text, at, at + 1, " ")


def _scripts(text: str) -> Iterator[Script]:
    return (node for node in _nodes(text) if isinstance(node, Script))


def changed_script(text: str) -> Iterator[str]:
    for script in _scripts(text):
        if script.argument is not None:
            yield _put(text, script.start, script.end, f"{script.kind}{{{_FRESH}}}")


def turned_script(text: str) -> Iterator[str]:
    for script in _scripts(text):
        if script.argument is not None:
            yield _put(text, script.start, script.start + 1, "_" if script.kind == "^" else "^")


def dropped_script(text: str) -> Iterator[str]:
    for script in _scripts(text):
        yield _put(text, script.start, script.end, "")


def added_script(text: str) -> Iterator[str]:
    for call in calls(text):
        yield _put(text, call.end, call.end, f"_{{{_FRESH}}}")


def added_prime(text: str) -> Iterator[str]:
    for call in calls(text):
        if not call.scripts:
            yield _put(text, call.end, call.end, "'")


def moved_power(text: str) -> Iterator[str]:
    """`\\BesselJ{n}^{2}@{x}` as `\\BesselJ{n}@{x}^{2}`, where parentheses are printed."""
    for call in calls(text):
        if call.scripts and _ats(call) == 1:
            first, last = call.scripts[0], call.scripts[-1]
            power = text[first.start : last.end]
            yield _put(_put(text, call.end, call.end, power), first.start, last.end, "")


def power_of_the_argument(text: str) -> Iterator[str]:
    """`\\BesselJ{n}^{2}@{x}` as `\\BesselJ{n}@{x^{2}}`."""
    for call in calls(text):
        if call.scripts and call.variables:
            first, last = call.scripts[0], call.scripts[-1]
            inside = call.variables[-1].end - 1
            yield _put(_put(text, inside, inside, text[first.start : last.end]), first.start, last.end, "")


def another_font(text: str) -> Iterator[str]:
    for leaf in _leaves(text):
        in_a_font = text[: leaf.start].endswith(r"\mathbf{")
        if leaf.text.isalpha() and leaf.text.isascii() and not in_a_font:
            yield _put(text, leaf.start, leaf.end, f"\\mathbf{{{leaf.text}}}")


def another_letter(text: str) -> Iterator[str]:
    for leaf in _leaves(text):
        if leaf.text.isalpha() and leaf.text.isascii():
            yield _put(text, leaf.start, leaf.end, _FRESH)


def _leaves(text: str) -> Iterator[Leaf]:
    return (node for node in _nodes(text) if isinstance(node, Leaf))


def stray_at(text: str) -> Iterator[str]:
    for call in calls(text):
        yield _put(text, call.end, call.end, "@")


def more_ats(text: str) -> Iterator[str]:
    """One @ more or less prints with or without parentheses, or nothing at all."""
    for call in calls(text):
        at = text.find("@", call.start, call.end)
        if _ats(call) and at >= 0:
            yield _put(text, at, at, "@@@@")


def repeated_call(text: str) -> Iterator[str]:
    for call in calls(text):
        yield _put(text, call.end, call.end, " " + text[call.start : call.end])


def missing_call(text: str) -> Iterator[str]:
    for call in calls(text):
        yield _put(text, call.start, call.end, "")


def unwrapped_call(text: str) -> Iterator[str]:
    """Only the argument is left of a call."""
    for call in calls(text):
        if call.variables and isinstance(call.variables[-1], Group):
            yield _put(text, call.start, call.end, text[slice(*_inside(call.variables[-1]))])


FORGERIES: tuple[Callable[[str], Iterator[str]], ...] = (
    another_macro,
    another_argument,
    longer_argument,
    swapped_arguments,
    emptied_argument,
    dropped_argument,
    invented_argument,
    changed_number,
    changed_sign,
    dropped_sign,
    changed_script,
    turned_script,
    dropped_script,
    added_script,
    added_prime,
    moved_power,
    power_of_the_argument,
    another_font,
    another_letter,
    stray_at,
    more_ats,
    repeated_call,
    missing_call,
    unwrapped_call,
)
