"""Script points: where primes, powers and indices of a call stand in its presentation."""

from __future__ import annotations

from dataclasses import replace

from texlift.errors import TexliftError
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical

__all__ = ["with_script_points"]

_SCRIPTS = frozenset("_'^")


def with_script_points(rules: list[Rule]) -> list[Rule]:
    """Give every rule with an @ a script point, and merge rules that only differ in having one.

    The point is where another rule of the macro has it, or behind the presentation of the macro without
    variables, or behind the first symbol with its scripts.
    """
    merged: dict[tuple[str, str], Rule] = {}
    for rule in rules:
        pointed = rule if "#'" in rule.call or not rule.has_ats else _pointed(rule)
        key = (pointed.call, pointed.pattern.source)
        if key in merged:
            pointed = replace(pointed, count=pointed.count + merged[key].count)
        merged[key] = pointed
    return list(merged.values())


def _pointed(rule: Rule) -> Rule:
    at = rule.call.index("@")
    row = canonical(rule.generic)
    elements = row.elements
    index = 0
    while index < len(elements) and elements[index].label == "{}":
        index += 1
        while index < len(elements) and elements[index].label in _SCRIPTS:
            index += 1
    if index >= len(elements) or not elements[index].label.lstrip("\\")[:1].isalpha() or elements[index].rows:
        return rule
    index += 1
    while index < len(elements) and elements[index].label in _SCRIPTS:
        index += 1
    end = max(element.end for element in elements[:index])
    for opening, closing in row.dissolved:
        command = opening[1] - opening[0] > 1 and opening[1] <= elements[index - 1].start < closing[0]
        if closing[0] == end or command:  # `\\mathit{H\\!\\ell}`: a name of several symbols
            end = closing[1]
    text = f"{rule.generic[:end]}#'{rule.generic[end:]}"
    try:
        pointed = Rule(f"{rule.call[:at]}#'{rule.call[at:]}", text, rule.count, rule.longest)
        if pointed.pattern.source.replace(" #'", "").replace("#' ", "") != rule.pattern.source:
            return rule
    except TexliftError:
        return rule
    return pointed
