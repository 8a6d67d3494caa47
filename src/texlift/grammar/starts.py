"""The rules that start with one label, found by what stands around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from texlift.grammar.matching import Matcher
from texlift.grammar.needs import Needs
from texlift.grammar.rule import Rule

__all__ = ["SCRIPT_BITS", "Entry", "Starts"]

Entry = tuple[frozenset[str], tuple[tuple[str, str], ...], Matcher]
"""Labels and words that must occur in the formula besides those around the first symbol, the matcher."""

SCRIPT_BITS: Final = {"_": 1, "'": 2, "^": 4}
"""A set of scripts is the sum of their bits."""


class Starts:
    """The rules that start with one label.

    Most labels never come up in a process that translates a few formulae, so matchers are made when a rule is looked
    for: `matcher` gives that of a rule.
    """

    __slots__ = ("_follows", "_inners", "_known", "_matcher", "_rules")

    def __init__(self, matcher: Callable[[Rule], Matcher]) -> None:
        self._matcher = matcher
        self._rules: list[tuple[str, str, Rule, Needs, bool]] = []
        self._follows: set[str] = {""}
        self._inners: set[str] = {""}
        self._known: dict[tuple[str, str, int], list[Entry]] = {}

    def add(self, rule: Rule, needs: Needs) -> None:
        """Add a rule that starts with the label."""
        self._rules.append((needs.follow, needs.inner, rule, needs, False))
        self._follows.add(needs.follow)
        self._inners.add(needs.inner)

    def add_spelled(self, rule: Rule, needs: Needs, second: str) -> None:
        """Add a rule that starts with a word, of which the label is the first letter and `second` the next."""
        self._rules.append((second, "", rule, needs, True))
        self._follows.add(second)

    def around(self, follow: str, inner: str, scripts: int) -> list[Entry]:
        """The rules that can match a symbol, by what stands around it; labels that no rule names are all the same.

        `follow` is the label behind the symbol and its `scripts`, `inner` the first label of the first row below it.
        """
        key = (follow if follow in self._follows else "", inner if inner in self._inners else "", scripts)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = [
                self._entry(rule, needs, spelled)
                for wanted, within, rule, needs, spelled in self._rules
                if (not wanted or wanted == follow)
                and (not within or within == inner)
                and (spelled or not _bits(needs) & ~scripts)
            ]
        return found

    def _entry(self, rule: Rule, needs: Needs, spelled: bool) -> Entry:
        labels = needs.labels - {needs.first}
        if not spelled:
            labels -= {needs.follow, needs.inner, *needs.scripts}
        return labels, needs.words, self._matcher(rule)


def _bits(needs: Needs) -> int:
    """The scripts that a rule's first symbol must carry."""
    return sum([SCRIPT_BITS[kind] for kind in needs.scripts])
