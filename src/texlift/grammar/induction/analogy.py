"""Rules by analogy: forms of a macro that no pair shows, made as the forms of other macros are.

    \\Laplacetrans@@{#1}@{#2}   ->   \\mathscr{L} \\mskip-3mu #1 \\mskip3mu \\left(#2\\right)
    \\Laplacetrans@{#1}@{#2}    ->   \\mathscr{L} \\left(#1\\right)\\left(#2\\right)
    \\Mellintrans@@{#1}@{#2}    ->   \\mathscr{M} \\mskip-3mu #1 \\mskip3mu \\left(#2\\right)
    \\Mellintrans@{#1}@{#2}     ->   ?

Two forms of one macro begin alike, with what is the macro's own, and differ in their ends. The change of the ends is
the analogy: a macro that has the one end may have the other. Likewise for arguments that are letters of a name
(`\\operatorname{pq}`, `\\epsilon_{213}`): where some combinations are seen, all are possible.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from texlift.grammar.rule import Rule
from texlift.latex.lexer import tokenize
from texlift.latex.printing import join

__all__ = ["analogous", "combined", "shared"]

_SHARE = 0.2  # of the macros with an end, how many must change it to follow them
_MOST_COMBINATIONS = 64  # of one name
_ARGUMENT = re.compile(r"\{([A-Za-z0-9])\}")

_Tokens = tuple[str, ...]
_Forms = dict[str, dict[str, _Tokens]]
"""Macro -> form of the call (without the name) -> presentation."""

_End = tuple[bool, str, _Tokens]
"""Whether the macro shows a word (`sin`) or a symbol, which are not alike; form; end of the presentation."""


def analogous(rules: Sequence[Rule]) -> list[Rule]:
    """Forms that other macros with the same end have; of several possible ones the most common.

    An end that many macros have and few of them change in this way says nothing: `_SHARE`.
    """
    forms = _forms(rules)
    words = {rule.name for rule in rules if any(item.letters for item in rule.pattern.items[:2])}
    changes = _changes(forms, words)
    ends = [
        (name in words, form, end)
        for name, own in forms.items()
        for form, text in own.items()
        for _, end in _cuts(text)
    ]
    common = Counter(ends)
    have = {rule.call for rule in rules}
    made: list[Rule] = []
    for name, own in forms.items():
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for form, tokens in own.items():
            for head, end in _cuts(tokens):
                key = (name in words, form, end)
                for (other, new), support in changes.get(key, {}).items():
                    if name + other not in have and support >= _SHARE * common[key]:
                        votes[other][_joined((*head, *new))] += support
        for other, texts in votes.items():
            best = max(texts.items(), key=lambda item: (item[1], -len(item[0]), item[0]))[0]
            rule = Rule(name + other, best)
            if rule.sound:
                made.append(rule)
    return made


def shared(rules: Sequence[Rule]) -> list[Rule]:
    """Forms of macros that print alike: where `\\tprd{#1}` is shown as `\\prd{#1}` is, so is `\\tprd{#1}{#2}`.

    Of macros without an @ only; those with one have forms that follow from each other.
    """
    by_name: dict[str, dict[str, list[Rule]]] = defaultdict(lambda: defaultdict(list))
    alike: dict[tuple[str, str], set[str]] = defaultdict(set)
    for rule in rules:
        if rule.count and "#" in rule.call and not rule.has_ats:
            form = rule.call[len(rule.name) :]
            by_name[rule.name][form].append(rule)
            alike[form, rule.pattern.source].add(rule.name)
    made: dict[tuple[str, str], Rule] = {}
    for names in alike.values():
        for name, twin in itertools.permutations(sorted(names), 2):
            own = by_name[name]
            for form, others in by_name[twin].items():
                sources = {rule.pattern.source for rule in own.get(form, ())}
                if sources <= {rule.pattern.source for rule in others}:  # none, or some of the same
                    for other in others:
                        if other.pattern.source not in sources:
                            rule = replace(other, call=name + form, count=0)
                            made.setdefault((rule.call, rule.pattern.source), rule)
    return list(made.values())


def _forms(rules: Iterable[Rule]) -> _Forms:
    forms: _Forms = defaultdict(dict)
    for rule in sorted(rules, key=lambda rule: -rule.count):
        form = rule.call[len(rule.name) :]
        if rule.count and "\\" not in form:
            forms[rule.name].setdefault(form, tuple(tokenize(rule.generic).texts))
    return forms


def _changes(forms: _Forms, words: set[str]) -> dict[_End, Counter[tuple[str, _Tokens]]]:
    """For an end: other forms of the macros that have it, with their ends, and how many macros show the change."""
    changes: dict[_End, Counter[tuple[str, _Tokens]]] = defaultdict(Counter)
    for name, own in forms.items():
        for (form, tokens), (other, others) in itertools.permutations(own.items(), 2):
            cut = next((i for i, (a, b) in enumerate(zip(tokens, others, strict=False)) if a != b), len(tokens))
            if _shows(tokens[:cut]) and len(others) > cut and len(tokens) > cut:
                changes[name in words, form, tokens[cut:]][other, others[cut:]] += 1
    return changes


def _cuts(tokens: _Tokens) -> Iterator[tuple[_Tokens, _Tokens]]:
    """All ways to cut a presentation behind something that shows the macro."""
    for cut in range(1, len(tokens)):
        if _shows(tokens[:cut]):
            yield tokens[:cut], tokens[cut:]


def _shows(tokens: _Tokens) -> bool:
    """Whether there is something to see that is neither a hole nor a brace."""
    return any(token[0] not in "{}#_^" for token in tokens)


def _joined(tokens: _Tokens) -> str:
    result = ""
    last = ""
    for token in tokens:
        result += join(last, token)[len(last) :]
        last = token
    return result


# -- letters of a name ---------------------------------------------------------------------------------


def combined(rules: Sequence[Rule]) -> list[Rule]:
    """All combinations of the letters that arguments show in a name, where at least two were seen."""
    names: dict[tuple[str, str], Rule] = {}
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    letters: dict[bool, set[str]] = {True: set(), False: set()}
    for rule in rules:
        for call, generic, values in _names(rule):
            names.setdefault((call, generic), rule)
            seen[call, generic].add(values)
    names = {key: rule for key, rule in names.items() if len(seen[key]) > 1}
    for key in names:
        for values in seen[key]:
            letters[values.isdigit()].update(values)
    have = {rule.call for rule in rules}
    made = []
    for call, generic in names:
        values = next(iter(seen[call, generic]))
        choices = sorted(letters[values.isdigit()])
        if len(choices) ** len(values) > _MOST_COMBINATIONS:
            continue
        for combination in itertools.product(choices, repeat=len(values)):
            written = call
            for letter in combination:
                written = written.replace("?", letter, 1)
            rule = Rule(written, generic.replace("?", "".join(combination)))
            if written not in have and rule.sound:
                made.append(rule)
    return made


def _names(rule: Rule) -> Iterator[tuple[str, str, str]]:
    """(call, presentation, letters) with `?` for the letters, if they stand together in the presentation."""
    values = "".join(_ARGUMENT.findall(rule.call))
    if len(values) > 1 and "?" not in rule.generic and rule.generic.count(values) == 1:
        yield _ARGUMENT.sub("{?}", rule.call), rule.generic.replace(values, "?"), values
