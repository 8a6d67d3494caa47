"""The print of a rule with scripts or without: the braces that keep the scripts of a call apart from its own."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from texlift.latex.canonical import canonical

__all__ = ["presented"]


def presented(generic: str, scripts: AbstractSet[str]) -> str:
    """A rule's generic side as it is printed for a call with scripts of these kinds: braces around what carries them.

    `#'` stays where the scripts go, if there are any.
    """
    point = generic.find("#'")
    if point < 0:
        return generic
    if not scripts:
        return _without_group(generic, point)
    if _clashes(generic, point, scripts):
        start = _base_start(generic, point)
        return f"{generic[:start]}{{{generic[start:point]}}}{generic[point:]}"
    return generic


def _without_group(generic: str, point: int) -> str:
    """`{\\cos#'}\\left(#1\\right)` without scripts is `\\cos\\left(#1\\right)`."""
    if not generic.startswith("}", point + 2):
        return generic[:point] + generic[point + 2 :]
    depth = 0
    for start in range(point - 1, -1, -1):
        depth += {"}": 1, "{": -1}.get(generic[start], 0)
        if depth < 0:
            return generic[:start] + generic[start + 1 : point] + generic[point + 3 :]
    return generic[:point] + generic[point + 2 :]


def _clashes(generic: str, point: int, kinds: AbstractSet[str]) -> bool:
    """Whether the scripts would be a second super- or subscript of the same symbol."""
    elements = canonical(generic[:point] + "}" * _unclosed(generic[:point])).elements
    present = set()
    for element in reversed(elements):
        if element.label not in ("_", "^", "'"):
            break
        present.add(element.label)
    if generic[:point].rstrip().endswith("}}"):
        return False  # `{H^{(1)}}#'`: already grouped
    raised = {"^", "'"}
    return bool(kinds & present) or bool(kinds & raised and present & raised)


def _base_start(generic: str, point: int) -> int:
    head = generic[:point]
    elements = canonical(head + "}" * _unclosed(head)).elements
    index = len(elements) - 1
    while index and elements[index].label in ("_", "^", "'"):
        index -= 1
    return elements[index].start


def _unclosed(text: str) -> int:
    return text.count("{") - text.count("}")
