"""The rules that start with one label, found by what stands around it."""

from __future__ import annotations

from texlift.grammar.matching import Matcher

__all__ = ["Entry", "Starts"]

Entry = tuple[frozenset[str], tuple[tuple[str, str], ...], Matcher]
"""Labels and words that must occur in the formula besides those around the first symbol, the matcher."""


class Starts:
    """The rules that start with one label."""

    __slots__ = ("_entries", "_follows", "_inners", "_known")

    def __init__(self) -> None:
        self._entries: list[tuple[str, str, int, Entry]] = []
        self._follows: set[str] = {""}
        self._inners: set[str] = {""}
        self._known: dict[tuple[str, str, int], list[Entry]] = {}

    def add(self, follow: str, inner: str, scripts: int, entry: Entry) -> None:
        """Add a rule: the label that must follow its first symbol, the label the first row below that must start with
        (each may be empty), the scripts it must carry."""
        self._entries.append((follow, inner, scripts, entry))
        self._follows.add(follow)
        self._inners.add(inner)

    def around(self, follow: str, inner: str, scripts: int) -> list[Entry]:
        """The rules that can match a symbol, by what stands around it; labels that no rule names are all the same."""
        key = (follow if follow in self._follows else "", inner if inner in self._inners else "", scripts)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = [
                entry
                for wanted, within, carried, entry in self._entries
                if (not wanted or wanted == follow) and (not within or within == inner) and not carried & ~scripts
            ]
        return found
