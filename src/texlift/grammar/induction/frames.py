"""What a macro prints around itself that nobody sees: spacing, and wrappers such as `\\mathord{...}`.

    \\opp{#1}    ->   \\mathord{{#1}^{-1}}
    \\lam{#1}    ->   \\lambda #1.\\,

Canonical rows do not have it, so alignment does not either: a rule is proposed from its first symbol to its last. Once
all pairs are aligned, what stands around each use is compared with what its author wrote around the call; what is over
belongs to the macro, and to the template of its rule.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from texlift.errors import TexliftError
from texlift.grammar.induction.alignment import Alignment, Step
from texlift.grammar.rule import Rule
from texlift.latex.canonical import CallElement, Row, canonical
from texlift.latex.invisible import around, unspaced
from texlift.latex.printing import join

__all__ = ["Frames"]

_SCRIPTS = frozenset("_'^")
_Key = tuple[str, str]


class Frames:
    """Counts what stands around the uses of rules."""

    def __init__(self) -> None:
        # with nothing but literal symbols beside the call, and with others: those say less
        self._leads: tuple[dict[_Key, Counter[str]], ...] = (defaultdict(Counter), defaultdict(Counter))
        self._tails: tuple[dict[_Key, Counter[str]], ...] = (defaultdict(Counter), defaultdict(Counter))

    def saw(self, generic: str, semantic: str, semantic_row: Row, alignment: Alignment) -> None:
        """Note what stands around the calls of a pair."""
        written: dict[int, _Written] = {}
        _collect(semantic_row, semantic, written)
        for step in alignment.steps:
            if step.match is not None and step.call is not None and not step.match.trailing:
                self._use(generic, semantic, step, step.call, written[id(step.call)])

    def _use(self, generic: str, semantic: str, step: Step, call: CallElement, own: _Written) -> None:
        match = step.match
        assert match is not None
        rule = match.rule
        before, behind = around(generic, match.row, match.start, match.end)
        key = (rule.call, rule.generic)
        lead = _without_start(unspaced(before), own.before)
        tail = _without_end(unspaced(behind), own.behind)
        doubtful_lead, doubtful_tail = own.after_call, own.before_call
        items = rule.pattern.items
        if items[0].hole >= 0:
            argument = call.rows[rule.shape.arguments.index(items[0].hole)]
            first = argument.elements[0]
            doubtful_lead |= isinstance(first, CallElement)
            lead = _without_end(lead, unspaced(semantic[argument.start : first.start]))
        if items[-1].hole >= 0 and not items[-1].scripts:
            argument = call.rows[rule.shape.arguments.index(items[-1].hole)]
            last = argument.elements[-1]
            doubtful_tail |= any(isinstance(element, CallElement) for element in argument.elements)
            tail = _without_start(tail, unspaced(semantic[last.end : argument.end]))
        if lead is not None:
            self._leads[doubtful_lead][key][lead] += 1
        if tail is not None:
            self._tails[doubtful_tail][key][tail] += 1

    def framed(self, rules: Sequence[Rule]) -> list[Rule]:
        """The rules with what they print around themselves in their templates.

        A rule that no pair uses, but which follows from one that prints the same, prints it so too.
        """
        own = [self._own(rule) for rule in rules]
        alike: dict[_Key, Counter[tuple[str, str]]] = defaultdict(Counter)
        for rule, frame in zip(rules, own, strict=True):
            if frame is not None:
                alike[_looks(rule)][frame] += rule.count
        whole = []
        for rule, frame in zip(rules, own, strict=True):
            others = alike.get(_looks(rule))
            if frame is None and others and not rule.count:
                frame = max(others.items(), key=lambda item: (item[1], item[0]))[0]
            whole.append(rule if frame is None else _with(rule, *frame))
        return whole

    def _own(self, rule: Rule) -> tuple[str, str] | None:
        key = (rule.call, rule.generic)
        lead, tail = _commonest(self._leads, key), _commonest(self._tails, key)
        return None if lead is None or tail is None else (lead, tail)


def _looks(rule: Rule) -> tuple[str, str]:
    """How a rule is called, without the name, and what it prints."""
    return rule.call[len(rule.name) :], rule.pattern.source


def _with(rule: Rule, lead: str, tail: str) -> Rule:
    """The rule with this around its print, if that is a template for the same print."""
    elements = canonical(rule.generic).elements
    first, last = min([e.start for e in elements]), max([e.end for e in elements])
    whole = replace(rule, generic=join(join(lead, rule.generic[first:last]), tail))
    try:
        same = whole.sound and whole.pattern.source == rule.pattern.source
    except TexliftError:
        same = False
    return whole if same else rule


class _Written:
    """What an author wrote around a call that nobody sees, and whether calls stand beside it."""

    __slots__ = ("after_call", "before", "before_call", "behind")

    def __init__(self, before: str, behind: str, after_call: bool, before_call: bool) -> None:
        self.before = before
        self.behind = behind
        self.after_call = after_call
        self.before_call = before_call


def _collect(row: Row, source: str, found: dict[int, _Written], argument: bool = False) -> None:
    """The surroundings of all calls of a semantic row; the ends of arguments are as doubtful as other calls."""
    elements = row.elements
    for index, element in enumerate(elements):
        if isinstance(element, CallElement):
            end = index + 1
            before, behind = around(source, row, index, end)
            back = index - 1
            while back >= 0 and elements[back].label in _SCRIPTS:
                back -= 1
            after_call = isinstance(elements[back], CallElement) if back >= 0 else argument
            before_call = isinstance(elements[end], CallElement) if end < len(elements) else argument
            found[id(element)] = _Written(unspaced(before), unspaced(behind), after_call, before_call)
            for script in element.scripts:
                for child in script.rows:
                    _collect(child, source, found)
        for child in element.rows:
            _collect(child, source, found, isinstance(element, CallElement))


def _without_start(text: str | None, start: str) -> str | None:
    return text[len(start) :] if text is not None and text.startswith(start) else None


def _without_end(text: str | None, end: str) -> str | None:
    return text[: len(text) - len(end)] if text is not None and text.endswith(end) else None


def _commonest(counts: tuple[dict[_Key, Counter[str]], ...], key: _Key) -> str | None:
    for some in counts:
        if key in some:
            return max(some[key].items(), key=lambda item: (item[1], -len(item[0]), item[0]))[0]
    return None
