"""Rules that follow from others.

A macro that was seen with its variables can stand alone (`J_{\\nu}` for `J_{\\nu}\\left(z\\right)`), without its
parameters too (`J`), and an operator name takes its argument with or without parentheses. Pairs show some of these
forms for some macros; what holds for all macros is filled in here, with count 0, so that a scorer knows them as
unseen.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from texlift.grammar.pattern import HOLES
from texlift.grammar.rule import Rule
from texlift.latex.canonical import canonical
from texlift.latex.slicing import edit

_EMPTY_SCRIPT = re.compile(r"[_^]\{\}")
_MARK = re.compile(r"#[1-9a-z]")

__all__ = ["derived", "specialised"]

Values = Mapping[tuple[str, str], Mapping[int, set[str]]]
"""For a rule, by call and generic side: the contents seen in each of its holes."""


def derived(rules: Iterable[Rule]) -> list[Rule]:
    """The rules that follow from `rules` and are not among them."""
    given = sorted(rules, key=lambda rule: -rule.count)
    have = {rule.call for rule in given}
    more: list[Rule] = []
    bare = _emptied if any(rule.count and _EMPTY_SCRIPT.search(rule.generic) for rule in given) else _bare_head
    for make in (_head, bare, _other_form, _without_option):
        for rule in [*given, *more]:
            new = make(rule)
            if new is not None and new.call not in have and new.sound:
                have.add(new.call)
                more.append(new)
    return more


def _head(rule: Rule) -> Rule | None:
    """`\\BesselJ{#1}` from `\\BesselJ{#1}#'@{#2}`."""
    call, point, _ = rule.call.partition("#'")
    if not point or "#'" not in rule.generic:
        return None
    generic = rule.generic[: rule.generic.index("#'")]
    return Rule(call, generic + "}" * (generic.count("{") - generic.count("}")))


def _bare_head(rule: Rule) -> Rule | None:
    """`\\BesselJ{}` from `\\BesselJ{#1}`: scripts that only show parameters go."""
    if "@" in rule.call or "#" not in rule.call or not rule.sound:
        return None
    row = canonical(rule.generic)
    edits = []
    for element in row.elements:
        if element.label in "_^" and "#" in element.rows[0].key:
            edits.append(((element.start, element.end), ""))
        elif "#" in element.key:
            return None
    generic = edit(rule.generic, (0, len(rule.generic)), edits)
    call = rule.call
    for hole in rule.shape.arguments:
        if isinstance(hole, str) and hole:
            return None  # a constant parameter is part of the macro's look
    while "#" in call:
        at = call.index("#")
        call = call[:at] + call[at + 2 :]
    return Rule(call, generic) if canonical(generic).elements else None


def _emptied(rule: Rule) -> Rule | None:
    """`\\rec{}`, shown as `\\mathsf{rec}_{}`, from `\\rec{#1}`: in a language that prints empty scripts."""
    if "@" in rule.call or "#" not in rule.call or not rule.sound or not all(map(_is_hole, rule.shape.arguments)):
        return None
    generic = _MARK.sub("", rule.generic)
    return Rule(_MARK.sub("", rule.call), generic) if canonical(generic).elements else None


def _is_hole(argument: int | str) -> bool:
    return isinstance(argument, int)


def _without_option(rule: Rule) -> Rule | None:
    """`\\npartitions[]#'@{#1}` from `\\npartitions[#1]#'@{#2}`: an option shown as a script alone may be empty."""
    opening = rule.call.find("[#")
    if opening < 0 or rule.call.count("[") > 1 or "@" not in rule.call:
        return None
    mark = rule.call[opening + 1 : opening + 3]
    generic, scripts = re.subn(rf"[_^]\{{{mark}\}}", "", rule.generic)
    if not scripts or mark in generic:
        return None
    return Rule.numbered(rule.call.replace(mark, ""), generic, 0, rule.longest)


def _other_form(rule: Rule) -> Rule | None:
    """`\\operatorname{ber}_{#1}#2` from `\\operatorname{ber}_{#1}\\left(#2\\right)` and the other way round."""
    if not rule.sound or rule.shape.layout[2:] not in ((1, 1), (2, 1)):
        return None
    items = rule.pattern.items
    if len(items) != 2 or not items[0].letters:
        return None
    last = items[1]
    hole = rule.shape.arguments[-1]
    mark = f"#{rule.call[-2]}"
    if isinstance(hole, str) or last.scripts:
        return None
    if last.label == "( )" and len(last.rows[0].items) == 1 and last.rows[0].items[0].hole == hole:
        call = rule.call.replace("@{", "@@{")
        generic = rule.generic.replace(f"\\left({mark}\\right)", mark)
    elif last.hole == hole:
        call = rule.call.replace("@@{", "@{")
        generic = rule.generic.replace(mark, f"\\left({mark}\\right)")
    else:
        return None
    return Rule(call, generic, 0, rule.longest) if call != rule.call and generic != rule.generic else None


def specialised(rules: Sequence[Rule], values: Values) -> list[Rule]:
    """Rules with the same call, distinguished by a number among their arguments, get that number as a constant.

    `F_{2}(a;b,c;..)` and `F_{3}(a,b;c,d;..)` are both `\\AppellF{#1}@{#2}..`: without it, a call would not say how it
    is shown.
    """
    groups: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        groups[rule.call].append(rule)
    result: list[Rule] = []
    for group in groups.values():
        hole = _telling(group, values) if len(group) > 1 else None
        for rule in group:
            if hole is None:
                result.append(rule)
                continue
            mark = f"#{HOLES[hole]}"
            for number in sorted(values[rule.call, rule.generic][hole]):
                call, generic = rule.call.replace(mark, number), rule.generic.replace(mark, number)
                lists = tuple([other - (other > hole) for other in rule.lists if other != hole])
                one = Rule.numbered(call, generic, rule.count, rule.longest)
                one = replace(one, common=tuple([c for c in rule.common if c != number]), lists=lists)
                result.append(one if one.sound else rule)
    return list(dict.fromkeys(result))


def _telling(group: list[Rule], values: Values) -> int | None:
    """The hole that held numbers only, and different ones in every rule of the group."""
    seen = [values.get((rule.call, rule.generic), {}) for rule in group]
    for hole in seen[0]:
        contents = [held.get(hole, set()) for held in seen]
        numbers = set().union(*contents)
        if (
            all(contents)
            and all(number.isdigit() and number.isascii() and len(number) == 1 for number in numbers)
            and sum(map(len, contents)) == len(numbers)
        ):
            return hole
    return None
