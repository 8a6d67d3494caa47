"""A grammar: rules, an index to find them by what a row shows, and its file.

The file is JSON, one rule per line, made to be read and compared by people.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from texlift.errors import TexliftError
from texlift.grammar.needs import Needs, needs_of
from texlift.grammar.pattern import HOLES
from texlift.grammar.rule import Rule
from texlift.latex.signatures import CallSignature
from texlift.macros.semantic import Language, packaged_language

__all__ = ["Grammar"]

_FORMAT = "texlift-grammar-1"
_MOST_ARGUMENTS = len(HOLES)


class Grammar:
    """Rules of a language, and the labels that may stand inside an argument without delimiters (`\\sin n x`)."""

    def __init__(
        self, rules: Iterable[Rule], inside: frozenset[str] = frozenset(), language: Language | None = None
    ) -> None:
        self.rules = tuple(rules)
        self.inside = inside
        self.language = language or packaged_language()

    def __len__(self) -> int:
        return len(self.rules)

    @cached_property
    def by_name(self) -> dict[str, list[Rule]]:
        """Rules of each macro, the most used first."""
        table: dict[str, list[Rule]] = defaultdict(list)
        for rule in sorted(self.rules, key=lambda rule: -rule.count):
            table[rule.name].append(rule)
        return dict(table)

    @cached_property
    def needs(self) -> list[Needs | None]:
        """What each rule needs to match; it may be set from a file, which is forty times as fast."""
        return [needs_of(rule) for rule in self.rules]

    def merged(self, rules: Iterable[Rule]) -> Grammar:
        """This grammar with further rules that it does not have yet; a rule may gain a script point."""
        table = {rule.bare: rule for rule in self.rules}
        for rule in rules:
            old = table.get(rule.bare)
            if old is None:
                table[rule.bare] = rule
            elif "#'" in rule.call and "#'" not in old.call:
                table[rule.bare] = replace(rule, count=old.count, longest=old.longest)
        return Grammar(table.values(), self.inside, self.language)

    def dumps(self) -> str:
        """The grammar as the text of its file."""
        lines = [
            json.dumps(_entry(rule, not self.language.of_lexicon(rule.name)), ensure_ascii=False)
            for rule in sorted(self.rules, key=lambda rule: (rule.call, rule.generic))
        ]
        inside = json.dumps(sorted(self.inside), ensure_ascii=False)
        body = ",\n".join(lines)
        return f'{{"format": "{_FORMAT}",\n{_written(self.language)}"inside": {inside},\n"rules": [\n{body}\n]}}\n'

    @staticmethod
    def loads(text: str, name: str = "grammar") -> Grammar:
        """Read what `dumps` wrote; raises TexliftError naming the file for anything else."""
        try:
            table = json.loads(text)
            if table["format"] != _FORMAT:
                raise TexliftError(f"{name}: format {table['format']!r}, expected {_FORMAT!r}")
            rules = [_rule(*entry) for entry in table["rules"]]
            return Grammar(rules, frozenset(table["inside"]), _language(table))
        except (KeyError, TypeError, ValueError) as error:
            raise TexliftError(f"{name}: not a grammar file: {error}") from error

    @staticmethod
    def load(path: Path) -> Grammar:
        """Read a grammar file."""
        try:
            return Grammar.loads(path.read_text("utf-8"), str(path))
        except OSError as error:
            raise TexliftError(f"cannot read grammar: {error}") from error


def _entry(rule: Rule, with_lists: bool) -> list[object]:
    """A rule as it stands in the file; holes for lists come last, in brackets (the lexicon has those of its macros)."""
    lists = [list(rule.lists)] if with_lists and rule.lists else []
    return [rule.call, rule.generic, rule.count, rule.longest, *rule.common, *lists]


def _rule(call: str, generic: str, count: int, longest: int, *more: str | list[int]) -> Rule:
    common = tuple([label for label in more if isinstance(label, str)])
    lists = more[-1] if more and not isinstance(more[-1], str) else ()
    return Rule(call, generic, count, longest, common, tuple(lists))


def _written(language: Language) -> str:
    """The language as a line of the file; the packaged one goes without saying."""
    if not language.calls and language.with_lexicon:
        return ""
    calls = {name: [form.options, form.parameters, form.variables] for name, form in sorted(language.calls.items())}
    written = json.dumps({"lexicon": language.with_lexicon, "calls": calls}, ensure_ascii=False)
    return f'"language": {written},\n'


def _language(table: dict[str, Any]) -> Language | None:
    """The language of a grammar file; None for the packaged one."""
    saved = table.get("language")
    if saved is None:
        return None
    calls = {name: _form(*form) for name, form in saved["calls"].items()}
    return Language(calls, bool(saved["lexicon"]))


def _form(options: int, parameters: int, variables: int) -> CallSignature:
    for number in (options, parameters, variables):
        if not isinstance(number, int) or not 0 <= number <= _MOST_ARGUMENTS:
            raise ValueError(f"{number!r} is not a number of arguments")
    return CallSignature(options, parameters, variables)
