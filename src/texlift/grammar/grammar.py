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

from texlift.errors import TexliftError
from texlift.grammar.needs import Needs, needs_of
from texlift.grammar.rule import Rule

__all__ = ["Grammar"]

_FORMAT = "texlift-grammar-1"


class Grammar:
    """Rules, and the labels that may stand inside an argument without delimiters (`\\sin n x`)."""

    def __init__(self, rules: Iterable[Rule], inside: frozenset[str] = frozenset()) -> None:
        self.rules = tuple(rules)
        self.inside = inside

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
        return Grammar(table.values(), self.inside)

    def dumps(self) -> str:
        """The grammar as the text of its file."""
        lines = [
            json.dumps([rule.call, rule.generic, rule.count, rule.longest, *rule.common], ensure_ascii=False)
            for rule in sorted(self.rules, key=lambda rule: (rule.call, rule.generic))
        ]
        inside = json.dumps(sorted(self.inside), ensure_ascii=False)
        body = ",\n".join(lines)
        return f'{{"format": "{_FORMAT}",\n"inside": {inside},\n"rules": [\n{body}\n]}}\n'

    @staticmethod
    def loads(text: str, name: str = "grammar") -> Grammar:
        """Read what `dumps` wrote; raises TexliftError naming the file for anything else."""
        try:
            table = json.loads(text)
            if table["format"] != _FORMAT:
                raise TexliftError(f"{name}: format {table['format']!r}, expected {_FORMAT!r}")
            rules = [
                Rule(call, generic, count, longest, tuple(common))
                for call, generic, count, longest, *common in table["rules"]
            ]
            return Grammar(rules, frozenset(table["inside"]))
        except (KeyError, TypeError, ValueError) as error:
            raise TexliftError(f"{name}: not a grammar file: {error}") from error

    @staticmethod
    def load(path: Path) -> Grammar:
        """Read a grammar file."""
        try:
            return Grammar.loads(path.read_text("utf-8"), str(path))
        except OSError as error:
            raise TexliftError(f"cannot read grammar: {error}") from error
